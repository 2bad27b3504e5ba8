"""What a reader of one format hands on: the elements, and what it knows of headings beyond their text."""

from __future__ import annotations

from dataclasses import dataclass, field

from showmemory.model.screenplay import Element
from showmemory.model.span import Problem, Span


@dataclass(slots=True)
class Lines:
    """Elements in order; `numbers`: index of a heading in `elements` -> its printed scene number."""

    elements: list[Element] = field(default_factory=list)
    numbers: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def refused(path: str, message: str, hint: str = "", line: int = 0) -> Lines:
    """A script that cannot be read: no elements and one error."""
    return Lines(problems=[Problem(Span(path, line, line), "error", message, hint)])
