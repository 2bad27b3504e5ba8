"""The prompts and limits as they stand under rules/: files by name and version, the newest version of each counts."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from showmemory.ask.seam import Limits
from showmemory.model.ids import digest

_FOLDER = files("showmemory_rules") / "prompts"
_FILE = re.compile(r"([a-z]+)-(\d+)\.md")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: its name and version ("memory-1"), its words, and what stands for them in a key."""

    name: str
    text: str

    @property
    def hash(self) -> str:
        """Sixteen hex digits of the words."""
        return digest(self.text)[:16]


@lru_cache(maxsize=16)
def prompt(name: str) -> Prompt:
    """The newest version of the prompt called `name`."""
    found = [m for f in _FOLDER.iterdir() if (m := _FILE.fullmatch(f.name)) and m[1] == name]
    newest = max(found, key=lambda m: int(m[2]))[0]
    return Prompt(newest.removesuffix(".md"), (_FOLDER / newest).read_text(encoding="utf-8").strip())


@lru_cache(maxsize=1)
def _values() -> dict[str, Any]:
    return tomllib.loads((_FOLDER / "limits.toml").read_text(encoding="utf-8"))


def limits() -> Limits:
    """The standard limits of a call."""
    held = _values()
    return Limits(**{name: held[name] for name in Limits.__dataclass_fields__})


def shown(name: str) -> int:
    """How many entries or lines of the story a request holds."""
    return int(_values()[name])
