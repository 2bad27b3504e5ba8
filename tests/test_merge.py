"""Merge as plan and apply: ranks, locks, notes, tombstones, refusals; the laws under random passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from showmemory.merge.apply import all_decisions, apply, nothing_waits
from showmemory.merge.drafts import drafts
from showmemory.merge.person import absorb, untouched
from showmemory.merge.plan import Target, target
from showmemory.merge.says import plan_of
from showmemory.model.canonical import dumps
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Use
from showmemory.model.observation import Observation

IDS = ("ep.1", "ep.2", "ep.3")


def record(id_: str, hash_: str = "h") -> EpisodeRecord:
    return EpisodeRecord(id=id_, season=1, number=int(id_[3:]), hash=hash_)


RECORDS = {id_: record(id_) for id_ in IDS}


def seen(key: str, episode: str, text: str = "words", line: int = 1, kind: str = "gag", **more: Any) -> Observation:
    use = Use(episode=episode, scene="1", line=line, words=f"{key} {line}")
    uses = (use,) if kind == "gag" else ()
    said = Said(text=text, uses=uses, **more)
    return Observation(rule="test", episode=episode, kind=kind, key=key, name=key, about=(), said=said)


def compare(memory: ShowMemory, observed: list[Observation], records: Mapping[str, EpisodeRecord] = RECORDS) -> Target:
    return target(memory, drafts(observed, records), records, [e.id for e in memory.episodes if e.id not in records])


def remembered(observed: list[Observation], memory: ShowMemory | None = None) -> ShowMemory:
    made = compare(memory or ShowMemory(id="memory.x"), observed)
    return apply(made, all_decisions(made))


def entry(memory: ShowMemory, id_: str) -> Entry:
    return next(e for e in memory.entries if e.id == id_)


def replaced(memory: ShowMemory, id_: str, **update: Any) -> ShowMemory:
    return memory.model_copy(
        update={"entries": tuple(e.model_copy(update=update) if e.id == id_ else e for e in memory.entries)}
    )


def test_a_first_memory_holds_every_episode() -> None:
    """A82, A92: one entry a draft, with what each episode says."""
    made = remembered([seen("kettle", "ep.1"), seen("kettle", "ep.3", line=5), seen("ghost", "ep.2")])
    assert [e.id for e in made.entries] == ["mem.gag.ghost", "mem.gag.kettle"]
    assert [u.episode for u in entry(made, "mem.gag.kettle").uses] == ["ep.1", "ep.3"]
    assert [e.id for e in made.episodes] == list(IDS)
    assert set(made.written["mem.gag.kettle"]) == {"text"}


def test_applying_twice_changes_nothing() -> None:
    """Law: idempotent."""
    observed = [seen("kettle", "ep.1"), seen("ghost", "ep.2")]
    made = remembered(observed)
    again = compare(made, observed)
    assert again.deltas == () and dumps(nothing_waits(again)) == dumps(made)


def test_what_a_rule_no_longer_finds_goes_and_the_rest_stays() -> None:
    """A86: only in the episode that was re-read."""
    made = remembered([seen("kettle", "ep.1"), seen("kettle", "ep.2"), seen("ghost", "ep.2")])
    after = remembered([seen("kettle", "ep.1")], made)
    assert [e.id for e in after.entries] == ["mem.gag.kettle"]
    assert [u.episode for u in after.entries[0].uses] == ["ep.1"]
    assert "mem.gag.ghost" not in after.written


def test_an_episode_that_could_not_be_read_keeps_what_it_said() -> None:
    """DESIGN §11: one bad episode costs nothing that is remembered."""
    made = remembered([seen("kettle", "ep.1"), seen("kettle", "ep.2")])
    readable = {id_: r for id_, r in RECORDS.items() if id_ != "ep.2"}
    kept = target(made, drafts([seen("kettle", "ep.1")], readable), readable)
    assert kept.deltas == ()
    assert dumps(nothing_waits(kept)) == dumps(made)


def test_a_rule_never_takes_back_what_a_model_said() -> None:
    """A83, A86: only deterministic statements go."""
    made = remembered([seen("kettle", "ep.1", by="model", text="a model's")])
    after = remembered([seen("kettle", "ep.2", text="a rule's")], made)
    assert entry(after, "mem.gag.kettle").text == "a model's"
    assert set(entry(after, "mem.gag.kettle").said) == {"ep.1", "ep.2"}


@pytest.mark.parametrize(("flag", "state"), [("locked", "locked"), ("pinned", "pinned"), ("retired", "retired")])
def test_what_a_pass_wanted_of_a_protected_entry_is_a_note(flag: str, state: str) -> None:
    """A85: bytes unchanged, one note for each entry and episode."""
    made = replaced(remembered([seen("kettle", "ep.1", title="The kettle")]), "mem.gag.kettle", **{flag: True})
    later = compare(made, [seen("kettle", "ep.1", title="The kettle"), seen("kettle", "ep.2"), seen("kettle", "ep.3")])
    assert entry(apply(later, all_decisions(later)), "mem.gag.kettle") == entry(made, "mem.gag.kettle")
    says = [n.says for n in plan_of(later, "", {}).notes]
    assert says == [f"The kettle is {state}, so 1 use in s01e0{n} not recorded" for n in (2, 3)]


def test_a_hand_edit_is_the_persons_and_the_passs_words_are_kept_beside_it() -> None:
    """A83, A84: words stand, books are kept; DESIGN §4 `original`, `edited`, `written`."""
    made = replaced(remembered([seen("kettle", "ep.1")]), "mem.gag.kettle", text="my words")
    taken, lines = absorb(made)
    assert lines == ("mem.gag.kettle: text was rewritten by hand: yours",)
    after = remembered([seen("kettle", "ep.1"), seen("kettle", "ep.2", text="new words", line=9)], taken)
    held = entry(after, "mem.gag.kettle")
    assert (held.text, held.by, held.edited) == ("my words", "person", {"text": "ep.3"})
    assert held.original == {"text": "new words"} and len(held.uses) == 2
    assert absorb(after) == (after, ())


def test_words_put_back_by_hand_are_the_passs_again() -> None:
    made = replaced(remembered([seen("kettle", "ep.1")]), "mem.gag.kettle", text="my words")
    taken, _ = absorb(made)
    back, _ = absorb(replaced(taken, "mem.gag.kettle", text="words"))
    assert entry(back, "mem.gag.kettle").edited == {}


def test_words_a_pass_comes_to_say_too_stay_the_persons() -> None:
    """C7: the pass may agree for a while; what it says later still never replaces them."""
    made, _ = absorb(replaced(remembered([seen("kettle", "ep.1")]), "mem.gag.kettle", text="mine"))
    agreed = remembered([seen("kettle", "ep.1", text="mine")], made)
    assert absorb(agreed) == (agreed, ()) and agreed.written["mem.gag.kettle"]["text"] == ""
    after = entry(remembered([seen("kettle", "ep.1", text="other")], agreed), "mem.gag.kettle")
    assert (after.text, after.original) == ("mine", {"text": "other"})


def test_an_entry_added_by_hand_is_the_persons() -> None:
    """C9, F8: with the newest episode as its since; no pass touches it."""
    made = remembered([seen("kettle", "ep.1")])
    own = Entry(id="mem.fact.the-boat-leaks", kind="fact", text="The boat leaks.")
    taken, _ = absorb(made.model_copy(update={"entries": (*made.entries, own)}))
    held = entry(taken, own.id)
    assert (held.by, held.since, held.key) == ("person", "ep.3", "the-boat-leaks")
    assert entry(remembered([], taken), own.id) == held


def test_fingerprints_that_a_careless_merge_lost_are_made_anew() -> None:
    """DESIGN §4 `written`: what the passes wrote never becomes the person's, what the person rewrote stays theirs."""
    made = remembered([seen("kettle", "ep.1"), seen("ghost", "ep.2")])
    taken, lines = absorb(replaced(made, "mem.gag.ghost", text="mine").model_copy(update={"written": {}}))
    assert [e.by for e in taken.entries] == ["person", "deterministic"] and len(lines) == 3
    assert taken.written == made.written and absorb(taken) == (taken, ())


