"""Checkpoints: eight fields with their sources, what refuses one, focus, purpose, moments, room (E3 to E22)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from lantern import ENTRIES, EPISODES, LOG, ODILE, SHOW, TAM, WILL, entry, fact, notebook, said
from showmemory.context.changed import changes
from showmemory.context.checkpoint import FOCUSES, PURPOSES, checkpoint, thin
from showmemory.context.checkpoint_page import PAGE, page
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.resume import anchor, resumed
from showmemory.context.rhythm import trend
from showmemory.context.tokens import count
from showmemory.fold.likeness import opposed, same
from showmemory.model.checkpoint import Checkpoint, Refused
from showmemory.model.intent import Decision, NextStep
from showmemory.model.memory import Entry, ShowMemory
from showmemory.model.show import Arc, Beat, Bible, Outline, OutlineScene, Show, SideFiles
from test_context_moment import rebuilt

NEXT = NextStep(step="Tam tells Odile who sold the lamp.", entry="episodes/ep.204.fountain:30")
ARC = Arc(
    name="Tam learns to stay",
    budget=2,
    beats=(
        Beat(id="limps", text="He sits down."),
        Beat(id="stays", text="He stays."),
        Beat(id="owns", text="He pays."),
    ),
)
ODD = SHOW.bible.characters[0].model_copy(
    update={"wants": "To be left alone.", "lies": ("A lie.",), "wounds": ("A wound.",)}
)
BIBLE = SHOW.bible.model_copy(
    update={
        "stage": "structure",
        "decisions": (
            Decision(text="Tam never leaves the inn."),
            Decision(text="Odile sleeps in room two.", about=("Odile",), field="room", value="two"),
        ),
        "questions": ("Does the lamp still burn?",),
        "hypotheses": ("Will may sail away.",),
        "budget": 5,
        "next": NEXT,
        "arcs": (ARC,),
        "characters": (ODD, *SHOW.bible.characters[1:]),
    }
)
LOGS = {
    "ep.101": SideFiles(outline=Outline(scenes=(OutlineScene(scene="1", beats=("arc.tam-learns-to-stay/limps",)),))),
    "ep.203": SideFiles(outline=Outline(scenes=(OutlineScene(scene="2", beats=("tam-learns-to-stay/stays",)),))),
}
FIELDS = {
    "stage", "nextStep", "lockedDecisions", "openQuestions", "unresolvedPromises", "currentState", "invariants",
    "canon", "hypotheses", "pressureOutside", "costInside", "arcBudget", "sourceSurfaces", "driftWarnings",
}  # fmt: skip


def show(**changed: Any) -> Show:
    return SHOW.model_copy(update={"bible": BIBLE.model_copy(update=changed)})


def ready(
    made: Show | None = None, entries: tuple[Entry, ...] = ENTRIES, until: str | None = None, **options: Any
) -> Ready:
    memory = options.pop("memory", None) or notebook(entries)
    whole = made or show()
    return Ready(whole, moment_of(whole, memory, until=until), options.pop("logs", LOGS), **options)


def lines(made: Checkpoint, name: str) -> list[str]:
    return [line.text for line in made.part(name).lines]


def test_every_field_is_there_with_its_source() -> None:
    """E3, E4, E13 to E15: the fields of the contract, each with where it comes from."""
    plain = checkpoint(ready()).plain()
    assert plain["kind"] == "story_memory_checkpoint" and plain["refused"] == []
    assert plain["span"] == {"from": "s01e01 Night 101", "to": "s02e04 Night 204", "episodes": 8}
    assert set(plain) - {"kind", "show", "purpose", "focus", "span", "behind", "refused"} == FIELDS
    assert all(plain[name]["source"] and plain[name]["lines"] for name in FIELDS)
    assert plain["nextStep"] == {
        "source": "bible.yaml: next",
        "lines": [{"text": "Tam tells Odile who sold the lamp.", "cite": "episodes/ep.204.fountain:30"}],
    }


def test_what_is_not_recorded_says_so() -> None:
    """E15: an empty field is never made up: it says that nothing is recorded, in JSON and on the page."""
    bare = Show(config=SHOW.config, bible=Bible(next=NEXT), episodes=SHOW.episodes)
    made = checkpoint(Ready(bare, moment_of(bare, notebook(())), {}))
    plain = made.plain()
    for name in FIELDS - {"nextStep", "sourceSurfaces", "driftWarnings"}:
        assert plain[name]["lines"] == "not recorded", name
    assert plain["driftWarnings"]["lines"] == "none found"
    assert "## Locked decisions (bible.yaml: decisions, held against memory)\n- not recorded\n" in page(made)


def test_promises_and_questions_are_carried() -> None:
    """E3, E11: open threads by how long they wait, where they opened and moved; questions, and what is contested."""
    made = checkpoint(ready())
    assert lines(made, "unresolvedPromises") == ["Who sold the lamp? Opened s01e02, last moved s02e03."]
    assert lines(made, "openQuestions") == ["Does the lamp still burn?"]
    more = (
        *ENTRIES,
        fact("odd", "ep.202", "The lamp is cracked.", canon="contested").model_copy(update={"canon": "contested"}),
    )
    assert lines(checkpoint(ready(entries=more)), "openQuestions")[-1] == "Contested: The lamp is cracked."


def test_canon_and_hypotheses_are_apart() -> None:
    """E11: what is supposed stands in its own field, what memory holds as provisional beside it."""
    more = (*ENTRIES, fact("maybe", "ep.202", "Tam was a diver.", TAM).model_copy(update={"canon": "provisional"}))
    made = checkpoint(ready(entries=more))
    assert lines(made, "hypotheses") == ["Will may sail away.", "Provisional: Tam was a diver."]
    assert not any("diver" in text or "sail" in text for text in lines(made, "canon"))
    assert "Odile sleeps in room two." in lines(made, "canon")


def test_rhythms_are_apart_and_marked_as_counted() -> None:
    """E12: outside and inside, by episode, with the trend; the source says that nothing is judged."""
    made = checkpoint(ready())
    outside, inside = made.part("pressureOutside"), made.part("costInside")
    assert "counted, not judged" in outside.source and "counted, not judged" in inside.source
    assert lines(made, "pressureOutside") == ["s01e03 0, s01e04 1, s02e01 0, s02e02 1, s02e03 1, s02e04 0: rising."]
    assert lines(made, "costInside") == ["s01e03 0, s01e04 1, s02e01 1, s02e02 0, s02e03 1, s02e04 0: falling."]
    assert [trend(row) for row in ([1, 2], [2, 1], [2, 2], [3], [0, 4, 6, 0])] == [
        "rising", "falling", "steady", "too short to say whether it rises", "rising",
    ]  # fmt: skip


def test_arc_budget_spent_and_left() -> None:
    """E4, E13, E20: beats that outlines of remembered episodes play, each once; what is to come is the showrunner's."""
    rows = lines(checkpoint(ready()), "arcBudget")
    assert rows == [
        "The show: 2 of 5 turns spent, 3 left.",
        "Tam learns to stay: 2 of 2 turns spent, 0 left, last in s02e03; 1 beat not played.",
    ]
    assert "He pays" not in " ".join(rows)
    assert lines(checkpoint(ready(reader="showrunner")), "arcBudget")[1].endswith("last in s02e03. To come: He pays.")
    assert lines(checkpoint(ready(until="ep.104")), "arcBudget")[0] == "The show: 1 of 5 turns spent, 4 left."
    over = show(arcs=(ARC.model_copy(update={"budget": 1}),))
    assert "Tam learns to stay has spent 2 turns of 1." in lines(checkpoint(ready(over)), "driftWarnings")


