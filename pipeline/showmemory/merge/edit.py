"""One change of a person (or an agent) to memory. Pure: memory and an Edit in, the next memory and one line out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from showmemory.fold.fold import order
from showmemory.merge.asked import Action, Edit, Refused, entry_of, holding, named, newest, remembered, valid
from showmemory.merge.person import pass_words, with_original
from showmemory.merge.throw import forget, restore
from showmemory.merge.whole import place, reset, settings
from showmemory.model.ids import digest, entry_id, slug
from showmemory.model.memory import OWNED, Entry, Kind, ShowMemory
from showmemory.model.span import Problem

__all__ = ["Action", "Edit", "edit"]

_FLAGS: Mapping[str, tuple[str, Any]] = {
    "pin": ("pinned", True),
    "unpin": ("pinned", False),
    "lock": ("locked", True),
    "unlock": ("locked", False),
    "retire": ("retired", True),
    "rest": ("rested", True),
    "keep": ("keep", "keep"),
    "drop": ("keep", "drop"),
    "clear": ("keep", None),
}
_DID = {
    "pin": "is in every context now, and no pass changes it",
    "unpin": "is no longer pinned",
    "lock": "is locked: no pass changes it",
    "unlock": "is no longer locked",
    "retire": "is retired: kept for history, read by nobody",
    "rest": "rests until you say otherwise",
    "keep": "is kept, whatever the pruning says",
    "drop": "is let go: kept in the notebook, not sent",
    "clear": "is for the pruning to decide again",
}
_PLAYS = ("gag", "catchphrase")


def edit(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str] | Problem:
    """The next memory and what was done in one line, or the Problem that forbids it."""
    try:
        if change.by == "agent":
            _allowed(memory, change)
        return _ACTIONS[change.action](memory, change)
    except Refused as refused:
        return refused.problem


def _allowed(memory: ShowMemory, change: Edit) -> None:
    """An agent neither locks nor changes what is locked (A117)."""
    if change.action in ("lock", "unlock", "reset"):
        raise Refused(f"expected a person, found an agent: {change.action} is the person's alone")
    thrown = (t.entry for t in memory.forgotten if t.entry is not None)
    held = next((e for e in (*memory.entries, *thrown) if e.id == change.target), None)
    if held is not None and held.locked:
        raise Refused(f"{held.id} is locked, and an agent may not change it", "ask the person, who can unlock it")


def _add(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """An entry of the person's own (C9), seen from its `since` on: by default the newest episode (F8)."""
    fields = dict(change.fields)
    kind: Kind = fields.pop("kind", "fact")
    name = str(fields.get("title") or fields.get("text") or "")
    if not name.strip():
        raise Refused("expected words for the new entry, found none", 'give it a text: --text "…"')
    id_ = change.target or _free_id(memory, kind, name)
    if not id_.startswith(f"mem.{kind}."):
        raise Refused(f"expected an id that begins with mem.{kind}., found {id_}")
    if any(e.id == id_ for e in memory.entries):
        raise Refused(f"expected a new id, found that {id_} is there already", f"showmemory edit {id_} changes it")
    fields.setdefault("key", slug(name))
    fields["since"] = remembered(memory, fields.get("since")) or newest(memory)
    entry = valid(Entry, {"id": id_, "kind": kind, **fields, "by": "person"})
    dead = tuple(t for t in memory.forgotten if t.id != id_)
    return holding(memory.model_copy(update={"forgotten": dead}), entry), f"{id_} added: yours, and no pass changes it"


def _free_id(memory: ShowMemory, kind: Kind, name: str) -> str:
    """The plain id, or one with a hash where two long texts begin alike; the same words twice are a mistake."""
    plain = entry_id(kind, name)
    held = next((e for e in memory.entries if e.id == plain), None)
    return plain if held is None or name in (held.title, held.text) else f"{plain}-{digest(name)[:6]}"


