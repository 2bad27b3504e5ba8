"""Throwing an entry out, and bringing back what was thrown out, turned down or retired. Pure."""

from __future__ import annotations

from showmemory.fold.fold import closed, fingerprints, order, refold
from showmemory.merge.asked import Edit, Refused, entry_of, holding, named
from showmemory.merge.refused import cited_entry
from showmemory.model.memory import Entry, ShowMemory, Tombstone


def tombstone(entry: Entry) -> Tombstone:
    """What a pass is to know an entry by that was thrown out; it holds the entry itself, for `restore`."""
    known = {name: getattr(entry, name) for name in ("id", "kind", "key", "about", "title")}
    return Tombstone(**known, words=cited_entry(entry), entry=entry)


def forget(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Throw out: it leaves every reader, and no pass brings it back (F3, G1)."""
    entry = entry_of(memory, change.target)
    buried = {t.id: t for t in memory.forgotten} | {entry.id: tombstone(entry)}
    update = {
        "entries": closed((e for e in memory.entries if e.id != entry.id), order(memory.episodes), hold=True),
        "forgotten": tuple(buried[id_] for id_ in sorted(buried)),
        "written": {id_: held for id_, held in memory.written.items() if id_ != entry.id},
    }
    return memory.model_copy(update=update), f"{named(entry)} is forgotten; restore {entry.id} brings it back"


def restore(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Bring back what was forgotten, turned down or retired; what passes say of it now comes with the next remember."""
    tomb = next((t for t in memory.forgotten if t.id == change.target), None)
    declined = tuple(r for r in memory.declined if r.id != change.target)
    if tomb is None and len(declined) == len(memory.declined):
        return _read_again(memory, entry_of(memory, change.target))
    if tomb is not None and any(e.id == tomb.id for e in memory.entries):
        hint = f"forget or rename the one that stands, then restore {tomb.id}"
        raise Refused(f"expected {tomb.id} to be gone, found another of that id in its place", hint)
    dead = tuple(t for t in memory.forgotten if t.id != change.target)
    made = memory.model_copy(update={"forgotten": dead, "declined": declined})
    if tomb is None or tomb.entry is None:
        return made, f"{change.target} is wanted again: the next remember proposes it"
    entry = refold(tomb.entry, order(made.episodes))
    made = holding(made, entry)
    if entry.said:
        written = {**made.written, entry.id: fingerprints(entry)}
        made = made.model_copy(update={"written": {id_: written[id_] for id_ in sorted(written)}})
    return made, f"{named(entry)} is back"


def _read_again(memory: ShowMemory, entry: Entry) -> tuple[ShowMemory, str]:
    if not entry.retired:
        raise Refused(f"expected something forgotten, rejected or retired, found {entry.id} in its place")
    return holding(memory, entry.model_copy(update={"retired": False})), f"{named(entry)} is read again"
