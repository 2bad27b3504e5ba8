"""Who and what is in play: by who and where and by links first, by words second (A96, A113, D23, D28, D46)."""

from __future__ import annotations

import pytest

from lantern import ENTRIES, LOG, ODILE, SHOW, TAM, WILL, fact, notebook
from showmemory.context.context import memory_context
from showmemory.context.moment import moment_of
from showmemory.context.names import is_heading, names_of, place_words
from showmemory.context.scene import scene_of
from showmemory.model.show import Outline, OutlineScene, SideFiles

MEMORY = notebook()
NAMES = names_of(SHOW, MEMORY)
INN = "group.the-inn"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Odile waits.", (ODILE,)),
        ("ODILE\nWell?", (ODILE,)),
        ("MARSH looks up.", (ODILE,)),
        ("the old man sits down", (TAM,)),
        ("The old man's hat.", (TAM,)),
        ("the keeper locks up", (ODILE,)),
        ("a keeper locks up", (ODILE,)),
        ("She saw some keeper.", ()),
        ("Tam, then Odile, then Tam again.", (TAM, ODILE)),
        ("character sheets", ()),
        ("an odile of a boat, said nobody. Yes.", ()),
        ("odile waits", (ODILE,)),
        ("Will it hold? Will we?", ()),
        ("WILL\nYes.", (WILL,)),
        ("She looks at Will.", (WILL,)),
        ("The inn is full.", (INN,)),
        ("", ()),
    ],
)
def test_names_in_a_text(text, found):
    """D23: by any name or alias; a name that is an ordinary word needs a cue or a capital inside a sentence."""
    assert tuple(i for i in NAMES.found(text) if i.startswith(("character.", "group."))) == found


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("INT. LANTERN ROOM - NIGHT", "LANTERN ROOM"),
        ("EXT. PIER – DAWN", "PIER"),
        ("INT./EXT. CAR - CONTINUOUS", "CAR"),
        ("I/E BOAT", "BOAT"),
        (".cellar", "cellar"),
    ],
)
def test_headings(row, words):
    """A113: a heading names a place, without its setting and its time of day."""
    assert is_heading(row)
    assert place_words(row) == words


@pytest.mark.parametrize("row", ["Interior monologue.", "...and then", "Estimates vary.", "INTO THE DARK"])
def test_what_is_no_heading(row):
    """A113."""
    assert not is_heading(row)


def cast(**options):
    made = scene_of(SHOW, moment_of(SHOW, MEMORY), NAMES, MEMORY.entries, **options)
    return made.cast, made.how


def test_the_cast_given_named_at_the_place_or_everyone():
    """A96, D46: given, else named by the scene, else those of the place, else in the outline, else all by talk."""
    outline = Outline(cast=("Will",), scenes=(OutlineScene(scene="1", cast=("odile",)),))
    assert cast(characters=["keeper", "Will"], text="Tam sleeps.") == ((ODILE, WILL), "given")
    assert cast(text="INT. LANTERN ROOM - DAY\n\nOdile sings.") == ((ODILE,), "named by the scene")
    assert cast(text="INT. LANTERN ROOM - DAY\n\nRain.") == ((TAM,), "at the place")
    assert cast(place="Lamp Room") == ((TAM,), "at the place")
    assert cast(outline=outline) == ((WILL, ODILE), "in the outline")
    assert cast() == ((ODILE, TAM, WILL), "by how much they talk")


def test_a_group_stands_for_its_members():
    """D49: naming a group as the cast puts its members in play."""
    assert cast(characters=["The inn"]) == ((ODILE, TAM), "given")


def test_the_old_man_finds_him():
    """D23: a scene that never says his name gets his voice, his fact and his thread."""
    text = memory_context(SHOW, MEMORY, scene="INT. PIER - NIGHT\n\nThe old man looks for his boat.").text
    assert "### Tam Reed" in text
    assert "In play: Tam Reed." in text
    assert text.index("Tam limps") < text.index("The cellar door")


