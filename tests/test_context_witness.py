"""A character's or a group's own view: what it saw, overheard or was told (B2 to B5, D49, D50, F9, G4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern import ENTRIES, EPISODES, LOG, ODILE, SHOW, TAM, WILL, entry, notebook, said
from showmemory.context.context import Context, memory_context
from showmemory.flow import Run
from showmemory.fold.presence_view import seen_by, vantage
from showmemory.model.memory import Entry, Source, Use
from showmemory.model.screenplay import Element, Scene, Screenplay
from showmemory.model.show import Directed, DirectedScene, SideFiles
from shows import run, sample

# Scene -> who is there, and who only hears, the same in each episode.
CAST: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "1": ((ODILE, TAM), ()),
    "2": ((WILL,), (ODILE,)),
    "3": ((TAM, WILL), ()),
    "4": ((ODILE, TAM, WILL), ()),
}
GROUPS = {"group.the-inn": (ODILE, TAM)}


def play(words: Mapping[str, str] = {}) -> Screenplay:
    """Four scenes of one line each; `words` are what is said in a scene instead."""
    elements, scenes = [], []
    for at, (id_, (present, heard)) in enumerate(CAST.items()):
        elements += [Element("heading", f"INT. ROOM {id_} - DAY", at * 9 + 1)]
        elements += [Element("action", words.get(id_, f"Scene {id_} happens."), at * 9 + 3)]
        scenes.append(
            Scene(
                id_,
                f"INT. ROOM {id_} - DAY",
                at * 9 + 1,
                at * 2,
                at * 2 + 2,
                place=f"room {id_}",
                present=present,
                heard=heard,
            )
        )
    return Screenplay(tuple(elements), tuple(scenes))


SCRIPTS = {e: play() for e in EPISODES}


def at(scene: str, episode: str = "ep.102") -> tuple[Source, ...]:
    return (Source(episode=episode, scene=scene, line=3),)


def cited(id_: str, kind: str, scene: str, text: str, **fields: object) -> Entry:
    return entry(id_, kind, {"ep.102": said(text=text, title=text, sources=at(scene), **fields)})


def view(who: str, *entries: Entry, **options: object) -> Context:
    options = {"budget_tokens": 5000, "scripts": SCRIPTS, **options}
    return memory_context(SHOW, notebook(entries), witness=who, **options)


@pytest.mark.parametrize(
    ("scene", "who", "sees"),
    [(scene, who, who in CAST[scene][0] + CAST[scene][1]) for scene, who in product(CAST, (ODILE, TAM, WILL))],
)
def test_who_was_there_or_heard_it_knows_it(scene, who, sees):
    """B2, F9, G4: facts, bonds and threads of a scene reach those who were there or heard it."""
    entries = (
        cited("f", "fact", scene, "The well is dry."),
        cited("r", "relationship", scene, "They have quarrelled.", about=(ODILE, TAM)),
        cited("t", "thread", scene, "A key is found.", status="open", move="opened"),
    )
    cast = {"characters": [ODILE, TAM, WILL]}
    text = view(who, *entries, **cast).text
    for words in ("The well is dry.", "They have quarrelled.", "A key is found."):
        assert (words in text) is sees


def test_what_was_told():
    """B2, D50, G4: a knowledge entry is its holders' alone, not of whoever stood by, nor of whom it concerns."""
    told = cited("k", "knowledge", "1", "Will is the buyer.", holders=(ODILE,), about=(WILL,))
    assert "Knows: Will is the buyer." in view(ODILE, told).text
    assert "buyer" not in view(TAM, told).text
    assert "buyer" not in view(WILL, told).text


def test_told_later():
    """G4, D27: whoever learns of it later knows it from then on."""
    steps = {
        "ep.102": said(text="Will is the buyer.", holders=(ODILE,), sources=at("1")),
        "ep.202": said(text="Will is the buyer.", holders=(WILL,), sources=at("3", "ep.202")),
    }
    told = entry("k", "knowledge", steps)
    assert "buyer" in view(WILL, told).text
    assert "buyer" not in view(WILL, told, as_of="ep.201").text
    assert "(s02e02)" in view(WILL, told).text


def test_a_group_and_its_members():
    """D49, D50: members know what the group holds; the group has seen what every member saw."""
    held = cited("k", "knowledge", "3", "The till is empty.", holders=("group.the-inn",))
    both, one = cited("b", "fact", "1", "The stove is out."), cited("o", "fact", "2", "The gate is open.")
    for who in (ODILE, TAM):
        assert "till" in view(who, held).text
    assert "till" not in view(WILL, held).text
    group = view("group.the-inn", held, both, one)
    assert "stove" in group.text
    assert "gate" not in group.text
    assert "Only what reached The inn" in group.text