def test_surfaces_to_read_first() -> None:
    """E14: where the step begins, what was set up and waits, the newest script; each once."""
    made = checkpoint(ready())
    assert lines(made, "sourceSurfaces")[0] == "episodes/ep.204.fountain:30"
    coming = SHOW.episodes[-1].model_copy(
        update={"id": "ep.205", "number": 5, "script": "", "outline": "episodes/5.yaml"}
    )
    whole = show(next=NextStep(step="Write on.")).model_copy(update={"episodes": (*SHOW.episodes, coming)})
    made = checkpoint(Ready(whole, moment_of(whole, notebook()), {}))
    assert made.part("nextStep").lines[0].cite == "episodes/5.yaml" and not made.refused
    assert lines(made, "sourceSurfaces").count("episodes/5.yaml") == 1


REFUSED = {
    "no next step": ({"next": NextStep()}, "next", "expected the next step and where it begins, found none"),
    "no entry": (
        {"next": NextStep(step="Go on.")},
        "next",
        "expected where the next step begins, found only what it is",
    ),
    "a hypothesis decided": (
        {"hypotheses": ("Tam perhaps never leaves the inn.",)},
        "hypotheses",
        "expected a hypothesis that is nowhere held as canon, found it as a decision: Tam never leaves the inn.",
    ),
    "a hypothesis in memory": (
        {"hypotheses": ("Maybe Tam limps on his left leg.",)},
        "hypotheses",
        "expected a hypothesis that is nowhere held as canon, found it as mem.fact.limp: Tam limps on his left leg.",
    ),
}


