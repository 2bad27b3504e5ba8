"""House style in counts and in words (A64)."""

from __future__ import annotations

from collections import Counter

from episode_reading import RULES, read_example
from showmemory.extract import style
from showmemory.fold.words import style_words

SCRIPT = """
INT. OFFICE - DAY

A bell CLANGS. A second
one CLANGS back.

BRAM (40s) reads the LEDGER.

ODILE
(beat)
That was either the church
or the ferry.

BRAM
(to Odile)
Both.
"""


def test_what_is_counted() -> None:
    """A64: paragraphs and their words, lines and theirs, parentheticals, sounds; names and props are none."""
    read, bible = read_example({"script": SCRIPT, "bible": {"characters": [{"name": "Bram Ring"}]}})
    (one,) = style.find(read, bible, RULES)
    assert one.said.text is None
    assert one.said.numbers == {"paragraphs": 2, "action_words": 13, "lines": 2, "words": 9, "parens": 2, "scripts": 1}
    assert one.said.tallies == {"sounds": {"CLANGS": 2}, "parentheticals": {"beat": 1}}


def test_it_adds_up_to_words() -> None:
    """A64: the house style of all scripts together, in a few sentences."""
    numbers = {"paragraphs": 10, "action_words": 142, "lines": 60, "words": 540, "parens": 5, "scripts": 2}
    tallies = {"sounds": Counter(THUD=1, CLANG=3, HISS=2), "parentheticals": Counter(beat=3, dry=2, once=1)}
    assert style_words(numbers, tallies) == (
        "Action in paragraphs of 14 words. Sounds in capitals (about 3 a script): CLANG, HISS. "
        "Spoken lines of 9 words. A parenthetical on one line in 12, most often (beat), (dry)."
    )


def test_a_show_without_parentheticals_or_action_says_so_or_nothing() -> None:
    assert style_words({"lines": 4, "words": 4, "scripts": 1}, {}) == "Spoken lines of 1 word. No parentheticals."
    assert style_words({}, {}) == ""
