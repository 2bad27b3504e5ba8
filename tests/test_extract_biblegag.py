"""The four ways in which a use of a bible gag is seen (A57 to A60), and that a use is counted once."""

from __future__ import annotations

from typing import Any

import pytest

from episode_reading import RULES, read_example
from showmemory.extract import biblegag
from showmemory.model.memory import Use

SCRIPT = """
INT. WHEELHOUSE - DAY

A bell rings, unasked.

BRAM
(loudly)
Not the bell!
(softly)
Not again.

INT. HOLD - DAY

ODILE
Not the bell... not again?
"""


def uses(gag: dict[str, Any], **example: Any) -> tuple[Use, ...]:
    read, bible = read_example({"script": SCRIPT, "bible": {"gags": [gag]}} | example)
    found = biblegag.find(read, bible, RULES)
    return found[0].said.uses if found else ()


def spots(gag: dict[str, Any], **example: Any) -> list[tuple[int, tuple[str, ...]]]:
    return [(use.line, use.how) for use in uses(gag, **example)]


BELL = {"name": "The unasked bell", "id": "bell", "payoff": "Somebody says 'not the bell'"}


def test_each_detector_alone() -> None:
    """A57 to A60: outline, log, payoff, name; and which of them saw it."""
    quiet = {"name": "Umbrella of the week", "id": "u"}
    assert spots(quiet, outline={"scenes": [{"scene": "2", "gags": ["gag.u"]}]}) == [(11, ("outline",))]
    log = {"payoffs": [{"gag": "gag.u", "scene": "2", "words": "not again"}]}
    assert spots(quiet, continuity=log) == [(14, ("log",))]
    assert spots({"name": "Umbrella", "payoff": "He says “Not the bell”."}) == [(7, ("payoff",)), (14, ("payoff",))]
    assert spots({"name": "Unasked bells"}) == [(3, ("name",))]


def test_one_use_an_occurrence_however_many_see_it() -> None:
    """A60: the outline, the log and the payoff see one line; it is one use, and says so."""
    outline = {"scenes": [{"scene": "2", "gags": ["bell"]}]}
    log = {"payoffs": [{"gag": "bell", "scene": "2", "words": "the bell ... not again"}]}
    assert spots(BELL, outline=outline, continuity=log) == [
        (3, ("name",)),
        (7, ("payoff",)),
        (14, ("log", "outline", "payoff")),
    ]


def test_a_log_without_words_means_the_use_that_its_scene_holds() -> None:
    """A58: a payoff logged by scene alone joins what is said there."""
    log = {"payoffs": [{"gag": "bell", "scene": "2"}]}
    assert spots(BELL, continuity=log)[-1] == (14, ("log", "payoff"))


def test_words_of_the_log_that_are_in_no_scene_keep_the_use_and_are_stale() -> None:
    """A58, G2: the use stands in its scene without a line, and its words are listed as not found."""
    log = {"payoffs": [{"gag": "bell", "scene": "2", "words": "ding dong"}]}
    read, bible = read_example({"script": SCRIPT, "bible": {"gags": [BELL]}, "continuity": log})
    (one,) = biblegag.find(read, bible, RULES)
    assert [(u.scene, u.line, u.words) for u in one.said.uses if u.how == ("log",)] == [("2", 0, "")]
    assert [(s.scene, s.words) for s in one.said.stale] == [("2", "ding dong")]


def test_words_logged_in_the_wrong_scene_are_found_where_they_stand() -> None:
    log = {"payoffs": [{"gag": "bell", "scene": "2", "words": "a bell rings, unasked"}]}
    assert (3, ("log", "name")) in spots(BELL, continuity=log)


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("Asteroids shaped like ducks", "Look, another asteroid shaped like a duck.", True),
        ("Odile's missing knives", "Is a knife missing, Odile?", True),
        ("The wrong lighthouse", "It is the wrong lighthouse. Again.", True),
        ("The wrong lighthouse", "This lighthouse is not right.", False),
        ("Children who taught geese", "The child is teaching a goose.", True),
        ("The Door", "Mind a door.", False),
        ("The Door", "Mind the door.", True),
        ("Bell rope", f"The bell {'and then ' * 12} a rope.", False),
    ],
)
def test_every_word_of_the_name_in_any_form(name: str, line: str, found: bool) -> None:
    """A60: inflection-tolerant, all words of its own, within reach of each other."""
    script = f"INT. BRIDGE - DAY\n\nBRAM\n{line}\n"
    assert bool(uses({"name": name, "id": "g"}, script=script)) is found


@pytest.mark.parametrize(
    ("payoff", "line", "found"),
    [
        ("'...I'm getting back down.'", "I'M GETTING BACK DOWN", True),
        ('She says "don\'t".', "Don't.", True),
        ('She says "don\'t".', "I don't know.", False),
        ("It is “two pounds forty”.", "Two pounds, forty.", True),
        ("It is “two pounds forty”.", "Two pounds and forty.", False),
        ("Bram's boat isn't there", "Bram's boat isn't there", False),
    ],
)
def test_the_quoted_words_of_the_payoff(payoff: str, line: str, found: bool) -> None:
    """A59: case, punctuation and ellipses aside; an apostrophe quotes nothing; a lone word must stand alone."""
    script = f"INT. BRIDGE - DAY\n\nBRAM\n{line}\n"
    assert bool(uses({"name": "Umbrella", "id": "g", "payoff": payoff}, script=script)) is found


def test_a_payoff_is_said_not_done() -> None:
    """A59: words in the action are not said."""
    script = "INT. BRIDGE - DAY\n\nNobody says not the bell.\n"
    assert uses({"name": "Umbrella", "payoff": "'not the bell'"}, script=script) == ()


def test_a_use_cites_its_line_and_its_speaker() -> None:
    """A14, A9: the words as they stand, up to where a parenthetical breaks in."""
    (first, _) = uses({"name": "Umbrella", "payoff": "'not the bell not again'"})
    assert (first.scene, first.line, first.words, first.speaker) == ("1", 7, "Not the bell!", "character.bram")


def test_old_ids_of_a_gag_still_mean_it() -> None:
    """A renamed gag's outline and log need no edit."""
    gag = {"name": "Umbrella", "id": "umbrella", "was": ["gag.parasol"]}
    assert spots(gag, outline={"scenes": [{"scene": "1", "gags": ["gag.parasol"]}]}) == [(1, ("outline",))]