@pytest.mark.parametrize(("changed", "key", "message"), REFUSED.values(), ids=REFUSED)
def test_what_refuses_a_checkpoint(changed: dict[str, Any], key: str, message: str) -> None:
    """E15: no next entry, and a hypothesis among canon, are hard fails; nothing else of this show is."""
    assert [(r.key, r.message) for r in checkpoint(ready(show(**changed))).refused] == [(key, message)]
    assert checkpoint(ready()).refused == ()


def test_too_thin_or_too_long_is_no_checkpoint() -> None:
    """E15, E16: without an episode it asks for the least there must be; a page near its source's length is refused."""
    nothing = Ready(show(), moment_of(show(), None), {})
    assert checkpoint(nothing).refused[0] == Refused(
        "expected a remembered episode, found none", "doit remember reads the scripts; one is enough"
    )
    whole = ready()
    made = checkpoint(whole)
    assert thin(whole, made, "word " * 639) == []
    assert thin(whole, made, "word " * 640)[0].message == (
        "expected scripts that speak at least twice the 640 words of their checkpoint, found 1280"
    )


def test_decisions_are_held_against_memory() -> None:
    """E6, E8: a field with another value, or the same words denied, contradicts; with a place to look it up."""
    held = {v.text: v.state for v in checkpoint(ready()).verdicts}
    assert held == {"Tam never leaves the inn.": "holds", "Odile sleeps in room two.": "holds"}
    at_first = checkpoint(ready(until="ep.104")).verdicts
    assert [(v.state, v.why, v.id) for v in at_first][1] == (
        "contradicted",
        "memory has room: one",
        "mem.fact.room-one",
    )
    left = (*ENTRIES, fact("left", "ep.204", "Tam leaves the inn by the window.", TAM))
    made = checkpoint(ready(entries=left))
    assert (made.verdicts[0].state, made.verdicts[0].id) == ("contradicted", "mem.fact.left")
    assert lines(made, "lockedDecisions")[0] == (
        "CONTRADICTED: Tam never leaves the inn. (Tam leaves the inn by the window.)"
    )
    assert lines(made, "driftWarnings")[0] == "A locked decision is contradicted: Tam never leaves the inn."
    retired = (*ENTRIES, left[-1].model_copy(update={"retired": True}))
    assert checkpoint(ready(entries=retired)).verdicts[0].state == "holds"


