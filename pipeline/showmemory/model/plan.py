"""A plan: what the next memory would change, entry by entry and episode by episode."""

from __future__ import annotations

from typing import Literal

from showmemory.model.base import Frozen
from showmemory.model.memory import Form, Kind, Source

# Forms that people know by a name of their own; a bible or running gag is a gag, a template a catchphrase.
_TOLD = ("callback", "echo", "term")
Op = Literal["added", "changed", "forgotten", "note"]


def told_as(kind: str, form: str | None) -> str:
    """What a person calls an entry of this kind and form."""
    return form if form in _TOLD else kind


class Change(Frozen):
    """One decision for the person: an (entry, episode), with the words before and after and where they stand."""

    op: Op
    entry: str
    episode: str
    kind: Kind
    form: Form | None = None
    title: str = ""
    before: str = ""
    after: str = ""
    says: str = ""
    by: str = "deterministic"
    sources: tuple[Source, ...] = ()

    @property
    def id(self) -> str:
        """How a command names this decision: ENTRY@EPISODE."""
        return f"{self.entry}@{self.episode}"

    @property
    def what(self) -> str:
        """What a person calls the thing that changes."""
        return told_as(self.kind, self.form)


class Plan(Frozen):
    """What would change, bound to the memory (sha256 of its bytes) it was made against. Notes decide nothing."""

    kind: Literal["ShowMemoryPlan"] = "ShowMemoryPlan"
    version: Literal[1] = 1
    memory: str = ""
    scripts: dict[str, str] = {}
    changes: tuple[Change, ...] = ()
    notes: tuple[Change, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def waiting(self) -> bool:
        """Whether a person has something to decide."""
        return bool(self.changes)
