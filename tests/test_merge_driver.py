"""Two branches' memories as one: by episode, by field, with nothing lost and nothing taken for the person's."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from showmemory.merge.apply import all_decisions, apply
from showmemory.merge.drafts import drafts
from showmemory.merge.driver import merge_memories
from showmemory.merge.edit import Edit, edit
from showmemory.merge.person import absorb
from showmemory.merge.plan import target
from showmemory.model.canonical import dumps
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Use
from showmemory.model.observation import Observation
from showmemory.model.span import Problem

PLACES = {"soup": 1, "boat": 2, "horn": 3, "lamp": 4}
KETTLE, GHOST = "mem.gag.kettle", "mem.gag.ghost"


def seen(key: str, name: str, text: str = "words", **more: Any) -> Observation:
    episode = f"ep.{name}"
    use = Use(episode=episode, scene="1", line=PLACES[name], words=f"{key} in {name}")
    said = Said(text=text, uses=(use,), **more)
    return Observation(rule="test", episode=episode, kind="gag", key=key, name=key, said=said)


def remember(memory: ShowMemory, names: str, *observed: Observation, reject: bool = False) -> ShowMemory:
    """Memory once these episodes are read and all that is proposed is approved, or turned down."""
    records = {f"ep.{n}": EpisodeRecord(id=f"ep.{n}", season=1, number=PLACES[n], hash=n) for n in names.split()}
    wanted = target(memory, drafts(observed, records), records)
    every = all_decisions(wanted)
    return apply(wanted, () if reject else every, every if reject else ())


def do(memory: ShowMemory, action: Any, target: str = KETTLE, **fields: Any) -> ShowMemory:
    made = edit(memory, Edit(action=action, target=target, fields=fields))
    assert not isinstance(made, Problem), made
    return made[0]


SOUP = (seen("kettle", "soup"), seen("ghost", "soup"))
BASE = remember(ShowMemory(id="memory.x"), "soup", *SOUP)
BOAT = remember(BASE, "soup boat", *SOUP, seen("kettle", "boat", "boat words"), seen("boat", "boat"))
HORN = remember(BASE, "soup horn", *SOUP, seen("kettle", "horn", "horn words"), seen("lens", "horn"))
BOTH = remember(
    BASE, "soup boat horn", *SOUP, seen("kettle", "boat", "boat words"), seen("boat", "boat"),
    seen("kettle", "horn", "horn words"), seen("lens", "horn"),
)  # fmt: skip


def merged(ours: ShowMemory, theirs: ShowMemory, base: ShowMemory | None = BASE) -> ShowMemory:
    """The merge, which must be the same from either side and leave nothing for absorb to find."""
    made, problems = merge_memories(base, ours, theirs)
    assert [str(p) for p in problems if p.severity == "error"] == []
    assert dumps(merge_memories(base, theirs, ours)[0]) == dumps(made)
    assert absorb(made) == (made, ())
    return made


def clash(ours: ShowMemory, theirs: ShowMemory, base: ShowMemory | None = BASE) -> tuple[ShowMemory, str]:
    made, problems = merge_memories(base, ours, theirs)
    assert absorb(made) == (made, ())
    return made, "\n".join(str(p) for p in problems).replace("bible/memory.json: ", "")


def entry(memory: ShowMemory, id_: str = KETTLE) -> Entry:
    return next(e for e in memory.entries if e.id == id_)


def test_branches_that_remembered_different_episodes_give_what_remembering_both_gives() -> None:
    """G12, issue 6.6: united by episode; nothing lost, nothing the person's, to the byte."""
    assert dumps(merged(BOAT, HORN)) == dumps(BOTH)
    assert {e.by for e in merged(BOAT, HORN).entries} == {"deterministic"}


def test_branches_without_a_common_memory() -> None:
    """Both remembered for the first time; the same entry found twice is one."""
    assert dumps(merged(BOAT, HORN, None)) == dumps(BOTH)


CLEAN = {
    "two entries": (("edit", KETTLE, {"text": "mine"}), ("pin", GHOST, {})),
    "two fields": (("edit", KETTLE, {"text": "mine"}), ("edit", KETTLE, {"title": "Mine"})),
    "words and a flag": (("edit", KETTLE, {"text": "mine"}), ("keep", KETTLE, {})),
    "two flags": (("lock", KETTLE, {}), ("rest", KETTLE, {})),
    "the same": (("edit", KETTLE, {"text": "mine"}), ("edit", KETTLE, {"text": "mine"})),
    "forget and another": (("forget", KETTLE, {}), ("edit", GHOST, {"text": "mine"})),
    "forget both": (("forget", KETTLE, {}), ("forget", KETTLE, {})),
    "settings": (("set", "", {"rest_after": 3}), ("set", "", {"apply": "auto"})),
    "add": (("add", "", {"text": "The boat leaks."}), ("add", "", {"text": "The boat floats."})),
    "place": (("place", "ep.soup", {"season": 2, "number": 1}), ("edit", KETTLE, {"text": "mine"})),
}


