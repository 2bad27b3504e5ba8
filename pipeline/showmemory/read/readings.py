"""bible/readings.yaml against itself and its show -> Problems: every reading rests on something, nothing on later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from showmemory.model.interpretation import Interpretation, Reason
from showmemory.model.show import Show
from showmemory.model.span import Problem, Severity, Span
from showmemory.read.explain import mark_of
from showmemory.read.load import file_text, parsed
from showmemory.read.sidefiles import SUFFIXES
from showmemory.read.yaml import Loc, SlipError

STEM = "bible/readings"


class _Wrong(NamedTuple):
    """A mistake at a place of the file."""

    loc: Loc
    message: str
    hint: str = ""
    severity: Severity = "error"


def check_readings(show: Show, root: Path | None = None) -> list[Problem]:
    """Everything that is wrong with the readings of a show, each with its line."""
    if not show.readings.readings and not show.readings.bound:
        return []
    found = list(_wrong(show))
    return [placed(STEM, root, one.loc, one.severity, one.message, one.hint) for one in found]


def placed(stem: str, root: Path | None, loc: Loc, severity: Severity, message: str, hint: str = "") -> Problem:
    """A Problem about the value at `loc` of a hand-written file, whatever its suffix, with its line."""
    paths = [stem + suffix for suffix in SUFFIXES]
    path = next((path for path in paths if root and (root / path).is_file()), paths[0])
    text = (file_text(root / path, path)[0] or "") if root and (root / path).is_file() else ""
    try:
        line = mark_of(loc, parsed(text, Path(path).suffix).marks)[0] if text else 0
    except SlipError:
        line = 0
    rows = text.splitlines()
    return Problem(Span(path, line, line), severity, message, hint, rows[line - 1] if 0 < line <= len(rows) else "")


def _wrong(show: Show) -> Iterator[_Wrong]:
    # Broadcast order: what a reading may rest on is what had been seen by then.
    place = {e.id: at for at, e in enumerate(sorted(show.episodes, key=lambda e: e.place))}
    seen: set[str] = set()
    for at, one in enumerate(show.readings.readings):
        here: Loc = ("readings", at)
        if one.id in seen:
            yield _Wrong((*here, "id"), f"two readings are called {one.id}", "give one of them another id")
        seen.add(one.id)
        yield from _dated(one, here, place)
        yield from _reasons(one, here, place)
        yield from _edges(one, here)
    yield from _bound(show, seen)


def _dated(one: Interpretation, here: Loc, place: Mapping[str, int]) -> Iterator[_Wrong]:
    for name in ("as_of", "until"):
        episode = getattr(one, name)
        if episode and episode not in place:
            near = get_close_matches(episode, list(place), 1, 0.6)
            hint = f"did you mean {near[0]}?" if near else "until the show has it, the reading is never used"
            message = f"expected an episode of the show as {name}, found {episode}"
            yield _Wrong((*here, name), message, hint, "warning")
    if one.until in place and place[one.until] < place.get(one.as_of, -1):
        yield _Wrong((*here, "until"), f"{one.id} ends in {one.until}, before it begins in {one.as_of}")


def _reasons(one: Interpretation, here: Loc, place: Mapping[str, int]) -> Iterator[_Wrong]:
    if not one.reasons:
        yield _Wrong(here, f"{one.id} gives no reason", "reasons: a list, the most telling first")
    ids: set[str] = set()
    for at, reason in enumerate(one.reasons):
        loc: Loc = (*here, "reasons", at)
        if reason.id in ids:
            yield _Wrong((*loc, "id"), f"{one.id} has two reasons called {reason.id}", "give one of them another id")
        ids.add(reason.id)
        if not reason.entries and not reason.sources:
            hint = "entries: ids of memory, or sources: lines of scripts (episode, line, words)"
            yield _Wrong(loc, f"{one.id}: the reason {reason.id} rests on nothing", hint)
        yield from _sources(one, reason, loc, place)


def _sources(one: Interpretation, reason: Reason, loc: Loc, place: Mapping[str, int]) -> Iterator[_Wrong]:
    moment = place.get(one.as_of)
    for at, source in enumerate(reason.sources):
        here = (*loc, "sources", at, "episode")
        if source.episode not in place:
            hint = "add it to the show, or take it out here"
            yield _Wrong(here, f"the show has no episode called {source.episode}", hint, "warning")
        elif moment is not None and place[source.episode] > moment:
            message = f"{one.id} is as of {one.as_of} and rests on {source.episode}, which comes later"
            yield _Wrong(here, message, "move as_of on, or cite something that had been seen by then")


def _edges(one: Interpretation, here: Loc) -> Iterator[_Wrong]:
    ids = [reason.id for reason in one.reasons]
    for at, edge in enumerate(one.edges):
        loc: Loc = (*here, "edges", at)
        for name, end in (("from", edge.from_), ("to", edge.to)):
            if end not in ids:
                near = get_close_matches(end, ids, 1, 0.6)
                hint = f"did you mean {near[0]}?" if near else f"its reasons are {', '.join(ids) or 'none'}"
                yield _Wrong((*loc, name), f"{one.id} has no reason called {end}", hint)
        if edge.from_ == edge.to:
            yield _Wrong(loc, f"{one.id}: the reason {edge.to} {edge.how} itself", "an edge goes from one to another")


def _bound(show: Show, known: set[str]) -> Iterator[_Wrong]:
    for entity, name in show.readings.bound.items():
        loc: Loc = ("bound", entity)
        one = show.readings.of(name)
        if one is None:
            near = get_close_matches(name, sorted(known), 1, 0.6)
            hint = f"did you mean {near[0]}?" if near else "write null for the raw entries"
            yield _Wrong(loc, f"{entity} is bound to {name}, and there is no such reading", hint)
        elif one.of != entity:
            yield _Wrong(loc, f"{entity} is bound to {name}, which is a reading of {one.of}")
