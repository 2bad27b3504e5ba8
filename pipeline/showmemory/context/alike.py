"""Entries that say nearly the same of the same subject, so that only the better placed one is printed (D21)."""

from __future__ import annotations

from itertools import pairwise

from showmemory.fold.likeness import COMMON, denials
from showmemory.fold.relevance import UNKNOWN, stems
from showmemory.model.memory import Entry
from showmemory.text.frequency import common

# Share of words and pairs of neighbouring words that two entries must have in common.
ALIKE = 0.6
_KINDS = frozenset({"fact", "knowledge", "relationship", "gag", "catchphrase", "tone", "never", "style"})


class Twins:
    """Remembers the entries taken so far, to say of the next one which of them it nearly repeats.

    Kind, subject and holders must be the same; numbers and denials too.
    """

    def __init__(self, language: str = "en") -> None:
        self._language = language
        self._taken: dict[tuple[object, ...], list[tuple[str, frozenset[object]]]] = {}

    def of(self, entry: Entry) -> str | None:
        """The id of the entry that says nearly the same, else None, and this one is taken."""
        words = stems(entry.text or entry.title, self._language) if entry.kind in _KINDS else ()
        if not words:
            return None
        parts = _shingles(words)
        taken = self._taken.setdefault(_subject(entry, words), [])
        twin = next((id_ for id_, other in taken if _nearly(parts, other)), None)
        if twin is None:
            taken.append((entry.id, parts))
        return twin


def _subject(entry: Entry, words: tuple[str, ...]) -> tuple[object, ...]:
    """What two entries must share before their words are compared."""
    return (entry.kind, frozenset(entry.about), frozenset(entry.holders), entry.field, denials(words))


def _shingles(words: tuple[str, ...]) -> frozenset[object]:
    return frozenset((*words, *pairwise(words)))


def _nearly(one: frozenset[object], other: frozenset[object]) -> bool:
    """Enough in common, and no word of one stands for a word of the other: then they say two things."""
    shared = len(one & other)
    if shared < ALIKE * (len(one) + len(other) - shared):
        return False
    return not (_own(one - other) and _own(other - one))


def _own(parts: frozenset[object]) -> bool:
    return any(isinstance(part, str) and not COMMON <= common(part) < UNKNOWN for part in parts)
