"""Findings, each at a place of a JSON document -> Problems, each at a line of its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showmemory.check.positions import Lines, Place, places
from showmemory.model.span import Problem, Severity, Span


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and its place in the document; `group`: what a first run gathers it under."""

    place: Place
    severity: Severity
    message: str
    hint: str = ""
    group: str = ""


def problems(found: Sequence[Finding], text: str, path: str) -> list[Problem]:
    """Give each finding its line and column in `text`; a document not yet written has none."""
    if not text:
        return [Problem(Span(path), each.severity, each.message, each.hint, group=each.group) for each in found]
    if not found:
        return []
    at, lines = places(text, {each.place for each in found}), Lines(text)
    return [problem_at(path, lines, at[each.place], each) for each in found]


def problem_at(path: str, lines: Lines, offset: int, found: Finding) -> Problem:
    """Make the Problem of a finding that stands at `offset` of a text."""
    line, column = lines.place(offset)
    span = Span(path, line, line, column)
    return Problem(span, found.severity, found.message, found.hint, lines.line(line), found.group)
