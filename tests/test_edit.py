"""Every edit of A116, one test each: what it does, what it says, what it refuses; and what an agent may not do."""

from __future__ import annotations

from typing import Any

import pytest

from showmemory.fold.fold import as_of, fingerprints, order, refold
from showmemory.merge.apply import all_decisions, apply
from showmemory.merge.drafts import drafts
from showmemory.merge.edit import Action, Edit, edit
from showmemory.merge.person import absorb
from showmemory.merge.plan import target
from showmemory.merge.taken import candidate, take_up
from showmemory.model.canonical import dumps
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Use
from showmemory.model.observation import Observation
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
    assert refused(made(), "add", "mem.gag.boat", kind="fact", text="x").startswith("expected an id that begins with")
    assert refused(made(), "add", "", kind="fact") == "expected words for the new entry, found none"


def test_add_with_since() -> None:
    """F8: from an episode of its own on, and only from one that is remembered."""
    after = do(made(), "add", "", text="The boat leaks.", since="ep.2")
    assert as_of(after, "ep.1").entries[0].id == ID and len(as_of(after, "ep.1").entries) == 1
    assert {e.since for e in as_of(after, "ep.2").entries if e.kind == "fact"} == {"ep.2"}
    moved = do(after, "edit", "mem.fact.the-boat-leaks", since="ep.3")
    assert next(e for e in moved.entries if e.kind == "fact").since == "ep.3"
    assert refused(made(), "add", "", text="x", since="ep.9") == "expected a remembered episode, found ep.9"
    assert refused(made(), "edit", since="ep.1").startswith("expected one of title, text")


def test_two_long_texts_that_begin_alike_are_two_entries() -> None:
    """C9: nobody has to think of an id."""
    long = "The lighthouse keys hang behind the galley door, and "
    both = do(do(made(), "add", "", text=long + "Ines counts them"), "add", "", text=long + "nobody counts them")
    assert len({e.id for e in both.entries if e.kind == "fact"}) == 2


def test_edit() -> None:
    """A116 edit, C6, C7: the pass's words are kept underneath."""
    after = kettle(do(made(), "edit", text="mine"))
    assert (after.text, after.by, after.edited, after.original) == (
        "mine", "person", {"text": "ep.3"}, {"text": "pass 2"},
    )  # fmt: skip
    assert refused(made(), "edit", score=3).startswith("expected one of title, text")


def test_an_edit_that_says_what_the_pass_says_is_no_edit() -> None:
    """C7, C8: putting the pass's words back by hand gives them back to the pass."""
    assert do(made(), "edit", text="pass 2") == made()
    assert do(do(made(), "edit", text="mine"), "edit", text="pass 2") == made()
    both = kettle(do(do(made(), "edit", text="mine", title="Mine"), "edit", text="pass 2"))
    assert (both.edited, both.original, both.by) == ({"title": "ep.3"}, {"title": "The kettle"}, "person")


def test_whom_an_entry_is_about_can_be_rewritten_and_reverted() -> None:
    """C6, C8: also what no episode says by itself."""
    about = kettle(made()).model_copy(update={"about": ("character.kit",)})
    before = made().model_copy(update={"entries": (about,), "written": {ID: fingerprints(about)}})
    after = do(before, "edit", about=("character.bo",), value="hot")
    assert kettle(after).about == ("character.bo",) and kettle(after).edited == {"about": "ep.3", "value": "ep.3"}
    assert dumps(do(after, "revert")) == dumps(before)
    assert do(after, "edit", about=("character.kit",), value=None) == before


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


def test_only_what_plays_can_rest() -> None:
    own = do(made(), "add", "", kind="fact", text="The boat leaks.")
    assert refused(own, "rest", "mem.fact.the-boat-leaks").startswith("expected a gag or a catchphrase, found a fact")


def test_retire_and_restore() -> None:
    """A116 retire, restore; A13."""
    assert kettle(do(made(), "retire")).retired
    assert do(do(made(), "retire"), "restore") == made()


def test_forget_and_restore() -> None:
    """A116 forget, restore; F3, G1: the whole entry comes back."""
    gone = do(made(), "forget")
    assert gone.entries == () and gone.forgotten[0].words == ("kettle 1", "kettle 2")
    assert dumps(do(gone, "restore")) == dumps(made())


