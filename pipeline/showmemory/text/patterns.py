"""Patterns of word sequences, as lexicons write them: (a|b c) is a choice, [x|y] one that may be left out."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PIECE = re.compile(r"[()\[\]|]|[^\s()\[\]|]+")
_AS = {"(": "(?:", ")": ")", "[": "(?:", "]": ")?", "|": "|"}


class Patterns:
    """A set of patterns that a phrase, folded and joined by spaces, may match as a whole."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._by_start: dict[str, list[re.Pattern[str]]] = {}
        self._any = [re.compile(_regex(pattern)) for pattern in patterns]

    def match(self, words: Iterable[str]) -> bool:
        """Whether one of the patterns is this sequence of words from end to end."""
        text = "".join(word + " " for word in words)
        return any(pattern.fullmatch(text) for pattern in self._any)


def _regex(pattern: str) -> str:
    """Each word with the space after it, so that what is left out leaves no gap."""
    return "".join(_AS[piece] if piece in _AS else re.escape(piece) + " " for piece in _PIECE.findall(pattern))