def test_a_copy_under_another_id_is_the_persons() -> None:
    """C9: copied in the editor and changed; the one it was copied from stays the pass's."""
    made = remembered([seen("kettle", "ep.1")])
    copy = made.entries[0].model_copy(update={"id": "mem.gag.pan", "text": "mine"})
    taken, _ = absorb(made.model_copy(update={"entries": (*made.entries, copy)}))
    assert [(e.id, e.by, e.key) for e in taken.entries] == [
        ("mem.gag.kettle", "deterministic", "kettle"), ("mem.gag.pan", "person", "pan"),
    ]  # fmt: skip
    assert compare(taken, [seen("kettle", "ep.1")]).deltas == ()


def test_an_undo_of_hand_edits_gives_what_the_passes_had_left() -> None:
    """DESIGN §5: rewritten, added and removed by hand, each has something to go back to."""
    made = remembered([seen("kettle", "ep.1"), seen("ghost", "ep.2")])
    own = Entry(id="mem.fact.boat", kind="fact", text="The boat leaks.")
    rewritten = replaced(made, "mem.gag.kettle", text="mine")
    found = rewritten.model_copy(update={"entries": (own, rewritten.entries[1])})
    taken, lines = absorb(found)
    assert len(lines) == 3
    back = untouched(found, taken)
    assert dumps(remembered([seen("kettle", "ep.1"), seen("ghost", "ep.2")], back)) == dumps(made)
    assert back.entries == (entry(made, "mem.gag.kettle"),)


