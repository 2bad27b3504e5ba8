"""Every kind of thing a script can hold, as files: the script beside what must be read from it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from libraries import ours
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Bible
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

CASES = Path(__file__).parent / "cases" / "read"
SCRIPTS = sorted(path for path in CASES.iterdir() if path.suffix != ".json")


@cache
def rules(language: str) -> Rules:
    return read_rules(language)[0]


def language_of(path: Path) -> str:
    return path.stem if len(path.stem) == 2 else "en"


def told(play: Screenplay) -> dict[str, list[str]]:
    """What was read, one row an element or scene: a reviewer reads the difference."""
    elements = []
    for e in play.elements:
        marks = "+" if e.joins else " "
        cue = f" <{e.name}|{','.join(e.extensions)}|{'dual' if e.dual else ''}|{','.join(e.speaker)}>" if e.name else ""
        place = f" p{e.page}" if e.page else ""
        place += f" ¶{e.paragraph}" if e.paragraph else ""
        elements.append(f"{e.line:3}{marks}{e.kind}{place}: {e.key + ': ' if e.key else ''}{e.text}{cue}")
    scenes = [
        f"{s.id} {s.setting}|{s.place}|{s.daypart}|{'omitted' if s.omitted else ''}|{s.clock}"
        f" present={','.join(s.present)} heard={','.join(s.heard)}"
        for s in play.scenes
    ]
    return {"elements": elements, "scenes": scenes, "problems": [str(problem) for problem in play.problems]}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_case(path: Path, golden: Callable[[Path, str], None]) -> None:
    """A3, G9, F9, C43 to C52: elements with kind, line and text; scenes with place, time and people; problems."""
    words = rules(language_of(path))
    play = resolve(read_screenplay(path.read_bytes(), path.name, words), Bible(), words)
    text = json.dumps(told(play), ensure_ascii=False, indent=1) + "\n"
    golden(path.with_suffix(path.suffix + ".json"), text)


CONFORM = tomllib.loads((CASES.parent / "conformance.toml").read_text("utf-8"))["reads"]


@pytest.mark.parametrize("case", CONFORM, ids=lambda case: case["about"])
def test_conforms(case: dict[str, Any]) -> None:
    """A3: each row of the conformance table in docs/reading.md."""
    assert ours(case["text"]) == [tuple(row) for row in case["as"]]


def test_the_page_has_the_conformance_table() -> None:
    """docs/reading.md holds what `python bench/reading.py --write` writes: every row of the table, as read."""
    page = (CASES.parent.parent.parent / "docs/reading.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| (yes|no) \|", page, re.MULTILINE))
    assert rows == {case["about"]: "yes" for case in CONFORM}
