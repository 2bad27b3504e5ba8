"""The log's facts (A66, G8): who they are about, which field of it, and where they stand."""

from __future__ import annotations

from typing import Any

from episode_reading import RULES, read_example
from showmemory.extract import fact
from showmemory.model.observation import Observation

SCRIPT = """
INT. OFFICE - DAY

ODILE
(writing)
The last ferry is at six.
(crossing it out)
Or seven.

BRAM
It was always
seven, Odile.
"""
BIBLE = {
    "characters": [{"name": "Odile Marsh", "aliases": ["Odile"], "was": ["character.otter"]}, {"name": "Bram"}],
    "places": [{"name": "The Ferry", "aliases": ["FERRY"]}],
}


def facts(*logged: dict[str, Any]) -> list[Observation]:
    read, bible = read_example({"script": SCRIPT, "bible": BIBLE, "continuity": {"facts": list(logged)}})
    return fact.find(read, bible, RULES)


def test_a_value_of_a_field_is_an_entry_of_its_own() -> None:
    """G8, D32: subject, field and value are the identity, whatever the words."""
    six = {"text": "The last ferry is at six.", "about": ["the ferry"], "field": "Last Sailing", "value": "Six"}
    seven = six | {"text": "It sails at seven.", "value": "seven"}
    again = six | {"text": "Six it is.", "value": "six", "scene": "1"}
    found = facts(six, seven, again)
    assert [(one.key, one.about) for one in found] == [
        ("place.the-ferry|last-sailing|seven", ("place.the-ferry",)),
        ("place.the-ferry|last-sailing|six", ("place.the-ferry",)),
    ]
    assert found[1].said.text == "Six it is."
    assert found[0].said.title == "The Ferry: Last Sailing"


def test_a_fact_without_a_field_is_known_by_its_folded_words() -> None:
    """A66: case and punctuation make no second fact."""
    found = facts({"text": "Odile can't swim."}, {"text": "odile CAN'T swim!", "about": ["character.otter"]})
    assert [(one.key, one.about) for one in found] == [("odile can't swim", ("character.odile-marsh",))]


def test_words_are_cited_as_they_stand() -> None:
    """A9: found folded, written as in the script, over two lines of one speech but never across a parenthetical."""
    one, two = facts(
        {"text": "a", "scene": "1", "words": "it was ALWAYS seven"}, {"text": "b", "words": "is at six ... or seven"}
    )
    assert [(s.line, s.words, s.speaker) for s in one.said.sources] == [(10, "It was always seven", "character.bram")]
    assert [(s.line, s.words) for s in two.said.sources] == [(5, "is at six.")]


def test_words_that_are_nowhere_leave_the_scene_and_are_listed() -> None:
    """G2: the fact is kept, its source has no line, its words are stale."""
    (one,) = facts({"text": "c", "scene": "1", "words": "the last tram"})
    assert [(s.scene, s.line, s.words) for s in one.said.sources] == [("1", 0, "")]
    assert [s.words for s in one.said.stale] == ["the last tram"]


def test_what_the_log_says_of_truth_and_time_is_kept() -> None:
    """D52, G7: canon, established unless the log doubts it; story time."""
    doubted, sure = facts({"text": "a", "canon": "contested", "when": "1974"}, {"text": "b"})
    assert (doubted.said.canon, doubted.said.when) == ("contested", "1974")
    assert (sure.said.canon, sure.said.when) == ("established", None)


def test_an_unknown_subject_is_kept_as_written() -> None:
    """A41: the check warns of it; the fact is not lost."""
    (one,) = facts({"text": "It leaks.", "about": ["the moon boat"]})
    assert one.about == ("the moon boat",)
