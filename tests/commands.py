"""A small show on disk and the program called in this process, for tests of the commands."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from showmemory.commands.program import main

GOAT = """\
Title: Brine
Episode Title: Goat

INT. LAMP ROOM - NIGHT

ODILE
Who let the goat up here? It is a lighthouse, not a barn.

BASTIEN
The goat let herself in. It is a lighthouse, Odile.

EXT. JETTY - DAY

ODILE
It is a lighthouse, not a barn.
"""
BELL = """\
Title: Brine
Episode Title: Bell

INT. LAMP ROOM - DAY

ODILE
It is a lighthouse, not a barn. Ring the bell.

BASTIEN
The bell is cracked, and the goat is asleep in it.

INT. CELLAR - NIGHT

ODILE
Ring the bell.
"""
FOG = """\
Title: Brine
Episode Title: Fog

EXT. JETTY - NIGHT

Fog.

ODILE
It is a lighthouse, not a barn. You may not keep eels in it.

BASTIEN
Nobody can see the eels in this fog.
"""
BIBLE = """\
characters:
  - name: Odile
    catchphrases: [not a barn]
  - name: Bastien
gags:
  - {name: The goat gets in, payoff: '"Who let the goat up here?"', characters: [character.odile]}
threads:
  - {name: Who cracked the bell, about: [character.bastien], answer: the goat}
tone: [dry as salt]
"""


@dataclass
class Out:
    """What a command printed, and its exit code."""

    code: int
    text: str
    aside: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Program:
    """The program, called in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str) -> Out:
        self.capsys.readouterr()
        code = main(list(words))
        said = self.capsys.readouterr()
        return Out(code, said.out, said.err)


def bare(root: Path) -> Path:
    """Three scripts in a folder, one of them in two drafts."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "101 Goat.fountain").write_text(GOAT, encoding="utf-8")
    (root / "102 Bell.fountain").write_text(BELL.replace("Ring the bell.", "Ring it."), encoding="utf-8")
    (root / "102 Bell BLUE.fountain").write_text(BELL, encoding="utf-8")
    (root / "103 Fog.fountain").write_text(FOG, encoding="utf-8")
    return root


def with_bible(root: Path) -> Path:
    """The same with a bible."""
    bare(root)
    (root / "bible").mkdir(exist_ok=True)
    (root / "bible/bible.yaml").write_text(BIBLE, encoding="utf-8")
    return root
