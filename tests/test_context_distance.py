"""Resolution by distance: near scenes whole, mid ones by threads, far ones as one run, none dropped (B12 to B21)."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern import ENTRIES, EPISODES, ODILE, SHOW, TAM, notebook, rebuilt, said
from lantern import entry as made_entry
from showmemory.context.context import Context, memory_context
from showmemory.context.past import Cursor
from showmemory.context.state import state, told
from showmemory.context.tokens import count
from showmemory.model.memory import Entry, ShowMemory, Source
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import ContinuityLog, LogChange, LogThread, Outline, OutlineScene, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

RULES = read_rules()[0]
SCENES = 30
WORDS = ("kettle", "ladder", "lens", "rope", "ledger")
LOG = SideFiles(
    outline=Outline(
        logline="Odile loses the lens.",
        scenes=(
            OutlineScene(scene="4", summary="The lens is missed.", moves=("Who sold the lamp?",)),
            OutlineScene(scene="14", summary="A receipt.", moves=("Who sold the lamp?",)),
            OutlineScene(scene="24", summary="Tam owns up to the rope.", opens=("The sealed cellar",)),
            OutlineScene(scene="29", summary="The lens is found in the soup.", resolves=("The sealed cellar",)),
        ),
    ),
    continuity=ContinuityLog(
        changes=(
            LogChange(kind="knowledge", text="The rope was Tam's.", who=("Odile",), scene="24"),
            LogChange(text="The lens is cracked for good.", scene="29"),
        ),
        threads=(LogThread(thread="Who sold the lamp?", move="moved", scene="14"),),
    ),
)


def script(scenes: int = SCENES, later: str = "", cellar: str = "is moved about") -> Screenplay:
    """An episode of many scenes: odd ones with Odile, even ones with Tam in another room."""
    rows = []
    for n in range(1, scenes + 1):
        room, who = (("CELLAR", "TAM"), ("LAMP ROOM", "ODILE"))[n % 2]
        does = cellar if n % 2 == 0 else "is moved about"
        rows.append(f"INT. {room} - NIGHT\n\nThe {WORDS[n % 5]} number {n} {does}.\n\n{who}\nNumber {n}.\n")
    text = "\n".join(rows) + later
    return resolve(read_screenplay(text.encode(), "s.fountain", RULES), SHOW.bible, RULES)


PLAY = script()


def scenic(episode: str) -> Entry:
    """A synopsis as the rules make one: a line a scene, some in passing, each scene's heading cited."""
    heads = ("INT. LAMP ROOM - NIGHT", "EXT. JETTY - DAY", "EXT. JETTY - NIGHT", "INT. CELLAR - NIGHT")
    tail = episode.removeprefix("ep.")
    text = (
        f"Odile, mostly at the lamp of {tail}.\n- Lamp Room (Odile Marsh): The wick of {tail} is cut.\n"
        f"- In passing: Jetty.\n- Cellar (Tam Reed): The door of {tail} is tried.\nChanged: Night {tail} costs a pane."
    )
    cited = tuple(Source(episode=episode, scene=str(n), line=9 * n, words=w) for n, w in enumerate(heads, 1))
    return made_entry(tail, "synopsis", {episode: said(text=text, about=(episode,), sources=cited, rule="synopsis")})


STORIES = tuple(scenic(e) for e in EPISODES)
OTHERS = tuple(e for e in ENTRIES if e.kind != "synopsis")
MEMORY = notebook((*OTHERS, *STORIES))


def at(scene: int, episode: str = "ep.203", play: Screenplay = PLAY, memory: ShowMemory = MEMORY, **more) -> Context:
    options = {"logs": {episode: LOG}, "budget_tokens": 6000, "scene": f"INT. CELLAR - NIGHT\n\nScene {scene}.", **more}
    return memory_context(SHOW, memory, episode=episode, cursor=Cursor(episode, play, str(scene)), **options)


def outline(made: Context) -> list[str]:
    """The rows of the outline."""
    section = made.text.partition("## The scenes before this one\n")[2].partition("## ")[0]
    return [row.removeprefix("- ") for row in section.splitlines()]


def scenes_in(rows: list[str]) -> list[int]:
    """Every scene of the episode being written that the outline tells, alone or in a run."""
    found: list[int] = []
    for row in rows:
        if span := re.match(r"Scenes? (\d+)(?: to (\d+))?", row):
            found += range(int(span[1]), int(span[2] or span[1]) + 1)
    return found


