"""Stems of words, so that "singing" and "sings" meet."""

from __future__ import annotations

from functools import lru_cache

import snowballstemmer

_NAMES = {"en": "english", "fr": "french", "de": "german", "es": "spanish", "it": "italian", "pt": "portuguese"}


@lru_cache(maxsize=65536)
def stem(word: str, language: str = "en") -> str:
    """The stem of a folded word; possessive 's is dropped; a language without a stemmer keeps the word."""
    bare = word.removesuffix("'s")
    name = _NAMES.get(language)
    return str(_stemmer(name).stemWord(bare)) if name else bare


@lru_cache(maxsize=4)
def _stemmer(name: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(name)