def test_restore_refuses_what_is_there_already() -> None:
    """F3: nothing that stands is overwritten by what was thrown out."""
    assert refused(made(), "restore").startswith("expected something forgotten, rejected or retired")
    again = do(do(made(), "forget"), "add", "", kind="gag", title="Kettle", text="another")
    again = again.model_copy(update={"forgotten": do(made(), "forget").forgotten})
    assert refused(again, "restore").startswith(f"expected {ID} to be gone, found another")


def test_what_was_removed_by_hand_is_wanted_again() -> None:
    """G1, F3: a tombstone without its entry can only ask the next run for it."""
    gone, _ = absorb(made().model_copy(update={"entries": ()}))
    result = edit(gone, Edit(action="restore", target=ID))
    assert not isinstance(result, Problem)
    assert result[0].forgotten == () and result[1].endswith("the next remember proposes it")


def test_keep_drop_and_clear() -> None:
    """C12 to C14, F5: three states; dropping pins nothing and freezes nothing."""
    assert kettle(do(made(), "keep")).keep == "keep"
    dropped = do(made(), "drop")
    assert kettle(dropped).keep == "drop" and not kettle(dropped).frozen
    assert do(dropped, "clear") == made()


def test_a_persons_own_entry_is_always_kept() -> None:
    """C10, C11: it is never judged, so there is nothing to keep."""
    own = do(made(), "add", "", kind="fact", text="The boat leaks.")
    assert do(own, "keep", "mem.fact.the-boat-leaks") == own


def test_an_edit_sets_neither_keep_nor_pin() -> None:
    """F5: two different things, and editing sets neither of them."""
    after = kettle(do(made(), "edit", text="mine"))
    assert (after.keep, after.pinned) == (None, False)


def hair(memory: ShowMemory, value: str, since: str) -> ShowMemory:
    about = {"about": ("character.kit",), "field": "hair"}
    return do(memory, "add", "", text=f"Kit's hair is {value}.", value=value, since=since, **about)


def test_supersede() -> None:
    """D32, G8: the same field of the same subject only; both stay readable as of their own time."""
    before = do(hair(made(), "red", "ep.1"), "add", "", text="Bo's hair is red.", about=("character.bo",), field="hair",
                value="red", since="ep.1")  # fmt: skip
    after = do(before, "supersede", "mem.fact.kits-hair-is-red", value="black", since="ep.2")
    told = {(e.about, e.value): (e.text, e.since, e.until) for e in after.entries if e.kind == "fact"}
    assert told == {
        (("character.kit",), "red"): ("Kit's hair is red.", "ep.1", "ep.2"),
        (("character.kit",), "black"): ("Kit's hair is black.", "ep.2", None),
        (("character.bo",), "red"): ("Bo's hair is red.", "ep.1", None),
    }
    assert [e.until for e in as_of(after, "ep.1").entries if e.kind == "fact"] == [None, None]


def test_supersede_refuses_what_it_cannot_tell() -> None:
    """D32: no field, no other value, or no later moment."""
    red = hair(made(), "red", "ep.2")
    id_ = "mem.fact.kits-hair-is-red"
    assert refused(red, "supersede", id_, value="red") == "expected another value of hair, found red"
    assert refused(red, "supersede", id_, value="black", since="ep.1").startswith("expected an episode after ep.2")
    assert refused(made(), "supersede", value="x") == f"expected an entry that has a field, found {ID} without one"


@pytest.mark.parametrize("flag", ["pin", "lock"])
def test_a_frozen_value_is_closed_by_the_person_and_by_nobody_else(flag: Action) -> None:
    """A85, G8: what a pass adds never touches a frozen entry; a reader sees the value closed all the same."""
    red = do(hair(made(), "red", "ep.1"), flag, "mem.fact.kits-hair-is-red")
    closed = do(red, "supersede", "mem.fact.kits-hair-is-red", value="black", since="ep.3")
    assert [e.until for e in closed.entries if e.value == "red"] == ["ep.3"]
    later = hair(red, "grey", "ep.2")
    held = next(e for e in later.entries if e.value == "red")
    assert held in red.entries and held.until is None
    assert [e.until for e in as_of(later, "ep.3").entries if e.value == "red"] == ["ep.2"]


