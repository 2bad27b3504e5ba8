"""Printed scripts: told apart by where their lines stand, cited by page and line."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

import pytest

from printing import document, draw, pdf
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

SCRIPTS = sorted((Path(__file__).parent.parent / "sample_show/episodes").glob("*/*.fountain"))
NOT_PRINTED = ("title", "note", "boneyard", "pagebreak", "section", "synopsis")
FOUNTAIN = """INT. BUFFET - DAY

A bun that has been here longer than anybody who works here, or will. It is a good bun, and it waits.

It waits.

WREN
(to the bun, leaning in close)
You again. I had hoped you would be gone by the time I came back from the platform.
(beat)
Well?

TOLLY (O.S.)
It is not for sale.

CUT TO:

EXT. PLATFORM - NIGHT

> THE END <
"""


@cache
def rules() -> Rules:
    return read_rules("en")[0]


def read(data: bytes, name: str = "a.pdf") -> Screenplay:
    return read_screenplay(data, name, rules())


def paragraphs(play: Screenplay) -> list[tuple[str, str]]:
    """What a reader sees: paragraphs by kind, a cue by its name."""
    made: list[list[str]] = []
    for e in play.elements:
        if e.kind in NOT_PRINTED:
            continue
        text = e.name if e.kind == "character" else e.text
        if made and e.joins and made[-1][0] == e.kind:
            made[-1][1] += " " + " ".join(text.split())
        else:
            made.append([e.kind, " ".join(text.split())])
    return [(kind, text) for kind, text in made]


def same(one: list[tuple[str, str]], other: list[tuple[str, str]]) -> float:
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(len(one), 1)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("how", ["plain", "shooting script"])
def test_the_sample_show_printed(path: Path, how: str) -> None:
    """A3: printed to PDF, an episode gives at least 99 in 100 of the elements that its Fountain file gives."""
    play = read(path.read_bytes(), path.name)
    if how == "plain":
        data = pdf(play.elements, title="ONE\nWritten by\nThe Haddle Slipway")
    else:
        data = pdf(play.elements, numbered=True, head="BLUE REV. 3/4/21", stars=True)
    printed = read(data)
    assert same(paragraphs(play), paragraphs(printed)) >= 0.99
    assert not printed.problems


def test_kinds_and_places() -> None:
    """G9: kinds by indentation; every element has its page, and its line on it."""
    play = read(pdf(read(FOUNTAIN.encode(), "a.fountain").elements, title="THE LATE TRAIN"))
    found = [(e.kind, e.page, e.line, e.text) for e in play.elements]
    assert found == [
        ("title", 1, 1, "THE LATE TRAIN"),
        ("heading", 2, 1, "INT. BUFFET - DAY"),
        ("action", 2, 2, "A bun that has been here longer than anybody who works here,"),
        ("action", 2, 3, "or will. It is a good bun, and it waits."),
        ("action", 2, 4, "It waits."),
        ("character", 2, 5, "WREN"),
        ("paren", 2, 6, "(to the bun, leaning in"),
        ("paren", 2, 7, "close)"),
        ("dialogue", 2, 8, "You again. I had hoped you would be"),
        ("dialogue", 2, 9, "gone by the time I came back from"),
        ("dialogue", 2, 10, "the platform."),
        ("paren", 2, 11, "(beat)"),
        ("dialogue", 2, 12, "Well?"),
        ("character", 2, 13, "TOLLY (O.S.)"),
        ("dialogue", 2, 14, "It is not for sale."),
        ("transition", 2, 15, "CUT TO:"),
        ("heading", 2, 16, "EXT. PLATFORM - NIGHT"),
        ("centered", 2, 17, "THE END"),
    ]
    assert [(s.id, s.place, s.daypart, s.page) for s in play.scenes] == [
        ("1", "BUFFET", "day", 2),
        ("2", "PLATFORM", "night", 2),
    ]


def test_what_the_printing_put_there_is_removed() -> None:
    """(MORE), (CONT'D), page numbers, running heads, scene numbers in both margins and revision stars are no script."""
    words = " ".join(f"word{n}" for n in range(600))
    text = f"INT. BUFFET - DAY\n\nWREN\n{words}\n\nEXT. PLATFORM - DAY\n\nTOLLY\nWell.\n"
    play = read(text.encode(), "a.fountain")
    printed = read(pdf(play.elements, numbered=True, head="SHOW - PINK", stars=True))
    assert paragraphs(printed) == paragraphs(play)
    assert [s.id for s in printed.scenes] == ["1", "2"]
    assert len(printed.speeches()) == 2
    assert {e.page for e in printed.elements} == {1, 2, 3}


def test_speeches_side_by_side() -> None:
    """G9: of two speeches printed beside each other the left one comes first, the right one is dual."""
    text = "INT. A - DAY\n\nA door.\n\nWREN\nThis is the left of two speeches.\n\nTOLLY ^\n(low)\nRight.\n\nIt shuts.\n"
    play = read(pdf(read(text.encode(), "a.fountain").elements))
    assert [(e.kind, e.dual) for e in play.elements if e.kind == "character"] == [
        ("character", False),
        ("character", True),
    ]
    assert [(speech.cue.name, speech.text) for speech in play.speeches()] == [
        ("WREN", "This is the left of two speeches."),
        ("TOLLY", "Right."),
    ]
    assert play.elements[-1].text == "It shuts."


def test_margins_that_shift() -> None:
    """A page whose margins stand elsewhere is read by its own heading."""
    rows = [(108, "INT. A - DAY"), (108, "Action."), (266, "WREN"), (180, "Words."), (180, "More words.")]
    gaps = [24, 24, 24, 12, 12]

    def page(shift: int) -> str:
        y = 740
        drawn = []
        for (x, text), gap in zip(rows, gaps, strict=True):
            y -= gap
            drawn.append(draw(x + shift, y, text))
        return "\n".join(drawn)

    play = read(document([page(0), page(36), page(0)]))
    assert [e.kind for e in play.elements] == ["heading", "action", "character", "dialogue", "dialogue"] * 3


def test_bold_and_watermarks() -> None:
    """Text drawn twice to look bold is read once; a watermark across the page is not read."""
    bold = "\n".join([draw(108, 700, "INT. A - DAY"), draw(108.4, 700, "INT. A - DAY"), draw(108, 676, "Action.")])
    mark = "BT /F1 40 Tf 0.7 0.7 -0.7 0.7 200 300 Tm (DRAFT) Tj ET"
    play = read(document([bold + "\n" + mark]))
    assert [(e.kind, e.text) for e in play.elements] == [("heading", "INT. A - DAY"), ("action", "Action.")]


BAD = [
    (
        document([""]),
        "a.pdf: error: expected a PDF with text, found only pictures of pages: a scan\n"
        "    have its text recognised (OCR), or get the file that it was printed from (.fdx or .fountain)",
    ),
    (
        b"%PDF-1.4\nnot really",
        "a.pdf: error: expected a PDF, found a damaged one (PdfStreamError)\n"
        "    export it again, or get the file it was printed from",
    ),
    (
        document([draw(108, 700, "A shopping list."), draw(108, 700, "Buns.")]),
        "a.pdf: warning: expected character cues, found none\n"
        "    is it a script? export it as Fountain or FDX if it is",
    ),
]


@pytest.mark.parametrize(("data", "message"), BAD, ids=["scan", "damaged", "no script"])
def test_bad_pdf_to_the_letter(data: bytes, message: str) -> None:
    """A scan, a damaged file and a file that is no script say so."""
    assert str(read(data).problems[0]) == message


@pytest.mark.parametrize("cut", range(0, 1600, 90))
def test_a_cut_pdf_never_raises(cut: int) -> None:
    """Any beginning of a PDF is read or refused."""
    play = read(pdf(read(FOUNTAIN.encode(), "a.fountain").elements)[:cut] or b"%PDF-")
    assert play.elements or play.problems
