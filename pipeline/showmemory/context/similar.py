"""How like a text others are: by words with SQLite's full-text search, or by meaning with the extra `semantic` (C33).

Off unless a show asks for it. Both give the same numbers each time, since they are rounded. No network is needed: the
model's 16 MB of weights are installed with its package.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from showmemory.fold.relevance import stems, telling_stems

# From here on a past scene is one that this one goes back to: measured on whole series, scenes that have nothing to do
# with each other reach 0.1 by words and 0.45 by meaning. So near a second one says nothing new.
CLOSE, SAME = {"words": 0.12, "meaning": 0.55}, 0.75
BLANKS, _BLANK = 20, "xblankx"
# What is so many episodes old counts half.
HALF_LIFE = 40
_PACKAGE = "wordllama"


def installed() -> bool:
    """Whether the extra `semantic` is here."""
    return find_spec(_PACKAGE) is not None


def by_words(query: str, texts: Mapping[str, str], language: str = "en") -> dict[str, float]:
    """How far each text answers to a query, 1 being the query itself: rare words count for more."""
    asked = telling_stems(query, language)
    if not asked or not texts:
        return dict.fromkeys(texts, 0.0)
    base = sqlite3.connect(":memory:")
    base.execute("create virtual table texts using fts5(words, tokenize = 'unicode61 remove_diacritics 0')")
    ids = sorted(texts)
    rows = [" ".join(stems(texts[id_], language)) for id_ in ids]
    # Beside a few texts every word is common: blank ones of their length stand for the rest of a show.
    length = max(1, sum(len(row.split()) for row in rows) // len(rows))
    blank = [" ".join([_BLANK] * length)] * BLANKS
    base.executemany("insert into texts(rowid, words) values (?, ?)", enumerate((" ".join(asked), *rows, *blank)))
    wanted = " OR ".join('"' + word.replace('"', '""') + '"' for word in asked)
    found = dict(base.execute("select rowid, bm25(texts) from texts where texts match ?", (wanted,)).fetchall())
    base.close()
    whole = found.get(0) or -1.0
    return {id_: round(max(0.0, min(1.0, found.get(at, 0.0) / whole)), 3) for at, id_ in enumerate(ids, 1)}


def by_meaning(query: str, texts: Mapping[str, str]) -> dict[str, float]:
    """How near each text is to a query in meaning, from 0 to 1."""
    if not texts:
        return {}
    ids = sorted(texts)
    vectors = _model().embed([query, *(texts[id_] for id_ in ids)], norm=True)
    near = vectors[1:] @ vectors[0]
    return {id_: round(max(0.0, float(one)), 3) for id_, one in zip(ids, near, strict=True)}


def like(query: str, texts: Mapping[str, str], *, meaning: bool, language: str = "en") -> dict[str, float]:
    """By meaning or by words."""
    return by_meaning(query, texts) if meaning else by_words(query, texts, language)


def aged(score: float, age: int) -> float:
    """A score that fades with the episodes since."""
    return float(score * 0.5 ** (age / HALF_LIFE))


@lru_cache(maxsize=1)
def _model() -> Any:
    from wordllama import WordLlama

    # Its own folder as the cache: it then neither looks for a home nor asks the network.
    with resources.as_file(resources.files(_PACKAGE)) as folder:
        return WordLlama.load(cache_dir=Path(folder), dim=256, disable_download=True)
