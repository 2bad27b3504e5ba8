"""Our reading against two public libraries: the same on the sample show, and a list of where they are wrong."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from showmemory.model.rules import Rules
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

SCRIPTS = sorted((Path(__file__).parent.parent / "sample_show/episodes").glob("*/*.fountain"))
Rows = list[tuple[str, str]]
LEFT_OUT = ("title", "note", "boneyard", "pagebreak", "section", "synopsis")


@cache
def rules() -> Rules:
    return read_rules("en")[0]


def merged(rows: Iterator[tuple[str, str]]) -> Rows:
    """Kind and words; lines of one kind in a row as one, a cue by its name, headings in capitals.

    The libraries differ in what a paragraph is, keep extensions or not, and one writes headings in capitals.
    """
    made: list[list[str]] = []
    for kind, text in rows:
        words = " ".join(text.split())
        if kind == "character":
            words = words.partition("(")[0].rstrip(" ^")
        elif kind in ("heading", "transition"):
            words = words.upper()
        if made and made[-1][0] == kind and kind not in ("heading", "character", "transition"):
            made[-1][1] += " " + words
        else:
            made.append([kind, words])
    return [(kind, text) for kind, text in made]


def ours(text: str) -> Rows:
    play = read_screenplay(text.encode(), "a.fountain", rules())
    return merged((e.kind, e.text) for e in play.elements if e.kind not in LEFT_OUT)


def screenplain(text: str) -> Rows:
    parse = pytest.importorskip("screenplain.parsers.fountain").parse
    return merged(_plain(part) for held in parse(io.StringIO(text)) for part in _parts(held))


def _parts(held: object) -> Iterator[tuple[str, object]]:
    name = type(held).__name__
    if name == "DualDialog":
        yield from _parts(held.left)  # type: ignore[attr-defined]
        yield from _parts(held.right)  # type: ignore[attr-defined]
    elif name == "Dialog":
        yield "character", held.character  # type: ignore[attr-defined]
        yield from (("paren" if bracket else "dialogue", line) for bracket, line in held.blocks)  # type: ignore[attr-defined]
    elif name == "Action":
        kind = "centered" if held.centered else "action"  # type: ignore[attr-defined]
        yield from ((kind, line) for line in held.lines)  # type: ignore[attr-defined]
    elif name in ("Slug", "Transition"):
        yield {"Slug": "heading", "Transition": "transition"}[name], held.line  # type: ignore[attr-defined]


def _plain(row: tuple[str, object]) -> tuple[str, str]:
    kind, rich = row
    return kind, str(rich)


KINDS = {"scene_heading": "heading", "parenthetical": "paren", "lyrics": "lyric", "page_break": "pagebreak"}


def fountain_py(text: str) -> Rows:
    parser = pytest.importorskip("fountain").FountainParser()
    return merged(row for element in parser.parse(text).elements for row in _rows(element))


def _rows(element: object) -> Iterator[tuple[str, str]]:
    kind = element.type.value  # type: ignore[attr-defined]
    if kind == "dual_dialogue":
        for side in ("left", "right"):
            for inner in element.metadata.get(side, ()):  # type: ignore[attr-defined]
                yield from _rows(inner)
        return
    kind = KINDS.get(kind, kind)
    if kind not in (*LEFT_OUT, "title_page"):
        yield kind, element.text  # type: ignore[attr-defined]


LIBRARIES: dict[str, Callable[[str], Rows]] = {"screenplain": screenplain, "fountain-py": fountain_py}


# FADE IN: and FADE OUT. alone: Fountain says that a transition ends in TO: or is forced, and fountain-py takes more.
MORE_TRANSITIONS = ("FADE IN:", "FADE OUT.")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_sample_show(path: Path, library: str) -> None:
    """On a script without anything odd all three agree, word for word."""
    lines = path.read_text("utf-8").split("\n")
    text = "\n".join(line for line in lines if line.strip() not in MORE_TRANSITIONS)
    assert LIBRARIES[library](text) == ours(text)


WRONG: list[tuple[str, str, Rows, str]] = [
    (
        "screenplain",
        "EXT. TRACK - DAY\nRails.",
        [("character", "EXT. TRACK - DAY"), ("dialogue", "Rails.")],
        "a heading is no cue",
    ),
    (
        "screenplain",
        "INT. A - DAY\n\n\t\tINT. B - DAY",
        [("heading", "INT. A - DAY"), ("action", "INT. B - DAY")],
        "indents do not count",
    ),
    (
        "screenplain",
        "WREN\nA.\n/* cut\n*/\nB.",
        [("character", "WREN"), ("dialogue", "A."), ("action", "B.")],
        "a boneyard is no empty line",
    ),
    ("screenplain", "~La la", [("action", "~La la")], "lyrics are unknown to it"),
    ("screenplain", "A file_name_here.", [("action", "A filenamehere.")], "underscores inside a word are no emphasis"),
    ("screenplain", "GROßVATER\nJa.", [("action", "GROßVATER Ja.")], "ß is a capital here: it has no other in names"),
    (
        "screenplain",
        "A.\n\nCUT TO:\nRails.",
        [("action", "A."), ("character", "CUT TO:"), ("dialogue", "Rails.")],
        "a transition speaks",
    ),
    (
        "screenplain",
        "Title: A\n   B\nColour: blue\n\nX",
        [("action", "Title: A B Colour: blue X")],
        "a value may begin on its key's line",
    ),
    ("fountain-py", "ÉLODIE\nBonjour.", [("action", "ÉLODIE Bonjour.")], "capitals are not A to Z only"),
    ("fountain-py", "O’MALLEY\nMe.", [("action", "O’MALLEY Me.")], "curly quotes stand in names"),
    ("fountain-py", "WREN & TOLLY\nUs.", [("action", "WREN & TOLLY Us.")], "so do &, / and commas"),
    ("fountain-py", "INT. A - DAY\r\rWREN\rHi.", [("heading", "INT. A - DAY WREN HI.")], "CR ends a line"),
    ("fountain-py", "\ufeffTitle: A\n\nX", [("action", "\ufeffTitle: A X")], "a byte-order mark is no text"),
    ("fountain-py", "A.\n\n/* open\n\nB.", [("action", "A.")], "an open boneyard swallows the script without a word"),
    (
        "fountain-py",
        "# ACT ONE\nINT. A - DAY\n\nX",
        [("action", "INT. A - DAY X")],
        "exporters set sections flush on headings",
    ),
    (
        "fountain-py",
        "X.\n\nWREN\nA.\n \nB.",
        [("action", "X."), ("character", "WREN"), ("dialogue", "A. B.")],
        "one space holds no speech open",
    ),
]


@pytest.mark.parametrize(("library", "text", "theirs", "why"), WRONG, ids=[f"{w[0]}: {w[3]}" for w in WRONG])
def test_where_they_are_wrong(library: str, text: str, theirs: Rows, why: str) -> None:
    """Each difference with its reason; one that is mended there falls out of the list here."""
    assert LIBRARIES[library](text) == theirs, f"mended in {library}: {why}"
    assert ours(text) != theirs