@pytest.mark.parametrize("name", CLEAN)
def test_what_two_people_changed_apart_is_one_after_the_other(name: str) -> None:
    """G12: either order of doing it one after the other gives the same bytes."""
    (one, id_one, first), (two, id_two, second) = CLEAN[name]
    ours, theirs = do(BASE, one, id_one, **first), do(BASE, two, id_two, **second)
    made = merged(ours, theirs)
    if name not in ("the same", "forget both"):
        assert dumps(made) == dumps(do(ours, two, id_two, **second))


def test_a_person_rewrote_while_the_other_branch_remembered() -> None:
    """A83, A84: the words are the person's, the books have every use, the pass's words stand beneath."""
    made = merged(do(BASE, "edit", text="mine"), HORN)
    held = entry(made)
    assert (held.text, held.by, held.original, len(held.uses)) == ("mine", "person", {"text": "horn words"}, 2)
    assert dumps(do(made, "revert")) == dumps(HORN)


@pytest.mark.parametrize("flag", ["pin", "lock", "retire"])
def test_what_one_branch_froze_keeps_its_bytes(flag: str) -> None:
    """A85: what the other branch's pass said of it is for a note of the next run."""
    ours = do(BASE, flag)
    made = merged(ours, HORN)
    assert entry(made) == entry(ours)
    assert [e.id for e in made.episodes] == ["ep.soup", "ep.horn"]


def test_forgotten_on_one_branch_is_forgotten_whatever_passes_said_on_the_other() -> None:
    """G1, F3."""
    made = merged(do(BASE, "forget"), HORN)
    assert KETTLE not in {e.id for e in made.entries} and [t.id for t in made.forgotten] == [KETTLE]
    again = remember(made, "soup horn", *SOUP, seen("kettle", "horn"), seen("lens", "horn"))
    assert [e.id for e in again.entries] == [GHOST, "mem.gag.lens"]


def test_what_a_pass_no_longer_finds_on_one_branch_stays_as_far_as_the_other_found_it_anew() -> None:
    """A86: only what was said where the branches parted is taken back."""
    cut = remember(BASE, "soup", seen("ghost", "soup"))
    assert [e.id for e in merged(cut, BASE).entries] == [GHOST]
    assert [u.episode for u in entry(merged(cut, HORN)).uses] == ["ep.horn"]
    mine, _ = merge_memories(BASE, cut, do(BASE, "edit", text="mine"))
    assert entry(mine).text == "mine" and [s.words for s in entry(mine).said["ep.soup"].stale] == ["kettle in soup"]


def test_hand_edits_that_no_run_has_seen_yet_are_the_persons() -> None:
    """Issue 6.3: on either branch."""
    rewritten = BASE.model_copy(
        update={"entries": tuple(e.model_copy(update={"text": "mine"}) if e.id == KETTLE else e for e in BASE.entries)}
    )
    assert entry(merged(rewritten, HORN)).text == "mine"
    removed = BASE.model_copy(update={"entries": (entry(BASE, GHOST),)})
    assert [t.id for t in merged(HORN, removed).forgotten] == [KETTLE]


def test_an_episode_the_person_let_go_takes_what_it_said_with_it() -> None:
    gone = BOAT.model_copy(update={"episodes": BASE.episodes, "entries": BASE.entries, "written": BASE.written})
    made, _ = merge_memories(BOAT, gone, remember(BOAT, "soup boat lamp", *SOUP, seen("kettle", "lamp"),
                             seen("kettle", "boat", "boat words"), seen("boat", "boat")))  # fmt: skip
    assert [e.id for e in made.episodes] == ["ep.soup", "ep.lamp"]
    assert set(entry(made).said) == {"ep.soup", "ep.lamp"} and "mem.gag.boat" not in {e.id for e in made.entries}


