"""One change as it is asked for, what forbids it, and the few steps that all changes are made of."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, ValidationError

from showmemory.fold.fold import closed, fingerprints, order
from showmemory.model.base import Frozen
from showmemory.model.memory import Entry, ShowMemory
from showmemory.model.span import Problem, Span

Action = Literal[
    "add", "edit", "pin", "unpin", "keep", "drop", "clear", "lock", "unlock", "rest", "unrest",
    "retire", "restore", "forget", "revert", "supersede", "place", "set", "reset",
]  # fmt: skip
WHERE = Span("bible/memory.json")


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


def entry_of(memory: ShowMemory, id_: str) -> Entry:
    """The entry called so, or Refused with what is near."""
    found = next((e for e in memory.entries if e.id == id_), None)
    if found is None:
        near = [e.id for e in memory.entries if id_.rsplit(".", 1)[-1] in e.id][:3]
        hint = f"did you mean {', '.join(near)}?" if near else "showmemory show lists what there is"
        raise Refused(f"expected the id of an entry, found {id_ or 'nothing'}", hint)
    return found


def named(entry: Entry) -> str:
    """How an answer calls an entry."""
    return entry.title or entry.id


def holding(memory: ShowMemory, *entries: Entry) -> ShowMemory:
    """Memory with these entries in place of those of the same id; what passes wrote keeps its fingerprints in step."""
    held = {e.id: e for e in memory.entries} | {e.id: e for e in entries}
    written = dict(memory.written) | {
        e.id: fingerprints(e, memory.written[e.id]) for e in entries if e.id in memory.written
    }
    update = {"entries": closed(held.values(), order(memory.episodes), hold=True), "written": written}
    return memory.model_copy(update=update)


def newest(memory: ShowMemory) -> str | None:
    """The newest remembered episode."""
    aired = order(memory.episodes)
    return aired[-1] if aired else None


def remembered(memory: ShowMemory, episode: str | None) -> str | None:
    """`episode`, when it is one that memory holds or none is named; else Refused."""
    if episode is None or any(e.id == episode for e in memory.episodes):
        return episode
    known = ", ".join(e.id for e in memory.episodes[-6:])
    raise Refused(f"expected a remembered episode, found {episode or 'nothing'}", f"the newest are {known}")


def valid(make: Any, fields: dict[str, Any]) -> Any:
    """`make(**fields)`, or Refused with the first field that cannot be so."""
    try:
        return make(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Refused(f"{where}: expected another value, found {first['input']!r} ({first['msg'].lower()})") from None
