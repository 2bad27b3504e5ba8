"""Going on from a checkpoint, and an anchor for somebody who is lost (E5 to E8, E18)."""

from __future__ import annotations

from typing import Any

from showmemory.context.checkpoint import checkpoint
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.resume import anchor, resumed, resumed_page
from showmemory.model.intent import Decision
from test_checkpoint import ready, show


def test_resuming_confirms_before_anything_else() -> None:
    """E5 to E7: decisions first, then only what the next step needs; open questions that it names."""
    made = resumed(ready())
    text = resumed_page(made).splitlines()
    assert text[2].startswith("## Do these still hold?")
    assert text[3:5] == ["- Holds: Tam never leaves the inn.", "- Holds: Odile sleeps in room two."]
    assert [part.name for part in made.parts] == ["stage", "nextStep", "toSettle", "sourceSurfaces"]
    assert [row.text for row in made.parts[2].lines] == [
        "Does the lamp still burn?",
        "Who sold the lamp? Opened s01e02, last moved s02e03.",
    ][1:]
    assert made.plain()["holds"] is True


def test_what_is_new_is_held_against_decisions_first() -> None:
    """E8: what somebody says contradicts, touches or leaves a decision alone, and is flagged before going on."""
    made = resumed(ready(), "Tam leaves the inn at dawn")
    assert [(v.state, v.why) for v in made.verdicts] == [
        ("contradicted", "you say: Tam leaves the inn at dawn"),
        ("holds", ""),
    ]
    assert made.plain()["holds"] is False
    assert [v.state for v in resumed(ready(), "Odile dreams in room two of the sea").verdicts] == [
        "holds",
        "touched",
    ]


def test_a_checkpoint_handed_over_is_held_against_now() -> None:
    """E8: what is remembered since, and which decisions went or came."""
    handed = checkpoint(ready(show(decisions=(Decision(text="Will drowns."),)), until="ep.202")).plain()
    made = resumed(ready(), handed=handed)
    assert made.since is not None
    assert [row.text for row in made.since.lines] == [
        "Remembered since: s02e03 Night 203.",
        "Remembered since: s02e04 Night 204.",
        "No longer among the decisions: Will drowns.",
        "Decided since: Tam never leaves the inn.",
        "Decided since: Odile sleeps in room two.",
    ]
    same_again = resumed(ready(), handed=checkpoint(ready()).plain()).since
    assert same_again is not None and same_again.lines == ()
    odd: list[dict[str, Any]] = [{}, {"span": 3, "lockedDecisions": []}, {"lockedDecisions": {"lines": ["x", 3]}}]
    assert all(resumed(ready(), handed=one).since for one in odd)


def test_somebody_lost_gets_one_anchor() -> None:
    """E18: the question, and one thing that is certain; never the whole."""
    asked = anchor(ready())
    assert asked.text.splitlines()[0] == "What is the last thing you were certain about in this story?"
    assert asked.text.splitlines()[1].startswith("The last that memory has: s02e04 Night 204: Opening of 204.")
    found = anchor(ready(), "tam has a limp in one leg")
    assert found.text.startswith("Certain: Tam limps on his left leg.")
    assert found.found is not None and found.found.id == "mem.fact.limp"
    none = anchor(ready(), "zeppelins over Paris")
    assert none.found is None and none.text.startswith("Nothing in memory says that.")
    assert "nothing is remembered" in anchor(Ready(show(), moment_of(show(), None), {})).text.lower()
