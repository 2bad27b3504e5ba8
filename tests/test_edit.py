"""Every edit of A116, one test each: what it does, what it says, what it refuses; and what an agent may not do."""

from __future__ import annotations

from typing import Any

import pytest

from showmemory.fold.fold import fingerprints, order, refold
from showmemory.merge.edit import Action, Edit, edit
from showmemory.merge.person import absorb
from showmemory.model.canonical import dumps
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Use
from showmemory.model.span import Problem

EPISODES = tuple(EpisodeRecord(id=f"ep.{n}", season=1, number=n) for n in (1, 2, 3))
ID = "mem.gag.kettle"


def made() -> ShowMemory:
    said = {
        f"ep.{n}": Said(
            title="The kettle", text=f"pass {n}", uses=(Use(episode=f"ep.{n}", scene="1", line=n, words=f"kettle {n}"),)
        )
        for n in (1, 2)
    }
    entry = refold(Entry(id=ID, kind="gag", form="running", key="kettle", said=said), order(EPISODES))
    return ShowMemory(id="memory.x", episodes=EPISODES, entries=(entry,), written={ID: fingerprints(entry)})


def do(memory: ShowMemory, action: Action, target: str = ID, by: Any = "person", **fields: Any) -> ShowMemory:
    result = edit(memory, Edit(action=action, target=target, fields=fields, by=by))
    assert not isinstance(result, Problem), result
    assert absorb(result[0]) == (result[0], ()), "an edit leaves nothing for absorb to find"
    return result[0]


def refused(memory: ShowMemory, action: Action, target: str = ID, by: Any = "person", **fields: Any) -> str:
    result = edit(memory, Edit(action=action, target=target, fields=fields, by=by))
    assert isinstance(result, Problem)
    return result.message


def kettle(memory: ShowMemory) -> Entry:
    return next(e for e in memory.entries if e.id == ID)


def test_add() -> None:
    """A116 add, C9, C10, F8: the person's own, from the newest episode on."""
    after = do(made(), "add", "", kind="fact", text="The boat leaks.", about=("place.boat",))
    own = next(e for e in after.entries if e.kind == "fact")
    assert (own.id, own.by, own.since, own.about) == ("mem.fact.the-boat-leaks", "person", "ep.3", ("place.boat",))
    assert refused(after, "add", "", kind="fact", text="The boat leaks.").startswith("expected a new id")
    assert refused(made(), "add", "", kind="fact") == "expected words for the new entry, found none"


def test_edit() -> None:
    """A116 edit, C6, C7: the pass's words are kept underneath."""
    after = kettle(do(made(), "edit", text="mine"))
    assert (after.text, after.by, after.edited, after.original) == (
        "mine", "person", {"text": "ep.3"}, {"text": "pass 2"},
    )  # fmt: skip
    assert refused(made(), "edit", score=3).startswith("expected one of title, text")


def test_pin_and_unpin() -> None:
    """A116 pin, unpin; A11."""
    assert kettle(do(made(), "pin")).pinned
    assert do(do(made(), "pin"), "unpin") == made()


def test_lock_and_unlock() -> None:
    """A116 lock, unlock; A12."""
    assert kettle(do(made(), "lock")).locked
    assert do(do(made(), "lock"), "unlock") == made()


def test_rest_and_unrest() -> None:
    """A116 rest, unrest; A33: what the person says holds over the counting."""
    assert kettle(do(made(), "rest")).rested is True
    assert do(do(made(), "rest"), "unrest") == made()
    assert kettle(do(made(), "unrest")).rested is False


def test_retire_and_restore() -> None:
    """A116 retire, restore; A13."""
    assert kettle(do(made(), "retire")).retired
    assert do(do(made(), "retire"), "restore") == made()


def test_forget_and_restore() -> None:
    """A116 forget, restore; F3, G1: the whole entry comes back."""
    gone = do(made(), "forget")
    assert gone.entries == () and gone.forgotten[0].words == ("kettle 1", "kettle 2")
    assert dumps(do(gone, "restore")) == dumps(made())


def test_keep_drop_and_clear() -> None:
    """C12 to C14, F5: three states; dropping pins nothing and freezes nothing."""
    assert kettle(do(made(), "keep")).keep == "keep"
    dropped = do(made(), "drop")
    assert kettle(dropped).keep == "drop" and not kettle(dropped).frozen
    assert do(dropped, "clear") == made()


def test_revert() -> None:
    """C8: back to the pass's own words."""
    assert dumps(do(do(made(), "edit", text="mine", title="x"), "revert")) == dumps(made())
    assert refused(made(), "revert") == f"expected words you rewrote in {ID}, found none"


def test_place() -> None:
    """A116 place-episode, A37: the order of everything follows."""
    after = do(made(), "place", "ep.1", season=2, number=1)
    assert [e.id for e in after.episodes] == ["ep.2", "ep.3", "ep.1"] and after.episodes[-1].placed
    assert kettle(after).since == "ep.2" and kettle(after).text == "pass 1"
    assert (
        refused(made(), "place", "ep.1", season=1, number=2)
        == "expected a free place, found ep.2 at season 1, number 2"
    )
    assert refused(made(), "place", "ep.9", season=1, number=2).startswith("expected a remembered episode")


def test_set() -> None:
    """A116 settings; A29 to A34."""
    after = do(made(), "set", apply="auto", rest_after=3)
    assert (after.settings.apply, after.settings.rest_after) == ("auto", 3)
    assert refused(made(), "set", apply="sometimes").startswith("apply: expected another value, found 'sometimes'")
    assert refused(made(), "set", colour="red") == "expected a setting, found colour"


def test_reset() -> None:
    """C16: every decision is given back; nothing of the passes is lost."""
    mine = do(do(do(made(), "edit", text="mine"), "pin"), "add", "", kind="fact", text="own")
    assert dumps(do(mine, "reset")) == dumps(made())
    assert dumps(do(do(made(), "forget"), "reset")) == dumps(made())


@pytest.mark.parametrize("action", ["lock", "unlock", "reset"])
def test_an_agent_never_locks(action: Action) -> None:
    """A117: locking is the person's."""
    assert refused(made(), action, by="agent").startswith("expected a person, found an agent")


@pytest.mark.parametrize("action", ["edit", "pin", "rest", "retire", "forget", "drop", "revert", "restore"])
def test_an_agent_never_changes_a_locked_entry(action: Action) -> None:
    """A117."""
    locked = do(made(), "lock")
    assert refused(locked, action, by="agent", text="x") == f"{ID} is locked, and an agent may not change it"


def test_an_agent_may_change_what_is_not_locked() -> None:
    assert kettle(do(made(), "edit", by="agent", text="shorter")).text == "shorter"


def test_a_mistyped_id_names_what_is_near() -> None:
    result = edit(made(), Edit(action="pin", target="kettle"))
    assert isinstance(result, Problem)
    assert str(result) == (
        "bible/memory.json: error: expected the id of an entry, found kettle\n    did you mean mem.gag.kettle?"
    )