def test_what_touches_a_decision_since_is_told() -> None:
    """E8: what came after it about the same people in the same words is to look at; what came before is not."""
    bell = fact("bell", "ep.203", "Tam rings the cracked bell at midnight.", TAM)
    decided = Decision(text="Tam mends the bell at midnight once.", since="ep.202")
    made = checkpoint(ready(show(decisions=(decided,)), (*ENTRIES, bell)))
    assert [(v.state, v.id) for v in made.verdicts] == [("touched", "mem.fact.bell")]
    later = decided.model_copy(update={"since": "ep.203"})
    assert [v.state for v in checkpoint(ready(show(decisions=(later,)), (*ENTRIES, bell))).verdicts] == ["holds"]
    assert checkpoint(ready(show(decisions=(later,)), until="ep.202")).verdicts == ()
    disputed = (*ENTRIES, bell.model_copy(update={"canon": "contested"}))
    assert [v.state for v in checkpoint(ready(show(decisions=(decided,)), disputed)).verdicts] == ["in doubt"]


@pytest.mark.parametrize(
    ("one", "other", "nearly", "against"),
    [
        ("The lamp keeper is dead.", "The lamp keeper is not dead.", False, True),
        ("The lamp keeper may be dead.", "The lamp keeper is dead.", True, False),
        ("The lamp was lit 40 times.", "The lamp keeper lit the lamp 41 times.", False, True),
        ("Nobody ever opened the piano lid.", "The piano lid was never opened.", True, False),
        ("Tam limps.", "Tam does not limp.", False, False),
        ("The lamp burns all night.", "The goat eats the rope.", False, False),
    ],
)
def test_likeness(one: str, other: str, nearly: bool, against: bool) -> None:
    """E8, E11: three telling words must meet; a denial or another number turns likeness into contradiction."""
    assert (same(one, other), opposed(one, other)) == (nearly, against)
    assert (same(other, one), opposed(other, one)) == (nearly, against)


def test_each_focus_tells_its_own() -> None:
    """E20 to E22: what is spent; wants, lies, wounds, bonds; rules that are set, implied, unset."""
    event, character, world = (checkpoint(ready(), focus=focus) for focus in FOCUSES)
    assert lines(event, "turnsSpent")[0] == "s02e03: He stays (Tam learns to stay)."
    assert lines(event, "revealsSpent") == ["Tam Reed knows: The lamp was sold before the storm."]
    assert lines(event, "escalations") == ["s02e03: Who sold the lamp? (moved)."]
    assert lines(character, "activeWants") == ["Odile Marsh: To be left alone."]
    assert lines(character, "outstandingLies") == ["Odile Marsh: A lie."]
    assert lines(character, "unresolvedWounds") == ["Odile Marsh: A wound."]
    assert lines(character, "relationshipDebts")[0] == "Odile Marsh and Tam Reed: Odile has paid Tam back."
    assert "Will owns a boat." in lines(world, "rulesEstablished")
    assert lines(world, "rulesUnset") == ["Does the lamp still burn?"]
    names = [part.name for part in event.parts]
    assert names[:5] == ["stage", "nextStep", "turnsSpent", "revealsSpent", "escalations"]
    assert all({part.name for part in made.parts} >= FIELDS for made in (event, character, world))


def test_a_secret_is_what_those_it_concerns_do_not_know() -> None:
    """E21, D53: told as long as nobody told them; a group's member knows what the group knows, and Will what he did."""
    knows = entry("sold", "knowledge", {"ep.202": said(text="Will sold it.", about=(WILL, ODILE), holders=(TAM,))})
    made = checkpoint(ready(entries=(*ENTRIES, knows)), focus="character")
    assert lines(made, "outstandingLies")[-1] == "Tam Reed knows: Will sold it. Odile Marsh has not been told."
    told = entry(
        "told", "knowledge", {"ep.203": said(text="It was Will.", about=(WILL, ODILE), holders=("group.the-inn",))}
    )
    made = checkpoint(ready(entries=(*ENTRIES, knows, told)), focus="character")
    assert not [row for row in lines(made, "outstandingLies") if "Will sold it" in row]


