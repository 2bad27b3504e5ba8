"""An entry that only one branch still has, or has anew -> whether it stands, by what the other branch did to it."""

from __future__ import annotations

from collections.abc import Sequence

from showmemory.merge.throw import tombstone
from showmemory.merge.unite import Clash, layer, without
from showmemory.model.memory import Entry, Refusal, ShowMemory, Tombstone


def one_sided(
    base: Entry | None, entry: Entry, here: bool, other: tuple[ShowMemory, ShowMemory], aired: Sequence[str]
) -> tuple[Entry | None, list[Clash], Tombstone | None]:
    """The entry as it stands, what both branches decided about it, and the tombstone to bury it under.

    `here`: it is ours. `other`: the memory where the branches parted, and that of the branch that has it not.
    """
    if base is None:
        return _new(entry, here, other)
    if base.id in _thrown(*other):
        return _thrown_out(base, entry, here)
    if entry.by == "person" and not entry.said:
        # The person's own and gone without a tombstone: taken out of the file by hand.
        changed = layer(entry) != layer(base)
        return (entry, [Clash(entry.id, "removal", entry, None)], None) if changed else (None, [], None)
    unchanged = [episode for episode, said in entry.said.items() if base.said.get(episode) == said]
    return without(entry, unchanged, aired), [], None


def turned_down(entry: Entry, old: ShowMemory, other: ShowMemory) -> list[Refusal]:
    """Refusals of the whole entry that one branch came to."""
    known = [r for r in other.declined if r.episode is None and r not in old.declined]
    return [r for r in known if r.id == entry.id or (r.kind == entry.kind and r.key and r.key == entry.key)]


def _new(
    entry: Entry, here: bool, other: tuple[ShowMemory, ShowMemory]
) -> tuple[Entry | None, list[Clash], Tombstone | None]:
    if not turned_down(entry, *other):
        return entry, [], None
    clash = Clash(entry.id, "taking up", entry if here else None, None if here else entry)
    return (entry if here else None), [clash], None


def _thrown(old: ShowMemory, other: ShowMemory) -> set[str]:
    return {t.id for t in other.forgotten} - {t.id for t in old.forgotten}


def _thrown_out(base: Entry, entry: Entry, here: bool) -> tuple[Entry | None, list[Clash], Tombstone | None]:
    """Forgotten on one branch: gone, unless a person did something else to it on the other."""
    if layer(entry) == layer(base):
        return None, [], None
    clash = Clash(entry.id, "forgetting", entry if here else None, None if here else entry)
    return (entry if here else None), [clash], (None if here else tombstone(entry))
