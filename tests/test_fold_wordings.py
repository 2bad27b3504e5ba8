"""Texts are found by the stems of their words, as if every word of them had been stemmed (D23)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from showmemory.fold.relevance import stems
from showmemory.fold.wordings import Wordings

WORDS = ("hope", "hoping", "carry", "carries", "swan", "swans", "o'clock", "clock", "Café", "it’s", "lantern", "LAN")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=8)


@given(texts=TEXTS, asked=st.sets(st.sampled_from(WORDS), max_size=5))
def test_the_same_as_stemming_every_word(texts, asked):
    """D23: which text holds which stem."""
    wanted = {stem for word in asked for stem in stems(word)}
    whole = {n: frozenset(wanted.intersection(stems(text))) for n, text in enumerate(texts)}
    assert Wordings(texts).holding(wanted) == {n: held for n, held in whole.items() if held}


@pytest.mark.parametrize(("text", "held"), [("the\nswans", {0: {"swan"}}), ("unswans swank", {}), ("", {})])
def test_whole_words_alone(text, held):
    """D23: a stem inside a word is no word."""
    assert Wordings([text]).holding({"swan"}) == held
