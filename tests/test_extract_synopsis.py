"""The skeleton of a synopsis (A52, A53): a first line that stands alone, the scenes, what changed."""

from __future__ import annotations

from typing import Any

from episode_reading import RULES, read_example
from showmemory.extract import synopsis
from showmemory.model.observation import Observation

SCRIPT = """
INT. FERRY OFFICE - DAY

Odile counts the lifebelts, out loud.

ODILE
One short.

BRAM
Shorter than what?

EXT. JETTY - NIGHT

ODILE
Than usual.
"""


def told(**example: Any) -> Observation:
    read, bible = read_example({"script": SCRIPT} | example)
    (one,) = synopsis.find(read, bible, RULES)
    return one


def rows(**example: Any) -> list[str]:
    return (told(**example).said.text or "").splitlines()


def test_the_logline_opens() -> None:
    """A52: the outline's logline comes first, a sentence by itself."""
    assert rows(outline={"logline": "A belt is missing"})[0] == "A belt is missing."


def test_without_an_outline_the_first_line_says_who_where_and_how_it_opens() -> None:
    """A52, A101: the one-line form of an older episode, made of the script alone."""
    assert rows()[0] == (
        "Odile and Bram, mostly at Ferry Office and Jetty. It opens: Odile counts the lifebelts, out loud."
    )


def test_a_scene_tells_where_who_and_what() -> None:
    """A50, A52: the directed summary, else the outline's, else the first line of action, else the first words."""
    assert rows()[1:] == [
        "- Ferry Office (Odile and Bram): Odile counts the lifebelts, out loud.",
        "- Jetty (Odile): Odile: “Than usual.”",
    ]
    outline = {"scenes": [{"scene": "1", "summary": "Planned."}, {"scene": "2", "summary": "Planned too."}]}
    directed = {"scenes": [{"scene": "1", "summary": "As it was shot."}]}
    assert rows(outline=outline, directed=directed)[1:] == [
        "- Ferry Office (Odile and Bram): As it was shot.",
        "- Jetty (Odile): Planned too.",
    ]


def test_a_first_line_that_tells_nothing_is_passed_over() -> None:
    """A52: "Moonlight.", "(OPTICAL)" and "LATER THAT NIGHT, THEN." say nothing of the scene; alone they must do."""
    scene = "EXT. JETTY - NIGHT\n\nMoonlight. LATER THAT NIGHT, THEN.\n\n"
    assert rows(script=scene + "Mr. Bram is fishing for the bell.\n")[1] == "- Jetty: Mr. Bram is fishing for the bell."
    assert rows(script=scene)[1] == "- Jetty: Moonlight."


def test_what_changed_for_whom() -> None:
    """A17, A53: the log's lasting changes; a thing learned says who learned it."""
    changes = [
        {"kind": "state", "text": "The ferry sails one short."},
        {"kind": "knowledge", "text": "The belt was sold.", "who": ["odile", "bram"]},
        {"kind": "knowledge", "text": "Bram knows the buyer.", "who": ["bram"]},
    ]
    assert rows(continuity={"changes": changes})[-1] == (
        "Changed: The ferry sails one short; Odile and Bram learn: The belt was sold; Bram knows the buyer."
    )


def test_threads_and_beats_that_moved() -> None:
    """A53: by the outline and by the log, each thread once with its steps; a beat by the bible's words for it."""
    bible = {
        "threads": [{"name": "Who took the belt?", "id": "belt"}],
        "arcs": [{"name": "Bram grows up", "id": "bram", "beats": [{"id": "first-lie", "text": "He lies well."}]}],
    }
    outline = {"scenes": [{"scene": "1", "opens": ["belt"], "beats": ["arc.bram/first-lie", "arc.bram/to-be-named"]}]}
    log = {"threads": [{"thread": "thread.belt", "move": "resolved", "scene": "2"}]}
    assert rows(bible=bible, outline=outline, continuity=log)[-2:] == [
        "Threads: Who took the belt? (opened, resolved).",
        "Arcs: Bram grows up: He lies well; Bram grows up: to be named.",
    ]


def test_a_scene_that_was_cut_did_not_happen() -> None:
    """D29: what the outline planned for a scene that is not in the script is no history."""
    outline = {"scenes": [{"scene": "9", "summary": "A duel.", "opens": ["duel"], "beats": ["arc.x/duel"]}]}
    assert "duel" not in (told(outline=outline).said.text or "").lower()


def test_no_scene_of_a_long_episode_is_dropped() -> None:
    """B12: the fullest scenes are told, the others are named in passing; none is left out."""
    scenes = [f"INT. ROOM {n:02} - DAY\n\nODILE\n{'Counting. ' * (30 if n % 3 == 0 else 1)}\n" for n in range(1, 40)]
    lines = rows(script="\n".join(scenes))
    text = "\n".join(lines)
    assert all(f"Room {n:02}" in text for n in range(1, 40))
    full = [line for line in lines if line.startswith("- Room")]
    assert len(full) == RULES.rule("synopsis").values["scenes"]
    assert len(text.split()) < 400


def test_it_names_its_episode_and_cites_every_scene() -> None:
    """A38, A9: about the episode; a source for each scene, at its heading."""
    one = told()
    assert one.about == ("ep.example",)
    assert [(s.scene, s.line, s.words) for s in one.said.sources] == [
        ("1", 1, "INT. FERRY OFFICE - DAY"),
        ("2", 11, "EXT. JETTY - NIGHT"),
    ]


def test_a_script_without_scenes_tells_nothing() -> None:
    read, bible = read_example({"script": "Title: Nothing\n"})
    assert synopsis.find(read, bible, RULES) == []
