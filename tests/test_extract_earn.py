"""Earning in story order: what the first episodes earn never hangs on a later one."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episode_reading import sample_reads
from ranked import NO_BIBLE, RULES, tallied
from showmemory.extract.candidates import candidates
from showmemory.extract.earn import clip_shows, earn
from showmemory.extract.tally import Tally, tally
from showmemory.model.observation import Observation
from showmemory.model.show import Bible, Character

WORDS = "the a I you it was is on in and what no yes lamp goose harbour Pym Ada turnip ledger moon biscuit".split()
PEOPLE = ("ADA", "PYM", "THE GOOSE")


@cache
def sample() -> tuple[Bible, tuple[Tally, ...]]:
    bible, reads = sample_reads()
    return bible, tuple(tally(read, RULES) for read in reads)


def told(tallies: list[Tally], bible: Bible) -> list[list[str]]:
    return [[one.model_dump_json() for one in seen] for _, seen in earn(tallies, bible, RULES)]


def babble(seed: int, episodes: int) -> list[str]:
    """Scripts of a few words in a few mouths, so that everything recurs."""
    dice = random.Random(seed)
    made = []
    for _ in range(episodes):
        lines = []
        for scene in range(dice.randint(1, 3)):
            lines.append(f"INT. ROOM {scene} - DAY\n")
            for _ in range(dice.randint(1, 5)):
                said = " ".join(dice.choice(WORDS) for _ in range(dice.randint(1, 7)))
                lines.append(f"{dice.choice(PEOPLE)}\n{said}{dice.choice('.!?')}\n")
        made.append("\n".join(lines))
    return made


@pytest.mark.parametrize("upto", [0, 1, 2, 5, 9, 11])
def test_a_prefix_earns_what_the_whole_earns_up_to_it(upto: int) -> None:
    """Truncation: episode by episode the same bytes, whether or not later episodes are there."""
    bible, tallies = sample()
    assert told(list(tallies[:upto]), bible) == told(list(tallies), bible)[:upto]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 7))
def test_a_prefix_of_babble_earns_what_the_whole_earns(seed: int, upto: int) -> None:
    """Truncation, where every phrase comes back at every turn."""
    tallies = tallied(babble(seed, 8))
    assert told(tallies[:upto], NO_BIBLE) == told(tallies, NO_BIBLE)[:upto]


def test_every_episode_is_told_once_and_says_an_entry_once() -> None:
    """DESIGN 4: one step an episode, in order; an entry is said of an episode once and for all."""
    bible, tallies = sample()
    steps = list(earn(tallies, bible, RULES))
    assert [episode for episode, _ in steps] == [one.episode for one in tallies]
    said = [(one.kind, one.key, one.episode) for _, seen in steps for one in seen]
    assert len(said) == len(set(said))


def test_an_entry_is_dated_by_its_first_earned_episode() -> None:
    """DESIGN 4: what is said of episodes before an entry was earned comes with the one that earned it, not earned."""
    bible, tallies = sample()
    place = {one.episode: at for at, one in enumerate(tallies)}
    earned: dict[tuple[str, str], int] = {}
    for step, (_, seen) in enumerate(earn(tallies, bible, RULES)):
        for one in seen:
            key = (one.kind, one.key)
            assert place[one.episode] == step or (place[one.episode] < step and not one.said.earned)
            assert key in earned or place[one.episode] <= step
            if place[one.episode] == step:
                assert one.said.earned
                earned.setdefault(key, step)
    assert earned


def test_the_same_scripts_give_the_same_bytes() -> None:
    """A49: nothing hangs on the order of a hash or on what was read before."""
    bible, tallies = sample()
    again = [Tally.from_bytes(one.to_bytes()) for one in tallies]
    assert told(again, bible) == told(list(tallies), bible)


def test_every_use_stands_in_its_script() -> None:
    """A9: every cited word of every entry is said at its line, by whom it says."""
    _, reads = sample_reads()
    bible, tallies = sample()
    plays = {read.episode.id: read.screenplay for read in reads}
    seen = [one for _, found in earn(tallies, bible, RULES) for one in found] + list(candidates(tallies, bible, RULES))
    cited = [source for one in seen for source in (*one.said.uses, *one.said.sources)]
    assert len(cited) > 500
    for source in cited:
        assert source.words
        speeches = [
            speech
            for speech in plays[source.episode].speeches()
            for line in speech.lines
            if (line.line, line.page, line.paragraph) == (source.line, source.page, source.paragraph)
        ]
        assert speeches
        assert source.words in speeches[0].text
        assert not source.speaker or source.speaker in speeches[0].speakers


def test_clip_shows_of_the_sample() -> None:
    """G16: the inquiry shows four scenes again, and no other episode does."""
    assert clip_shows(sample()[1], RULES) == {"ep.inquiry"}


def test_nothing_is_earned_from_nothing() -> None:
    """A44: no episodes, and episodes without a word, are no failure."""
    assert list(earn([], NO_BIBLE, RULES)) == []
    assert list(candidates([], NO_BIBLE, RULES)) == []
    silent = tallied(["INT. ROOM - DAY\n\nNobody speaks.\n", "", "EXT. SEA\n\nIt rains.\n"])
    assert [seen for _, seen in earn(silent, NO_BIBLE, RULES)] == [[], [], []]
    assert list(candidates(silent, NO_BIBLE, RULES)) == []


def test_the_bibles_own_catchphrases_are_earned_wherever_they_are_said() -> None:
    """A55: by anyone, at once, with the speaker on each use; one that is never said is not there."""
    bible = Bible(characters=(Character(name="Ada", catchphrases=("Mind the goose!", "Never said")),))
    scripts = ["INT. HALL - DAY\n\nPYM\nOh, mind the GOOSE, she says.\n", "INT. HALL - DAY\n\nADA\nMind the goose.\n"]
    seen = [one for _, found in earn(tallied(scripts, RULES, bible), bible, RULES) for one in found]
    own = [one for one in seen if one.kind == "catchphrase"]
    assert [(one.episode, one.about, one.said.earned, one.said.score) for one in own] == [
        ("ep.1", ("character.ada",), True, None),
        ("ep.2", ("character.ada",), True, None),
    ]
    uses = [use for one in own for use in one.said.uses]
    assert [(use.words, use.speaker) for use in uses] == [
        ("mind the GOOSE", "character.pym"),
        ("Mind the goose", "character.ada"),
    ]


def _keys(seen: list[Observation], kind: str) -> set[str]:
    return {one.key for one in seen if one.kind == kind}


def test_candidates_are_what_was_not_earned_each_with_its_reason() -> None:
    """Issue 4, item 6: the rest of each ranking, each with one printable reason."""
    bible, tallies = sample()
    earned = [one for _, found in earn(tallies, bible, RULES) for one in found]
    rest = list(candidates(tallies, bible, RULES))
    for kind in ("catchphrase", "gag"):
        assert not _keys(earned, kind) & _keys(rest, kind)
    final = {(one.kind, one.key): one.said for one in rest if one.said.score is not None}
    assert {(one.kind, one.key) for one in rest} == set(final)
    assert all(said.held and not said.earned for said in final.values())


def test_the_literal_rule_reports_every_run_said_again() -> None:
    """A56, F12: three words or more, the same character, another episode; the longest form of each, and no cut."""
    scripts = [
        "INT. HALL - DAY\n\nADA\nI put the goose in the pantry. Good night.\n\nPYM\nPut the goose away.\n",
        "INT. HALL - DAY\n\nADA\nI put the goose in the hall. Good night.\n",
        "INT. HALL - DAY\n\nADA\nWho put the goose there?\n",
    ]
    seen = [one for _, found in earn(tallied(scripts), NO_BIBLE, RULES, literal=True) for one in found]
    assert _keys(seen, "catchphrase") == {"character.ada|i put the goose in the", "character.ada|put the goose"}
    first = [one for one in seen if one.key == "character.ada|put the goose"]
    assert [(one.episode, one.said.earned, one.said.score) for one in first] == [
        ("ep.1", False, None),
        ("ep.2", False, None),
        ("ep.3", True, None),
    ]
