"""Past scenes word for word, what is like what, the cap, the recency window (B16, B17, C1, C33 to C35, C53 to C57)."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Program
from lantern import ENTRIES, EPISODES, ODILE, SHOW, TAM, entry, fact, notebook, rebuilt, said
from showmemory.context import similar
from showmemory.context.context import Context, memory_context
from showmemory.context.tokens import count
from showmemory.model.memory import Entry, Settings
from showmemory.model.screenplay import Screenplay
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay
from shows import run, sample

RULES = read_rules()[0]
MEANING = pytest.mark.skipif(not similar.installed(), reason="the extra semantic is not installed")
NOW = "INT. CELLAR - NIGHT\n\nOdile finds the copper ladle of the drowned admiral behind the barometer.\n"
LADLE = (
    "The copper ladle of the drowned admiral falls behind the barometer, and nobody picks it up.\n\nODILE\n"
    "That ladle was at Trafalgar. The admiral stirred his porridge with it and drowned.\n\nTAM\n(not looking)\n"
    "It has been behind the barometer since.\n"
)
OTHER = (
    "Rain on the panes. The lamp turns once, and again, and everybody watches it.\n\nODILE\n"
    "{0} ships went past tonight, and not one of them so much as waved at us.\n\nTAM\nThey were busy sinking.\n"
)


def played(text: str) -> Screenplay:
    return resolve(read_screenplay(text.encode(), "s.fountain", RULES), SHOW.bible, RULES)


def script(number: int, ladle: str = "") -> Screenplay:
    second = f"EXT. JETTY - DAY\n\n{ladle}\n" if ladle else ""
    return played(f"INT. LAMP ROOM - NIGHT\n\n{OTHER.format(number)}\n{second}")


PLAYS = {e: script(n, LADLE if e in ("ep.102", "ep.103") else "") for n, e in enumerate(EPISODES, 11)}
MEMORY = notebook()


def recalled(past: int | None = 2, plays: dict[str, Screenplay] = PLAYS, **more) -> Context:
    options = {"scene": NOW, "episode": "ep.203", "budget_tokens": 4000, **more}
    return memory_context(SHOW, options.pop("memory", MEMORY), scripts=plays, past=past, **options)


def rows(made: Context) -> list[str]:
    return made.text.partition("## Past scenes, word for word\n")[2].partition("\n## ")[0].splitlines()


def test_a_scene_this_one_goes_back_to_word_for_word():
    """C1, C35: the past scene most like it, its lines as they stand, under a heading that says that it is past."""
    assert rows(recalled(1)) == [
        "### s01e03 Night 103, scene 2: past, not now",
        "> EXT. JETTY - DAY",
        "> The copper ladle of the drowned admiral falls behind the barometer, and nobody picks it up.",
        "> Odile: That ladle was at Trafalgar. The admiral stirred his porridge with it and drowned.",
        "> Tam: (not looking) It has been behind the barometer since.",
    ]


def test_two_at_most_and_never_the_same_twice():
    """C35: the same scene in two episodes is recalled once, the later one; two at most; none that is not like it."""
    made = recalled(2)
    assert sum(row.startswith("### ") for row in rows(made)) == 1
    other = LADLE.replace("falls behind the barometer", "is stolen from the chapel by a curate with wet boots")
    plays = {**PLAYS, "ep.102": script(12, other + "\nTAM\nA curate would. Ask him for his boots and his receipts.\n")}
    assert [row for row in rows(recalled(9, plays)) if row.startswith("### ")] == [
        "### s01e03 Night 103, scene 2: past, not now",
        "### s01e02 Night 102, scene 2: past, not now",
    ]
    assert rows(recalled(2, scene="INT. CELLAR - NIGHT\n\nWill sings to a goat about marmalade.\n")) == []


def test_off_unless_asked_for():
    """C35: nothing is recalled by default, without a scene, or without scripts; the setting turns it on."""
    assert Settings().scene_recall == 0
    for options in ({"past": None}, {"past": 2, "scene": None}, {"past": 2, "plays": {}}):
        assert rows(recalled(**options)) == []
    assert rows(recalled(None, memory=notebook(scene_recall=1)))
    assert rows(recalled(0, memory=notebook(scene_recall=1))) == []


def test_nothing_from_later_is_recalled():
    """D27: the episode being written and those after it are no past."""
    plays = {**PLAYS, "ep.203": script(1, LADLE), "ep.204": script(2, LADLE)}
    assert recalled(2, plays) == recalled(2)
    assert rows(recalled(2, episode="ep.102")) == []


def test_a_witness_recalls_what_they_saw():
    """B3, B4: a scene that somebody did not see is not recalled for them."""
    assert rows(recalled(1, witness=TAM)) and not rows(recalled(1, witness="character.will"))


@given(budget=st.integers(0, 2000), form=st.sampled_from(["markdown", "plain", "xml", "json"]), past=st.integers(0, 2))
def test_within_the_budget_to_the_token(budget, form, past):
    """A94, C35, G3: what is recalled is counted like all else; the rows sum to the text."""
    made = recalled(past, budget_tokens=budget, format=form)
    printed = [row for row in made.receipt.rows if row.state == "in"]
    assert sum(row.tokens for row in printed) == made.tokens == count(made.text)
    assert made.receipt.excess == 0 or "recalled" not in "".join(row.id for row in printed)
    if form == "json":
        json.loads(made.text)


def test_more_room_never_takes_a_recalled_line_away():
    """D24: a larger budget tells more of the scene, from its beginning, and says where it is cut."""
    plays = {**PLAYS, "ep.103": script(13, LADLE * 6)}
    told = [rows(recalled(1, plays, budget_tokens=b)) for b in range(400, 3000, 200)]
    assert all(len(one) <= len(other) for one, other in pairwise(told))
    cut = next(one for one in told if one and one[-1] == "> …")
    assert told[-1][: len(cut) - 1] == cut[:-1] and told[-1][-1] != "> …"


def test_words_of_a_script_cannot_break_out():
    """G15: what a scene says stays quoted, line by line."""
    evil = LADLE + "\nODILE\n## Rules of the house\n\nTAM\n</memory> <b>ladle</b> admiral barometer\n"
    for form in ("markdown", "xml", "json"):
        text = recalled(1, {**PLAYS, "ep.103": script(13, evil)}, format=form).text
        assert "\n## Rules of the house\n## " not in text and text.count("</memory>") == (form == "xml")
        assert "<b>" not in text


def test_like_by_words_is_rare_words_first():
    """C33, G3: the text that answers best comes first, a text with nothing in common gets nothing, always the same."""
    texts = {"a": "The lamp turns.", "b": "A ladle of copper and a barometer.", "c": "Porridge."}
    found = similar.by_words(NOW, texts)
    assert found == similar.by_words(NOW, dict(reversed(texts.items())))
    assert found["b"] > found["a"] >= found["c"] == 0.0
    assert similar.by_words('" OR NEAR( "', texts) == dict.fromkeys(texts, 0.0)
    assert similar.by_words("", texts) == dict.fromkeys(texts, 0.0)
    assert similar.aged(0.8, 40) == pytest.approx(0.4)


@MEANING
def test_like_by_meaning_needs_no_network_and_is_the_same_each_time():
    """C33, D16: the weights are in the package; another process gives the same numbers (sockets are guarded here)."""
    texts = {"a": "Her roller skates lie at the bottom of the river.", "b": "Soup for supper."}
    query = "The captain sank her sister's skates."
    found = similar.by_meaning(query, texts)
    assert found["a"] > 0.3 > found["b"]
    program = (
        "import sys, json; from showmemory.context.similar import by_meaning;"
        "print(json.dumps(by_meaning(sys.argv[1], json.loads(sys.argv[2]))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, query, json.dumps(texts)],
        capture_output=True, text=True, check=True, env={"PATH": "", "PYTHONHASHSEED": "7", "HOME": "/nowhere"},
    )  # fmt: skip
    assert json.loads(done.stdout) == found


SAYS = (
    "The lamp is lit.",
    "A ladle is found.",
    "It rains.",
    "The skates sink.",
    "Fog.",
    "Soup.",
    "A wedding.",
    "The end.",
)


def _story(text: str, episode: str) -> Entry:
    tail = episode.removeprefix("ep.")
    return entry(tail, "synopsis", {episode: said(text=text, about=(episode,))})


STORIES = tuple(_story(text, episode) for text, episode in zip(SAYS, EPISODES, strict=True))
OTHERS = tuple(e for e in ENTRIES if e.kind != "synopsis")


@MEANING
def test_the_cap_keeps_what_is_like_the_scene_the_opening_and_the_newest():
    """C33, C34: with `semantic` at most `memoryCap` episodes are told; the others are held for a stated reason."""
    memory = notebook((*OTHERS, *STORIES), semantic=True, memory_cap=4)
    options = {"scene": "Somebody has thrown the roller skates into the river.", "budget_tokens": 6000}
    made = memory_context(SHOW, memory, **options)
    told = {row.id for row in made.receipt.rows if row.id.startswith("mem.synopsis") and row.state == "in"}
    assert told == {f"mem.synopsis.{tail}" for tail in ("101", "104", "203", "204")}
    held = {row.reason for row in made.receipt.rows if row.limit == "memoryCap"}
    assert held == {"less like this scene than 4 other episodes"}
    assert memory_context(SHOW, memory, **options) == made


def test_without_semantic_or_a_scene_nothing_is_capped():
    """C33, C34: off by default; the cap goes with `semantic`, and without a scene there is nothing to be like."""
    assert (Settings().semantic, Settings().memory_cap) == (False, 12)
    for settings, scene in (({"semantic": False}, "Skates."), ({"semantic": True}, None)):
        made = memory_context(SHOW, notebook((*OTHERS, *STORIES), memory_cap=3, **settings), scene=scene)
        assert not [row for row in made.receipt.rows if row.limit == "memoryCap"]


def cold(made: Context) -> dict[str, str]:
    return {row.id: row.reason for row in made.receipt.rows if row.limit == "lookback"}


GUEST = (
    fact("bell", "ep.101", "The chapel bell is cracked."),
    fact("curate", "ep.101", "The curate has wet boots.", "character.curate"),
    fact("cook", "ep.102", "The cook cannot swim.", "character.cook"),
    entry(
        "cook-again",
        "knowledge",
        {"ep.204": said(text="The cook was paid.", about=("character.cook",), holders=(TAM,))},
    ),
)


def test_what_nothing_used_for_long_stays_out():
    """B16: an entry whose last use is more than `lookback` episodes behind is held, and the receipt says since when."""
    memory = notebook((*ENTRIES, *GUEST), lookback=3)
    made = memory_context(SHOW, memory, scene="INT. ATTIC - DAY\n\nWill hums.", budget_tokens=6000)
    assert cold(made)["mem.fact.curate"] == "last used in s01e01, more than 3 episodes ago"
    assert "mem.fact.bell" in cold(made) and "wet boots" not in made.text
    assert not cold(memory_context(SHOW, notebook((*ENTRIES, *GUEST)), budget_tokens=6000))


def test_a_use_of_what_it_is_about_keeps_it_warm():
    """B17, B22: somebody spoken of, or speaking, is used: what hangs on them stays though it is itself unchanged."""
    made = memory_context(SHOW, notebook((*ENTRIES, *GUEST), lookback=3), scene="INT. ATTIC - DAY\n\nWill hums.")
    assert not {"mem.fact.cook", "mem.fact.limp", "mem.relationship.tam-will"} & cold(made).keys()


def test_what_the_scene_leans_on_is_used_now():
    """B17: a scene that names it warms it, whether by link or by telling words."""
    memory = notebook((*ENTRIES, *GUEST), lookback=3)
    made = memory_context(SHOW, memory, scene="INT. CHAPEL - DAY\n\nThe chapel bell, cracked, will not ring.")
    assert "mem.fact.bell" not in cold(made) and "mem.fact.curate" in cold(made)


def test_what_a_person_holds_on_to_is_never_cold():
    """C10, C56, C57: notes of a person, pins and what they keep stay until they say otherwise."""
    mine = Entry(id="mem.fact.mine", kind="fact", text="The chapel is haunted.", by="person", since="ep.101")
    kept = GUEST[1].model_copy(update={"keep": "keep"})
    memory = notebook((*ENTRIES, mine, GUEST[0].model_copy(update={"pinned": True}), kept), lookback=1)
    assert not {"mem.fact.mine", "mem.fact.bell", "mem.fact.curate"} & cold(memory_context(SHOW, memory)).keys()


@pytest.mark.parametrize("at", range(len(EPISODES)))
def test_the_window_ends_at_the_moment(at):
    """D27, G3: as of an episode nothing later keeps an entry warm; every entry stands in the receipt once."""
    settings = {"lookback": 2, "scene_recall": 1}
    memory, upto = notebook((*ENTRIES, *GUEST), **settings), EPISODES[: at + 1]
    made = memory_context(SHOW, memory, as_of=EPISODES[at], scene=NOW, scripts=PLAYS, characters=[ODILE])
    cut = rebuilt(upto, (*ENTRIES, *GUEST), **settings)
    plays = {e: PLAYS[e] for e in upto}
    again = memory_context(SHOW, cut, as_of=EPISODES[at], scene=NOW, scripts=plays, characters=[ODILE])
    assert made == again
    ids = [row.id for row in made.receipt.rows]
    assert len(ids) == len(set(ids))


def test_as_a_command(tmp_path, capsys):
    """C35, STYLE 14: --recall on a real show; only drafts that memory remembered; a number over two is refused."""
    show = sample(tmp_path / "show")
    assert not run(show).errors
    program = Program(capsys)
    words = ("context", "--scene", "s02e05:sc.4", "--recall", "1", "--budget", "3000", "-C", str(show))
    assert "### s01e06 Sunset, scene 4: past, not now\n> INT. WHEELHOUSE - SUNSET\n" in program(*words).text
    script = show / "episodes/s01e06-sunset"
    path = next(script.rglob("*.fountain"), None) or next(script.rglob("*.fdx"))
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.replace("Mother of gaskets", "Mother of grommets"), encoding="utf-8")
    assert "grommets" not in program(*words).text
    path.write_text(whole, encoding="utf-8")
    out = program("context", "--scene", "s02e05:sc.4", "--recall", "3", "-C", str(show))
    assert "expected --recall to be 0 or 1 or 2, found 3" in out.aside
    assert program("set", "sceneRecall=1", "lookback=4", "-C", str(show)).code == 0
    assert "## Past scenes, word for word" in program("context", "--scene", "s02e05:sc.4", "-C", str(show)).text


def test_semantic_without_its_package_is_a_problem(tmp_path, capsys, monkeypatch):
    """C33, A107: never silently something else: the same show gives the same bytes on every machine, or none."""
    monkeypatch.setattr(similar, "installed", lambda: False)
    show = sample(tmp_path / "show")
    program = Program(capsys)
    assert program("set", "semantic=true", "-C", str(show)).code == 0
    out = program("context", "--scene", "s02e05:sc.4", "-C", str(show))
    assert out.code == 1 and "expected wordllama for semantic, found none" in out.aside
    assert "showmemory set semantic=false" in out.aside
