"""How common a word is in the language at large, from wordfreq's tables (installed, read offline)."""

from __future__ import annotations

from functools import lru_cache

from wordfreq import get_frequency_list

RAREST = 900
_LANGUAGES = frozenset({"en"})


@lru_cache(maxsize=2)
def _centibels(language: str) -> dict[str, int]:
    """Word -> its frequency in negative centibels (hundredths of a power of ten)."""
    if language not in _LANGUAGES:
        return {}
    found: dict[str, int] = {}
    for level, words in enumerate(get_frequency_list(language, "large")):
        for word in words:
            found[word] = level
    return found


def rarity(word: str, language: str = "en") -> int:
    """Minus 100 times log10 of the word's frequency: 130 is "the", `RAREST` a word the tables do not know."""
    table = _centibels(language)
    if not table:
        return 0
    level = table.get(word)
    if level is None and "'" in word:
        level = table.get(word.split("'")[0])
        level = None if level is None else level + 50
    return RAREST if level is None else min(level, RAREST)


def common(word: str, language: str = "en") -> float:
    """Zipf scale: 7.7 is "the", 5 and more about the thousand commonest words, 0 unknown."""
    return (RAREST - rarity(word, language)) / 100
