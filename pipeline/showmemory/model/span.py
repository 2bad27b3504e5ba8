"""Where something was read, and what is wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "notice"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: path relative to the show, 1-based line; for Final Draft and PDF scene, page, paragraph."""

    path: str
    line: int = 0
    last: int = 0
    column: int = 0
    scene: str = ""
    page: int = 0
    paragraph: int = 0

    def __str__(self) -> str:
        """Print as ``path:line``, the form terminals and editors open."""
        path = self.path.replace("\n", "\\n")
        if self.line and self.column:
            return f"{path}:{self.line}:{self.column}"
        return f"{path}:{self.line}" if self.line else path


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A user's mistake as a value: what was expected, what was found, what to do next."""

    span: Span
    severity: Severity
    message: str
    hint: str = ""
    source: str = ""
    group: str = ""

    def __str__(self) -> str:
        """Print as ``path:line: severity: message``, the offending line and the hint under it."""
        # What was asked for on the command line has no place in a file.
        where = f"{self.span}: " if self.span.path else ""
        rows = [f"{where}{self.severity}: {self.message}"]
        if self.source.strip():
            rows.append(f"    {self.source.strip()[:200]}")
        if self.hint:
            rows.append(f"    {self.hint}")
        return "\n".join(rows)
