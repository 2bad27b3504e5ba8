"""Voices (A54, G11): counts an episode, a floor, what sets a voice apart, three lines for it, drift."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from episode_reading import RULES, read_example, sample_reads
from showmemory.check.citations import words_stand
from showmemory.extract import voice
from showmemory.extract.voices import earn_voices
from showmemory.fold.words import drift_words, voice_words
from showmemory.model.memory import Said
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules

FLOOR = RULES.rule("voice").values["floor_words"]
PLAIN = "The boat goes over to the other side and then it comes back to this side again today."
ASKS = "Is it safe? Reckon so? Who says it is?"


def episode(number: int, *speeches: tuple[str, str], times: int = 12) -> tuple[str, str]:
    """An episode in which each speech is said `times` times."""
    lines = [f"{who}\n{words}\n" for _ in range(times) for who, words in speeches]
    return f"ep.{number:02}", "INT. BOAT - DAY\n\n" + "\n".join(lines)


def heard(episodes: Iterable[tuple[str, str]]) -> list[tuple[str, list[Observation]]]:
    made = []
    for id_, script in episodes:
        read, bible = read_example({"script": script}, id_=id_)
        made.append((id_, voice.find(read, bible, RULES)))
    return made


def earned(episodes: Iterable[tuple[str, str]], rules: Rules = RULES) -> dict[tuple[str, str], Said]:
    told = earn_voices(heard(episodes), rules)
    return {(id_, one.key.partition(".")[2]): one.said for id_, seen in told for one in seen}


SHOW = [episode(n, ("BRAM", PLAIN), ("ODILE", ASKS), ("VICAR", "Bless the boat. It goes to sea.")) for n in range(1, 7)]


def test_what_is_counted_of_an_episode() -> None:
    """A54: lines, words, questions, exclamations, lines cut short and left open, and the manner of them."""
    script = """
INT. BOAT - DAY

ODILE
(dry)
You know, it won't sail. Will it? Never!

ODILE
(to Bram)
Then I --

ODILE (O.S.)
(dry)
Oh...

BRAM AND ODILE
Ahoy!
"""
    read, bible = read_example({"script": script})
    (one,) = voice.find(read, bible, RULES)
    assert one.about == ("character.odile",)
    assert not one.said.earned
    assert one.said.text is None
    assert one.said.numbers == {
        "lines": 3, "words": 11, "sentences": 5, "questions": 1, "exclamations": 1, "short": 4,
        "cut": 1, "trailing": 1, "contractions": 1, "parens": 3,
    }  # fmt: skip
    assert one.said.tallies["parentheticals"] == {"dry": 2}
    assert one.said.tallies["fillers"] == {"oh": 1, "you know": 1}
    assert one.said.tallies["openings"] == {"oh": 1}


def test_no_voice_under_the_floor_and_none_ever_for_a_small_part() -> None:
    """G11: a voice is earned in the episode in which the running words pass the floor."""
    few = [episode(n, ("BRAM", PLAIN), ("ODILE", "Row, row, row, you know, row."), times=4) for n in range(1, 7)]
    voices = earned(few)
    bram = [voices[f"ep.{n:02}", "bram"] for n in range(1, 7)]
    running = [sum(said.numbers["words"] for said in bram[: n + 1]) for n in range(6)]
    assert [said.earned for said in bram] == [words >= FLOOR for words in running]
    assert running[0] < FLOOR <= running[-1]
    odile = [voices[f"ep.{n:02}", "odile"] for n in range(1, 7)]
    assert not any(said.earned or said.measures or said.exemplars for said in odile)


def test_what_is_said_of_an_episode_depends_on_no_later_one() -> None:
    """Truncation: as of j, exactly what a show of j episodes has; yet later episodes do change what is said later."""
    whole = earned(SHOW)
    for upto in range(1, len(SHOW)):
        cut = earned(SHOW[:upto])
        assert cut == {at: said for at, said in whole.items() if at in cut}
    turned = earned([*SHOW[:3], episode(4, ("BRAM", ASKS), ("ODILE", PLAIN), times=40), *SHOW[4:]])
    assert turned["ep.06", "bram"] != whole["ep.06", "bram"]
    assert turned["ep.03", "bram"] == whole["ep.03", "bram"]


def test_a_voice_is_told_by_what_sets_it_apart() -> None:
    """G11: more questions than anyone, its own words; the numbers are the episode's own and add up."""
    said = earned(SHOW)["ep.06", "odile"]
    assert said.measures["questions.rank"] == 1
    assert "word.reckon" in said.measures
    assert "words" not in said.tallies
    text = voice_words({k: v * 6 for k, v in said.numbers.items()}, said.tallies, said.measures)
    assert "asks more than anyone (100%)" in text
    assert "reckon" in text