CLASHES = {
    "words": (
        [("edit", KETTLE, {"text": "it's ours"})],
        [("edit", KETTLE, {"text": "it's theirs"})],
        'error: both branches changed the text of mem.gag.kettle; ours stands: "it\'s ours"\n'
        "    theirs: \"it's theirs\"   take it: showmemory edit mem.gag.kettle --text 'it'\"'\"'s theirs'",
    ),
    "keep": (
        [("keep", KETTLE, {})],
        [("drop", KETTLE, {})],
        'error: both branches changed the keep of mem.gag.kettle; ours stands: "keep"\n'
        '    theirs: "drop"   take it: showmemory drop mem.gag.kettle',
    ),
    "forget": (
        [("forget", KETTLE, {})],
        [("edit", KETTLE, {"text": "theirs"})],
        'error: our branch forgot mem.gag.kettle, which stands, and theirs changed it: "theirs"\n'
        "    theirs: showmemory restore mem.gag.kettle",
    ),
    "forgotten there": (
        [("edit", KETTLE, {"text": "ours"})],
        [("forget", KETTLE, {})],
        'error: mem.gag.kettle was changed on our branch, which stands, and forgot on theirs: "ours"\n'
        "    theirs: showmemory forget mem.gag.kettle",
    ),
    "settings": (
        [("set", "", {"rest_after": 3})],
        [("set", "", {"rest_after": 4})],
        "error: both branches set restAfter; ours stands: 3\n    theirs: 4   take it: showmemory set restAfter=4",
    ),
    "place": (
        [("place", "ep.soup", {"season": 2, "number": 1})],
        [("place", "ep.soup", {"season": 3, "number": 1})],
        "error: both branches moved ep.soup; ours stands: s02e01\n"
        "    theirs: season 3, number 1   take it: showmemory place ep.soup --season 3 --number 1",
    ),
    "one more": (
        [("add", "", {"title": "Leaks", "text": "At the bow."})],
        [("add", "", {"title": "Leaks", "text": "At the stern."})],
        'error: both branches changed the text of mem.fact.leaks; ours stands: "At the bow."\n'
        "    theirs: \"At the stern.\"   take it: showmemory edit mem.fact.leaks --text 'At the stern.'",
    ),
}


@pytest.mark.parametrize("name", CLASHES)
def test_what_two_people_decided_otherwise_stands_as_ours_and_tells_theirs(name: str) -> None:
    """Issue 6.6: both versions are kept, and the words say how to take the other."""
    one, two, says = CLASHES[name]
    ours, theirs = BASE, BASE
    for action, id_, fields in one:
        ours = do(ours, action, id_, **fields)
    for action, id_, fields in two:
        theirs = do(theirs, action, id_, **fields)
    made, told = clash(ours, theirs)
    assert told == says
    assert dumps(made.model_copy(update={"forgotten": ours.forgotten})) == dumps(ours)


def test_the_version_of_what_we_forgot_comes_back_with_restore() -> None:
    """Nothing of theirs is lost: the tombstone holds their words."""
    made, _ = clash(do(BASE, "forget"), do(HORN, "edit", text="theirs"))
    assert entry(do(made, "restore")).text == "theirs"


def test_turned_down_here_and_taken_up_there() -> None:
    """G13: decided differently by two people."""
    refused = remember(BASE, "soup boat", *SOUP, seen("boat", "boat"), reject=True)
    taken = remember(BASE, "soup boat", *SOUP, seen("boat", "boat"))
    made, told = clash(refused, taken)
    assert "mem.gag.boat" not in {e.id for e in made.entries} and len(made.declined) == 1
    assert told.startswith('error: our branch turned down mem.gag.boat, which stands, and theirs took it up: "words"')
    made, told = clash(taken, refused)
    assert "mem.gag.boat" in {e.id for e in made.entries} and made.declined == ()
    assert told.startswith("error: mem.gag.boat was taken up on our branch")


def test_two_new_episodes_at_one_place() -> None:
    """A40: no two episodes have one place."""
    other = EpisodeRecord(id="ep.oar", season=1, number=2, hash="oar")
    theirs = BASE.model_copy(update={"episodes": (*BASE.episodes, other)})
    assert clash(BOAT, theirs)[1].startswith("error: ep.oar and ep.boat have one place: s01e02")


def test_one_episode_read_anew_on_both_branches_is_a_notice() -> None:
    """Not a person's decision: the next run reads the script as git merged it."""
    ours, theirs = (
        BASE.model_copy(update={"episodes": (BASE.episodes[0].model_copy(update={"hash": h}),)}) for h in "ab"
    )
    assert clash(ours, theirs)[1].startswith("notice: s01e01 was read anew on both branches")


