"""Moments: a context holds nothing from after it, on either axis, and says how far memory is (D8, D27, G7)."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern import ENTRIES, EPISODES, LOG, SHOW, fact, gag, notebook
from showmemory.context.context import memory_context
from showmemory.fold.fold import closed, refold
from showmemory.model.memory import Entry, ShowMemory

MEMORY = notebook()
OPTIONS = tuple(product((None, ["Odile"], ["Tam", "Will"]), (120, 400, 1500)))


def rebuilt(upto: tuple[str, ...], entries: tuple[Entry, ...] = ENTRIES) -> ShowMemory:
    """The notebook as it would stand had nothing after `upto` been written yet, under the same person's layer."""
    kept = []
    for entry in entries:
        steps = {e: s for e, s in entry.said.items() if e in upto}
        if steps:
            kept.append(refold(entry.model_copy(update={"said": steps, "since": None}), upto, thaw=True))
        elif not entry.said and entry.since in upto:
            kept.append(entry)
    whole = notebook(())
    episodes = tuple(e for e in whole.episodes if e.id in upto)
    return whole.model_copy(update={"entries": closed(kept, upto), "episodes": episodes})


@pytest.mark.parametrize("at", range(len(EPISODES)))
@pytest.mark.parametrize(("characters", "budget"), OPTIONS)
def test_as_of_is_a_rebuild_from_the_scripts_up_to_there(at, characters, budget):
    """D27, F7, G7: byte for byte, receipt and all."""
    options = {"characters": characters, "budget_tokens": budget}
    then = memory_context(SHOW, MEMORY, as_of=EPISODES[at], **options)
    again = memory_context(SHOW, rebuilt(EPISODES[: at + 1]), as_of=EPISODES[at], **options)
    assert then == again


@pytest.mark.parametrize("at", range(1, len(EPISODES)))
def test_an_episode_being_written_is_left_out(at):
    """A108, A113: the context for an episode is as of the one before, whatever of it is remembered already."""
    made = memory_context(SHOW, MEMORY, episode=EPISODES[at])
    before = memory_context(SHOW, MEMORY, as_of=EPISODES[at - 1])
    assert made.text.splitlines()[1:] == before.text.splitlines()[1:]
    assert f"Night {EPISODES[at][3:]} costs" not in made.text


def test_before_the_first_episode_nothing_is_remembered():
    """A108, F8: no entry, and the frame says so; the rules and designed voices stand."""
    made = memory_context(SHOW, MEMORY, episode="ep.101")
    assert "Before the first episode: nothing is remembered." in made.text
    assert "kind underneath" in made.text
    assert "Begins in the middle" in made.text
    assert not [row for row in made.receipt.rows if row.id.startswith("mem.")]


TELLTALES = tuple(fact(f"t{e[3:]}", e, f"Telltale {e[3:]} hangs in the hall.") for e in EPISODES)


@given(
    at=st.integers(0, len(EPISODES) - 1),
    axis=st.sampled_from(["broadcast", "story"]),
    budget=st.integers(0, 3000),
    reader=st.sampled_from(["writer", "showrunner"]),
)
def test_nothing_leaks_from_later(at, axis, budget, reader):
    """D27, G7: no word that only a later episode said is in the text, on either axis, for any reader."""
    memory = notebook((*ENTRIES, *TELLTALES))
    order = EPISODES if axis == "broadcast" else ("ep.203", *(e for e in EPISODES if e != "ep.203"))
    made = memory_context(SHOW, memory, as_of=order[at], axis=axis, budget_tokens=budget, reader=reader)
    for later in order[at + 1 :]:
        assert f"Telltale {later[3:]}" not in made.text
        assert not any(row.id == f"mem.fact.t{later[3:]}" for row in made.receipt.rows)


def test_story_order_shows_what_happened_before():
    """G7: on the in-story axis ep.203 happens first, and is there when nothing else is."""
    made = memory_context(SHOW, MEMORY, as_of="ep.203", axis="story")
    assert "As of s02e03 Night 203 in story order, 1 episode remembered." in made.text
    assert "Night 203 costs a pane" in made.text
    assert "Night 101" not in made.text


