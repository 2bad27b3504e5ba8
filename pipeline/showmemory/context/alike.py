"""Entries that say nearly the same of the same subject, so that only the better placed one is printed (D21)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from showmemory.fold.relevance import UNKNOWN, stems
from showmemory.model.memory import Entry
from showmemory.text.frequency import common

# On the Zipf scale: "is" and "that" are more common, "one" and "two" are not.
COMMON = 6.5
# Share of words and pairs of neighbouring words that two entries must have in common.
ALIKE = 0.6
_KINDS = frozenset({"fact", "knowledge", "relationship", "gag", "catchphrase", "tone", "never", "style"})
_NOT = frozenset({"not", "no", "never", "nobody", "nothing", "without", "cannot"})
_NUMBER = re.compile(r"\d")


def alike(entries: Iterable[Entry], language: str = "en") -> dict[str, frozenset[str]]:
    """Each entry's near-duplicates, by id. Kind, subject and holders must be the same; numbers and denials too."""
    groups: dict[tuple[object, ...], list[tuple[str, frozenset[object]]]] = {}
    for entry in entries:
        if entry.kind in _KINDS:
            words = stems(entry.text or entry.title, language)
            if words:
                groups.setdefault(_subject(entry, words), []).append((entry.id, _shingles(words)))
    found: dict[str, set[str]] = {}
    for members in groups.values():
        for one, other in _pairs(members):
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {id_: frozenset(others) for id_, others in found.items()}


def _subject(entry: Entry, words: tuple[str, ...]) -> tuple[object, ...]:
    """What two entries must share before their words are compared."""
    told = frozenset(w for w in words if w in _NOT or w.endswith("n't") or _NUMBER.search(w))
    return (entry.kind, frozenset(entry.about), frozenset(entry.holders), entry.field, told)


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


def _pairs(members: list[tuple[str, frozenset[object]]]) -> Iterable[tuple[str, str]]:
    """Pairs with enough in common. Two such sets share one of their rarest few members, so only those are looked up."""
    seen = Counter(part for _, parts in members for part in parts)
    index: dict[object, list[int]] = {}
    for number, (id_, parts) in enumerate(members):
        rare = sorted(parts, key=lambda part: (seen[part], str(part)))
        prefix = rare[: len(rare) - math.ceil(ALIKE * len(rare)) + 1]
        for other in sorted({n for part in prefix for n in index.get(part, ())}):
            if _nearly(parts, members[other][1]):
                yield id_, members[other][0]
        for part in prefix:
            index.setdefault(part, []).append(number)
