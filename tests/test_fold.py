"""Folding what was said into entries, as of any episode."""

from __future__ import annotations

from typing import Any

import pytest

from showmemory.fold.fold import as_of, closed, order, refold
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Use

EPISODES = tuple(EpisodeRecord(id=f"ep.{n}", season=1 + n // 4, number=1 + n % 4) for n in range(6))
AIRED = tuple(e.id for e in EPISODES)


def use(episode: str, line: int, **more: Any) -> Use:
    return Use(episode=episode, scene="1", line=line, words=f"words {line}", **more)


def gag(**said: Said) -> Entry:
    return Entry(id="mem.gag.kettle", kind="gag", key="kettle", said={f"ep.{k[1:]}": v for k, v in said.items()})


def memory(*entries: Entry) -> ShowMemory:
    aired = order(EPISODES)
    return ShowMemory(id="memory.x", episodes=EPISODES, entries=closed((refold(e, aired) for e in entries), aired))


def test_order_in_story_puts_a_placed_episode_where_it_happens() -> None:
    """G7: an in-story place is a number on the broadcast count."""
    moved = [e.model_copy(update={"story": 0.5}) if e.id == "ep.4" else e for e in EPISODES]
    assert order(moved) == AIRED
    assert order(moved, "story") == ("ep.4", "ep.0", "ep.1", "ep.2", "ep.3", "ep.5")


def test_uses_sources_and_numbers_are_folded_from_what_was_said() -> None:
    """F7, A14: nothing is stored as a total only."""
    entry = gag(
        e0=Said(text="first", numbers={"lines": 3}, tallies={"parens": {"dry": 1}}, uses=(use("ep.0", 7),)),
        e2=Said(text="later", numbers={"lines": 4}, tallies={"parens": {"dry": 2}}, uses=(use("ep.2", 9),)),
    )
    now = refold(entry, AIRED)
    assert [u.line for u in now.uses] == [7, 9]
    assert now.numbers == {"lines": 7} and now.tallies == {"parens": {"dry": 3}}
    assert (now.text, now.since, now.changed) == ("later", "ep.0", "ep.2")
    then = as_of(memory(entry), "ep.1").entries[0]
    assert ([u.line for u in then.uses], then.text, then.numbers) == ([7], "first", {"lines": 3})


def test_an_entry_is_there_from_the_episode_that_earned_it() -> None:
    """Earning: its earlier uses are there with it, and before it there is nothing."""
    entry = gag(e0=Said(earned=False, uses=(use("ep.0", 1),)), e3=Said(text="x", uses=(use("ep.3", 2),)))
    held = memory(entry)
    assert held.entries[0].since == "ep.3"
    assert as_of(held, "ep.2").entries == ()
    assert len(as_of(held, "ep.3").entries[0].uses) == 2


def test_uses_of_a_variant_count_from_the_episode_that_knows_it() -> None:
    """A variant that joins later never changes what was known before."""
    entry = gag(
        e0=Said(uses=(use("ep.0", 1), use("ep.0", 2, variant="the kettles"))),
        e2=Said(variants=("the kettles",), uses=(use("ep.2", 3, variant="the kettles"),)),
    )
    held = memory(entry)
    assert [u.line for u in as_of(held, "ep.1").entries[0].uses] == [1]
    assert [u.line for u in held.entries[0].uses] == [1, 2, 3]


def test_what_a_person_rewrote_holds_from_when_they_did() -> None:
    """F8: as of an earlier episode the pass's words are read, and `original` holds the pass's own now."""
    entry = gag(e0=Said(text="pass, early"), e4=Said(text="pass, late"))
    entry = entry.model_copy(update={"text": "mine", "edited": {"text": "ep.3"}})
    held = memory(entry)
    assert (held.entries[0].text, held.entries[0].by) == ("mine", "person")
    assert held.entries[0].original == {"text": "pass, late"}
    assert as_of(held, "ep.2").entries[0].text == "pass, early"
    assert as_of(held, "ep.3").entries[0].text == "mine"


def test_a_persons_own_entry_is_not_seen_before_its_since() -> None:
    """F8: an added entry begins at `since`."""
    own = Entry(id="mem.fact.own", kind="fact", key="own", text="mine", by="person", since="ep.3")
    assert as_of(memory(own), "ep.2").entries == ()
    assert as_of(memory(own), "ep.3").entries == (own,)


@pytest.mark.parametrize("flag", ["pinned", "locked", "retired"])
def test_a_frozen_entry_keeps_its_bytes(flag: str) -> None:
    """A85: no fold changes what is pinned, locked or retired."""
    entry = gag(e0=Said(text="said")).model_copy(update={flag: True, "text": "as it was"})
    assert refold(entry, AIRED) is entry


def test_a_model_s_words_stand_until_a_model_says_more() -> None:
    """A83: the deterministic pass never rewrites a model's words; its books are kept (A84)."""
    entry = gag(
        e0=Said(by="model", text="a model's words", uses=(use("ep.0", 1),)),
        e1=Said(text="a rule's words", uses=(use("ep.1", 2),)),
    )
    now = refold(entry, AIRED)
    assert (now.text, now.by, len(now.uses)) == ("a model's words", "model", 2)


def fact(value: str, since: str, field: str = "job", about: str = "character.kit") -> Entry:
    return Entry(
        id=f"mem.fact.{value}", kind="fact", key=f"{about}|{field}|{value}", about=(about,), field=field, value=value,
        said={since: Said(text=f"is a {value}", value=value)},
    )  # fmt: skip


def test_a_new_value_closes_the_same_field_of_the_same_subject_only() -> None:
    """G8, D32: and both stay readable as of their own time."""
    held = memory(
        fact("cook", "ep.0"),
        fact("judge", "ep.3"),
        fact("tall", "ep.1", field="height"),
        fact("baker", "ep.2", about="character.bo"),
    )
    until = {e.value: e.until for e in held.entries}
    assert until == {"cook": "ep.3", "judge": None, "tall": None, "baker": None}
    assert {e.value: e.until for e in as_of(held, "ep.2").entries}["cook"] is None


def test_on_the_story_axis_nothing_is_earned_anew() -> None:
    """DESIGN §3: an entry is removed when what earned it lies later in the story."""
    moved = tuple(e.model_copy(update={"story": 0.5}) if e.id == "ep.4" else e for e in EPISODES)
    early = gag(e4=Said(earned=False, uses=(use("ep.4", 1),)), e5=Said(uses=(use("ep.5", 2),)))
    held = memory(early).model_copy(update={"episodes": moved})
    assert as_of(held, "ep.4", "story").entries == ()
    other = gag(e4=Said(text="in the past", uses=(use("ep.4", 1),)))
    held = memory(other).model_copy(update={"episodes": moved})
    assert as_of(held, "ep.0", "story").entries[0].text == "in the past"
