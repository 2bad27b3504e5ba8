"""Words as they are counted: spoken forms folded to one spelling, each with its place in the writer's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranked import RULES
from showmemory.text.fold import Folding
from showmemory.text.patterns import Patterns
from showmemory.text.sentences import sentences
from showmemory.text.stems import stem
from showmemory.text.tokens import ASKED, CAPITAL, ENDS, PAUSED, PAUSES, SHOUTED, STARTS, phrase, tokens

FOLDING = Folding.of(RULES)
PLAIN = Folding("xx")


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Y’know", "you know"),
        ("goin' home", "going home"),
        ("O.K., all right, alright, okay!", "okay okay okay okay"),
        ("Noooo", "no"),
        ("sooo goood", "so good"),
        ("Mm-hmm.", "uhhuh"),
        ("'Cause I said so", "because i said so"),
        ("C'mon, gimme that", "come on give me that"),
        ("Mister Pym, Mr. Pym", "mr pym mr pym"),
        ("the U.S.S. Gull", "the uss gull"),
        ("Café crème", "cafe creme"),
        ("a well-kept sea wall", "a well kept sea wall"),
        ("stardate 42353.7", "stardate 42353.7"),
        ("the Shaws' boat", "the shaws boat"),
        ("'Hello,' he said", "hello he said"),
        ("", ""),
        ("-- ?!", ""),
    ],
)
def test_spoken_forms_fold_to_one_spelling(written: str, folded: str) -> None:
    """A56: what transcribers spell differently is counted as one."""
    assert phrase(written, FOLDING) == folded


def test_bounds_of_sentences_and_pauses() -> None:
    """A56: a full stop after a title ends nothing; a question and a shout are known from within."""
    said = {token.word: token.bounds for token in tokens("Well, Mr. Pym... is it Tuesday? Run!", FOLDING)}
    assert said["well"] & STARTS
    assert said["well"] & PAUSES
    assert said["mr"] & PAUSED
    assert not said["mr"] & ENDS
    assert said["pym"] & ENDS
    assert said["pym"] & CAPITAL
    assert said["is"] & STARTS
    assert said["is"] & ASKED
    assert said["tuesday"] & CAPITAL
    assert said["run"] & SHOUTED


def test_sentences_are_cut_where_they_end() -> None:
    """A56: three sentences, each whole."""
    cut = sentences("No. Not the hat -- the other hat.", FOLDING)
    assert [[token.word for token in held] for held in cut] == [["no"], ["not", "the", "hat"], ["the", "other", "hat"]]


@given(st.text(max_size=120))
def test_places_cut_the_writers_words(text: str) -> None:
    """A9: whatever stands in a script, every token's place lies in it, in order, and holds something."""
    last = 0
    for token in tokens(text, FOLDING):
        assert last <= token.end <= len(text)
        assert token.start < token.end
        assert token.start >= 0
        last = token.start


@given(st.text(alphabet="ab '.-,!", max_size=40))
def test_folding_again_changes_nothing(text: str) -> None:
    """A56: what is folded stays as it is."""
    once = phrase(text, FOLDING)
    assert phrase(once, FOLDING) == once


def test_a_language_without_lexicons_keeps_its_words() -> None:
    """Another language degrades to what needs no lexicon."""
    assert phrase("Ganz gemütlich, y'know", PLAIN) == "ganz gemutlich y'know"


def test_patterns_of_a_lexicon() -> None:
    """F12: a choice, and what may be left out, in a pattern of everyday words."""
    patterns = Patterns(["(what|where) are you [going to] (do|say what)"])
    assert patterns.match(("what", "are", "you", "do"))
    assert patterns.match(("where", "are", "you", "going", "to", "say", "what"))
    assert not patterns.match(("what", "are", "you"))
    assert not patterns.match(("what", "are", "you", "do", "now"))


def test_stems_meet() -> None:
    """A60: inflected words have one stem, in a language that has a stemmer."""
    assert len({stem(word, "en") for word in ("chase", "chased", "chasing", "chase's")}) == 1
    assert stem("chasing", "xx") == "chasing"
