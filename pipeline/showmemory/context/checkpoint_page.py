"""A checkpoint -> one page within a budget of tokens, counted on the exact text: it replaces a reload (E16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from showmemory.context.formats import Markdown
from showmemory.context.tokens import ENCODING, SHA256, count
from showmemory.model.checkpoint import Checkpoint, Line, Part

# A checkpoint has so many tokens, unless another number is asked for.
PAGE = 900
_PURPOSES = {
    "resume": "to go on from",
    "room": "for the room",
    "review": "for a review",
    "lane": "for another lane",
    "adaptation": "for an adaptation",
}
_FORM = Markdown()


def page(made: Checkpoint, budget: int = PAGE) -> str:
    """Every field with its first line, then line after line of each in turn, as far as the budget holds."""
    return _text(made, _taken(made, budget))


def receipt(made: Checkpoint, budget: int = PAGE) -> dict[str, Any]:
    """What the page cost, and how many lines of each field stand on it: the first ones of those in the plain form."""
    taken = _taken(made, budget)
    lines = {p.name: {"in": taken[p.name], "out": len(p.lines) - taken[p.name]} for p in made.parts}
    tokens = count(_text(made, taken))
    return {"encoding": ENCODING, "sha256": SHA256, "budget": budget, "tokens": tokens, "lines": lines}


def _taken(made: Checkpoint, budget: int) -> dict[str, int]:
    """How many lines of each field fit."""
    taken = {part.name: min(1, len(part.lines)) for part in made.parts}
    for part in _turns(made.parts):
        if taken[part.name] < len(part.lines):
            taken[part.name] += 1
            if count(_text(made, taken)) > budget:
                taken[part.name] -= 1
                break
    return taken


def _turns(parts: Sequence[Part]) -> Iterator[Part]:
    most = max((len(part.lines) for part in parts), default=0)
    for at in range(1, most):
        yield from (part for part in parts if at < len(part.lines))


def _text(made: Checkpoint, taken: dict[str, int]) -> str:
    rows = [_FORM.frame(f"{made.show}: checkpoint {_PURPOSES[made.purpose]}", _frame(made))]
    for part in made.parts:
        rows.append(_FORM.open(part.name, f"{part.title} ({part.source})"))
        rows += [row(line) for line in part.lines[: taken[part.name]]]
        if not part.lines:
            rows.append(_FORM.row("", "", part.empty, False))
    left = sum(len(part.lines) - taken[part.name] for part in made.parts)
    if left:
        lines = f"{left} line{'' if left == 1 else 's'}"
        rows.append(_FORM.clean(f"Left out for room: {lines} (showmemory checkpoint --json has them)") + "\n")
    return "".join(rows)


def _frame(made: Checkpoint) -> list[str]:
    span = made.ends if made.begins == made.ends else f"{made.begins} to {made.ends}"
    rows = [f"Covers {span}." if made.ends else "Covers nothing: no episode is remembered."]
    if made.behind:
        rows.append(f"The story has gone on to {made.behind}, which memory has not taken up.")
    return rows


def row(line: Line) -> str:
    """A line with its place."""
    told = f"{line.text} ({line.cite})" if line.cite and line.cite not in line.text else line.text
    return _FORM.row("", "", told, False)