def _edit(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    entry = entry_of(memory, change.target)
    own = entry.id not in memory.written
    known = (*OWNED, "since") if own else OWNED
    unknown = sorted(change.fields.keys() - set(known))
    if unknown or not change.fields:
        found = ", ".join(unknown) or "nothing"
        raise Refused(f"expected one of {', '.join(known)}, found {found}")
    if "since" in change.fields:
        remembered(memory, change.fields["since"])
    made = valid(Entry, {**{n: getattr(entry, n) for n in type(entry).model_fields}, **change.fields})
    if not own:
        edited = {**entry.edited, **dict.fromkeys(change.fields, newest(memory) or "")}
        original = {**{n: getattr(entry, n) for n in change.fields if n not in entry.edited}, **entry.original}
        made = made.model_copy(update={"edited": edited, "original": original})
        made = with_original(made, order(memory.episodes), change.fields.keys())
    how = "" if own else "; revert takes the pass's words"
    return holding(memory, made), f"{entry.id}: {', '.join(sorted(change.fields))} rewritten{how}"


def _flag(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    entry = entry_of(memory, change.target)
    if change.action == "keep" and entry.by == "person" and not entry.said:
        return memory, f"{named(entry)} is yours, and always kept"
    if change.action == "rest" and entry.kind not in _PLAYS:
        raise Refused(f"expected a gag or a catchphrase, found a {entry.kind}: only what plays can rest")
    name, value = _FLAGS[change.action]
    made = entry.model_copy(update={name: value})
    return holding(memory, made), f"{named(entry)} {_DID[change.action]}"


def _unrest(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Take back the person's rest; where only the counting rests it, say that it does not rest."""
    entry = entry_of(memory, change.target)
    made = entry.model_copy(update={"rested": None if entry.rested else False})
    return holding(memory, made), f"{named(entry)} no longer rests"


def _revert(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    entry = entry_of(memory, change.target)
    if not entry.edited:
        raise Refused(f"expected words you rewrote in {entry.id}, found none")
    return holding(memory, pass_words(entry, order(memory.episodes))), f"{named(entry)} has the pass's own words again"


def _supersede(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """A new value of the same field of the same subject, and of nothing else (D32); the old one stays, closed (G8)."""
    old = entry_of(memory, change.target)
    fields = dict(change.fields)
    value, since = fields.get("value"), remembered(memory, fields.get("since")) or newest(memory)
    if not old.field:
        hint = f"showmemory edit {old.id} --field WORD --value WORDS says what it is about"
        raise Refused(f"expected an entry that has a field, found {old.id} without one", hint)
    if not value or value == old.value:
        raise Refused(f"expected another value of {old.field}, found {value or 'none'}", "give it: --value WORDS")
    aired = order(memory.episodes)
    if since and old.since in aired and aired.index(since) <= aired.index(old.since):
        raise Refused(f"expected an episode after {old.since}, from which the old value holds, found {since}")
    text = old.text.replace(old.value, value) if old.value and old.value in old.text else f"{old.field}: {value}"
    same = {name: getattr(old, name) for name in ("form", "about", "holders", "field")}
    words = {"text": text, **same, **fields, "since": since}
    key = "|".join((*old.about, old.field, str(value)))
    id_ = _free_id(memory, old.kind, f"{key} {words['text']}")
    new = valid(Entry, {"id": id_, "kind": old.kind, "key": key, **words, "by": "person"})
    closing = [old.model_copy(update={"until": since})] if old.frozen else []
    return holding(memory, new, *closing), f"{old.field}: {old.value} until {since}, then {value} ({new.id})"


_ACTIONS: Mapping[str, Callable[[ShowMemory, Edit], tuple[ShowMemory, str]]] = {
    **dict.fromkeys(_FLAGS, _flag),
    "add": _add,
    "edit": _edit,
    "unrest": _unrest,
    "forget": forget,
    "restore": restore,
    "revert": _revert,
    "supersede": _supersede,
    "place": place,
    "set": settings,
    "reset": reset,
}
