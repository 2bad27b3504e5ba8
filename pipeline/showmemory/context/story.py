"""The story so far: the latest episodes picked newest first, printed in order; older ones by season (A100, A101)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from showmemory.context.piece import Not, Piece, Section, Step, row
from showmemory.context.quote import line
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.similar import aged, by_meaning
from showmemory.context.state import State, state, told
from showmemory.context.touch import piece, touch
from showmemory.model.memory import RANK, Entry


def story(ready: Ready, scene: Scene) -> Section:
    """Detailed episodes newest first, then season summaries, then first lines of what no summary tells."""
    synopses, left = _told(ready)
    capped = _capped(ready, scene, synopses)
    left |= {synopses.pop(e).id: why for e, why in capped.items()}
    known = [e for e in ready.moment.order if e in synopses]
    count = ready.settings.detailed_episodes
    late = frozenset(ready.moment.order[-count:] if count else ())
    latest = [_row(ready, synopses[e], f"one of the latest {count} episodes") for e in reversed(known) if e in late]
    # Where the outline tells an episode's scenes, the story does not tell them again.
    outlined = {synopses[e].id for e in known if e in scene.outlined}
    latest = [
        replace(p, tell=partial(ready.teller.episode, ready.by_id[p.id])) if p.id in outlined else p for p in latest
    ]
    summaries = sorted(ready.live.get("summary", ()), key=lambda e: (-_season(e), e.id))
    seasons = [_season_row(ready, e, late) for e in summaries]
    seasons += _views(ready, {_season(e) for e in summaries})
    spoken = frozenset(_season(e) for e in summaries)
    older = [e for e in known if e not in late]
    summed = {synopses[e].id for e in older if _season_of(ready, e) in spoken}
    left |= {id_: Not("held", "told by its season's summary", "summary") for id_ in summed}
    lines = _first_lines(ready, scene, [synopses[e] for e in older if synopses[e].id not in summed])
    return Section("story", "The story so far", _steps(latest, seasons, lines), tuple(seasons), left=left)


def _told(ready: Ready) -> tuple[dict[str, Entry], dict[str, Not]]:
    """The synopsis of each episode: of several the one of highest rank, a person's before a model's."""
    told: dict[str, Entry] = {}
    left: dict[str, Not] = {}
    for entry in sorted(ready.live.get("synopsis", ()), key=lambda e: (-RANK[e.by], e.id)):
        episode = _episode(entry)
        if episode not in ready.place:
            left[entry.id] = Not("out", "of no episode up to this moment", "moment")
        elif episode in told:
            left[entry.id] = Not("held", f"the episode is told by {told[episode].id}", "near-duplicate")
        else:
            told[episode] = entry
    return told, left


def _steps(latest: list[Piece], seasons: list[Piece], older: list[Piece]) -> tuple[Step, ...]:
    """The newest with what it changed, the first lines of the other late ones, the seasons, then more of each."""
    newest, others = latest[:1], latest[1:]
    steps = [*(Step(p) for p in newest), *_longer(newest, 1, 2), *(Step(p) for p in (*others, *seasons))]
    steps += [*_longer(others, 1, 2), *(Step(p) for p in older[:NEAR])]
    return (*steps, *_longer(latest, 2, None), *(Step(p) for p in older[NEAR:]))


def _longer(pieces: list[Piece], start: int, end: int | None) -> list[Step]:
    return [Step(p, level) for p in pieces for level in range(len(p.texts))[start:end]]


# So many threads of each kind that a season left are told.
MOST = 8
# So many older episodes that touch the scene come before the latest are told scene by scene.
NEAR = 6


def _row(ready: Ready, entry: Entry, reason: str) -> Piece:
    return piece(ready, entry, reason, (1, ready.place.get(_episode(entry), -1), entry.id))


def _season_row(ready: Ready, entry: Entry, late: frozenset[str]) -> Piece:
    """A season's summary stands before the first episode that is told after it."""
    own = [at for e, at in ready.place.items() if _season_of(ready, e) == _season(entry) and e not in late]
    at = max(own, default=-1)
    return piece(ready, entry, "an earlier season" if own else "its season", (1, at + 0.5 if own else -1, entry.id))


def _capped(ready: Ready, scene: Scene, told: dict[str, Entry]) -> dict[str, Not]:
    """With `semantic`: beyond `memoryCap` episodes those that are least like the scene, and the longest ago (C33, C34).

    The story's opening and its two newest episodes always stay. Without a scene there is nothing to be like.
    """
    cap = ready.settings.memory_cap
    order = [e for e in ready.moment.order if e in told]
    if not ready.settings.semantic or not scene.brief.strip() or len(order) <= cap:
        return {}
    rest = order[1:-2]
    scores = by_meaning(scene.brief, {e: line(told[e].text or told[e].title) for e in rest})
    now = len(ready.moment.order)
    ranked = sorted(rest, key=lambda e: (-aged(scores[e], now - ready.place[e]), -ready.place[e]))
    why = Not("held", f"less like this scene than {cap} other episodes", "memoryCap")
    return dict.fromkeys(ranked[cap - 3 :], why)


def _views(ready: Ready, summed: set[int]) -> list[Piece]:
    """How each earlier season left the world, read from the record anew (B19, D25); the present one is told in full."""
    moment = ready.moment
    now = _season_of(ready, moment.newest or "")
    earlier: dict[int, list[str]] = {}
    for episode in moment.order if not ready.witness else ():
        if (number := _season_of(ready, episode)) < now:
            earlier.setdefault(number, []).append(episode)
    threads = [e for e in ready.entries if e.kind == "thread"]
    made = []
    for number in sorted(earlier.keys() - summed, reverse=True):
        last = moment.order[: moment.order.index(earlier[number][-1]) + 1]
        left = state(threads, last, earlier[number])
        if left.open or left.settled:
            made.append(_view(ready, number, earlier[number], left))
    return made


def _view(ready: Ready, number: int, episodes: list[str], left: State) -> Piece:
    """Its threads only: a value that held then and holds no more would be read as one that does (D32)."""
    span = f"{len(episodes)} {'episode' if len(episodes) == 1 else 'episodes'}"
    text = f"Season {number} ({span}), at its end. {told(State(left.open, left.settled), MOST)}"
    place = (1, ready.place[episodes[0]] - 0.5, f"season.{number}")
    return row(
        f"season.{number}", "summary", text, "how an earlier season ended",
        title=f"Season {number}", noun="season summary", place=place,
    )  # fmt: skip


def _first_lines(ready: Ready, scene: Scene, older: list[Entry]) -> list[Piece]:
    """Older episodes by their first lines: those that touch the scene, then the newest."""
    ranked = sorted(older, key=lambda e: (-round(touch(ready, scene, e)[0], 1), -ready.place[_episode(e)]))
    rows = [_row(ready, e, "an earlier episode, by its first line") for e in ranked]
    return [replace(p, tell=partial(_first, p)) for p in rows]


def _first(piece: Piece) -> tuple[str, ...]:
    return piece.texts[:1]


def _episode(entry: Entry) -> str:
    return next((i for i in entry.about if i.startswith("ep.")), entry.since or "")


def _season(entry: Entry) -> int:
    digits = next((i.partition(".")[2] for i in entry.about if i.startswith("season.")), "")
    return int(digits) if digits.isdigit() else -1


def _season_of(ready: Ready, episode: str) -> int:
    record = ready.moment.records.get(episode)
    return record.season if record else -2