def test_a_purpose_puts_first_what_it_is_for() -> None:
    """E9: the purpose is locked in it, and orders the fields; none is lost."""
    for purpose, first in PURPOSES.items():
        made = checkpoint(ready(), purpose)
        assert made.plain()["purpose"] == purpose
        assert tuple(part.name for part in made.parts)[: len(first)] == first
        assert {part.name for part in made.parts} == FIELDS
    assert page(checkpoint(ready(), "review")).splitlines()[2] == "## Drift warnings (computed)"


def test_a_page_holds_to_its_budget_and_grows_with_it() -> None:
    """E16: exact tokens; each field has its first line before any has its second; what is left out is counted."""
    made = checkpoint(ready(), focus="world")
    texts = {budget: page(made, budget) for budget in range(500, 1300, 50)}
    least = count(page(made, 0))
    assert all(count(text) <= max(budget, least) for budget, text in texts.items())
    for less, more in zip(list(texts.values()), list(texts.values())[1:], strict=False):
        assert {row for row in less.splitlines() if row.startswith("- ")} <= set(more.splitlines())
    assert "Left out for room: " in texts[500] and "Left out" not in page(made, 9999)
    assert sum(text.startswith("## ") for text in texts[500].splitlines()) == len(made.parts)
    assert count(page(checkpoint(ready()))) <= PAGE


@pytest.mark.parametrize("at", range(len(EPISODES)))
def test_as_of_is_a_rebuild(at: int) -> None:
    """D27 with E: as of every episode, byte for byte what a rebuild from the scripts up to there says."""
    until = EPISODES[at]
    again: ShowMemory = rebuilt(EPISODES[: at + 1])
    for purpose, focus in product(("resume", "review"), ("", *FOCUSES)):
        for who in ("writer", "showrunner"):
            then = checkpoint(ready(until=until, reader=who), purpose, focus)
            assert then == checkpoint(ready(until=until, memory=again, reader=who), purpose, focus)
            assert page(then) == page(checkpoint(ready(until=until, memory=again, reader=who), purpose, focus))
    assert resumed(ready(until=until)) == resumed(ready(until=until, memory=again))
    assert anchor(ready(until=until)) == anchor(ready(until=until, memory=again))
    assert changes(ready(until=until), until) == changes(ready(until=until, memory=again), until)


def test_memory_behind_the_story_is_said() -> None:
    """D8: two clocks, on the page and among the warnings."""
    behind = notebook().model_copy(update={"episodes": notebook().episodes[:-1]})
    made = checkpoint(ready(memory=behind, logs={**LOGS, "ep.204": LOG}))
    assert made.plain()["behind"] == "s02e04"
    assert "The story has gone on to s02e04, which memory has not taken up." in page(made)
    assert "Memory is behind the story: s02e04." in lines(made, "driftWarnings")


def test_a_change_list_of_an_episode() -> None:
    """D53, D55: what gave way to what, which threads moved, who learned what, between whom; nothing of later."""
    assert [row.text for row in changes(ready(), "ep.202")] == [
        "Was: Odile sleeps in room one; now: Odile sleeps in room two.",
    ]
    assert [row.text for row in changes(ready(), "ep.203")] == [
        "Moved: Who sold the lamp? The buyer rings.",
        "Odile Marsh and Tam Reed: Odile has paid Tam back.",
    ]
    assert [row.text for row in changes(ready(), "ep.102")] == [
        "Opened: Who sold the lamp? A receipt turns up.",
        "Odile Marsh and Tam Reed: Odile owes Tam a lamp.",
        "Established: Tam limps on his left leg.",
        "Established: The inn is insured.",
    ]
