"""What an entry has to do with a scene: by who and where and links first, by words second (D23, D46)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from showmemory.model.memory import Entry
from showmemory.text.fold import bare
from showmemory.text.frequency import common
from showmemory.text.stems import stem

# Turned to ASCII first, most texts take the short way through `bare`.
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": " ", "–": "-", "—": "-"})
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Words may lift an entry as far as one and a half links do, never further: who and where come first.
WORDS_AT_MOST = 4.5
IN_PLAY, PLACE, NEAR = 3.0, 3.0, 1.0
# On the Zipf scale: "house" is 5.7. A language without frequencies gives every word the top of the scale.
COMMON, UNKNOWN = 5.8, 9.0
PEOPLE_AT_MOST = 7.5


@dataclass(frozen=True)
class Wanted:
    """What a scene is about: show id -> weight, and the stems of its words -> how telling each is."""

    ids: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)


@lru_cache(maxsize=1 << 15)
def stems(text: str, language: str = "en") -> tuple[str, ...]:
    """The stems of a text's words, in order."""
    return tuple(stem(word, language) for word in _WORD.findall(bare(text.translate(_MARKS))))


@dataclass(frozen=True, slots=True)
class Links:
    """The show ids an entry touches: `own`, whom and what it is about and who holds it; `spoke`, who said its words."""

    own: frozenset[str] = frozenset()
    spoke: frozenset[str] = frozenset()


def telling_stems(text: str, language: str = "en") -> tuple[str, ...]:
    """The stems of a text's words but for those that everybody uses; a language without a table keeps them all."""
    words = _WORD.findall(bare(text))
    return tuple(dict.fromkeys(stem(w, language) for w in words if not COMMON <= common(w, language) < UNKNOWN))


def links(entry: Entry, more: Iterable[str] = ()) -> Links:
    """An entry's links; `more` are those of what it is about in the bible."""
    spoke = frozenset(u.speaker for u in entry.uses if u.speaker)
    return Links(frozenset((*entry.about, *entry.holders, *more)), spoke)


def wording(entry: Entry) -> str:
    """All the words by which a scene may touch an entry."""
    said = dict.fromkeys(u.words for u in (*entry.uses[:3], *entry.uses[-3:]))
    return " ".join((entry.title, entry.text, entry.value or "", *entry.variants, *said))


def telling(wanted: Iterable[str], documents: Iterable[frozenset[str]]) -> dict[str, float]:
    """Each wanted stem's weight: how many halvings of the notebook it is worth; one of every other entry, nothing."""
    asked = frozenset(wanted)
    held = [asked & words for words in documents]
    seen = Counter(word for words in held for word in words)
    total = len(held) + 1
    return {word: max(0.0, math.log2(total / seen[word]) - 1.0) if seen[word] else 0.0 for word in sorted(asked)}


def by_links(touched: Links, wanted: Wanted) -> float:
    """How closely the ids an entry touches meet those of the scene.

    Having said its words counts half, and once: what many people say is nobody's in particular.
    """
    ids = wanted.ids
    own = sum(ids[i] for i in touched.own if i in ids)
    spoke = max((ids[i] for i in touched.spoke if i in ids and i not in touched.own), default=0.0)
    return min(PEOPLE_AT_MOST, own + spoke / 2)


def by_words(words: frozenset[str], wanted: Wanted) -> tuple[float, tuple[str, ...]]:
    """How far the words of an entry meet those of the scene, and the most telling of them."""
    shared = sorted(
        (w for w in wanted.words if w in words and wanted.words[w] > 0), key=lambda w: (-wanted.words[w], w)
    )
    weight = sum(wanted.words[w] for w in shared) / 2.0
    return min(WORDS_AT_MOST, weight), tuple(shared[:3])