def test_an_entry_removed_by_hand_is_forgotten_and_stays_so() -> None:
    """G1: a tombstone; a rebuild does not bring it back."""
    observed = [seen("kettle", "ep.1"), seen("ghost", "ep.2")]
    made = remembered(observed)
    taken, _ = absorb(made.model_copy(update={"entries": made.entries[1:]}))
    assert [t.id for t in taken.forgotten] == ["mem.gag.ghost"]
    after = remembered(observed, taken)
    assert [e.id for e in after.entries] == ["mem.gag.kettle"]
    assert after.forgotten[0].key == "ghost" and after.forgotten[0].words == ("ghost 1",)
    assert compare(after, observed).deltas == ()


def test_a_tombstone_knows_an_entry_by_half_its_words() -> None:
    """F3: not by id or key alone."""
    observed = [seen("kettle", "ep.1", line=1), seen("kettle", "ep.2", line=2)]
    made = remembered(observed)
    taken, _ = absorb(made.model_copy(update={"entries": ()}))
    taken = remembered(observed, taken)
    renamed = [o.model_copy(update={"key": "the kettle", "name": "the kettle"}) for o in observed]
    assert compare(taken, renamed).deltas == ()
    other = [seen("kettles all", "ep.1", line=7)]
    assert len(compare(taken, other).deltas) == 1


def test_a_refused_entry_is_not_proposed_again() -> None:
    """G13, D31: decided once."""
    observed = [seen("kettle", "ep.1")]
    first = compare(ShowMemory(id="memory.x"), observed)
    refused = apply(first, (), all_decisions(first))
    assert refused.entries == () and [r.key for r in refused.declined] == ["kettle"]
    assert compare(refused, observed).deltas == ()


def test_a_refused_change_is_asked_again_only_when_its_words_say_something_new() -> None:
    made = remembered([seen("kettle", "ep.1")])
    wanted = [seen("kettle", "ep.1"), seen("kettle", "ep.2", line=4)]
    change = compare(made, wanted)
    refused = apply(change, (), all_decisions(change))
    assert entry(refused, "mem.gag.kettle") == entry(made, "mem.gag.kettle")
    assert compare(refused, wanted).deltas == ()
    assert len(compare(refused, [wanted[0], seen("kettle", "ep.2", line=5)]).deltas) == 1
    third = [*wanted, seen("kettle", "ep.3")]
    assert [d.episode for d in compare(refused, third).deltas] == ["ep.3"]


def test_rejecting_a_removal_keeps_what_was_said() -> None:
    made = remembered([seen("kettle", "ep.1"), seen("kettle", "ep.2")])
    change = compare(made, [seen("kettle", "ep.1")])
    refused = apply(change, (), all_decisions(change))
    assert compare(refused, [seen("kettle", "ep.1")]).deltas == ()
    assert len(entry(refused, "mem.gag.kettle").uses) == 2


