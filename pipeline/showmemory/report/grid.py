"""The season grid: a row for each gag and each thread, a column for each episode, a mark where it played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from showmemory.model.memory import Entry, EpisodeRecord, Source
from showmemory.report.links import badge, badges, href, played, quotes, where
from showmemory.report.markup import Safe, joined, tag
from showmemory.report.subject import Subject
from showmemory.text.counted import counted

_CELL, _HIGH = 20, 22
_CALLBACKS = "Callbacks"
# From so many episodes on, a phone shows each fifth number and no counts.
_MANY = 14
_PARTS = (
    ("Running gags", ("bible", "running", None)),
    (_CALLBACKS, ("callback", "echo")),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One entry in one season: what is cited of it, by episode."""

    entry: Entry
    cited: dict[str, list[Source]]

    @property
    def often(self) -> int:
        """How many citations there are."""
        return sum(map(len, self.cited.values()))


def grids(subject: Subject) -> Safe:
    """A grid for each season, the newest first, and what the bible means to play and no script has."""
    made = [_season(subject, season) for season in subject.seasons]
    return joined([_legend(subject), *made, _unplayed(subject)])


def _season(subject: Subject, season: int) -> Safe:
    episodes = [e for e in subject.episodes if e.season == season]
    parts: list[Safe] = []
    for heading, forms in _PARTS:
        held = [e for e in subject.of("gag") if e.form in forms]
        rows = [row for e in held if (row := _row(e, e.uses, episodes)).cited]
        rows.sort(key=lambda row: (-len(row.cited), -row.often, row.entry.title, row.entry.id))
        back = [row for row in rows if heading != _CALLBACKS or len({u.episode for u in row.entry.uses}) > 1]
        parts += _part(heading, [_gag(subject, row, episodes) for row in back])
        parts += _at_once([_gag(subject, row, episodes) for row in rows if row not in back])
    threads = [row for e in subject.of("thread") if _stands(subject, row := _row(e, _moves(e), episodes), episodes)]
    parts += _part("Threads", [_thread(subject, row, episodes) for row in threads])
    if not parts:
        return joined([])
    many = " many" if len(episodes) > _MANY else ""
    body = tag("div", _head(episodes), *parts, class_=f"grid{many}", style=f"--n:{len(episodes)}")
    heading = tag("summary", f"Season {season}", " ", tag("small", counted(len(episodes), "episode")))
    newest = "" if season == subject.seasons[0] else None
    return tag("details", heading, body, class_="season", id=f"season-{season}", open=newest)


def _part(heading: str, rows: Sequence[Safe]) -> list[Safe]:
    return [tag("h4", heading, " ", tag("small", str(len(rows)))), *rows] if rows else []


def _at_once(rows: Sequence[Safe]) -> list[Safe]:
    """What was planted and paid off in one episode, behind a line: there are many of them, and they are over."""
    if not rows:
        return []
    return [
        tag("details", tag("summary", f"{counted(len(rows), 'callback')} within one episode"), *rows, class_="once")
    ]


def _head(episodes: Sequence[EpisodeRecord]) -> Safe:
    cells = []
    for at, episode in enumerate(episodes):
        told = f"s{episode.season:02d}e{episode.number:02d} {episode.title}".rstrip()
        fifth = None if at % 5 == 0 else "between"
        cells.append(tag("text", tag("title", told), str(episode.number), x=at * _CELL + 10, y=15, class_=fifth))
    return tag("div", tag("span", "episode", class_="what"), _svg(episodes, cells, "episodes"), class_="row head")


def _row(entry: Entry, sources: Iterable[Source], episodes: Sequence[EpisodeRecord]) -> Row:
    cited: dict[str, list[Source]] = {}
    here = {e.id for e in episodes}
    for source in sources:
        if source.episode in here:
            cited.setdefault(source.episode, []).append(source)
    return Row(entry, cited)


def _gag(subject: Subject, row: Row, episodes: Sequence[EpisodeRecord]) -> Safe:
    rest = subject.rests.get(row.entry.id)
    state = "resting" if rest and rest.resting else rest.wear if rest else ""
    band = [_band(subject, episodes)] if state == "resting" else []
    marks = [_mark(subject, row, episode, at) for at, episode in enumerate(episodes) if episode.id in row.cited]
    told = f"{row.entry.title}: played in {', '.join(subject.label(e) for e in row.cited)}"
    return _line(subject, row, _svg(episodes, [*band, *marks], told), state, played(subject, row.entry))


def _mark(subject: Subject, row: Row, episode: EpisodeRecord, at: int) -> Safe:
    """A dot, with a number where it played more than once; a ring where later uses pay it off."""
    cited = row.cited[episode.id]
    planted = [source for source in cited if getattr(source, "setup", False)]
    x, y = at * _CELL + _CELL // 2, _HIGH // 2
    shape: list[Safe] = []
    if planted:
        shape.append(tag("circle", cx=x, cy=y, r=7, class_="ring"))
    if len(cited) > len(planted):
        many = len(cited) - len(planted)
        shape.append(tag("circle", cx=x, cy=y, r=3.5 if planted else 7 if many > 1 else 5, class_="dot"))
        size = "count" if many < 10 else "count many"
        shape += [tag("text", str(many), x=x, y=y + 4, class_=size)] if many > 1 and not planted else []
    return _linked(subject, cited[0], _told(subject, cited), shape)


