"""What a reader of one format hands on: the elements, and what it knows of headings beyond their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from showmemory.model.screenplay import Element
from showmemory.model.span import Problem, Span


@dataclass(slots=True)
class Lines:
    """Elements in order; `numbers`: index of a heading in `elements` -> its printed scene number."""

    elements: list[Element] = field(default_factory=list)
    numbers: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


MOST = 20


def few(problems: Iterable[Problem]) -> list[Problem]:
    """The first problems of each group, and for the rest of it one that says how many more there are."""
    counts: Counter[str] = Counter()
    kept: list[Problem] = []
    last: dict[str, Problem] = {}
    for problem in problems:
        counts[problem.group] += 1
        if not problem.group or counts[problem.group] <= MOST:
            kept.append(problem)
        last[problem.group] = problem
    for group, problem in last.items():
        if group and counts[group] > MOST:
            more = counts[group] - MOST
            message = f"{more} more: {group}"
            kept.append(Problem(Span(problem.span.path), problem.severity, message, group=group))
    return kept


def refused(path: str, message: str, hint: str = "", line: int = 0) -> Lines:
    """A script that cannot be read: no elements and one error."""
    return Lines(problems=[Problem(Span(path, line, line), "error", message, hint)])
