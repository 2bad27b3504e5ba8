"""Our reading against two public libraries: the same on the sample show, and a list of where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import LIBRARIES, MODULES, Rows, ours

SCRIPTS = sorted((Path(__file__).parent.parent / "sample_show/episodes").glob("*/*.fountain"))


# FADE IN: and FADE OUT. alone: Fountain says that a transition ends in TO: or is forced, and fountain-py takes more.
MORE_TRANSITIONS = ("FADE IN:", "FADE OUT.")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_sample_show(path: Path, library: str) -> None:
    """On a script without anything odd all three agree, word for word."""
    pytest.importorskip(MODULES[library])
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
]


@pytest.mark.parametrize(("library", "text", "theirs", "why"), WRONG, ids=[f"{w[0]}: {w[3]}" for w in WRONG])
def test_where_they_are_wrong(library: str, text: str, theirs: Rows, why: str) -> None:
    """Each difference with its reason; one that is mended there falls out of the list here."""
    pytest.importorskip(MODULES[library])
    assert LIBRARIES[library](text) == theirs, f"mended in {library}: {why}"
    assert ours(text) != theirs
