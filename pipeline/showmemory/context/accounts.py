"""A context as printed, and what it did not print -> its receipt: each live entry exactly once (G3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from showmemory.context.budget import Queued, shares
from showmemory.context.formats import Form
from showmemory.context.layout import Block, printed, rows_of
from showmemory.context.piece import Not, Piece, Section
from showmemory.context.quote import line
from showmemory.context.ready import Ready
from showmemory.context.receipt import Receipt, Row
from showmemory.context.tokens import ENCODING, SHA256, count


def left_out(sections: Sequence[Section], twins: Mapping[str, Not], taken: Sequence[Queued]) -> dict[str, Piece]:
    """The pieces that are not printed in any form, by id."""
    done = {q.step.piece.id for q in taken}
    offered = (piece for section in sections for piece in section.pieces.values())
    return {piece.id: piece for piece in offered if piece.id not in done and piece.id not in twins}


def nouns(pieces: Iterable[Piece]) -> Mapping[str, int]:
    """How many there are of each noun."""
    return Counter(piece.noun for piece in pieces)


def receipt_of(
    ready: Ready,
    form: Form,
    sections: Sequence[Section],
    blocks: Sequence[Block],
    out: Mapping[str, Piece],
    twins: Mapping[str, Not],
    budget: int,
    always: int,
) -> Receipt:
    """The receipt; its rows, which price what is not printed, are made when somebody asks for them."""
    printed_rows = rows_of(blocks)
    tokens = sum(row.tokens for row in printed_rows)
    moment = ready.moment

    def rows() -> tuple[Row, ...]:
        nots = {**ready.held, **{id_: why for section in sections for id_, why in section.left.items()}, **twins}
        others = [_not(ready, form, id_, why) for id_, why in sorted(nots.items())]
        held = (row for row in others if row.state == "held")
        rest = (row for row in others if row.state == "out")
        return (*printed_rows, *held, *(_no_room(form, piece, budget) for piece in out.values()), *rest)

    return Receipt(
        encoding=ENCODING,
        sha256=SHA256,
        budget=budget,
        factor=ready.settings.token_factor,
        tokens=tokens,
        always=always,
        excess=max(0, tokens - int(budget / ready.settings.token_factor)),
        as_of=moment.newest,
        stands_at=moment.upto[-1] if moment.upto else None,
        axis=moment.axis,
        reader=ready.reader,
        witness=ready.witness,
        shares=shares(sections),
        make=rows,
    )


def _no_room(form: Form, piece: Piece, budget: int) -> Row:
    tokens = count(printed(form, piece, 0))
    return Row(piece.id, piece.kind, tokens, "out", f"no room within {budget} tokens", "budget", piece.title)


def _not(ready: Ready, form: Form, id_: str, why: Not) -> Row:
    entry = ready.any_of(id_)
    tokens = count(form.row(id_, entry.kind, line(entry.text or entry.title), False))
    return Row(id_, entry.kind, tokens, "held" if why.state == "held" else "out", why.reason, why.limit, entry.title)