def test_revert() -> None:
    """C8: back to the pass's own words."""
    assert dumps(do(do(made(), "edit", text="mine", title="x"), "revert")) == dumps(made())
    assert refused(made(), "revert") == f"expected words you rewrote in {ID}, found none"
    cut = made().model_copy(update={"entries": (kettle(do(made(), "edit", text="mine")).model_copy(update={
        "said": {"ep.1": Said(stale=(Use(episode="ep.1", words="kettle 1"),))}}),)})  # fmt: skip
    assert kettle(do(cut, "revert")).text != "mine"


def test_a_pass_that_begins_to_speak_of_a_persons_entry_keeps_its_words() -> None:
    """A83, A84, C7: the books are kept, the words are the person's, and revert gives the pass's."""
    own = do(
        made().model_copy(update={"entries": (), "written": {}}), "add", ID, kind="gag", title="Mine", key="kettle"
    )
    observed = [
        Observation(rule="t", episode=e, kind="gag", key="kettle", name="kettle", said=s)
        for e, s in kettle(made()).said.items()
    ]
    records = {e.id: e for e in EPISODES}
    wanted = target(own, drafts(observed, records, {("gag", "kettle")}), records)
    after = apply(wanted, all_decisions(wanted))
    assert absorb(after) == (after, ())
    assert (kettle(after).title, kettle(after).by, len(kettle(after).uses)) == ("Mine", "person", 2)
    assert kettle(do(after, "revert")).title == "The kettle"


def test_what_was_held_back_can_be_taken_up() -> None:
    """A55, C9: `add` with its id; the person's from then on, with its uses, and later ones are counted."""
    said = {e: s.model_copy(update={"earned": False, "held": "too common"}) for e, s in kettle(made()).said.items()}
    observed = [
        Observation(rule="t", episode=e, kind="gag", key="kettle", name="kettle", said=s) for e, s in said.items()
    ]
    bare = made().model_copy(update={"entries": (), "written": {}})
    found = candidate(bare, ID, observed)
    assert found is not None and candidate(bare, "mem.gag.boat", observed) is None
    after, line = take_up(bare, ID, found, {"title": "Our kettle"})
    assert line == "Our kettle is taken up: yours; 2 uses so far, and later ones are counted"
    assert absorb(after) == (after, ())
    assert (kettle(after).by, kettle(after).title, kettle(after).since) == ("person", "Our kettle", "ep.1")
    records = {e.id: e for e in EPISODES}
    assert target(after, drafts(observed, records, {("gag", "kettle")}), records).deltas == ()
    assert kettle(do(after, "revert")).by == "person"


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
    placed = do(do(made(), "place", "ep.1", season=2, number=1), "reset")
    assert not any(e.placed for e in placed.episodes)
    assert do(do(made(), "set", apply="auto"), "reset").settings.apply == "auto"


@pytest.mark.parametrize("action", ["lock", "unlock", "reset"])
def test_an_agent_never_locks(action: Action) -> None:
    """A117: locking is the person's."""
    assert refused(made(), action, by="agent").startswith("expected a person, found an agent")


@pytest.mark.parametrize("action", ["edit", "pin", "rest", "retire", "forget", "drop", "revert", "restore"])
def test_an_agent_never_changes_a_locked_entry(action: Action) -> None:
    """A117."""
    locked = do(made(), "lock")
    assert refused(locked, action, by="agent", text="x") == f"{ID} is locked, and an agent may not change it"


def test_an_agent_never_brings_back_what_was_locked_and_thrown_out() -> None:
    """A117."""
    gone = do(do(made(), "lock"), "forget")
    assert refused(gone, "restore", by="agent") == f"{ID} is locked, and an agent may not change it"


def test_an_agent_may_change_what_is_not_locked() -> None:
    assert kettle(do(made(), "edit", by="agent", text="shorter")).text == "shorter"


def test_a_mistyped_id_names_what_is_near() -> None:
    result = edit(made(), Edit(action="pin", target="kettle"))
    assert isinstance(result, Problem)
    assert str(result) == (
        "bible/memory.json: error: expected the id of an entry, found kettle\n    did you mean mem.gag.kettle?"
    )