def test_three_lines_stand_for_a_voice_each_at_its_line() -> None:
    """G11: short whole speeches that were said, at most three, by a fixed rule, no two alike."""
    lines = [
        "Reckon the tide is in.",
        "Bail, reckon, bail!",
        "Reckon not, my boy.",
        "It goes over again.",
        "The side comes back.",
    ]
    shows = [
        episode(n, ("BRAM", PLAIN), ("ODILE", PLAIN), *(("BRAM", line) for line in lines[n - 1 :] + lines[: n - 1]))
        for n in range(1, 6)
    ]
    scripts = dict(shows)
    said = earned(shows)["ep.05", "bram"]
    assert len(said.exemplars) == 3
    assert len({one.words for one in said.exemplars}) == 3
    assert all("eckon" in one.words for one in said.exemplars)
    assert all(scripts[one.episode].splitlines()[one.line - 1] == one.words for one in said.exemplars)
    assert said.exemplars == earned(shows)["ep.05", "bram"].exemplars


def test_a_line_that_a_parenthetical_breaks_is_no_exemplar() -> None:
    """A9: it could not be cited as it stands."""
    script = "INT. BOAT - DAY\n\nBRAM\nReckon it is\n(beat)\nthe wrong tide.\n\nBRAM\nReckon so, my\nown dear boy.\n"
    ((_, (one,)),) = heard([("ep.01", script)])
    assert [source.words for source in one.said.exemplars] == ["Reckon so, my own dear boy."]


def test_drift_names_the_measure() -> None:
    """G11: an episode that departs from the voice before it says by what; one that does not says nothing."""
    shows = [*SHOW[:4], episode(5, ("BRAM", "Why? Why not? Who? Me?"), ("ODILE", ASKS))]
    voices = earned(shows)
    assert not any(name.startswith("drift.") for name in voices["ep.04", "bram"].measures)
    drifted = voices["ep.05", "bram"]
    assert drifted.measures["drift.questions"] > 0
    assert drifted.measures["drift.line_words"] < 0
    assert "shorter lines (5.0 words, was 18.0)" in drift_words(drifted.numbers, drifted.measures)
    assert "asks more (100%, was 0%)" in drift_words(drifted.numbers, drifted.measures)
    assert drift_words(voices["ep.04", "bram"].numbers, voices["ep.04", "bram"].measures) == ""


def test_names_are_nobodys_own_words() -> None:
    """FINDING, pitfall 4: whom one talks to is no voice; a word said in one episode alone is its subject."""
    shows = [
        episode(n, ("BRAM", "Odile, reckon it sails over the sea again?"), ("ODILE", f"Number {'x' * n}ylo {PLAIN}"))
        for n in range(1, 6)
    ]
    voices = earned(shows)
    own = {name for name in voices["ep.05", "bram"].measures if name.startswith("word.")}
    assert "word.reckon" in own
    assert "word.odile" not in own
    assert not any("ylo" in name for name in voices["ep.05", "odile"].measures)


def test_a_language_without_lexicons_still_has_voices() -> None:
    """DESIGN 7: what needs no word list is there all the same."""
    bare = replace(RULES, language="xx", lexicons={})
    read, bible = read_example({"script": episode(1, ("BRAM", PLAIN), ("ODILE", ASKS), times=20)[1]})
    counted = voice.find(read, bible, bare)
    assert {one.said.numbers["questions"] for one in counted} == {0, 60}
    told = dict(earn_voices([("ep.01", counted)], bare))
    assert any(one.said.earned for one in told["ep.01"])


@pytest.mark.parametrize(
    ("measures", "text"),
    [
        ({}, "Lines of 6 words, often (dry) or (flat)."),
        ({"line_words.z": -4.0, "questions.z": 5.0}, "Short lines (6 words), asks a lot (31%), often (dry) or (flat)."),
        (
            {
                "line_words.z": 4.0,
                "line_words.rank": 1.0,
                "questions.z": -3.0,
                "questions.rank": -1.0,
                "word.tide": 3.5,
            },
            "The longest lines of all (6 words), asks less than anyone (31%), often (dry) or (flat). Own words: tide.",
        ),
    ],
)
def test_the_words_of_a_voice(measures: dict[str, float], text: str) -> None:
    """A54, F7: plain words folded from the counts; a comparison only where it was measured."""
    numbers = {"lines": 100, "words": 610, "sentences": 200, "questions": 62}
    tallies = {"parentheticals": {"dry": 9, "flat": 4, "sad": 1}}
    assert voice_words(numbers, tallies, measures) == text
    assert voice_words({}, {}, {}) == ""


def test_every_exemplar_of_the_sample_show_stands_at_its_line() -> None:
    """G11, A9: on real scripts, Final Draft among them."""
    bible, reads = sample_reads()
    plays = {read.episode.id: read.screenplay for read in reads}
    seen = [(read.episode.id, voice.find(read, bible, RULES)) for read in reads]
    lines = [line for _, told in earn_voices(seen, RULES) for one in told for line in one.said.exemplars]
    assert len(lines) > 50
    assert [line for line in lines if not words_stand(plays[line.episode], line)] == []
