"""Whether two texts say nearly the same, or the same but for a denial or a number: counted on words, not judged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from showmemory.fold.relevance import UNKNOWN, stems
from showmemory.text.frequency import common
from showmemory.text.stems import stem

# On the Zipf scale: "is" and "that" are more common, "one" and "two" are not.
COMMON = 6.5
# Of the shorter text's telling words so many must stand in the other, and so many at least.
SHARED, LEAST = 0.75, 3
_DENIES = ("not", "no", "never", "nobody", "nothing", "none", "without", "cannot", "nor", "neither")
_NOT = frozenset((*_DENIES, *(stem(word, "en") for word in _DENIES)))
# Between a guess and what it guesses at, these are all the difference.
_GUESS = frozenset({"may", "might", "could", "perhaps", "maybe", "would", "should", "possibly", "probably", "ha"})
_NUMBER = re.compile(r"\d")


def denials(words: Iterable[str]) -> frozenset[str]:
    """The stems that turn a text into another one: denials and numbers."""
    return frozenset(w for w in words if w in _NOT or w.endswith("n't") or _NUMBER.search(w))


@lru_cache(maxsize=1 << 15)
def telling(text: str, language: str = "en") -> frozenset[str]:
    """The stems of a text's words without those everybody uses, without denials, numbers and guesses."""
    words = stems(text, language)
    apart = denials(words)
    return frozenset(w for w in words if w not in apart | _GUESS and not COMMON <= common(w, language) < UNKNOWN)


def same(one: str, other: str, language: str = "en") -> bool:
    """Whether two texts say nearly the same, be one of them put as a guess."""
    return _meet(one, other, language) and _sign(one, language) == _sign(other, language)


def opposed(one: str, other: str, language: str = "en") -> bool:
    """Whether one text says what the other denies, or says it with another number."""
    return _meet(one, other, language) and _sign(one, language) != _sign(other, language)


def _meet(one: str, other: str, language: str) -> bool:
    first, second = telling(one, language), telling(other, language)
    shared = len(first & second)
    return shared >= LEAST and shared >= SHARED * min(len(first), len(second))


@lru_cache(maxsize=1 << 15)
def _sign(text: str, language: str) -> tuple[int, frozenset[str]]:
    """How often a text denies, be it with whichever word, and its numbers."""
    apart = [w for w in stems(text, language) if w in denials((w,))]
    numbers = frozenset(w for w in apart if _NUMBER.search(w))
    return (len(apart) - len([w for w in apart if w in numbers])) % 2, numbers
