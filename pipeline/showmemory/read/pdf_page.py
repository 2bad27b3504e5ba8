"""One page of a printed script: its lines and columns, without what the printing put there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

_NUMBER = re.compile(r"\(?-?\s*\d{1,4}[A-Z]?\s*-?\)?\.?")
_CONTINUED = re.compile(
    r"(?:\d{1,4}[A-Z]{0,2}\s+)?\(?(?:CONTINUED|MORE|SUITE|FORTSETZUNG|CONTINÚA|CONTINUA|SEGUE):?\)?:?(?:\s*\(\d+\))?(?:\s+\d{1,4}[A-Z]{0,2})?",
    re.IGNORECASE,
)
_STAR = re.compile(r"(?:\s{2,}|^)\*{1,2}\s*$")
_BESIDE = re.compile(r"\s{2,}\d{1,4}[A-Z]?\.?$")
_DIGITS = re.compile(r"\d+")
_SCENE_BOTH = re.compile(r"([A-Z]{0,2}\d{1,4}[A-Z]{0,3})[.)]?\s{1,40}(\S.*?)\s{2,}\1[.)]?")
_SCENE_LEFT = re.compile(r"([A-Z]{0,2}\d{1,4}[A-Z]{0,3})[.)]?\s{1,40}(\S.*)")
_PITCH = 7.2  # points: the width of a letter of 12-point Courier
_GAP = 1.6  # times the size of the letters: more between two lines is an empty line
_SAME = 0.4  # ... and less is the same line
_EDGE = 3  # lines at the top or foot of a page that may be printed on every one


@dataclass(frozen=True, slots=True)
class Piece:
    """Text drawn at one place: `x` to the right and `y` up, in points; `size` is that of the letters."""

    x: float
    y: float
    text: str
    size: float


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a page. `line` counts the page's printed lines from 1; `gap`: an empty line stands above it."""

    line: int
    column: int
    text: str
    gap: bool = True
    number: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its lines. `more`: a speech goes on, on the next one."""

    number: int
    rows: tuple[Row, ...]
    more: bool = False


def page_of(pieces: Sequence[Piece], number: int) -> Page:
    """Put the pieces of a page into lines, top to bottom, each with its column."""
    rows: list[Row] = []
    above = None
    for line in _lines(pieces):
        shown = _STAR.sub("", _spaced(line))
        if not shown.strip():
            continue
        first = line[0]
        gap = above is None or above.y - first.y > _GAP * min(max(above.size, first.size), 14.0)
        column = round(first.x / _PITCH) + len(shown) - len(shown.lstrip())
        rows.append(Row(len(rows) + 1, column, shown.strip(), gap))
        above = first
    return Page(number, tuple(rows))


def _lines(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces by height on the page, each line from left to right; what is drawn twice to look bold is there once."""
    lines: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.y):
        if lines and lines[-1][0].y - piece.y < _SAME * piece.size:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    for line in lines:
        line.sort(key=lambda piece: round(piece.x))
    return lines


def _spaced(line: Sequence[Piece]) -> str:
    """One line of text, with as many spaces between its pieces as the page leaves room for."""
    made = ""
    before = None
    for piece in line:
        text = piece.text.rstrip("\n")
        if before and piece.text == before.text and abs(piece.x - before.x) < 2:
            continue
        at = round((piece.x - line[0].x) / _PITCH)
        if at > len(made):
            made += " " * (at - len(made))
        made += text
        before = piece
    return made[:1000]


def without_furniture(pages: Sequence[Page]) -> list[Page]:
    """Take out page numbers, running heads, (CONTINUED), (MORE) and the scene numbers in the margins."""
    running = _running(pages)
    return [_cleaned(page, running) for page in pages]


def _running(pages: Sequence[Page]) -> frozenset[str]:
    """Lines that stand by themselves at the edge of many pages, digits aside."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_plain(row.text) for index, row in enumerate(page.rows) if _alone(page.rows, index)})
    least = max(2, len(pages) * 2 // 5)
    return frozenset(text for text, count in seen.items() if count >= least and "#" in text)


def _plain(text: str) -> str:
    """A running head without the page number beside it, and with every other number alike."""
    return _DIGITS.sub("#", _BESIDE.sub("", text))


def _alone(rows: Sequence[Row], index: int) -> bool:
    """Whether a line at the top or foot of a page is set apart from the script."""
    last = len(rows) - 1
    top = index < _EDGE and index < last and all(rows[at].gap for at in range(1, index + 2))
    foot = index > last - _EDGE and index > 0 and all(rows[at].gap for at in range(index, last + 1))
    return top or foot


def _cleaned(page: Page, running: frozenset[str]) -> Page:
    rows: list[Row] = []
    more = gap = False
    last = len(page.rows) - 1
    for index, row in enumerate(page.rows):
        edge = index < _EDGE or index > last - _EDGE
        if edge and (_NUMBER.fullmatch(row.text) or (_plain(row.text) in running and _alone(page.rows, index))):
            gap = True
            continue
        if _CONTINUED.fullmatch(row.text):
            more = more or "MORE" in row.text.upper()
            gap = True
            continue
        rows.append(_unnumbered(replace(row, gap=row.gap or gap)))
        gap = False
    return Page(page.number, tuple(rows), more)


def _unnumbered(row: Row) -> Row:
    """Take a scene number out of one margin or both."""
    found = _SCENE_BOTH.fullmatch(row.text)
    if found is None and row.text[0].isdigit():
        found = _SCENE_LEFT.fullmatch(row.text)
        if found and not _opens(found.group(2)):
            found = None
    if not found:
        return row
    return replace(row, text=found.group(2), number=found.group(1), column=row.column + found.start(2))


def _opens(text: str) -> bool:
    return text.isupper() and text[:3] in ("INT", "EXT", "EST", "I/E", "E/I")
