"""The two rhythms of late episodes, as far as counting shows them: pressure outside, what it costs inside (E12)."""

from __future__ import annotations

from collections.abc import Mapping

from showmemory.context.ready import Ready
from showmemory.model.checkpoint import Line, Part
from showmemory.model.memory import Entry

# So many of the latest episodes are told.
WINDOW = 6
# The later half against the earlier: from here on it rises, and from there down it falls.
RISES, FALLS = 1.25, 0.8
_OUTSIDE = "counted, not judged: threads that moved, facts that gave way"
_INSIDE = "counted, not judged: what people learned, ties that changed"


def rhythms(ready: Ready) -> tuple[Part, Part]:
    """Outside: threads that moved and facts that gave way. Inside: what people learned, and ties that changed."""
    outside: dict[str, int] = {}
    inside: dict[str, int] = {}
    for entry in ready.entries:
        if entry.retired:
            continue
        into = outside if entry.kind in ("thread", "fact") else inside if entry.kind in _FELT else None
        if into is not None:
            for episode in _moved(entry):
                into[episode] = into.get(episode, 0) + 1
    for moved in ready.unread.moves.values():
        for move in moved:
            outside[move.episode] = outside.get(move.episode, 0) + 1
    return (
        Part("pressureOutside", "Pressure outside", _OUTSIDE, _told(ready, outside)),
        Part("costInside", "Cost inside", _INSIDE, _told(ready, inside)),
    )


_FELT = frozenset({"knowledge", "relationship"})


def _moved(entry: Entry) -> list[str]:
    if entry.kind == "thread":
        return [e for e, said in entry.said.items() if said.move or said.status]
    if entry.kind == "fact":
        return [entry.until] if entry.until else []
    return [e for e, said in entry.said.items() if said.text is not None]


def _told(ready: Ready, counts: Mapping[str, int]) -> tuple[Line, ...]:
    late = ready.moment.upto[-WINDOW:]
    row = [counts.get(e, 0) for e in late]
    if not any(row):
        return ()
    told = ", ".join(f"{ready.moment.label(e)} {n}" for e, n in zip(late, row, strict=True))
    return (Line(f"{told}: {trend(row)}."),)


def trend(row: list[int]) -> str:
    """Whether the later half of a row of counts stands above its earlier half."""
    half = len(row) // 2
    if not half:
        return "too short to say whether it rises"
    before, after = sum(row[:half]) / half, sum(row[-half:]) / half
    if after > RISES * before:
        return "rising"
    return "falling" if after < FALLS * before else "steady"