def test_a_protected_entry_whose_words_are_cut_is_kept_and_stale() -> None:
    """G2: the person's text stays, the lines that are gone are listed."""
    made, _ = absorb(replaced(remembered([seen("kettle", "ep.1")]), "mem.gag.kettle", text="mine"))
    after = remembered([], made)
    held = entry(after, "mem.gag.kettle")
    assert held.text == "mine" and [s.words for s in held.said["ep.1"].stale] == ["kettle 1"]
    assert compare(after, []).deltas == ()


def test_an_episode_gone_waits_for_the_person_even_under_auto() -> None:
    """DESIGN §2: a removal is never applied by itself; the person's words about it stay."""
    made = remembered([seen("kettle", "ep.1"), seen("kettle", "ep.2")])
    left = {id_: r for id_, r in RECORDS.items() if id_ != "ep.2"}
    change = target(made, drafts([seen("kettle", "ep.1")], left), left, ["ep.2"])
    auto = apply(change, all_decisions(change))
    assert "ep.2" in {e.id for e in auto.episodes} and len(entry(auto, "mem.gag.kettle").uses) == 2
    change = target(auto, drafts([seen("kettle", "ep.1")], left), left, ["ep.2"])
    gone = apply(change, all_decisions(change, gone=True))
    assert [e.id for e in gone.episodes] == ["ep.1", "ep.3"] and len(entry(gone, "mem.gag.kettle").uses) == 1


def test_a_disabled_group_stands_as_it_is() -> None:
    """A30: a pass only writes entries of enabled groups."""
    made = remembered([seen("kettle", "ep.1")])
    some = made.settings.model_copy(update={"kinds": ("story",)})
    made = made.model_copy(update={"settings": some})
    assert compare(made, [seen("kettle", "ep.2"), seen("ghost", "ep.2")]).deltas == ()


def test_entries_follow_a_renaming_in_the_bible_and_a_locked_one_keeps_its_bytes() -> None:
    """DESIGN §2 `was`."""
    old = Observation(
        rule="t", episode="ep.1", kind="catchphrase", key="character.kit|define", name="kit define",
        about=("character.kit",), said=Said(text="Define safe."),
    )  # fmt: skip
    new = old.model_copy(update={"key": "character.kitty|define", "about": ("character.kitty",)})
    was = {"character.kit": "character.kitty"}
    made = remembered([old])
    moved = target(made, drafts([new], RECORDS), RECORDS, (), was)
    assert moved.deltas == ()
    after = nothing_waits(moved)
    assert (after.entries[0].id, after.entries[0].about) == (made.entries[0].id, ("character.kitty",))
    locked = replaced(made, made.entries[0].id, locked=True)
    kept = nothing_waits(target(locked, drafts([new], RECORDS), RECORDS, (), was))
    assert kept.entries == locked.entries


def test_one_script_change_is_one_decision_with_what_follows_from_it() -> None:
    """DESIGN §4: a later `said` that changes only because an earlier script did shares its decision."""
    made = remembered([seen("kettle", id_, score=1.0) for id_ in IDS])
    changed = {**RECORDS, "ep.1": record("ep.1", "other")}
    observed = [seen("kettle", "ep.1", line=3), *(seen("kettle", id_, score=2.0) for id_ in IDS[1:])]
    found = target(made, drafts(observed, changed), changed)
    assert [(d.episode, d.episodes) for d in found.deltas] == [("ep.1", IDS)]


def test_where_only_numbers_move_nobody_is_asked() -> None:
    """D45: a score that follows from a longer script is no decision; a use more in the same words is one."""
    made = remembered([seen("kettle", id_, score=1.0) for id_ in IDS])
    scored = compare(made, [seen("kettle", id_, score=2.0) for id_ in IDS])
    assert plan_of(scored, "", {}).changes == ()
    assert entry(nothing_waits(scored), "mem.gag.kettle").said["ep.2"].score == 2.0
    moved = seen("kettle", "ep.2", score=2.0)
    twice = (*moved.said.uses, moved.said.uses[0].model_copy(update={"line": 9}))
    moved = moved.model_copy(update={"said": moved.said.model_copy(update={"uses": twice})})
    found = compare(made, [seen("kettle", "ep.1", score=2.0), moved, seen("kettle", "ep.3", score=1.0)])
    assert len(plan_of(found, "", {}).changes) == 1


