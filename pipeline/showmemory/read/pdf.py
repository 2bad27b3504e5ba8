"""PDF bytes -> pieces of text with their places on each page (by pypdf), and from those the elements."""

from __future__ import annotations

import io
import logging
from typing import Any

from showmemory.model.rules import Rules
from showmemory.model.span import Problem, Span
from showmemory.read.lines import Lines, refused
from showmemory.read.pdf_page import Page, Piece, page_of, without_furniture
from showmemory.read.pdf_script import script_of

PAGES = 3000
_DRAWN = 8 * 1024 * 1024  # what draws one page of text is some 20 kB


def read_pdf(data: bytes, path: str, rules: Rules) -> Lines:
    """Read a whole PDF by where its lines stand. Elements carry page, and their line on it."""
    try:
        # An extra, and slow to load: here, and not above, so that a show without a PDF needs neither.
        import pypdf
    except ImportError:
        hint = "pip install 'showmemory[pdf]'"
        return refused(path, "expected pypdf, which reads PDF files, found it is not installed", hint)
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return refused(path, "expected a PDF that can be opened, found one locked with a password")
        if len(reader.pages) > PAGES:
            return refused(path, f"expected a PDF of at most {PAGES} pages, found {len(reader.pages)}")
        pages, problems = _pages(reader, path)
    except Exception as error:  # a broken PDF fails anywhere inside pypdf, in any way
        found = f"a damaged one ({type(error).__name__})"
        return refused(path, f"expected a PDF, found {found}", "export it again, or get the file it was printed from")
    if not any(page.rows for page in pages):
        hint = "have its text recognised (OCR), or get the file that it was printed from (.fdx or .fountain)"
        return refused(path, "expected a PDF with text, found only pictures of pages: a scan", hint)
    lines = script_of(without_furniture(pages), path, rules)
    lines.problems[:0] = problems
    return lines


def _pages(reader: Any, path: str) -> tuple[list[Page], list[Problem]]:
    """Every page's lines, and a warning where one page has none but a picture."""
    pages: list[Page] = []
    problems: list[Problem] = []
    for number, page in enumerate(reader.pages, start=1):
        contents = page.get_contents()
        where = Span(path, page=number)
        if contents is not None and len(contents.get_data()) > _DRAWN:
            message = f"page {number} left out: more is drawn on it than on a page of script"
            problems.append(Problem(where, "warning", message))
            continue
        pieces = _pieces(page) if contents is not None else []
        pages.append(page_of(pieces, number))
        if not pages[-1].rows and "/XObject" in (page.get("/Resources") or {}):
            problems.append(Problem(where, "warning", f"page {number} has no text: a scan?", group="scanned pages"))
    return pages, problems


def _pieces(page: Any) -> list[Piece]:
    found: list[Piece] = []

    def keep(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if not text.strip("\n"):
            return
        turned = abs(tm[1]) > abs(tm[0]) / 2 or abs(cm[1]) > abs(cm[0]) / 2  # a watermark across the page
        if not turned:
            x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            found.append(Piece(x, y, text, abs(size * tm[3] * cm[3]) or 12.0))

    page.extract_text(visitor_text=keep)
    return found