def test_two_things_of_one_id_are_two_and_one_thing_of_two_ids_is_one() -> None:
    """Ids never decide what is one: kind and key do."""
    pan = seen("kettle", "horn").model_copy(update={"key": "pan|kettle"})
    empty = ShowMemory(id="memory.x")
    ours, theirs = remember(empty, "boat", seen("kettle", "boat")), remember(empty, "horn", pan)
    made, _ = merge_memories(None, ours, theirs)
    assert [(e.key, [u.episode for u in e.uses]) for e in made.entries] == [
        ("kettle", ["ep.boat"]), ("pan|kettle", ["ep.horn"]),
    ]  # fmt: skip
    other = remember(empty, "soup", seen("kettle", "soup"))
    named = other.model_copy(
        update={
            "entries": (other.entries[0].model_copy(update={"id": "mem.gag.kettle-1"}),),
            "written": {"mem.gag.kettle-1": other.written[KETTLE]},
        }
    )
    made, _ = merge_memories(None, ours, named)
    assert [(e.id, len(e.uses)) for e in made.entries] == [(KETTLE, 2)] and absorb(made) == (made, ())


ACTIONS = st.one_of(
    st.tuples(st.just("edit"), st.sampled_from(["text", "title"]), st.sampled_from(["one", "two"])),
    st.tuples(st.sampled_from(["pin", "lock", "keep", "drop", "rest", "retire", "forget"]), st.just(""), st.just("")),
    st.tuples(st.just("pass"), st.sampled_from(["boat", "horn", "lamp"]), st.just("")),
)
BRANCH = st.lists(st.tuples(ACTIONS, st.sampled_from([KETTLE, GHOST])), max_size=4)


def branch(steps: list[Any], start: ShowMemory = BASE) -> ShowMemory:
    """A branch: edits by a person, and passes over one more episode."""
    memory, told, names = start, list(SOUP), "soup"
    for (action, what, how), id_ in steps:
        if action == "pass":
            if what not in names:
                names = " ".join(sorted(f"{names} {what}".split(), key=PLACES.__getitem__))
                told.append(seen(id_.rpartition(".")[2], what, f"words of {what}"))
            memory = remember(memory, names, *told)
        elif any(e.id == id_ for e in memory.entries):
            memory = do(memory, action, id_, **({what: how} if what else {}))
    return memory


def said_of(memory: ShowMemory) -> set[tuple[str, str]]:
    return {(e.key, episode) for e in memory.entries for episode in e.said}


@settings(max_examples=80, deadline=None)
@given(BRANCH, BRANCH)
def test_law_a_merge_loses_nothing_and_takes_nothing_for_the_persons(one: list[Any], two: list[Any]) -> None:
    """Laws of issue 6: with itself it is itself; every flag, word and statement of either branch has its place."""
    ours, theirs = branch(one), branch(two)
    assert dumps(merge_memories(BASE, ours, ours)[0]) == dumps(ours)
    assert dumps(merge_memories(BASE, ours, BASE)[0]) == dumps(ours) == dumps(merge_memories(BASE, BASE, ours)[0])
    made, problems = merge_memories(BASE, ours, theirs)
    assert absorb(made) == (made, ())
    assert dumps(ShowMemory.model_validate_json(dumps(made))) == dumps(made)
    other, swapped = merge_memories(BASE, theirs, ours)
    assert len(problems) == len(swapped)
    if not problems:
        assert dumps(other) == dumps(made)
    thrown = {t.key for m in (ours, theirs) for t in m.forgotten}
    frozen = {e.key for m in (ours, theirs) for e in m.entries if e.frozen}
    lost = (said_of(ours) | said_of(theirs)) - said_of(made)
    assert all(key in thrown | frozen for key, _ in lost)
    theirs_own = {e.id for m in (ours, theirs) for e in m.entries if e.by == "person"}
    assert {e.id for e in made.entries if e.by == "person"} <= theirs_own


@settings(max_examples=40, deadline=None)
@given(BRANCH)
def test_law_entries_that_only_one_branch_touched_are_as_that_branch_has_them(steps: list[Any]) -> None:
    ours = branch([(a, KETTLE) for a, _ in steps if a[0] != "pass"])
    theirs = branch([(a, GHOST) for a, _ in steps if a[0] != "pass"])
    made, problems = merge_memories(BASE, ours, theirs)
    assert problems == []
    assert [e for e in made.entries if e.id == KETTLE] == [e for e in ours.entries if e.id == KETTLE]
    assert [e for e in made.entries if e.id == GHOST] == [e for e in theirs.entries if e.id == GHOST]
