"""What a context is put together from: pieces in sections, and the steps by which they are taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry (or one row of the bible) as it may be printed.

    `texts`: its forms, each longer than the one before. `noun` is what the last line calls it when it is left out.
    `place` is where it stands in its section when printed; `group` the sub-heading it stands under.
    """

    id: str
    kind: str
    texts: tuple[str, ...]
    reason: str
    title: str = ""
    noun: str = ""
    group: str = ""
    place: tuple[float | str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Take a piece in its form number `level` (which replaces its shorter form)."""

    piece: Piece
    level: int = 0


@dataclass(frozen=True, slots=True)
class Not:
    """Why an entry is not a piece of this context: `state` held (kept, not sent) or out."""

    state: str
    reason: str
    limit: str


@dataclass(frozen=True)
class Section:
    """A section: its steps in the order they are taken, names of its groups, and what it does not take, by entry id."""

    name: str
    title: str
    steps: tuple[Step, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, Not] = field(default_factory=dict)


def stepwise(pieces: list[Piece]) -> tuple[Step, ...]:
    """Every piece in its short form, in order; then, in the same order, the longer forms."""
    first = [Step(p) for p in pieces]
    return (*first, *(Step(p, level) for p in pieces for level in range(1, len(p.texts))))