def test_the_rest_of_a_gag_is_as_of_the_moment():
    """A33, D27, F6: it rests only where the episodes up to the moment make it rest."""
    assert "RESTING The wrong lighthouse" in memory_context(SHOW, MEMORY).text
    assert "RESTING" not in memory_context(SHOW, MEMORY, episode="ep.204").text
    assert memory_context(SHOW, MEMORY).resting == ("mem.gag.lighthouse",)


def test_two_clocks():
    """A48, D8: an episode memory has not remembered reaches a writer by its log, and the frame says so."""
    memory = rebuilt(EPISODES[:6])
    made = memory_context(SHOW, memory, logs={"ep.203": LOG}, budget_tokens=3000)
    assert "As of s02e02 Night 202, 6 episodes remembered." in made.text
    assert "The story stands at s02e04, memory is behind: s02e03 is here by log alone" in made.text
    assert "of s02e04 nothing is known here" in made.text
    for words in (
        "three rungs left. (by the log of s02e03)",
        "Knows: Will sold the lamp.",
        "stops talking",
        "roof is off",
    ):
        assert words in made.text
    assert "again in s02e03 by its log" in made.text
    assert (made.receipt.as_of, made.receipt.stands_at) == ("ep.202", "ep.204")


def test_a_log_can_close_a_thread():
    """A48, F4: a thread that only a log resolved is not told as open."""
    made = memory_context(SHOW, rebuilt(EPISODES[:6]), logs={"ep.203": LOG})
    assert "Who sold the lamp? Opened" not in made.text
    held = {row.id: row.reason for row in made.receipt.rows if row.state == "held"}
    assert held["mem.thread.lamp"] == "resolved by the log of s02e03"


def test_a_log_of_a_remembered_episode_is_not_read_again():
    """A47, A48: once memory has the episode, its log speaks through memory alone."""
    assert "three rungs" not in memory_context(SHOW, MEMORY, logs={"ep.201": LOG}, budget_tokens=3000).text


def test_logs_after_the_moment_are_not_read():
    """D27: a later log leaks no more than a later script."""
    memory = rebuilt(EPISODES[:6])
    assert "three rungs" not in memory_context(SHOW, memory, logs={"ep.204": LOG}, episode="ep.204").text


def test_a_persons_words_hold_from_when_they_were_written():
    """F8: as of an earlier episode the passes' words are read."""
    mine = fact("horn", "ep.101", "The horn is broken.").model_copy(
        update={"text": "The horn was never there.", "edited": {"text": "ep.203"}, "by": "person"}
    )
    memory = notebook((mine,))
    assert "never there" in memory_context(SHOW, memory).text
    assert "The horn is broken" in memory_context(SHOW, memory, as_of="ep.202").text


def test_an_unknown_moment_is_our_callers_bug():
    """Commands check the name first; a wrong moment is never taken for now."""
    with pytest.raises(ValueError, match=r"no episode ep\.999"):
        memory_context(SHOW, MEMORY, as_of="ep.999")


def test_a_pinned_or_locked_entry_is_read_as_of_too():
    """A85, D27: a frozen entry keeps its bytes in memory, and its later uses leak into no earlier context."""
    late = gag("late", "The late gag", ("ep.101", "ep.204"), locked=True)
    made = memory_context(SHOW, notebook((late,)), as_of="ep.103", budget_tokens=3000)
    assert "The late gag (fresh, last s01e01, once)" in made.text


def test_an_episode_the_show_lists_and_nobody_wrote_yet():
    """A108: a context for the next outline is as of the newest episode."""
    listed = SHOW.model_copy(
        update={
            "episodes": (
                *SHOW.episodes,
                SHOW.episodes[-1].model_copy(update={"id": "ep.205", "number": 5, "title": "Night 205"}),
            )
        }
    )
    made = memory_context(listed, MEMORY, episode="ep.205")
    assert made.text.splitlines()[0].endswith("for s02e05 Night 205")
    assert "As of s02e04" in made.text
