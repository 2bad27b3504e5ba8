"""What a reader of one format hands on: the elements, and what it knows of headings beyond their text."""

from __future__ import annotations

from dataclasses import dataclass, field

from showmemory.model.screenplay import Element
from showmemory.model.span import Problem, Span


@dataclass(slots=True)
class Lines:
    """Elements in order; `numbers` and `omitted` are by index of the heading in `elements`."""

    elements: list[Element] = field(default_factory=list)
    numbers: dict[int, str] = field(default_factory=dict)
    omitted: set[int] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def refused(path: str, message: str, hint: str = "", line: int = 0) -> Lines:
    """A script that cannot be read: no elements and one error."""
    return Lines(problems=[Problem(Span(path, line, line), "error", message, hint)])
