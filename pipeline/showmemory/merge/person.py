"""What a person did to memory.json by hand -> the person's layer, made explicit; nothing of theirs is overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from showmemory.fold.fold import ABSENT, order, refold
from showmemory.model.canonical import fingerprint
from showmemory.model.ids import slug
from showmemory.model.memory import OWNED, Entry, ShowMemory, Tombstone, Writer


def absorb(memory: ShowMemory) -> tuple[ShowMemory, tuple[str, ...]]:
    """Recognise hand edits: changed words, added entries, removed entries. Returns memory and one line for each found.

    Idempotent. A removed entry becomes a tombstone; a field back at the pass's own words is the pass's again.
    """
    aired = order(memory.episodes)
    newest = aired[-1] if aired else None
    lines: list[str] = []
    touched = [_absorbed(e, memory.written.get(e.id), newest, lines) for e in memory.entries]
    entries = [with_original(t, aired) if t is not e else t for t, e in zip(touched, memory.entries, strict=True)]
    present = {e.id for e in entries}
    buried = {t.id for t in memory.forgotten}
    gone = [id_ for id_ in sorted(memory.written) if id_ not in present]
    tombs = [Tombstone(id=id_, kind=_kind_of(id_)) for id_ in gone if id_ not in buried]
    lines += [f"{t.id} was removed by hand: forgotten (showmemory restore {t.id} brings it back)" for t in tombs]
    if not lines and not gone:
        return memory, ()
    update = {
        "entries": tuple(sorted(entries, key=lambda e: e.id)),
        "forgotten": tuple(sorted((*memory.forgotten, *tombs), key=lambda t: t.id)),
        "written": {id_: held for id_, held in memory.written.items() if id_ in present},
    }
    return memory.model_copy(update=update), tuple(lines)


def _absorbed(entry: Entry, written: dict[str, str] | None, newest: str | None, lines: list[str]) -> Entry:
    if written is None:
        if entry.by == "person" and (entry.since or not newest) and entry.key:
            return entry
        lines.append(f"{entry.id} was added by hand: yours")
        key = entry.key or slug(entry.id.removeprefix(f"mem.{entry.kind}."))
        return entry.model_copy(update={"by": "person", "since": entry.since or newest, "key": key})
    edited, original = dict(entry.edited), dict(entry.original)
    for name in OWNED:
        theirs = fingerprint(getattr(entry, name)) if getattr(entry, name) != ABSENT[name] else None
        if theirs == written.get(name):
            if name in edited:
                del edited[name]
                original.pop(name, None)
                lines.append(f"{entry.id}: {name} has the pass's own words again")
        elif name not in edited:
            edited[name] = newest or ""
            lines.append(f"{entry.id}: {name} was rewritten by hand: yours")
    if edited == entry.edited:
        return entry
    held = [s.by for s in entry.said.values()]
    passes: Writer = "model" if "model" in held else "deterministic"
    by = "person" if {"title", "text"} & edited.keys() else passes
    return entry.model_copy(update={"edited": edited, "original": original, "by": by})


def with_original(entry: Entry, aired: Sequence[str]) -> Entry:
    """`entry` with the pass's own words kept under each field the person rewrote, folded anew from what was said."""
    made = refold(entry, aired, thaw=True)
    return entry.model_copy(update={"original": {n: made.original.get(n) for n in OWNED if n in entry.edited}})


def _kind_of(id_: str) -> Any:
    return id_.split(".")[1]
