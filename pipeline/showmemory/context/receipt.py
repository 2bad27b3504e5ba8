"""A receipt: each live entry exactly once, its tokens, whether it is in, held or out, why, by which limit (G3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

State = Literal["in", "held", "out"]


@dataclass(frozen=True, slots=True)
class Row:
    """One entry, or one block that is no entry (frame, headings, the bible's rows, the last line).

    `held`: kept, but not to be sent now (retired, let go, superseded, ...). `out`: could have been sent and was not.
    """

    id: str
    kind: str
    tokens: int
    state: State
    reason: str
    limit: str = ""
    title: str = ""


@dataclass(frozen=True, eq=False)
class Receipt:
    """What a context cost and why it is what it is. `excess`: tokens over the budget, by the always-section (F1)."""

    encoding: str
    sha256: str
    budget: int
    factor: float
    tokens: int
    always: int
    excess: int
    as_of: str | None
    stands_at: str | None
    axis: str
    reader: str
    witness: str | None
    shares: tuple[tuple[str, int], ...]
    make: Callable[[], tuple[Row, ...]] = field(repr=False)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """A row for each block printed, in reading order, and for each entry that is not."""
        return self.make()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Receipt) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.tokens, self.budget, self.as_of))

    def plain(self) -> dict[str, Any]:
        """As plain JSON values, for `context --receipt --json`."""
        made = self.figures()
        made["rows"] = [_row(row) for row in self.rows]
        return made

    def figures(self) -> dict[str, Any]:
        """The receipt without its rows."""
        return {
            "encoding": self.encoding,
            "sha256": self.sha256,
            "budget": self.budget,
            "factor": self.factor,
            "tokens": self.tokens,
            "always": self.always,
            "excess": self.excess,
            "asOf": self.as_of,
            "standsAt": self.stands_at,
            "axis": self.axis,
            "reader": self.reader,
            "witness": self.witness,
            "shares": dict(self.shares),
        }

    def grouped(self) -> dict[str, Any]:
        """A short form for the files beside the contexts: state, then reason, then id -> tokens."""
        made: dict[str, Any] = self.figures()
        for state in ("in", "held", "out"):
            reasons: dict[str, dict[str, int]] = {}
            for row in self.rows:
                if row.state == state:
                    reasons.setdefault(row.reason, {})[row.id] = row.tokens
            made[state] = {reason: reasons[reason] for reason in sorted(reasons)}
        return made


def _row(row: Row) -> dict[str, Any]:
    made = {"id": row.id, "kind": row.kind, "tokens": row.tokens, "state": row.state, "reason": row.reason}
    return {**made, **({"limit": row.limit} if row.limit else {}), **({"title": row.title} if row.title else {})}