def test_quiet_changes_wait_for_the_decisions_of_their_episode() -> None:
    """What an episode says changes in one step."""
    made = remembered([seen("kettle", id_, score=1.0) for id_ in IDS])
    changed = {**RECORDS, "ep.2": record("ep.2", "other")}
    observed = [seen("kettle", id_, score=2.0) for id_ in IDS] + [seen("ghost", "ep.2")]
    found = target(made, drafts(observed, changed), changed)
    assert dumps(nothing_waits(found)) == dumps(made)
    after = apply(found, {"mem.gag.ghost@ep.2"})
    assert entry(after, "mem.gag.kettle").said["ep.3"].score == 2.0
    assert target(after, drafts(observed, changed), changed).deltas == ()


def test_two_rules_that_speak_of_one_entry_are_joined() -> None:
    """A60: one use for one occurrence even if several detectors fire."""
    at = Use(episode="ep.1", scene="1", line=3, words="a duck", how=("name",))
    one = seen("duck", "ep.1").model_copy(update={"said": Said(uses=(at,))})
    two = one.model_copy(
        update={"rule": "other", "said": Said(text="words", uses=(at.model_copy(update={"how": ("log",)}),))}
    )
    made = drafts([two, one], RECORDS)[("gag", "duck")].said["ep.1"]
    assert [u.how for u in made.uses] == [("log", "name")] and made.text == "words"


KEYS = st.sampled_from(["kettle", "ghost", "boat"])
PASS = st.lists(
    st.builds(seen, KEYS, st.sampled_from(IDS), st.sampled_from(["a", "b", "c"]), st.integers(1, 4)),
    max_size=8,
    unique_by=lambda o: (o.key, o.episode),
)


@settings(max_examples=60, deadline=None)
@given(PASS, st.lists(PASS, max_size=4), st.sampled_from(["edit", "lock", "pin", "retire"]), KEYS)
def test_law_a_persons_words_are_never_altered_by_any_sequence_of_passes(
    first: list[Observation], later: list[list[Observation]], act: str, key: str
) -> None:
    made = remembered(first)
    id_ = f"mem.gag.{key}"
    if id_ not in {e.id for e in made.entries}:
        return
    update: dict[str, dict[str, Any]] = {
        "edit": {"text": "mine"},
        "lock": {"locked": True},
        "pin": {"pinned": True},
        "retire": {"retired": True},
    }
    made, _ = absorb(replaced(made, id_, **update[act]))
    before = entry(made, id_)
    for observed in later:
        made = remembered(observed, made)
        after = entry(made, id_)
        assert after == before if act != "edit" else (after.text, after.by) == ("mine", "person")


@settings(max_examples=60, deadline=None)
@given(PASS, PASS)
def test_law_after_any_pass_memory_is_what_a_fresh_one_would_be(
    first: list[Observation], then: list[Observation]
) -> None:
    """Clean = incremental, on the level of merge."""
    assert dumps(remembered(then, remembered(first))) == dumps(remembered(then))


@settings(max_examples=60, deadline=None)
@given(PASS, st.randoms())
def test_law_the_order_of_observations_and_of_remembering_does_not_matter(
    observed: list[Observation], rng: Any
) -> None:
    shuffled = list(observed)
    rng.shuffle(shuffled)
    whole = remembered(observed)
    assert dumps(remembered(shuffled)) == dumps(whole)
    episodes = list(IDS)
    rng.shuffle(episodes)
    memory = ShowMemory(id="memory.x")
    for at in range(len(episodes)):
        upto = {id_: RECORDS[id_] for id_ in IDS if id_ in episodes[: at + 1]}
        part = target(memory, drafts(observed, upto), upto)
        memory = apply(part, all_decisions(part))
    assert dumps(memory) == dumps(whole)


@settings(max_examples=40, deadline=None)
@given(PASS, PASS, KEYS)
def test_law_forgotten_stays_forgotten(first: list[Observation], then: list[Observation], key: str) -> None:
    """G1."""
    made = remembered(first)
    without = tuple(e for e in made.entries if e.key != key)
    taken, _ = absorb(made.model_copy(update={"entries": without}))
    forgot = len(without) < len(made.entries)
    for observed in (then, first, then):
        taken = remembered(observed, taken)
        assert not forgot or key not in {e.key for e in taken.entries}