def _thread(subject: Subject, row: Row, episodes: Sequence[EpisodeRecord]) -> Safe:
    """A line from where it was opened to where it was resolved, or on to the end."""
    entry = row.entry
    at = {e.id: number for number, e in enumerate(episodes)}
    first = at.get(entry.since or "", 0)
    ends = [at[e] for e, said in entry.said.items() if said.status == "resolved" and e in at]
    last = max(ends) if ends and entry.status == "resolved" else len(episodes) - 1
    middle = _HIGH // 2
    line = tag(
        "line", x1=first * _CELL + _CELL // 2, x2=last * _CELL + _CELL // 2, y1=middle, y2=middle,
        class_="thread" if entry.status == "resolved" else "thread open",
    )  # fmt: skip
    marks = [_step(subject, row, e, at[e]) for e in row.cited]
    status = "resolved" if entry.status == "resolved" else "open"
    return _line(subject, row, _svg(episodes, [line, *marks], f"{entry.title}: {status}"), status, status)


def _step(subject: Subject, row: Row, episode: str, at: int) -> Safe:
    """A ring where it opens, a dot where it moves, a square where it is resolved."""
    said = row.entry.said.get(episode)
    x, y = at * _CELL + _CELL // 2, _HIGH // 2
    if said and said.status == "resolved":
        shape = tag("rect", x=x - 5, y=y - 5, width=10, height=10, class_="dot")
    elif said and said.move == "opened":
        shape = tag("circle", cx=x, cy=y, r=6, class_="ring full")
    else:
        shape = tag("circle", cx=x, cy=y, r=4, class_="dot")
    move = said.move if said and said.move else "told"
    return _linked(subject, row.cited[episode][0], f"{move}, {_told(subject, row.cited[episode])}", [shape])


def _linked(subject: Subject, source: Source, told: str, shape: Sequence[Safe]) -> Safe:
    return tag("a", tag("title", told), *shape, href=href(subject, source), aria_label=told)


def _told(subject: Subject, cited: Sequence[Source]) -> str:
    often = f", {counted(len(cited), 'time')}" if len(cited) > 1 else ""
    return f"{subject.label(cited[0].episode)}{often}: {where(subject, cited[0])} “{cited[0].words}”"


def _line(subject: Subject, row: Row, strip: Safe, state: str, told: str) -> Safe:
    entry = row.entry
    name = entry.title or entry.text.split("\n")[0]
    title = tag("span", name, class_="title", title=name)
    what = tag("span", title, " ", badges(subject, entry), tag("small", told), class_="what")
    cited = [source for sources in row.cited.values() for source in sources]
    gone = " dropped" if entry.keep == "drop" else " gone" if entry.retired else ""
    stands = subject.activations[entry.id].phrase
    inner = (tag("summary", what, strip), tag("small", stands, class_="stands"), quotes(subject, cited))
    return tag("details", *inner, class_=f"row {state}{gone}")


def _band(subject: Subject, episodes: Sequence[EpisodeRecord]) -> Safe:
    """The newest episodes, for which it rests."""
    after = subject.memory.settings.rest_after if subject.memory else 0
    newest = set(subject.aired[-after:])
    here = [at for at, episode in enumerate(episodes) if episode.id in newest]
    if not here:
        return joined([])
    return tag("rect", x=here[0] * _CELL, y=1, width=len(here) * _CELL, height=_HIGH - 2, rx=4, class_="band")


def _svg(episodes: Sequence[EpisodeRecord], inner: Sequence[Safe], told: str) -> Safe:
    wide = len(episodes) * _CELL
    return tag("svg", *inner, viewBox=f"0 0 {wide} {_HIGH}", role="group", aria_label=told, class_="strip")


def _moves(entry: Entry) -> list[Source]:
    """The first line of each step of a thread; all its lines where a person wrote it."""
    held = [source for said in entry.said.values() for source in said.sources]
    return held or list(entry.sources)


def _stands(subject: Subject, row: Row, episodes: Sequence[EpisodeRecord]) -> bool:
    """Whether a thread is open in a season, or moves in it."""
    if row.cited:
        return True
    place = {id_: at for at, id_ in enumerate(subject.aired)}
    since = place.get(row.entry.since or "", -1)
    until = place.get(row.entry.changed or "", -1) if row.entry.status == "resolved" else len(place)
    first, last = place[episodes[0].id], place[episodes[-1].id]
    return since <= last and until >= first


def _unplayed(subject: Subject) -> Safe:
    """Gags of the bible that no script has played."""
    there = {id_ for entry in subject.of("gag") if entry.uses for id_ in entry.about}
    waiting = [gag.name for gag in subject.show.bible.gags if gag.id not in there]
    return tag("p", "In the bible, and not played yet: ", ", ".join(waiting), ".") if waiting else joined([])


def _legend(subject: Subject) -> Safe:
    after = subject.memory.settings.rest_after if subject.memory else 2
    size = {"viewBox": "0 0 20 22", "class_": "key", "aria_hidden": "true"}
    dot = tag("svg", tag("circle", cx=10, cy=11, r=5, class_="dot"), **size)
    ring = tag("svg", tag("circle", cx=10, cy=11, r=7, class_="ring"), **size)
    square = tag("svg", tag("rect", x=5, y=6, width=10, height=10, class_="dot"), **size)
    rested = f" used in each of the last {after} episodes, or rested by you."
    worn = [badge("worn", "worn"), " in the newest episode or in half of the last "]
    green = tag("svg", tag("circle", cx=10, cy=11, r=5, class_="dot"), **{**size, "class_": "key fresh"})
    states = [*worn, green, " fresh: not for a while ", badge("resting", "rest"), rested]
    marks = [dot, " played ", ring, " set up, or opened ", square, " resolved "]
    return tag(
        "p", *marks, *states, " A mark leads to the line of the script, a row to all its lines.", class_="legend"
    )
