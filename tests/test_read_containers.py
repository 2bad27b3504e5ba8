"""Scripts inside containers: Highland and Fade In; and what a container may not do."""

from __future__ import annotations

import io
import zipfile
from functools import cache
from pathlib import Path

import pytest

from showmemory.model.rules import Rules
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

CASES = Path(__file__).parent / "cases" / "read"
SCRIPT = "INT. BUFFET - DAY\n\nWREN\nA bun.\n"


@cache
def rules() -> Rules:
    return read_rules("en")[0]


def packed(members: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return held.getvalue()


@pytest.mark.parametrize(
    "name",
    ["text.fountain", "text.md", "Late Train.textbundle/text.fountain", "Late Train.textbundle/text.markdown"],
)
def test_highland(name: str) -> None:
    """A Highland file is its text, with that text's lines; what else it holds is not looked at."""
    data = packed({"info.json": "{}", "assets/bun.png": b"\x89PNG", name: SCRIPT})
    play = read_screenplay(data, "late.highland", rules())
    assert [(e.kind, e.line) for e in play.elements] == [("heading", 1), ("character", 3), ("dialogue", 4)]
    assert play.format == "fountain"
    assert not play.problems


def test_fade_in() -> None:
    """A Fade In file is the Open Screenplay Format document in it."""
    document = (CASES / "whole.osf").read_bytes()
    inside = read_screenplay(packed({"document.xml": document}), "late.fadein", rules())
    assert inside.elements == read_screenplay(document, "late.osf", rules()).elements
    assert inside.format == "osf"


@pytest.mark.parametrize(
    "name", ["../text.fountain", "/text.fountain", "a/b.textbundle/text.fountain", "text.fountain/x"]
)
def test_paths_that_lead_elsewhere(name: str) -> None:
    """A member is taken by its exact name: no path out of the container is followed."""
    play = read_screenplay(packed({name: SCRIPT}), "late.highland", rules())
    assert [p.message for p in play.problems] == ["expected text.fountain in the container, found none"]


def test_a_size_that_lies() -> None:
    """A member is measured as it unpacks, whatever its header says."""
    data = packed({"text.fountain": b"a" * 30_000_000})
    play = read_screenplay(
        data.replace((30_000_000).to_bytes(4, "little"), (40).to_bytes(4, "little")), "a.highland", rules()
    )
    assert not play.elements
    assert len([p for p in play.problems if p.severity == "error"]) == 1


def test_a_locked_member() -> None:
    """A member under a password says so."""
    data = bytearray(packed({"text.fountain": SCRIPT}, zipfile.ZIP_STORED))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        at = data.index(mark) + (6 if mark == b"PK\x03\x04" else 8)
        data[at] |= 1
    play = read_screenplay(bytes(data), "a.highland", rules())
    assert [p.message for p in play.problems] == [
        "expected a script that can be opened, found one locked with a password"
    ]


@pytest.mark.parametrize("cut", range(0, 150, 13))
def test_a_damaged_container(cut: int) -> None:
    """Any beginning of a container is refused by name."""
    play = read_screenplay(packed({"text.fountain": SCRIPT})[:cut], "a.highland", rules())
    assert [str(p) for p in play.problems] == [
        "a.highland: error: expected a zip container, found a damaged one\n"
        "    save it again, or export it as Fountain or FDX"
    ]
