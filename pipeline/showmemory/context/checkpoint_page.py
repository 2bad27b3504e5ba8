"""A checkpoint -> one page within a budget of tokens, counted on the exact text: it replaces a reload (E16)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from showmemory.context.formats import Markdown
from showmemory.context.tokens import count
from showmemory.model.checkpoint import Checkpoint, Line, Part

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
    taken = {part.name: min(1, len(part.lines)) for part in made.parts}
    text = _text(made, taken)
    for part in _turns(made.parts):
        if taken[part.name] < len(part.lines):
            taken[part.name] += 1
            longer = _text(made, taken)
            if count(longer) > budget:
                taken[part.name] -= 1
                break
            text = longer
    return text


def _turns(parts: Sequence[Part]) -> Iterator[Part]:
    most = max((len(part.lines) for part in parts), default=0)
    for at in range(1, most):
        yield from (part for part in parts if at < len(part.lines))


def _text(made: Checkpoint, taken: dict[str, int]) -> str:
    rows = [_FORM.frame(f"{made.show}: checkpoint {_PURPOSES[made.purpose]}", _frame(made))]
    for part in made.parts:
        rows.append(_FORM.open(part.name, f"{part.title} ({part.source})"))
        rows += [_row(line) for line in part.lines[: taken[part.name]]]
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


def _row(line: Line) -> str:
    told = f"{line.text} ({line.cite})" if line.cite and line.cite not in line.text else line.text
    return _FORM.row("", "", told, False)
