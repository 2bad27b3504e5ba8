"""Text from scripts and people -> one clean line that cannot be taken for a context's own marks (G15)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_DOUBLE = str.maketrans({'"': "'", "“": "'", "”": "'", "„": "'", "«": "'", "»": "'"})
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+(?=\S)")
_UNSEEN = frozenset({"Cc", "Cs", "Co", "Cn"})
_TURNS = re.compile(r"[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


@lru_cache(maxsize=1 << 16)
def line(text: str) -> str:
    """`text` on one line, spaces folded, without controls, lone surrogates and marks that turn reading around."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    plain = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in _TURNS.sub("", text))
    return " ".join(plain.split())


def quoted(words: str, limit: int = 24) -> str:
    """Words from a script between straight quotes; double quotes inside become single, long ones are cut."""
    said = line(words).translate(_DOUBLE).split(" ")
    cut = " ".join(said[:limit]) + ("…" if len(said) > limit else "")
    return f'"{cut}"' if cut else ""


def sentence(text: str) -> str:
    """`text` on one line, closed with a full stop where nothing closes it."""
    made = line(text)
    return made if not made or made[-1] in ".!?…:;\"')”’" else made + "."


def bare_end(text: str) -> str:
    """`text` on one line without its closing full stop, to stand inside a list."""
    made = line(text)
    return made[:-1] if made.endswith(".") and not made.endswith("..") else made


def listed(names: Sequence[str]) -> str:
    """Names in a row: A, B and C."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1] if names else "")))


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line; a line break ends one too."""
    rows = (line(row) for row in text.splitlines())
    return [part for row in rows if row for part in _SENTENCE.split(row) if part]


def growing(text: str, first: int = 40, step: int = 60) -> tuple[str, ...]:
    """A text in forms of growing length: whole sentences of about `first` words, then about `step` more each time."""
    parts = sentences(text)
    forms: list[str] = []
    held: list[str] = []
    words, bound = 0, first
    for part in parts:
        size = len(part.split())
        if held and words + size > bound:
            forms.append(" ".join(held) + " …")
            bound = words + step
        held.append(part)
        words += size
    return (*forms, " ".join(held)) if held else ("",)
