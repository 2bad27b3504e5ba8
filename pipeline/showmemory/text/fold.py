"""Fold what is spoken to one spelling for counting, as far as the language has a `spoken` lexicon."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from showmemory.model.rules import Rules
from showmemory.text.frequency import common

_CURLY = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "‐": "-", "‑": "-"})
_DRAWN = re.compile(r"([^\W\d_])\1{2,}")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?\.?")


@dataclass(frozen=True)
class Folding:
    """How a language's spoken forms fold. `runs` maps a run of words to the words that stand for it.

    `widest` is the longest run. `clipped` maps an ending written with an apostrophe to its full form (in' -> ing).
    `seen` remembers words folded before.
    """

    language: str = "en"
    runs: Mapping[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    heads: frozenset[str] = frozenset()
    widest: int = 1
    clipped: tuple[tuple[str, str], ...] = ()
    short: frozenset[str] = frozenset()
    seen: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def of(rules: Rules) -> Folding:
        """The folding that the lexicon `spoken` of the show's language describes."""
        return _made(rules.language, *(rules.words("spoken", name) for name in ("same", "clipped", "abbreviations")))


@lru_cache(maxsize=4)
def _made(language: str, same: tuple[str, ...], clipped: tuple[str, ...], short: tuple[str, ...]) -> Folding:
    runs = dict(_pairs(same))
    heads = frozenset(run[0] for run in runs if len(run) > 1)
    ends = tuple((a, b) for (a,), (b,) in _pairs(clipped))
    return Folding(language, runs, heads, max((len(run) for run in runs), default=1), ends, frozenset(short))


def bare(text: str) -> str:
    """Case, accents and curly quotes folded away; nothing else."""
    if text.isascii():
        return text.lower().translate(_CURLY)
    plain = unicodedata.normalize("NFKD", text.translate(_CURLY).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def fold_word(raw: str, folding: Folding) -> tuple[str, ...]:
    """One written word as the words it is counted as: "Goin'" -> going, "Y'know" -> you know, "Nooo" -> no."""
    made = folding.seen.get(raw)
    if made is None:
        made = folding.seen[raw] = _folded(bare(raw), folding)
    return made


def _folded(word: str, folding: Folding) -> tuple[str, ...]:
    if "." in word and _INITIALS.fullmatch(word):
        word = word.replace(".", "")
    same = folding.runs.get((word,))
    if same:
        return same
    for ending, whole in folding.clipped:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return (word[: -len(ending)] + whole,)
    word = _undrawn(word, folding)
    word = word.strip("'")
    return folding.runs.get((word,), (word,)) if word else ()


def _undrawn(word: str, folding: Folding) -> str:
    """A drawn-out word ("sooo", "heeelp") with its run of letters cut to one or two, whichever is the commoner word."""
    if not _DRAWN.search(word):
        return word
    one, two = _DRAWN.sub(r"\1", word), _DRAWN.sub(r"\1\1", word)
    return two if common(two, folding.language) > common(one, folding.language) else one


def _pairs(lines: Iterable[str]) -> Iterable[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Lexicon lines "a, b c = d e" as pairs (a) -> (d e), (b c) -> (d e)."""
    for line in lines:
        left, _, right = line.partition("=")
        for run in left.split(","):
            yield tuple(run.split()), tuple(right.split())
