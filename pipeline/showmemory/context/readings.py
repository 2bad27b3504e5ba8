"""Readings that are bound: which hold at this moment for this reader, what they replace, and how they are told (B9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from showmemory.context.piece import Not, Piece, row
from showmemory.context.quote import bare_end, line, sentence
from showmemory.model.interpretation import Interpretation, Reason
from showmemory.model.memory import Entry

if TYPE_CHECKING:
    from showmemory.context.ready import Ready

# What is said of somebody; how a gag rests and what a thread awaits stays live beside a reading (B10).
_RAW = frozenset({"voice", "relationship", "knowledge", "fact"})
NONE = "none"
_VERBS = {"supports": "supports", "inhibits": "holds back", "activates": "brings on", "contradicts": "speaks against"}


def in_force(ready: Ready, chosen: str = "") -> dict[str, Interpretation]:
    """The reading of each entity that has one here. `chosen`: `none`, or one reading in place of what is bound."""
    if chosen == NONE:
        return {}
    readings = ready.show.readings
    named = dict(readings.bound)
    if one := readings.of(chosen) if chosen else None:
        named[one.of] = one.id
    found = ((entity, readings.of(name)) for entity, name in named.items())
    return {ready.names.id_of(e) or e: one for e, one in found if one is not None and _holds(ready, one)}


def _holds(ready: Ready, one: Interpretation) -> bool:
    """A reading holds from its moment to its last, for whoever looks from its vantage and for nobody else."""
    if one.as_of not in ready.place or (one.until in ready.place and one.until != ready.moment.upto[-1]):
        return False
    if ready.witness or one.vantage not in ("writer", "showrunner"):
        return (ready.names.id_of(one.vantage) or one.vantage) == ready.witness
    return one.vantage == "writer" or ready.reader == "showrunner"


def replaced(ready: Ready, entry: Entry, force: Mapping[str, Interpretation]) -> Not | None:
    """Why an entry is held for a reading: it is of one entity alone, and was known when that was read."""
    for entity, one in force.items():
        listed = entry.id in one.replaces
        if (listed or _alone(entry, entity)) and ready.place.get(entry.since or "", -1) <= ready.place[one.as_of]:
            return Not("held", f"replaced by {one.id}, {one.print}", "reading")
    return None


def _alone(entry: Entry, entity: str) -> bool:
    whose = entry.holders if entry.kind == "knowledge" else entry.about
    return entry.kind in _RAW and tuple(whose) == (entity,)


def newer(ready: Ready, entity: str, one: Interpretation) -> list[Entry]:
    """What has come to be known of an entity since it was read: it stands beside the reading."""
    at = ready.place[one.as_of]
    return [e for e in ready.entries if _alone(e, entity) and ready.place.get(e.since or "", -1) > at]


def told(ready: Ready, entity: str, place: tuple[float | str, ...] = (), group: str = "") -> list[Piece]:
    """A reading's reasons in their order, each with what it rests on and how it bears on the others."""
    one = ready.readings.get(entity)
    if one is None:
        return []
    number = {reason.id: at for at, reason in enumerate(one.reasons, 1)}
    reason = f"the reading bound to {entity}, {one.print}"
    return [
        row(
            f"{one.id}.{each.id}", "reading", _text(ready, one, each, number), reason,
            title=each.text, noun="reason of a reading", group=group, place=(*place, number[each.id]),
        )
        for each in one.reasons
    ]  # fmt: skip


def _text(ready: Ready, one: Interpretation, reason: Reason, number: Mapping[str, int]) -> str:
    at = number[reason.id]
    head = f"{line(one.by)} reads, as of {ready.moment.label(one.as_of)}: 1" if at == 1 else f"Reason {at}"
    bears = [f"{_VERBS[e.how]} {number[e.to]}" for e in one.edges if e.from_ == reason.id]
    rests = _episodes(ready, reason)
    marks = "; ".join(filter(None, (", ".join(bears), f"from {', '.join(rests)}" if rests else "")))
    return f"{head}. {bare_end(reason.text)} ({marks})." if marks else f"{head}. {sentence(reason.text)}"


def _episodes(ready: Ready, reason: Reason) -> list[str]:
    entries = (ready.by_id.get(id_) for id_ in reason.entries)
    cited: Iterable[str] = (*(e.since or "" for e in entries if e), *(s.episode for s in reason.sources))
    known = sorted({e for e in cited if e in ready.place}, key=lambda e: ready.place[e])
    return [ready.moment.label(e) for e in known]
