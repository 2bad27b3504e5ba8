"""Which of many texts hold a stem, without stemming all their words: by the letters it begins with first."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from showmemory.text.fold import bare
from showmemory.text.stems import stem

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": " ", "–": "-", "—": "-", "\n": " "})
# A stem and its words share so many first letters ("carri", "carry"); a short stem all but its last ("hope", "hoping").
LETTERS = 3


class Wordings:
    """Texts, to be asked for stems."""

    def __init__(self, texts: Sequence[str], language: str = "en") -> None:
        rows = [bare(text.translate(_MARKS)) for text in texts]
        self._language = language
        self._whole = "\n".join(rows)
        self._ends = list(accumulate(len(row) + 1 for row in rows))

    def holding(self, wanted: Iterable[str]) -> dict[int, frozenset[str]]:
        """Text number -> which of the wanted stems it holds; texts that hold none are left out."""
        stems = frozenset(wanted)
        found: dict[int, set[str]] = {}
        for letters in sorted({word[: max(1, min(LETTERS, len(word) - 1))] for word in stems}):
            for at, word in self._words(letters):
                if (made := stem(word, self._language)) in stems:
                    found.setdefault(bisect_right(self._ends, at), set()).add(made)
        return {number: frozenset(held) for number, held in found.items()}

    def _words(self, letters: str) -> Iterator[tuple[int, str]]:
        """Every word that begins with some letters, and where."""
        whole = self._whole
        at = whole.find(letters)
        while at >= 0:
            word = _WORD.match(whole, at)
            if word and not self._inside(at):
                yield at, word.group()
            at = whole.find(letters, at + 1)

    def _inside(self, at: int) -> bool:
        """Whether a place is within a word: after a letter, or after the apostrophe of one."""
        before = self._whole[max(0, at - 2) : at]
        return before[-1:].isalnum() or (before.endswith("'") and before[:-1].isalnum())
