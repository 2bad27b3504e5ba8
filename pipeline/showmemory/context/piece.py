"""What a context is put together from: pieces in sections, and the steps by which they are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One entry (or one row of the bible) as it may be printed.

    `tell` gives its forms, each longer than the one before; it is asked only for what may be reached. `noun` is what
    the last line calls it when it is left out. `place` is where it stands in its section when printed; `group` the
    sub-heading it stands under.
    """

    id: str
    kind: str
    tell: Callable[[], tuple[str, ...]]
    reason: str
    title: str = ""
    noun: str = ""
    group: str = ""
    place: tuple[float | str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Its forms."""
        return self.tell()


def row(id_: str, kind: str, text: str, reason: str, **fields: object) -> Piece:
    """A piece of one form that is no entry."""
    return Piece(id_, kind, lambda: (text,), reason, **fields)  # type: ignore[arg-type]


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
    """A section: its steps in the order they are taken, and `then` whose longer forms follow, in order.

    `groups` are the names of its groups; `left` is what it does not take, by entry id. `twin` says of a piece, when
    its turn comes, which one taken before it says nearly the same. `share` is its part of a budget, 0 the usual one.
    """

    name: str
    title: str
    steps: tuple[Step, ...] = ()
    then: tuple[Piece, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, Not] = field(default_factory=dict)
    twin: Callable[[Piece], str | None] | None = None
    share: int = 0

    def turns(self) -> Iterator[Step]:
        """Every step, the longer forms last; made as they are asked for."""
        yield from self.steps
        for piece in self.then:
            for level in range(1, len(piece.texts)):
                yield Step(piece, level)

    @property
    def pieces(self) -> dict[str, Piece]:
        """Every piece by id, in the order of its first step."""
        return {step.piece.id: step.piece for step in self.steps}


def stepwise(pieces: list[Piece]) -> tuple[Step, ...]:
    """Every piece in its short form, in order."""
    return tuple(Step(piece) for piece in pieces)