def test_density_falls_with_distance():
    """B13, B14, B15, F2: five near scenes whole, fifteen mid ones by who and threads, the others as one run."""
    rows = outline(at(30))
    assert rows[0] == ("Scenes 1 to 9, 9 in all: Lamp Room; Cellar. Threads: Who sold the lamp? (moved).")
    assert rows[-5].startswith("Scene 25, Lamp Room (Odile Marsh): The kettle number 25 is moved about.")
    assert rows[-1] == (
        "Scene 29, Lamp Room (Odile Marsh): The lens is found in the soup. Threads: The sealed cellar (resolved). "
        "Changed: The lens is cracked for good."
    )
    mid = rows[1:-5]
    assert "Scene 14, Cellar (Tam Reed). Threads: Who sold the lamp? (moved)." in mid
    assert not any("moved about" in row or "Changed" in row or "owns up" in row for row in mid)
    assert (
        mid[0]
        == "Scenes 10 to 13, Cellar (Tam Reed); Lamp Room (Odile Marsh); Cellar (Tam Reed); Lamp Room (Odile Marsh)."
    )


@pytest.mark.parametrize("scene", range(1, SCENES + 1))
def test_no_scene_is_dropped(scene):
    """B12: whatever the distance, each scene before the one at hand stands in the outline, once."""
    assert scenes_in(outline(at(scene))) == list(range(1, scene))


@pytest.mark.parametrize("budget", [0, 200, 700, 1500])
def test_every_scene_is_counted_whatever_the_budget(budget):
    """B12, D24: what has no room as a line is in the count behind the scene, and in the line on what was left out."""
    text = at(12, budget_tokens=budget).text
    assert "- Behind it: 11 scenes of this episode; 8 of season 2 (2 episodes); 16 of season 1 (4 episodes).\n" in text


def test_near_and_mid_reach_into_the_episodes_before():
    """B12, D25: by distance alone; each scene as memory has it, and its episode not told twice."""
    made = at(3)
    rows = outline(made)
    assert rows[-3] == "s02e02 scene 4, Cellar (Tam Reed): The door of 202 is tried."
    assert rows[-5:-3] == ["s02e02 scene 2, Jetty.", "s02e02 scene 3, Jetty."]
    assert "s02e01 scenes 1 to 4, Lamp Room (Odile Marsh); Jetty; Jetty; Cellar (Tam Reed)." in rows
    assert made.text.count("The door of 202 is tried.") == 1
    assert "s02e02 Night 202: Odile, mostly at the lamp of 202. Changed: Night 202 costs a pane." in made.text


def test_scenes_of_a_rewritten_or_dropped_synopsis():
    """A13, F8: where a person rewrote the story of an episode its scenes are places alone; let go, it tells nothing."""
    mine = STORIES[5].model_copy(update={"text": "Mine.", "edited": {"text": "ep.202"}, "by": "person"})
    rows = outline(at(1, memory=notebook((*OTHERS, *STORIES[:5], mine, *STORIES[6:]))))
    assert rows[-4:] == [f"s02e02 scene {n}, {p}." for n, p in enumerate(("Lamp Room", "Jetty", "Jetty", "Cellar"), 1)]
    gone = STORIES[5].model_copy(update={"keep": "drop"})
    text = at(1, memory=notebook((*OTHERS, *STORIES[:5], gone, *STORIES[6:]))).text
    assert "202" not in text.partition("## The scenes before")[2]
    assert "this one opens its episode; 4 of season 2 (2 episodes)" in text


@pytest.mark.parametrize("scene", [1, 2, 7, 21, 30])
def test_nothing_of_the_scene_at_hand_or_after_is_read(scene):
    """D27: rewriting what stands from the scene at hand on, or cutting it, changes no byte."""
    whole = at(scene)
    assert whole == at(scene, play=script(later="\nINT. ATTIC - DAY\n\nTelltale.\n\nWILL\nTelltale.\n"))
    assert whole == at(scene, play=script(scene))


@pytest.mark.parametrize("number", range(1, len(EPISODES)))
@pytest.mark.parametrize("scene", [1, 4, 28])
def test_as_of_is_a_rebuild_up_to_there(number, scene):
    """D27, G7, B12: a scene's context is, byte for byte, that of a show which ends before it."""
    episode = EPISODES[number]
    for budget in (250, 900, 4000):
        then = at(scene, episode, budget_tokens=budget)
        again = at(
            scene,
            episode,
            play=script(scene),
            memory=rebuilt(EPISODES[:number], (*OTHERS, *STORIES)),
            budget_tokens=budget,
        )
        assert then == again


