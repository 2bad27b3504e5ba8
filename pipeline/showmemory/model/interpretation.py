"""`bible/readings.yaml`: somebody's reading of one entity at a moment, which may stand in for its raw entries."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from showmemory.model.base import Frozen
from showmemory.model.canonical import fingerprint, plain
from showmemory.model.memory import Source

Edged = Literal["supports", "inhibits", "activates", "contradicts"]


class Reason(Frozen):
    """One reason, with what it rests on: entries of memory by id, or lines of scripts."""

    id: str
    text: str
    entries: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


class Edge(Frozen):
    """How one reason of a reading bears on another."""

    from_: str = Field(alias="from")
    how: Edged
    to: str


class Interpretation(Frozen):
    """A reading of one entity: its reasons in the order in which they count, and how they bear on each other.

    `as_of`: the episode after which it was made, and from which it holds, `until` the last for which it does.
    `vantage`: writer (anybody), showrunner, or the character or group through whose eyes it is seen. It is nobody's
    score and gives no order; what it replaces in a context stays in memory.
    """

    id: str = Field(pattern=r"^reading\.[^\s]+$")
    of: str
    as_of: str
    until: str = ""
    vantage: str = "writer"
    by: str
    made_by: Literal["person", "model"] = "person"
    reasons: tuple[Reason, ...] = ()
    edges: tuple[Edge, ...] = ()
    replaces: tuple[str, ...] = ()

    @property
    def print(self) -> str:
        """A fingerprint of all it says: a reading is never changed under its name without the receipts showing it."""
        return fingerprint(plain(self))


class Readings(Frozen):
    """All readings, and which one is bound to which entity. An entity bound to nothing has its raw entries."""

    readings: tuple[Interpretation, ...] = ()
    bound: dict[str, str] = Field(default_factory=dict)

    def of(self, id_: str) -> Interpretation | None:
        """The reading of this id."""
        return next((one for one in self.readings if one.id == id_), None)
