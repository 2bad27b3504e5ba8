"""Bible threads that an episode opened, moved or resolved (A65), without their answers (F14)."""

from __future__ import annotations

from typing import Any

import pytest

from episode_reading import RULES, read_example
from showmemory.extract import thread
from showmemory.model.observation import Observation

SCRIPT = """
INT. OFFICE - DAY

ODILE
Somebody sold the bell.

INT. HOLD - NIGHT

BRAM
I needed a rudder.
"""
BELL = {"name": "Who sold the bell?", "id": "bell", "answer": "Bram, for a rudder. No regrets.", "was": ["thread.dong"]}


def found(**example: Any) -> list[Observation]:
    read, bible = read_example({"script": SCRIPT, "bible": {"threads": [BELL]}} | example)
    return thread.find(read, bible, RULES)


def test_steps_of_the_outline_and_of_the_log_in_the_order_of_the_scenes() -> None:
    """A65, A15: where it stands after the episode; every step has its line."""
    step = {"thread": "bell", "move": "moved", "text": "A price is named.", "scene": "2", "words": "a rudder"}
    outline = {"scenes": [{"scene": "2", "resolves": ["bell"]}, {"scene": "1", "opens": ["bell"]}]}
    (one,) = found(outline=outline, continuity={"threads": [step]})
    assert one.about == ("thread.bell",)
    assert (one.said.status, one.said.move, one.said.text) == ("resolved", "resolved", "A price is named.")
    assert [(s.scene, s.line) for s in one.said.sources] == [("1", 1), ("2", 9), ("2", 6)]


def test_the_log_is_the_evidence_where_both_tell_a_step() -> None:
    """A3: the outline planned it in one scene, the log saw it in another."""
    log = {"threads": [{"thread": "bell", "move": "opened", "scene": "2", "words": "I needed a rudder"}]}
    (one,) = found(outline={"scenes": [{"scene": "1", "opens": ["bell"]}]}, continuity=log)
    assert [(s.scene, s.line) for s in one.said.sources] == [("2", 9)]


@pytest.mark.parametrize(
    "text",
    ["Bram, for a rudder. No regrets.", "It was BRAM — for a rudder!", "Yes: bram for a rudder, and that's it."],
)
def test_the_answer_is_never_written_down(text: str) -> None:
    """F14: words that give the bible's answer, or a sentence of it, are left out; the step is kept."""
    log = {"threads": [{"thread": "bell", "move": "resolved", "text": text, "scene": "2"}]}
    (one,) = found(continuity=log)
    assert one.said.text is None
    assert one.said.status == "resolved"
    assert "rudder" not in (one.said.title or "")


def test_a_thread_that_did_not_move_is_not_mentioned() -> None:
    assert found() == []
    assert found(outline={"scenes": [{"scene": "5", "opens": ["bell"]}]}) == []


def test_old_ids_and_names_mean_the_thread() -> None:
    log = {"threads": [{"thread": "dong", "move": "opened"}, {"thread": "Who sold the bell?", "move": "moved"}]}
    assert [one.key for one in found(continuity=log)] == ["thread.bell"]
