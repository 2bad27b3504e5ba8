"""The words of an entry whose text is made from its numbers: voices and house style."""

from __future__ import annotations

from collections.abc import Mapping

from showmemory.fold.words import style_words, voice_words
from showmemory.model.memory import Entry


def made_words(
    entry: Entry,
    numbers: Mapping[str, int | float],
    tallies: Mapping[str, Mapping[str, int]],
    measures: Mapping[str, float],
) -> str | None:
    """What an entry of counts says in words, or None where its words are said and not made."""
    if entry.kind == "voice":
        return voice_words(numbers, tallies, measures)
    if entry.kind == "style":
        return style_words(numbers, tallies)
    return None
