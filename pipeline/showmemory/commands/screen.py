"""What a command prints: plain lines, coloured and wrapped on a terminal, or one JSON object."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from showmemory.text.visible import visible

if TYPE_CHECKING:
    from showmemory.model.span import Problem

_NARROWEST = 40
# A column is not cut below this, and a tail is not squeezed beside its row into less.
_NARROW, _ROOM = 8, 28
_HIGH = re.compile(r"[\x7f-\x9f]")
_COLOURS = {"error": "bold red", "warning": "yellow", "notice": "dim"}


class Screen:
    """One command's output. Rich is loaded for a terminal only, and not where CI says that nobody looks."""

    def __init__(self, *, as_json: bool = False) -> None:
        """Look once at where the output goes."""
        self.as_json = as_json
        self.live = sys.stdout.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"
        self.columns = max(_NARROWEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 0
        self._console: Any = None

    @property
    def asks(self) -> bool:
        """Whether somebody is there to answer."""
        return self.live and sys.stdin.isatty() and not self.as_json

    def line(self, text: str = "", style: str = "", hang: int | None = None) -> None:
        """Print one line; on a terminal it is wrapped, later rows indented by `hang` (two more than the first)."""
        if self.as_json:
            return
        for row in wrapped(text, self.columns, hang):
            self._print(row, style, sys.stdout)

    def lines(self, rows: Iterable[str]) -> None:
        """Print several lines."""
        for row in rows:
            self.line(row)

    def head(self, text: str) -> None:
        """Print a heading."""
        self.line(text, "bold")

    def table(self, rows: Sequence[Sequence[str]], indent: int = 0) -> None:
        """Print rows with their columns aligned; the last column takes what room is left."""
        if not rows:
            return
        count = max(len(row) for row in rows)
        self.entries([row[: count - 1] for row in rows], [row[-1] if len(row) == count else "" for row in rows], indent)

    def entries(self, rows: Sequence[Sequence[str]], tails: Sequence[str], indent: int = 0) -> None:
        """Print rows with aligned columns, each with a tail: beside it where there is room, else under it."""
        widths = _widths(rows, self.columns - indent if self.columns else 0)
        start = indent + sum(w + 2 for w in widths)
        for row, tail in zip(rows, tails, strict=True):
            cells = [padded(cut(cell, w), w) for cell, w in zip(row, widths, strict=False)]
            head = " " * indent + "  ".join(cells)
            if not self.columns or start + width(tail) <= self.columns:
                self.line(f"{head}  {tail}".rstrip())
            elif self.columns - start >= max(_ROOM, *(width(word) for word in tail.split())):
                self.line(f"{head}  {tail}", hang=start)
            else:
                self.line(head.rstrip())
                self.line(" " * (indent + 4) + tail, hang=indent + 4)

    def problems(self, problems: Iterable[Problem], *, aside: bool = True) -> None:
        """Print problems, each with its line and what to do; `aside`: on standard error, as they are not the answer."""
        for problem in problems:
            for number, row in enumerate(str(problem).splitlines()):
                for part in wrapped(row, self.columns, None):
                    style = _COLOURS[problem.severity] if number == 0 else ""
                    self._print(part, style, sys.stderr if aside or self.as_json else sys.stdout)

    def json(self, value: Any) -> None:
        """Print the one JSON object."""
        if self.as_json:
            text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
            # JSON escapes what stands below the blank by itself.
            sys.stdout.write(_HIGH.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")

    def ask(self, question: str) -> str:
        """Ask, and take the answer without blanks around it; no answer when the input ends."""
        try:
            return input(question).strip()
        except EOFError:
            return ""

    def _print(self, row: str, style: str, to: TextIO) -> None:
        row = visible(row)
        if self.live and style and to is sys.stdout:
            from rich.console import Console
            from rich.text import Text

            self._console = self._console or Console(highlight=False)
            self._console.print(Text(row, style), soft_wrap=True)
            return
        to.write(row + "\n")


def width(text: str) -> int:
    """How many columns `text` takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, size: int) -> str:
    """`text` with blanks up to `size` columns."""
    return text + " " * max(0, size - width(text))


def cut(text: str, size: int) -> str:
    """`text` in at most `size` columns, cut with an ellipsis."""
    if width(text) <= size:
        return text
    made = ""
    for letter in text:
        if width(made + letter) > size - 1:
            break
        made += letter
    return made.rstrip() + "…"


def wrapped(text: str, columns: int, hang: int | None) -> list[str]:
    """`text` in rows of at most `columns` (0: any number), broken between words, later rows indented."""
    if not columns or width(text) <= columns:
        return [text]
    lead = len(text) - len(text.lstrip())
    indent = " " * min(hang if hang is not None else lead + 2, columns // 2)
    rows, row = [], text[:lead]
    for word in _words(text[lead:]):
        start = not row.strip()
        if not start and width(row) + width(word.rstrip()) > columns:
            rows.append(row.rstrip())
            row, start = indent, True
            word = word.lstrip()
        while start and width(row) + width(word.rstrip()) > columns:
            fits = cut(word, columns - width(row) + 1)[:-1] or word[:1]
            rows.append(row + fits)
            row, word = indent, word[len(fits) :]
        row += word
    return [*rows, row.rstrip()]


def _words(text: str) -> list[str]:
    """Words with the blanks after them, so that aligned columns stay aligned."""
    words: list[str] = []
    for part in text.split(" "):
        if part or not words:
            words.append(part + " ")
        else:
            words[-1] += " "
    return words


def _widths(rows: Sequence[Sequence[str]], columns: int) -> list[int]:
    """How wide each column is; on a terminal (`columns`) the widest are cut until some room is left for the rest."""
    count = max((len(row) for row in rows), default=0)
    widths = [max(width(row[at]) if at < len(row) else 0 for row in rows) for at in range(count)]
    room = max(columns - 2 * count, _NARROW * count)
    while columns and sum(widths) > room:
        widths[widths.index(max(widths))] -= 1
    return widths
