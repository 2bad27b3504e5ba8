"""A tally lays an episode out as numbers that know where they stand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from episode_reading import sample_reads
from ranked import RULES, tallied
from showmemory.extract.corpus import lay_out
from showmemory.extract.tally import Tally, tally
from showmemory.extract.uses import use

SCRIPT = """
INT. SHOP - DAY

EDDA
(counting)
Butter my
anchovies!
(beat)
The till is short.

TOM & EDDA
Again.

The till falls over.
"""


def test_bytes_give_the_tally_back() -> None:
    """A49: what is stored is what was made, and the same script gives the same bytes."""
    for one in (tallied([SCRIPT])[0], *(tally(read, RULES) for read in sample_reads()[1])):
        raw = one.to_bytes()
        assert Tally.from_bytes(raw).to_bytes() == raw
        assert Tally.from_bytes(raw).text == one.text


def test_words_are_cited_where_they_stand() -> None:
    """A9: words are in the writer's spelling, at the line where they start; no run goes over a parenthetical."""
    corpus = lay_out(tallied([SCRIPT]))
    words = [corpus.vocab[word] for word in corpus.word]
    at = words.index("butter")
    cited = use(corpus, at, 3)
    assert (cited.words, cited.line, cited.scene, cited.speaker) == ("Butter my anchovies", 5, "1", "character.edda")
    assert corpus.room[at] == 3
    assert use(corpus, words.index("again"), 1).speaker == ""


def test_every_citation_of_the_sample_show_stands_at_its_line() -> None:
    """A9: the line holds the first word, whatever the format."""
    for read in sample_reads()[1]:
        one = tally(read, RULES)
        corpus = lay_out([one])
        held = {
            (e.line, e.page, e.paragraph): e.text for e in read.screenplay.elements if e.kind in ("dialogue", "lyric")
        }
        for place in range(0, len(corpus.word), 7):
            cited = use(corpus, place, 1)
            assert cited.words in held[cited.line, cited.page, cited.paragraph]


LINES = st.sampled_from(["Oh, no. No!", "Mother of pearl", "It's ME", "«Été»", "1 2 3", "..."])


@settings(max_examples=25, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=8))
def test_any_script_is_laid_out(lines: list[str]) -> None:
    """A49: every word of every line is there once, in order."""
    script = "INT. HERE - DAY\n\n" + "\n\n".join(f"KIM\n{line}" for line in lines) + "\n"
    one = tallied([script])[0]
    assert len(one.word) == len(one.start) == len(one.end) == len(one.speech)
    assert all(one.start[at] <= one.start[at + 1] for at in range(len(one.start) - 1))
    assert all(one.text[start:end].strip() for start, end in zip(one.start, one.end, strict=True))
