"""A context holds to its budget, to the token, and accounts for every entry (A94, A105, D24, D38, F1, G3)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern import ENTRIES, EPISODES, LOG, ODILE, SHOW, TAM, fact, notebook
from showmemory.context.context import memory_context
from showmemory.context.tokens import count

BUDGETS = (0, 60, 150, 300, 450, 700, 1500, 5000)
SCENE = "INT. LAMP ROOM - NIGHT\n\nThe old man polishes the lamp and waits for the kettle.\n"
SCENES = st.sampled_from([None, SCENE, "Odile and Tam quarrel about the boat.", "Nobody is here."])
CASTS = st.sampled_from([None, ["Odile"], [TAM, "Will"], ["Nobody"]])
FORMATS = st.sampled_from(["markdown", "plain", "xml", "json"])
MEMORY = notebook()


@given(
    budget=st.integers(0, 1600),
    scene=SCENES,
    characters=CASTS,
    form=FORMATS,
    episode=st.sampled_from([None, *EPISODES]),
    reader=st.sampled_from(["writer", "showrunner"]),
)
def test_the_receipt_sums_to_the_text(budget, scene, characters, form, episode, reader):
    """A94, F1, G3: rows in state `in` sum to the tokens of the text; only the always-section goes over the budget."""
    options = {"scene": scene, "characters": characters, "format": form, "episode": episode, "reader": reader}
    made = memory_context(SHOW, MEMORY, budget_tokens=budget, logs={"ep.201": LOG}, **options)
    printed = [row for row in made.receipt.rows if row.state == "in"]
    assert sum(row.tokens for row in printed) == made.tokens == count(made.text) == made.receipt.tokens
    assert made.receipt.excess == max(0, made.tokens - budget)
    chosen = [r for r in printed if r.id.startswith(("mem.voice", "mem.gag", "mem.synopsis", "mem.thread"))]
    assert not (made.receipt.excess and chosen)
    assert max(Counter(row.id for row in made.receipt.rows).values()) == 1


@pytest.mark.parametrize("episode", [None, "ep.101", "ep.103", "ep.204"])
@pytest.mark.parametrize("characters", [None, ["Odile"], ["Will", "Tam"]])
def test_each_live_entry_stands_exactly_once(episode, characters):
    """G3: everything that holds at the moment is in, held or out, once, with a reason."""
    made = memory_context(SHOW, MEMORY, episode=episode, characters=characters)
    before = EPISODES if episode is None else EPISODES[: EPISODES.index(episode)]
    standing = {e.id for e in ENTRIES if e.since in before}
    rows = [row for row in made.receipt.rows if row.id.startswith("mem.")]
    assert Counter(row.id for row in rows) == Counter(standing)
    assert all(row.reason and (row.limit or row.state == "in") for row in rows)


def test_the_reasons():
    """F4, G3: retired, let go, superseded and resolved entries are held, each for its own reason."""
    rows = {row.id: row for row in memory_context(SHOW, MEMORY).receipt.rows}
    assert (rows["mem.fact.old"].state, rows["mem.fact.old"].reason) == ("held", "retired")
    assert (rows["mem.fact.gone"].state, rows["mem.fact.gone"].reason) == ("held", "let go")
    assert rows["mem.fact.room-one"].reason == "superseded in s02e02"
    assert rows["mem.thread.storm"].reason == "resolved in s01e04"
    cast = {row.id: row for row in memory_context(SHOW, MEMORY, characters=["Tam"]).receipt.rows}
    assert (cast["mem.voice.odile"].state, cast["mem.voice.odile"].limit) == ("out", "cast")


@given(scene=SCENES, characters=CASTS, form=FORMATS)
def test_more_budget_never_takes_away(scene, characters, form):
    """A94: what a smaller budget printed, a larger one prints, as long or longer."""
    texts = [
        memory_context(SHOW, MEMORY, scene=scene, characters=characters, format=form, budget_tokens=budget)
        for budget in range(0, 1200, 60)
    ]
    for small, large in pairwise(texts):
        had = {row.id: row.tokens for row in small.receipt.rows if row.state == "in" and row.kind != "heading"}
        has = {row.id: row.tokens for row in large.receipt.rows if row.state == "in"}
        assert all(id_ in has and has[id_] >= tokens for id_, tokens in had.items())


def test_what_is_left_out_is_said():
    """A105, D24: the ids in `omitted`, the counts by noun in the last line; nothing said when nothing is left out."""
    small = memory_context(SHOW, MEMORY, budget_tokens=300)
    last = small.text.splitlines()[-1]
    assert last.startswith("Left out for room: ")
    assert last.endswith("(showmemory context --receipt)")
    out = [row for row in small.receipt.rows if row.limit == "budget" and row.state == "out"]
    assert small.omitted == tuple(row.id for row in out)
    facts = sum(row.kind == "fact" for row in out)
    assert f", {facts} facts (" in last
    assert "Left out" not in memory_context(SHOW, MEMORY, budget_tokens=5000).text


def test_the_always_section_prints_whatever_the_budget():
    """A95, F1: rules, house style and pinned entries stand at a budget of nothing, and the excess is a figure."""
    made = memory_context(SHOW, MEMORY, budget_tokens=0)
    for words in ("a villain who explains", "kind underneath", "Nobody wins an argument", "paragraphs of 4", "insured"):
        assert words in made.text
    assert "Odile" not in made.text
    assert made.receipt.excess == made.tokens > made.receipt.always > 0


def test_the_budget_and_factor_of_the_settings():
    """A31, G14: `budgetTokens` is the default, and the safety factor of the settings narrows it."""
    assert memory_context(SHOW, MEMORY).receipt.budget == 1500
    assert memory_context(SHOW, notebook(budget_tokens=400)).receipt.budget == 400
    half = memory_context(SHOW, notebook(token_factor=2.0), budget_tokens=800)
    assert half.tokens <= 400
    assert half.receipt.factor == 2.0


def test_no_section_starves_another():
    """D38: with hundreds of facts about one lead, voices, gags, story and threads are still told."""
    many = [fact(f"f{n}", "ep.203", f"Odile keeps the number {n} in drawer {n * 7}.", ODILE) for n in range(400)]
    made = memory_context(SHOW, notebook((*ENTRIES, *many)), characters=["Odile"], budget_tokens=700)
    kinds = Counter(row.kind for row in made.receipt.rows if row.state == "in")
    assert kinds["voice"] and kinds["gag"] >= 2 and kinds["synopsis"] >= 2 and kinds["thread"] and kinds["fact"] >= 5
    assert made.tokens <= 700


def test_what_one_section_does_not_need_goes_to_the_rest():
    """D38: a notebook of facts alone fills the budget with facts."""
    many = [fact(f"f{n}", "ep.203", f"Drawer {n * 7} holds letter {n}.") for n in range(400)]
    made = memory_context(SHOW, notebook(many), characters=["Nobody"], budget_tokens=700)
    assert 660 <= made.tokens <= 700


def test_the_outline_budget():
    """A110: 700 tokens at most for an outline's cast."""
    assert memory_context(SHOW, MEMORY, characters=["Odile", "Tam"], budget_tokens=700).tokens <= 700
