"""What somebody learned (A67, D50): holders are not subjects."""

from __future__ import annotations

from typing import Any

from episode_reading import RULES, read_example
from showmemory.extract import knowledge
from showmemory.model.observation import Observation

SCRIPT = "INT. HOLD - NIGHT\n\nBRAM\nI sold the bell, Odile.\n"
BIBLE = {
    "characters": [{"name": "Bram"}, {"name": "Odile"}],
    "groups": [{"name": "The Crew", "id": "crew", "members": ["bram", "odile"]}],
}


def learned(*changes: dict[str, Any]) -> list[Observation]:
    read, bible = read_example({"script": SCRIPT, "bible": BIBLE, "continuity": {"changes": list(changes)}})
    return knowledge.find(read, bible, RULES)


def test_who_knows_is_not_whom_it_concerns() -> None:
    """A67, D50: `holders` learned it, `about` is whom it concerns; the line is the one it was said in."""
    (one,) = learned(
        {
            "kind": "knowledge",
            "text": "Bram sold the bell.",
            "who": ["ODILE"],
            "about": ["bram"],
            "words": "I sold the bell",
        }
    )
    assert (one.said.holders, one.about) == (("character.odile",), ("character.bram",))
    assert [(s.line, s.words) for s in one.said.sources] == [(4, "I sold the bell")]


def test_the_same_thing_learned_twice_is_one_entry_with_all_who_know() -> None:
    one = {"kind": "knowledge", "text": "Bram sold the bell.", "who": ["odile"]}
    (both,) = learned(one, one | {"who": ["The Crew"], "text": "bram sold the bell"})
    assert both.said.holders == ("character.odile", "group.crew")


def test_somebody_without_a_cue_can_know() -> None:
    (one,) = learned({"kind": "knowledge", "text": "It is gone.", "who": ["The Vicar"]})
    assert one.said.holders == ("character.the-vicar",)


def test_other_changes_are_no_knowledge() -> None:
    assert (
        learned({"kind": "state", "text": "Gone."}, {"kind": "relationship", "text": "Worse.", "about": ["bram"]}) == []
    )