@given(
    budget=st.integers(0, 2500),
    scene=st.integers(1, SCENES),
    form=st.sampled_from(["markdown", "plain", "xml", "json"]),
    witness=st.sampled_from([None, ODILE]),
)
def test_the_receipt_is_exact(budget, scene, form, witness):
    """A94, G3: with an outline too the rows sum to the text, to the token, each thing once."""
    made = at(scene, budget_tokens=budget, format=form, witness=witness, scripts={})
    printed = [row for row in made.receipt.rows if row.state == "in"]
    assert sum(row.tokens for row in printed) == made.tokens == count(made.text)
    assert made.receipt.excess == max(0, made.tokens - budget)
    ids = [row.id for row in made.receipt.rows]
    assert len(ids) == len(set(ids))


def test_more_room_takes_nothing_away():
    """D24: a larger budget tells more scenes and more of each."""
    told = [
        {r.id for r in at(22, budget_tokens=b).receipt.rows if r.state == "in"} - {"left-out"}
        for b in range(200, 3000, 200)
    ]
    assert all(one <= other for one, other in pairwise(told))
    assert any(id_.startswith("scene.203.") for id_ in told[2])


def test_a_witness_reads_what_they_saw():
    """B4: unseen scenes are stubs, nothing counts them, and what the logs say of a seen one is not theirs."""
    made = at(6, witness=ODILE, scripts={})
    rows = outline(made)
    assert [row.partition(",")[0] for row in rows] == ["Scene 1", "Elsewhere.", "Scene 3", "Elsewhere.", "Scene 5"]
    assert "Behind it" not in made.text and "Threads" not in "".join(rows)
    assert made == at(6, play=script(cellar="burns the receipt"), witness=ODILE, scripts={})
    theirs = [at(6, play=script(cellar=does), witness=TAM, scripts={}) for does in ("is moved about", "burns")]
    assert theirs[0] != theirs[1]


def test_without_a_place_in_a_script_there_is_no_outline():
    """A96: a brief, a cast or a whole episode has no scenes before it."""
    assert "scenes before" not in memory_context(SHOW, MEMORY, scene="INT. CELLAR - NIGHT", budget_tokens=6000).text


SEASON = "- Season 1 (4 episodes), at its end. Open: Who sold the lamp? Settled: Will the roof hold?"


@pytest.mark.parametrize("episode", [None, "ep.204", "ep.202"])
def test_an_earlier_season_as_its_record_leaves_it(episode):
    """B19, B20, B21, D25: read from what is said up to its end, whatever was said of it later; it is no entry."""
    made = memory_context(SHOW, MEMORY, episode=episode, budget_tokens=6000)
    assert made.text.count(SEASON) == 1
    assert made.text.index(SEASON) < made.text.index("- s01e01 Night 101")
    assert [row.kind for row in made.receipt.rows if row.id == "season.1"] == ["summary"]


def test_the_present_season_is_told_by_what_holds_now():
    """B19: no snapshot stands beside the present state, and none of what holds no more."""
    for episode in ("ep.103", "ep.201"):
        assert "at its end" not in memory_context(SHOW, MEMORY, episode=episode, budget_tokens=6000).text
    assert "room one" not in memory_context(SHOW, MEMORY, budget_tokens=6000).text
    assert "at its end" not in memory_context(SHOW, MEMORY, budget_tokens=6000, witness=ODILE, scripts={}).text


def test_a_state_is_precise_enough_to_stand_for_what_made_it():
    """B19, D32, G8: the latest value of each field, threads open and settled within the span, bonds as they stand."""
    then = state(MEMORY.entries, EPISODES[:4])
    assert told(then) == (
        "Open: Who sold the lamp? Settled: Will the roof hold? Holds: Odile sleeps in room one. "
        "Between people: Tam taught Will to swim; Odile owes Tam a lamp."
    )
    now = state(MEMORY.entries, EPISODES, EPISODES[4:])
    assert told(now).startswith("Open: Who sold the lamp? Holds: Odile sleeps in room two. Between people: Odile has")
    assert told(now, 1).endswith("Between people: Odile has paid Tam back; 1 more.")
    assert state(MEMORY.entries, ()).empty