def test_a_name_will_do():
    """B2: the witness may be given by any name."""
    assert view("the old man").text == view(TAM).text


def test_unseen_scenes_are_stubs():
    """B4: the story is the scenes they saw; what lies between is elsewhere, and says nothing more."""
    story = view(TAM).text.split("## The story so far\n")[1]
    assert story.splitlines()[0] == (
        "- s01e01 Night 101: Room 1: Scene 1 happens. Elsewhere. Room 3: Scene 3 happens. Room 4: Scene 4 happens."
    )
    unseen = view("character.nobody").text
    assert "- s01e01 Night 101: Elsewhere.\n" in unseen
    assert "Scene" not in unseen


def test_scenes_as_a_person_summed_them_up():
    """B4, B18: where a directed record sums a witnessed scene up, that is what is told."""
    sides = {"ep.101": SideFiles(directed=Directed(scenes=(DirectedScene(scene="1", summary="She lies to him."),)))}
    assert "Room 1: She lies to him. Elsewhere." in view(TAM, logs=sides).text
    assert "She lies" not in view(WILL, logs=sides).text


def test_narrator_and_showrunner_read_it_all():
    """B5: without a witness nothing is hidden."""
    told = cited("k", "knowledge", "1", "Will is the buyer.", holders=(ODILE,))
    assert "buyer" in memory_context(SHOW, notebook((told,)), scripts=SCRIPTS).text


def test_the_omniscient_record_is_not_inherited():
    """B3: no plans, no person's notes, no gag rules, no others' designed voices, no rules counted over all scripts."""
    text = view(TAM, *ENTRIES, reader="showrunner", characters=["Tam", "Odile"]).text
    for words in ("It is empty", "for a boat", "insured", "Four is calm", "Questions as attacks", "paragraphs of"):
        assert words not in text
    for words in ("Begins in the middle", "kind underneath", "Nobody wins an argument"):
        assert words in text


def test_an_episode_without_its_script_was_not_seen():
    """B3: what nobody can say who witnessed is nobody's."""
    fact = cited("f", "fact", "1", "The well is dry.")
    assert "well" not in view(TAM, fact, scripts={}).text


def test_words_that_stand_nowhere_were_seen_by_nobody():
    """B3, G2: a log whose words are not in the script says nothing of who saw it."""
    step = said(text="The well is dry.", sources=at("1"), stale=at("1"))
    assert "well" not in view(TAM, entry("f", "fact", {"ep.102": step})).text


def test_logs_behind_memory_too():
    """A48, B3: a log that memory has not read reaches a character only where they were told or there."""
    shown = {"ep.204": LOG}
    memory = notebook(())
    memory = memory.model_copy(update={"episodes": memory.episodes[:7]})
    odile = memory_context(SHOW, memory, logs=shown, witness=ODILE, scripts=SCRIPTS, budget_tokens=5000).text
    assert "Knows: Will sold the lamp." in odile
    assert "three rungs" not in odile
    assert "sold the lamp." not in memory_context(SHOW, memory, logs=shown, witness=WILL, scripts=SCRIPTS).text


def test_the_receipt_says_what_they_do_not_know():
    """G3: hidden entries are held, with that reason."""
    hidden = cited("f", "fact", "3", "The well is dry.")
    row = next(r for r in view(ODILE, hidden).receipt.rows if r.id == hidden.id)
    assert (row.state, row.limit) == ("held", "witness")
    assert row.reason == f"not seen, heard or told: {ODILE}"


WORDS = st.text(alphabet="abcdefgh ", min_size=1, max_size=30)


def scattered(texts: list[str]) -> tuple[Entry, ...]:
    """An entry of each kind for each scene, saying what `texts` says of it."""
    made = []
    for scene, text in zip(CAST, texts, strict=True):
        use = Use(episode="ep.102", scene=scene, line=3, words=text, speaker=TAM)
        steps = {"ep.102": said(title=f"Gag {scene}", sources=at(scene), uses=(use,))}
        made += [
            cited(f"f{scene}", "fact", scene, f"fact {text}", about=(ODILE,)),
            cited(f"r{scene}", "relationship", scene, f"bond {text}", about=(ODILE, WILL)),
            cited(f"t{scene}", "thread", scene, f"thread {text}", status="open", move="opened"),
            entry(f"g{scene}", "gag", steps, form="bible"),
            entry(f"c{scene}", "gag", steps, form="callback"),
            entry(f"y{scene}", "catchphrase", steps, form="phrase"),
        ]
    return tuple(made)


