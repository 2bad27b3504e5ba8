"""When a gag last played, how worn it is, whether it rests: computed when read (A16, A33, F6, F13)."""

from __future__ import annotations

import pytest

from lantern import EPISODES, gag, use
from showmemory.fold.rest import rest, rests
from showmemory.model.memory import Settings

LAST = Settings(rest_after=2)


def state(*played: str, upto: int = 8, after: int = 2, **fields: object):
    return rest(gag("x", "X", played, **fields), EPISODES[:upto], Settings(rest_after=after))


@pytest.mark.parametrize(
    ("played", "upto", "after", "resting"),
    [
        (("ep.203", "ep.204"), 8, 2, True),
        (("ep.204",), 8, 2, False),
        (("ep.202", "ep.204"), 8, 2, False),
        (("ep.203", "ep.204"), 7, 2, False),
        (("ep.101",), 1, 2, False),
        (("ep.101", "ep.102"), 2, 2, True),
        (("ep.101",), 1, 1, True),
        (("ep.202", "ep.203", "ep.204"), 8, 3, True),
        ((), 8, 2, False),
    ],
)
def test_it_rests_when_it_played_in_each_of_the_latest(played, upto, after, resting):
    """A33, F6: in each of the last `restAfter`, counted up to the moment; a show with fewer rests nothing."""
    assert state(*played, upto=upto, after=after).resting is resting


def test_why_it_rests_is_said():
    """A99: the reason is part of what a writer reads."""
    assert state("ep.203", "ep.204").why == "used in each of the last 2 episodes"
    assert state("ep.204", after=1).why == "used in the last episode"


@pytest.mark.parametrize("rested", [True, False])
def test_the_person_decides(rested):
    """A16, A33: rested or unrested by the person holds, whatever was played."""
    assert state("ep.203", "ep.204", rested=rested).resting is rested
    assert state("ep.101", rested=rested).resting is rested
    assert state(rested=True).why == "rested by the person"


def test_last_use_times_and_wear():
    """F13: last use and worn-ness come from the uses up to the moment."""
    made = state("ep.101", "ep.103", "ep.201")
    assert (made.last, made.times, made.episodes, made.idle, made.wear) == ("ep.201", 3, 3, 3, "fresh")
    assert state("ep.101", "ep.103", "ep.201", upto=5).wear == "worn"
    assert state("ep.102", "ep.103", "ep.104", "ep.201", "ep.202", upto=7).wear == "worn"
    assert state("ep.203").wear == ""
    assert state("ep.204", upto=7).last is None


def test_uses_a_frozen_entry_could_not_take_up_count():
    """F13, A85: later uses are counted and rest it, though the entry keeps its bytes."""
    entry = gag("x", "X", ("ep.203",), locked=True)
    made = rest(entry, EPISODES, LAST, (use("ep.204"), use("ep.203")))
    assert (made.unrecorded, made.resting, made.times) == (1, True, 2)


def test_all_at_once_is_each_by_itself():
    """F13: `rests` is `rest` of each."""
    entries = [gag("a", "A", ("ep.203", "ep.204")), gag("b", "B", ("ep.101",))]
    assert rests(entries, EPISODES, LAST) == {e.id: rest(e, EPISODES, LAST) for e in entries}
