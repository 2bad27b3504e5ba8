"""One change of a person (or an agent) to memory. Pure: memory and an Edit in, the next memory and one line out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError

from showmemory.fold.fold import closed, fingerprints, order, refold
from showmemory.merge.person import with_original
from showmemory.merge.refused import cited_entry
from showmemory.model.base import Frozen
from showmemory.model.ids import entry_id, slug
from showmemory.model.memory import OWNED, Entry, EpisodeRecord, Kind, Settings, ShowMemory, Tombstone
from showmemory.model.span import Problem, Span

Action = Literal[
    "add", "edit", "pin", "unpin", "keep", "drop", "clear", "lock", "unlock", "rest", "unrest",
    "retire", "restore", "forget", "revert", "place", "set", "reset",
]  # fmt: skip
WHERE = Span("bible/memory.json")
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


class Edit(Frozen):
    """What to do. `target`: an entry id, for `place` an episode id. `fields`: new words or settings by name."""

    action: Action
    target: str = ""
    fields: dict[str, Any] = Field(default_factory=dict)
    by: Literal["person", "agent"] = "person"


class Refused(Exception):
    """An edit that cannot be made; holds the Problem."""

    def __init__(self, message: str, hint: str = "") -> None:
        """Say what was expected and found, and what to do."""
        super().__init__(message)
        self.problem = Problem(WHERE, "error", message, hint)


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
    held = next((e for e in memory.entries if e.id == change.target), None)
    if held is not None and held.locked:
        raise Refused(f"{held.id} is locked, and an agent may not change it", "ask the person, who can unlock it")


def _entry(memory: ShowMemory, id_: str) -> Entry:
    found = next((e for e in memory.entries if e.id == id_), None)
    if found is None:
        near = [e.id for e in memory.entries if id_.rsplit(".", 1)[-1] in e.id][:3]
        hint = f"did you mean {', '.join(near)}?" if near else "showmemory show lists what there is"
        raise Refused(f"expected the id of an entry, found {id_ or 'nothing'}", hint)
    return found


def _with(memory: ShowMemory, entry: Entry) -> ShowMemory:
    held = {e.id: e for e in memory.entries}
    held[entry.id] = entry
    written = dict(memory.written)
    if entry.id in written:
        written[entry.id] = fingerprints(entry)
    update = {"entries": closed(held.values(), order(memory.episodes)), "written": written}
    return memory.model_copy(update=update)


def _newest(memory: ShowMemory) -> str | None:
    aired = order(memory.episodes)
    return aired[-1] if aired else None


def _add(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    fields = dict(change.fields)
    kind: Kind = fields.pop("kind", "fact")
    name = str(fields.get("title") or fields.get("text") or "")
    if not name.strip():
        raise Refused("expected words for the new entry, found none", 'give it a text: --text "…"')
    id_ = change.target or entry_id(kind, name)
    if any(e.id == id_ for e in memory.entries):
        raise Refused(f"expected a new id, found that {id_} is there already", f"showmemory edit {id_} changes it")
    fields.setdefault("key", slug(name))
    fields.setdefault("since", _newest(memory))
    entry = _validated({"id": id_, "kind": kind, **fields, "by": "person"})
    dead = tuple(t for t in memory.forgotten if t.id != id_)
    return _with(memory.model_copy(update={"forgotten": dead}), entry), f"{id_} added: yours, and no pass changes it"


def _validated(fields: dict[str, Any]) -> Entry:
    try:
        return Entry(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Refused(f"{where}: expected another value, found {first['input']!r} ({first['msg'].lower()})") from None


def _edit(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    entry = _entry(memory, change.target)
    unknown = sorted(change.fields.keys() - set(OWNED))
    if unknown or not change.fields:
        found = ", ".join(unknown) or "nothing"
        raise Refused(f"expected one of {', '.join(OWNED)}, found {found}")
    made = _validated({**{n: getattr(entry, n) for n in type(entry).model_fields}, **change.fields})
    if entry.id in memory.written:
        edited = dict(entry.edited) | {n: _newest(memory) or "" for n in change.fields}
        words = {"by": "person"} if {"title", "text"} & edited.keys() else {}
        made = with_original(made.model_copy(update={"edited": edited, **words}), order(memory.episodes))
    return _with(
        memory, made
    ), f"{entry.id}: {', '.join(sorted(change.fields))} rewritten; revert takes the pass's words"


def _flag(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    entry = _entry(memory, change.target)
    name, value = _FLAGS[change.action]
    made = entry.model_copy(update={name: value})
    return _with(memory, made), f"{entry.title or entry.id} {_DID[change.action]}"


def _unrest(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Take back the person's rest; where only the counting rests it, say that it does not rest."""
    entry = _entry(memory, change.target)
    made = entry.model_copy(update={"rested": None if entry.rested else False})
    return _with(memory, made), f"{entry.title or entry.id} no longer rests"


