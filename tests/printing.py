"""A script printed as studios print it, to a PDF of Courier on letter paper: what the PDF reader is held against."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from showmemory.model.screenplay import Element

LINES = 54
_PITCH = 7.2
_COLUMNS = {"dialogue": (25, 35), "lyric": (25, 35), "paren": (31, 24), "character": (37, 33)}


@dataclass(frozen=True)
class Printed:
    """One line of a page: text at columns, and whether an empty line stands above it."""

    pieces: tuple[tuple[int, str], ...]
    gap: bool = False
    speech: str = ""


def pdf(
    elements: Sequence[Element], *, title: str = "", numbered: bool = False, head: str = "", stars: bool = False
) -> bytes:
    """Print `elements`. `numbered`: scene numbers in both margins; `stars`: every third line is marked as revised."""
    lines = list(_lines(list(elements), numbered))
    pages = [_titled(title)] if title else []
    pages += _paged(lines, head, stars)
    return document(pages)


def document(pages: Sequence[str]) -> bytes:
    """A PDF file of these pages' drawing commands."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    made = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        made.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        made.append(f"<< /Length {len(page.encode('cp1252', 'replace'))} >>\nstream\n{page}\nendstream")
    body = b"%PDF-1.4\n"
    places = []
    for number, thing in enumerate(made, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{thing}\nendobj\n".encode("cp1252", "replace")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(made) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(made) + 1} /Root 1 0 R >>\n"
    return body + f"{end}startxref\n{len(body)}\n%%EOF\n".encode()


def draw(x: float, y: float, text: str) -> str:
    """Text at a place on the page, in points."""
    shown = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 12 Tf {x:.1f} {y:.1f} Td ({shown}) Tj ET"


def _titled(title: str) -> str:
    return "\n".join(draw(306 - len(text) * 3.6, 500 - 36 * n, text) for n, text in enumerate(title.split("\n")))


def _lines(elements: list[Element], numbered: bool) -> Iterator[Printed]:
    scene = 0
    cue = ""
    index = 0
    while index < len(elements):
        element = elements[index]
        index += 1
        if element.kind in ("title", "note", "boneyard", "pagebreak", "section", "synopsis"):
            continue
        scene += element.kind == "heading"
        if element.kind == "character":
            cue = element.text
            other = _second(elements, index)
            if other:
                yield from _side_by_side(elements[index - 1 : other[0]], elements[other[0] : other[1]])
                index = other[1]
                continue
        elif element.kind not in _COLUMNS:
            cue = ""
        for number, text in enumerate(_wrapped(element)):
            gap = number == 0 and element.kind not in ("dialogue", "paren", "lyric") and not element.joins
            place = 60 + 15 - len(text) if element.kind == "transition" else _COLUMNS.get(element.kind, (15, 60))[0]
            if element.kind == "centered":
                place = 45 - len(text) // 2
            pieces = [(place, text)]
            if numbered and element.kind == "heading":
                pieces = [(8, str(scene)), *pieces, (76, str(scene))]
            yield Printed(tuple(pieces), gap, cue if element.kind in ("dialogue", "paren", "lyric") else "")


def _second(elements: list[Element], at: int) -> tuple[int, int] | None:
    """Where the second of two speeches begins and ends, when the speech that begins before `at` has one beside it."""
    end = at
    while end < len(elements) and elements[end].kind in ("dialogue", "paren", "lyric"):
        end += 1
    if end >= len(elements) or not elements[end].dual:
        return None
    last = end + 1
    while last < len(elements) and elements[last].kind in ("dialogue", "paren", "lyric"):
        last += 1
    return end, last


def _side_by_side(left: Sequence[Element], right: Sequence[Element]) -> Iterator[Printed]:
    columns = [[text for e in side for text in textwrap.wrap(e.text, 26)] for side in (left, right)]
    for number in range(max(map(len, columns))):
        pieces = [
            (start + (8 if number == 0 else 0), column[number])
            for start, column in zip((15, 47), columns, strict=True)
            if number < len(column)
        ]
        yield Printed(tuple(pieces), number == 0)


def _wrapped(element: Element) -> list[str]:
    width = _COLUMNS.get(element.kind, (15, 60))[1]
    return textwrap.wrap(element.text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _paged(lines: Sequence[Printed], head: str, stars: bool) -> list[str]:
    pages: list[list[Printed]] = [[]]
    used = 0
    for line in lines:
        cost = 2 if line.gap else 1
        if used + cost > LINES:
            pages.append([])
            used = 0
            if line.speech:
                pages[-2].append(Printed(((37, "(MORE)"),)))
                pages[-1].append(Printed(((37, f"{line.speech} (CONT'D)"),)))
                used = 1
        pages[-1].append(line)
        used += cost
    return [_page(page, number, head, stars) for number, page in enumerate(pages, start=1)]


def _page(lines: Iterable[Printed], number: int, head: str, stars: bool) -> str:
    drawn = [draw(540 - 7.2 * len(f"{number}."), 756, f"{number}.")] if number > 1 else []
    if head:
        drawn.append(draw(108, 756, f"{head} {number}"))
    y = 732.0
    for count, line in enumerate(lines):
        y -= 24 if line.gap and count else 12
        drawn += [draw(column * _PITCH, y, text) for column, text in line.pieces]
        if stars and count % 3 == 0:
            drawn.append(draw(570, y, "*"))
    return "\n".join(drawn)
