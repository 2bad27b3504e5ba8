"""The story so far, the threads with their age, and the world, as lists that lead to the scripts."""

from __future__ import annotations

from collections.abc import Sequence

from showmemory.fold.ageing import owed, paid
from showmemory.model.memory import Entry, EpisodeRecord, Source
from showmemory.report.links import badges, href, short
from showmemory.report.markup import Safe, joined, tag
from showmemory.report.subject import Subject
from showmemory.text.counted import counted


def story(subject: Subject) -> Safe:
    """Season by season, the newest first: its summary, and what happened in each episode."""
    told = {id_: entry for entry in subject.of("synopsis") for id_ in entry.about}
    sums = {id_: entry for entry in subject.of("summary") for id_ in entry.about}
    made: list[Safe] = []
    for season in subject.seasons:
        episodes = [e for e in subject.episodes if e.season == season]
        whole = sums.get(f"season.{season}")
        rows = [tag("p", whole.text, " ", badges(subject, whole))] if whole else []
        rows.append(tag("ol", *(_episode(subject, e, told.get(e.id)) for e in episodes), class_="story"))
        made.append(tag("details", tag("summary", f"Season {season}"), *rows, open="" if not made else None))
    return joined(made)


def _episode(subject: Subject, record: EpisodeRecord, entry: Entry | None) -> Safe:
    link = href(subject, Source(episode=record.id))
    head = tag("a", f"{subject.label(record.id)} {record.title}".rstrip(), href=link)
    if entry is None:
        return tag("li", head, " ", tag("small", "no synopsis"))
    lines = [line.strip() for line in entry.text.split("\n") if line.strip()]
    scenes = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    told = [tag("p", line) for line in lines if not line.startswith("- ")]
    more = tag("details", tag("summary", counted(len(scenes), "scene")), tag("ul", *(tag("li", one) for one in scenes)))
    return tag("li", head, " ", badges(subject, entry), *told[:1], *([more] if scenes else []), *told[1:])


def threads(subject: Subject) -> Safe:
    """Open ones by how long they have waited, then resolved ones with what they paid off."""
    held = subject.of("thread")
    waiting = owed(held, subject.aired)
    open_ = [
        tag(
            "tr", tag("th", one.entry.title or one.entry.text, " ", badges(subject, one.entry), scope="row"),
            _cell(subject, one.setup), tag("td", subject.label(one.moved)),
            tag("td", counted(one.waited, "episode") if one.waited else "in the newest"),
        )
        for one in waiting
    ]  # fmt: skip
    rest = [entry for entry in held if entry.id not in {one.entry.id for one in waiting}]
    parts = [_table(("open", "opened", "last moved", "waits"), open_)] if open_ else []
    parts += [_table(("resolved", "set up", "paid off", ""), [_resolved(subject, e) for e in rest])] if rest else []
    return joined(parts) if parts else tag("p", "No thread is open.", class_="none")


def _resolved(subject: Subject, entry: Entry) -> Safe:
    pair = paid(entry, subject.aired)
    head = tag("th", entry.title or entry.text, " ", badges(subject, entry), scope="row")
    setup, payoff = (pair.setup, pair.payoff) if pair else (None, entry.sources[-1] if entry.sources else None)
    return tag("tr", head, _cell(subject, setup), _cell(subject, payoff), tag("td", entry.text))


def _cell(subject: Subject, source: Source | None) -> Safe:
    if source is None:
        return tag("td")
    return tag("td", short(subject, source), " ", tag("q", source.words))


def _table(heads: Sequence[str], rows: Sequence[Safe]) -> Safe:
    head = tag("tr", *(tag("th", name, scope="col") for name in heads))
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="scroll")


def world(subject: Subject) -> Safe:
    """What is established, what no longer holds after it."""
    held = [e for e in subject.of("fact") if e.form != "term"]
    now = [e for e in held if e.until is None and not e.retired]
    before = [e for e in held if e.until is not None or e.retired]
    made = [tag("ul", *(_fact(subject, entry) for entry in now), class_="facts")] if now else []
    if terms := [e for e in subject.of("fact") if e.form == "term"]:
        words = joined(part for e in terms for part in (", ", e.title or e.text, *_first(subject, e)))
        made.append(tag("p", "Words of its own: ", Safe(words[2:])))
    if before:
        heading = tag("summary", f"{counted(len(before), 'fact')} that held before")
        made.append(tag("details", heading, tag("ul", *(_fact(subject, e) for e in before), class_="facts gone")))
    return joined(made)


def _first(subject: Subject, entry: Entry) -> list[str]:
    cited = (*entry.uses, *entry.sources)
    return [" ", short(subject, cited[0])] if cited else []


def _fact(subject: Subject, entry: Entry) -> Safe:
    cited = (*entry.sources, *entry.uses)
    link = short(subject, cited[0]) if cited else subject.label(entry.since)
    until = f" until {subject.label(entry.until)}" if entry.until else ""
    return tag("li", entry.text or entry.title, " ", badges(subject, entry), tag("small", link, until))


def rules(subject: Subject) -> Safe:
    """The bible's tone and the theme's never list, as they stand there, and what memory holds of tone and style."""
    rows = [tag("li", tag("b", "never"), " ", line) for line in subject.show.theme.never]
    rows += [tag("li", tag("b", "tone"), " ", line) for line in subject.show.bible.tone]
    rows += [
        tag("li", tag("b", e.kind), " ", e.text or e.title, " ", badges(subject, e))
        for e in subject.of("tone", "never", "style")
    ]
    return tag("ul", *rows, class_="facts") if rows else tag("p", "None are written.", class_="none")