def _forget(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    entry = _entry(memory, change.target)
    tomb = Tombstone(
        id=entry.id,
        kind=entry.kind,
        key=entry.key,
        about=entry.about,
        title=entry.title,
        words=cited_entry(entry),
        entry=entry,
    )
    update = {
        "entries": tuple(e for e in memory.entries if e.id != entry.id),
        "forgotten": tuple(sorted((*memory.forgotten, tomb), key=lambda t: t.id)),
        "written": {id_: held for id_, held in memory.written.items() if id_ != entry.id},
    }
    return memory.model_copy(
        update=update
    ), f"{entry.title or entry.id} is forgotten; restore {entry.id} brings it back"


def _restore(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Bring back what was forgotten, refused or retired; what passes say of it now comes with the next remember."""
    tomb = next((t for t in memory.forgotten if t.id == change.target), None)
    declined = tuple(r for r in memory.declined if r.id != change.target)
    if tomb is None and len(declined) == len(memory.declined):
        entry = _entry(memory, change.target)
        return _with(memory, entry.model_copy(update={"retired": False})), f"{entry.title or entry.id} is read again"
    dead = tuple(t for t in memory.forgotten if t.id != change.target)
    made = memory.model_copy(update={"forgotten": dead, "declined": declined})
    if tomb is not None and tomb.entry is not None:
        made = _with(made, tomb.entry)
        if tomb.entry.said:
            written = {**made.written, tomb.entry.id: fingerprints(tomb.entry)}
            made = made.model_copy(update={"written": {id_: written[id_] for id_ in sorted(written)}})
    return made, f"{change.target} is back"


def _revert(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    entry = _entry(memory, change.target)
    if not entry.edited:
        raise Refused(f"expected words you rewrote in {entry.id}, found none")
    made = refold(
        entry.model_copy(update={"edited": {}, "original": {}, "by": "deterministic"}),
        order(memory.episodes),
        thaw=True,
    )
    return _with(memory, made), f"{entry.title or entry.id} has the pass's own words again"


def _place(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    held = next((e for e in memory.episodes if e.id == change.target), None)
    if held is None:
        known = ", ".join(e.id for e in memory.episodes[:6])
        raise Refused(f"expected a remembered episode, found {change.target or 'nothing'}", f"there are: {known} …")
    allowed = {n: v for n, v in change.fields.items() if n in ("season", "number", "story")}
    placed = EpisodeRecord(**{**held.model_dump(), **allowed, "placed": True})
    rival = next(
        (e for e in memory.episodes if e.id != held.id and (e.season, e.number) == (placed.season, placed.number)), None
    )
    if rival is not None:
        where = f"season {placed.season}, number {placed.number}"
        raise Refused(f"expected a free place, found {rival.id} at {where}", "move that one first")
    episodes = [placed if e.id == held.id else e for e in memory.episodes]
    aired = order(episodes)
    rank = {id_: at for at, id_ in enumerate(aired)}
    entries = closed((refold(e, aired) for e in memory.entries), aired)
    written = {e.id: fingerprints(e) for e in entries if e.id in memory.written}
    update = {"episodes": tuple(sorted(episodes, key=lambda e: rank[e.id])), "entries": entries, "written": written}
    return memory.model_copy(update=update), f"{held.id} stands at season {placed.season}, number {placed.number}"


def _set(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    known = memory.settings.model_dump()
    unknown = sorted(change.fields.keys() - known.keys())
    if unknown or not change.fields:
        raise Refused(f"expected a setting, found {', '.join(unknown) or 'nothing'}", f"there are: {', '.join(known)}")
    try:
        settings = Settings(**{**known, **change.fields})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise Refused(f"{name}: expected another value, found {first['input']!r} ({first['msg'].lower()})") from None
    said = ", ".join(f"{n} = {v}" for n, v in sorted(change.fields.items()))
    return memory.model_copy(update={"settings": settings}), f"set {said}"


def _reset(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Give every decision back: the notebook as the passes alone would have it. Undo takes this back."""
    aired = order(memory.episodes)
    bare = {
        "edited": {},
        "original": {},
        "pinned": False,
        "locked": False,
        "retired": False,
        "rested": None,
        "keep": None,
    }
    back = [t.entry for t in memory.forgotten if t.entry is not None and t.entry.said]
    own = [e for e in (*memory.entries, *back) if e.said]
    entries = [refold(e.model_copy(update={**bare, "by": "deterministic"}), aired) for e in own]
    update = {
        "entries": closed(entries, aired),
        "forgotten": (),
        "declined": (),
        "written": {e.id: fingerprints(e) for e in sorted(entries, key=lambda e: e.id)},
    }
    return memory.model_copy(update=update), "every change of yours is taken back; undo brings them again"


_ACTIONS: Mapping[str, Callable[[ShowMemory, Edit], tuple[ShowMemory, str]]] = {
    **dict.fromkeys(_FLAGS, _flag),
    "add": _add,
    "edit": _edit,
    "unrest": _unrest,
    "forget": _forget,
    "restore": _restore,
    "revert": _revert,
    "place": _place,
    "set": _set,
    "reset": _reset,
}