@given(
    who=st.sampled_from([ODILE, TAM, WILL, "group.the-inn"]),
    before=st.lists(WORDS, min_size=4, max_size=4),
    after=st.lists(WORDS, min_size=4, max_size=4),
    budget=st.integers(0, 900),
    scene=st.sampled_from([None, "Odile and Tam. abc def.", "INT. LAMP ROOM - DAY"]),
)
def test_rewriting_scenes_they_did_not_see_changes_nothing(who, before, after, budget, scene):
    """B3, B4, G4: non-interference. Whatever the unseen scenes say, and however much of it, the text is the same."""
    seen = vantage(who, GROUPS, SCRIPTS).seen
    texts = [old if ("ep.102", id_) in seen else new for id_, old, new in zip(CAST, before, after, strict=True)]
    made = []
    for told in (before, texts):
        scripts = {e: play(dict(zip(CAST, told, strict=True))) for e in EPISODES}
        memory = notebook(scattered(told))
        context = memory_context(SHOW, memory, witness=who, scripts=scripts, budget_tokens=budget, scene=scene)
        made.append((context.text, context.tokens, context.omitted, context.resting))
    assert made[0] == made[1]


def test_counts_over_the_whole_show_do_not_reach_them():
    """B3: a voice is their own lines, counted, without how it compares with others; nobody else's is told."""
    counted = {"numbers": {"lines": 2, "words": 14}, "measures": {"line_words.rank": 1.0, "line_words.z": 3.0}}
    steps = {e: said(about=(TAM,), **counted) for e in ("ep.101", "ep.102")}
    voice = entry("tam", "voice", steps)
    assert "The longest lines of all (7 words)" in memory_context(SHOW, notebook((voice,))).text
    assert "Heard: Lines of 7 words." in view(TAM, voice).text
    assert "Heard" not in view(ODILE, voice, characters=["Tam"]).text


def test_the_view_is_a_memory():
    """D50: what someone knows is computed; folding the view again changes nothing."""
    tam = vantage(TAM, GROUPS, SCRIPTS)
    once = seen_by(notebook(scattered(["a", "b", "c", "d"])), tam, SCRIPTS, {})
    assert seen_by(once, tam, SCRIPTS, {}).episodes == once.episodes
    assert {e.id for e in once.entries if e.kind == "fact"} == {"mem.fact.f1", "mem.fact.f3", "mem.fact.f4"}


def _views(show: Path) -> Callable[[str, int], str]:
    """The sample show brought up to date, and any character's view of it."""
    assert not run(show).busy
    opened = Run(show)
    opened.parse()
    plays = {e.id: p for e in opened.read if (p := opened.artifacts.screenplay(e)) is not None}
    memory = opened.book.memory
    assert memory is not None

    def told(who: str, budget: int) -> str:
        options = {"logs": opened.sides, "scripts": plays, "witness": who, "budget_tokens": budget}
        return memory_context(opened.show, memory, **options).text

    return told


def _rewritten(script: Path, elements: Sequence[Element]) -> None:
    """Every spoken and action line of `elements` with its words turned round."""
    rows = script.read_text(encoding="utf-8").split("\n")
    for element in elements:
        if element.kind in ("action", "dialogue"):
            rows[element.line - 1] = " ".join(reversed(rows[element.line - 1].split(" ")))
    script.write_text("\n".join(rows), encoding="utf-8")


def test_rewriting_the_sample_shows_scripts(tmp_path):
    """B3, B4, G4: from the scripts on: every scene of one episode that Bea did not see is rewritten."""
    show = sample(tmp_path / "show")
    before = _views(show)
    opened = Run(show)
    opened.parse()
    episode = next(e for e in opened.read if e.id == "ep.ribbon")
    script = opened.artifacts.screenplay(episode)
    assert script is not None
    unseen = [s for s in script.scenes if "character.bea" not in (*s.present, *s.heard)]
    assert 0 < len(unseen) < len(script.scenes)
    for scene in unseen:
        _rewritten(show / episode.script, script.elements[scene.start : scene.end])
    opened.close()
    run(show, apply="auto")
    after = _views(show)
    for budget in (300, 700, 1500, 5000):
        assert before("character.bea", budget) == after("character.bea", budget)
    assert before("character.pell", 5000) != after("character.pell", 5000)
