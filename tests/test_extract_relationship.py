"""How two people stand to each other (A67): one entry a pair, the latest words hold."""

from __future__ import annotations

from typing import Any

from episode_reading import RULES, read_example
from showmemory.extract import relationship
from showmemory.model.observation import Observation

SCRIPT = "INT. HOLD - NIGHT\n\nODILE\nCall me Odile. On Sundays.\n"


def changed(*changes: dict[str, Any]) -> list[Observation]:
    made = [{"kind": "relationship", **change} for change in changes]
    read, bible = read_example({"script": SCRIPT, "continuity": {"changes": made}})
    return relationship.find(read, bible, RULES)


def test_a_pair_is_one_entry_in_whichever_order_it_is_named() -> None:
    """A67, A21: about both; what was said last in the episode holds, and both lines are cited."""
    first = {"text": "They are strangers.", "about": ["odile", "bram"], "words": "call me Odile"}
    later = {"text": "They are friends on Sundays.", "about": ["bram"], "who": ["odile"], "words": "on Sundays"}
    (one,) = changed(first, later)
    assert one.key == "character.bram|character.odile"
    assert one.about == ("character.bram", "character.odile")
    assert (one.said.title, one.said.text) == ("Bram and Odile", "They are friends on Sundays.")
    assert [s.words for s in one.said.sources] == ["Call me Odile.", "On Sundays."]


def test_different_pairs_are_different_entries() -> None:
    found = changed({"text": "a", "about": ["odile", "bram"]}, {"text": "b", "about": ["odile", "vicar"]})
    assert [one.key for one in found] == ["character.bram|character.odile", "character.odile|character.vicar"]


def test_other_changes_are_no_relationship() -> None:
    assert changed({"kind": "knowledge", "text": "He knows.", "who": ["bram"]}) == []
