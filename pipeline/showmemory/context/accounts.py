"""A context as printed, and what it did not print -> its receipt: each live entry exactly once (G3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from showmemory.context.budget import SHARES, Queued
from showmemory.context.formats import Form
from showmemory.context.layout import Block, printed, rows_of
from showmemory.context.piece import Not, Piece, Section
from showmemory.context.quote import line
from showmemory.context.ready import Ready
from showmemory.context.receipt import Receipt, Row
from showmemory.context.tokens import ENCODING, SHA256, count


def left_out(queued: Sequence[Queued], taken: int) -> Mapping[str, int]:
    """How many pieces of each noun are not printed in any form."""
    return Counter(q.step.piece.noun for q in queued[taken:] if q.step.level == 0)


def receipt_of(
    ready: Ready, form: Form, sections: Sequence[Section], blocks: Sequence[Block], budget: int, always: int
) -> Receipt:
    """The receipt: rows of what is printed in reading order, then what is held, then what is out."""
    rows = list(rows_of(blocks))
    seen = {row.id for row in rows}
    offered = {step.piece.id: step.piece for section in sections for step in section.steps}
    out = [_no_room(form, piece, budget) for id_, piece in offered.items() if id_ not in seen]
    nots = {**ready.held, **{id_: why for section in sections for id_, why in section.left.items()}}
    others = [_not(ready, form, id_, why) for id_, why in sorted(nots.items()) if id_ not in seen]
    rows += [*(r for r in others if r.state == "held"), *out, *(r for r in others if r.state == "out")]
    tokens = sum(row.tokens for row in rows if row.state == "in")
    moment = ready.moment
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
        shares=SHARES,
        rows=tuple(rows),
    )


def _no_room(form: Form, piece: Piece, budget: int) -> Row:
    tokens = count(printed(form, piece, 0))
    return Row(piece.id, piece.kind, tokens, "out", f"no room within {budget} tokens", "budget", piece.title)


def _not(ready: Ready, form: Form, id_: str, why: Not) -> Row:
    entry = ready.any_of(id_)
    tokens = count(form.row(id_, entry.kind, line(entry.text or entry.title), False))
    return Row(id_, entry.kind, tokens, "held" if why.state == "held" else "out", why.reason, why.limit, entry.title)