def test_an_unknown_name_is_said():
    """A96: whoever asks for somebody the show does not have is told, and gets the rest."""
    made = memory_context(SHOW, MEMORY, characters=["Odlie", "Tam"])
    assert "### Tam Reed" in made.text
    assert "Nobody in the bible or the scripts is called Odlie." in made.text


def test_a_place_brings_its_facts():
    """D46: by its id, its name, or a heading it goes by."""
    for options in ({"place": "place.lamp-room"}, {"place": "Lamp Room"}, {"scene": "INT. LANTERN ROOM - NIGHT"}):
        rows = memory_context(SHOW, MEMORY, **options).text.split("## The world\n")[1].splitlines()
        assert rows[0] == "- The fog horn has been broken since the war. (s01e03)"


def test_links_before_words():
    """D23: sharing every word of a scene weighs less than being about the person and the place in it."""
    words = fact("a", "ep.101", "A kettle, a candle and a compass stand on the pier.")
    link = fact("b", "ep.101", "He was born at sea.", TAM, "place.lamp-room")
    scene = "INT. LANTERN ROOM - DAY\n\nTam puts a kettle, a candle and a compass on the pier."
    text = memory_context(SHOW, notebook((*ENTRIES, words, link)), scene=scene).text
    assert text.index("born at sea") < text.index("A kettle, a candle") < text.index("The cellar door")


def test_the_outline_of_the_episode_being_written():
    """A110, D46: its cast is in play, its words and the gags it means to serve choose what is told."""
    outline = Outline(cast=("Will",), scenes=(OutlineScene(scene="1", summary="A kettle.", gags=("Counting exits",)),))
    made = memory_context(SHOW, MEMORY, episode="ep.204", logs={"ep.204": SideFiles(outline=outline)})
    assert "### Will\n" in made.text
    assert "### Odile" not in made.text
    rows = made.text.split("## Running gags and callbacks\n")[1].splitlines()
    assert [row.split(" (")[0] for row in rows[:2]] == ["- Counting exits", "- The kettle apology"]
    assert "s02e04" in made.text.splitlines()[0]


def test_an_outline_is_a_plan():
    """D29: what an outline plans is never told as done, and an outline of another episode tells nothing."""
    planned = Outline(logline="The roof will blow off.", scenes=(OutlineScene(scene="1", summary="The dog wins."),))
    for episode in (None, "ep.204"):
        logs = {"ep.204": SideFiles(outline=planned), "ep.203": LOG}
        text = memory_context(SHOW, MEMORY, episode=episode, logs=logs, budget_tokens=5000).text
        assert "blow off" not in text
        assert "dog wins" not in text


def test_a_long_scene_is_not_repeated():
    """D45: a brief is told back at the end, a whole scene is not: whoever asks holds it."""
    long = "INT. LANTERN ROOM - NIGHT\n\n" + "Tam waits. " * 80
    text = memory_context(SHOW, MEMORY, scene=long).text
    assert text.rstrip().splitlines()[-2:] == ["- INT. LANTERN ROOM - NIGHT.", "- In play: Tam Reed."]
    brief = memory_context(SHOW, MEMORY, scene="Tam asks about the lamp").text
    assert "- Tam asks about the lamp.\n" in brief


def test_between_neighbouring_scenes_whatever_comes_or_goes_has_its_reason():
    """G3: each entry that one scene has and the next has not stands in the next one's receipt with a reason."""
    one = memory_context(SHOW, MEMORY, scene="Odile and Tam.", budget_tokens=500).receipt.rows
    two = memory_context(SHOW, MEMORY, scene="Odile and Will.", budget_tokens=500).receipt.rows
    here = {row.id for row in one if row.state == "in" and row.id.startswith("mem.")}
    there = {row.id: row for row in two}
    gone = [there[id_] for id_ in here if there[id_].state != "in"]
    assert gone
    assert all(row.reason and row.limit for row in gone)
