"""What a person did to memory.json by hand -> the person's layer, made explicit; nothing of theirs is overwritten."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from showmemory.fold.fold import ABSENT, fingerprints, order, refold
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
    written = dict(memory.written) | _lost_prints(memory, aired, lines)
    touched = [_absorbed(e, written.get(e.id), newest, lines) for e in memory.entries]
    entries = [with_original(t, aired) if t is not e else t for t, e in zip(touched, memory.entries, strict=True)]
    present = {e.id for e in entries}
    buried = {t.id for t in memory.forgotten}
    gone = [id_ for id_ in sorted(written) if id_ not in present]
    tombs = [Tombstone(id=id_, kind=_kind_of(id_)) for id_ in gone if id_ not in buried]
    lines += [f"{t.id} was removed by hand: forgotten (showmemory restore {t.id} brings it back)" for t in tombs]
    if not lines and not gone:
        return memory, ()
    update = {
        "entries": tuple(sorted(entries, key=lambda e: e.id)),
        "forgotten": tuple(sorted((*memory.forgotten, *tombs), key=lambda t: t.id)),
        "written": {id_: written[id_] for id_ in sorted(written) if id_ in present},
    }
    return memory.model_copy(update=update), tuple(lines)


def untouched(found: ShowMemory, absorbed: ShowMemory) -> ShowMemory:
    """`found` as the passes had left it, for an undo of what `absorb` took up.

    What was rewritten by hand has the pass's words again, what was added is not there, and what was removed is neither
    forgotten nor known, so that the next run proposes it.
    """
    before = {e.id: e for e in found.entries}
    after = {e.id: e for e in absorbed.entries}
    aired = order(found.episodes)
    kept = []
    for id_, entry in before.items():
        taken = after[id_]
        if id_ not in absorbed.written and entry != taken:
            continue
        new = taken.edited.keys() - entry.edited.keys()
        kept.append(pass_words(taken, aired, new) if new else taken)
    buried = {t.id for t in found.forgotten}
    update = {
        "entries": tuple(sorted(kept, key=lambda e: e.id)),
        "forgotten": tuple(t for t in absorbed.forgotten if t.id in buried),
        "written": {e.id: absorbed.written[e.id] for e in kept if e.id in absorbed.written},
    }
    return absorbed.model_copy(update=update)


def pass_words(entry: Entry, aired: Sequence[str], fields: Collection[str] | None = None) -> Entry:
    """`entry` with the passes' own words in the fields a person rewrote, or in those of `fields` alone."""
    back = entry.edited.keys() if fields is None else entry.edited.keys() & set(fields)
    edited = {name: episode for name, episode in entry.edited.items() if name not in back}
    words: dict[str, Any] = {name: _value(entry.original[name], name) for name in back if name in entry.original}
    original = {name: value for name, value in entry.original.items() if name in edited}
    bare = entry.model_copy(update={**words, "edited": edited, "original": original, "by": writer(entry, edited)})
    return refold(bare, aired, thaw=not entry.frozen)


def with_original(entry: Entry, aired: Sequence[str], given: Collection[str] = ()) -> Entry:
    """`entry` with the pass's own words kept under each field the person rewrote, folded anew from what was said.

    What is `given` just now and says the same as the pass does is not the person's.
    """
    made = refold(entry, aired, thaw=True)
    own = {n: made.original[n] for n in OWNED if n in entry.edited and n in made.original}
    same = {n for n, v in own.items() if n in given and getattr(entry, n) == _value(v, n)}
    edited = {n: entry.edited[n] for n in OWNED if n in entry.edited and n not in same}
    original = {n: v for n, v in own.items() if n not in same}
    return entry.model_copy(update={"edited": edited, "original": original, "by": writer(entry, edited)})


def owning(entry: Entry) -> Entry:
    """An entry of the person's own, of which a pass begins to speak: its words are the person's from its `since` on."""
    if entry.by != "person" or entry.said or entry.edited:
        return entry
    words = {name: entry.since or "" for name in OWNED if getattr(entry, name) != ABSENT[name]}
    return entry.model_copy(update={"edited": words})


def _absorbed(entry: Entry, written: Mapping[str, str] | None, newest: str | None, lines: list[str]) -> Entry:
    if written is None:
        if entry.by == "person" and (entry.since or not newest) and entry.key and not entry.said:
            return entry
        lines.append(f"{entry.id} was added by hand: yours")
        key = entry.key if entry.key and not entry.said else slug(entry.id.removeprefix(f"mem.{entry.kind}."))
        return entry.model_copy(update={"by": "person", "since": entry.since or newest, "key": key, "said": {}})
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
    return entry.model_copy(update={"edited": edited, "original": original, "by": writer(entry, edited)})


def writer(entry: Entry, edited: Collection[str]) -> Writer:
    """Who wrote what is read: the person who rewrote it or took it up over the passes' bar, else the highest pass."""
    said = [s for s in entry.said.values() if s.by != "person"]
    if {"title", "text"} & set(edited) or (entry.by == "person" and not any(s.earned for s in said)):
        return "person"
    return "model" if any(s.by == "model" for s in said) else "deterministic"


def _lost_prints(memory: ShowMemory, aired: Sequence[str], lines: list[str]) -> dict[str, dict[str, str]]:
    """Fingerprints that a careless merge lost, made anew from what the passes say: theirs never becomes the person's.

    A copy of another entry under a new id is no such thing, but the person's.
    """
    keys = {(e.kind, e.key) for e in memory.entries if e.id in memory.written}
    made: dict[str, dict[str, str]] = {}
    for entry in memory.entries:
        if entry.id in memory.written or not entry.said or entry.by == "person" or (entry.kind, entry.key) in keys:
            continue
        keys.add((entry.kind, entry.key))
        lines.append(f"{entry.id} had lost its fingerprints: what differs from what the scripts say is yours")
        made[entry.id] = fingerprints(refold(entry.model_copy(update={"edited": {}, "original": {}}), aired, thaw=True))
    return made


def _value(value: Any, name: str) -> Any:
    """A value of `original` as the field holds it."""
    if value is None:
        return ABSENT[name]
    return tuple(value) if isinstance(value, list) else value


def _kind_of(id_: str) -> Any:
    return id_.split(".")[1]
