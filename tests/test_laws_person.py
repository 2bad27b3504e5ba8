"""The laws of a person's hand: their words hold, what they threw out stays out, all is told and can be undone."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from showmemory.merge.apply import all_decisions, apply, decision
from showmemory.merge.drafts import drafts
from showmemory.merge.driver import merge_memories
from showmemory.merge.edit import Edit, edit
from showmemory.merge.person import absorb
from showmemory.merge.plan import Target, target
from showmemory.merge.says import plan_of
from showmemory.model.canonical import dumps, plain
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Use
from showmemory.model.observation import Observation
from showmemory.model.span import Problem
from showmemory.store.undo import patch, reverse

IDS = ("ep.1", "ep.2", "ep.3")
KEYS = ("kettle", "ghost", "boat")
FLAGS = ("pinned", "locked", "retired", "rested", "keep")


def seen(key: str, episode: str, text: str, line: int, by: Any, form: str) -> Observation:
    """What a rule or a model says: of a gag with a use, or of a value of somebody's hair."""
    use = Use(episode=episode, scene="1", line=line, words=f"{key} {text} {line}")
    if form == "gag":
        said = Said(by=by, text=text, title=key.title(), uses=(use,))
        return Observation(rule=by, episode=episode, kind="gag", key=key, name=key, said=said)
    said = Said(by=by, text=f"Hair is {text}.", value=text, sources=(use,))
    return Observation(
        rule=by, episode=episode, kind="fact", key=f"{key}|hair|{text}", name=f"{key} hair {text}", said=said,
        about=(f"character.{key}",), field="hair",
    )  # fmt: skip


OBSERVED = st.builds(
    seen, st.sampled_from(KEYS), st.sampled_from(IDS), st.sampled_from(["red", "grey"]), st.integers(1, 3),
    st.sampled_from(["deterministic", "deterministic", "model"]), st.sampled_from(["gag", "fact"]),
)  # fmt: skip
PASS = st.lists(OBSERVED, max_size=7, unique_by=lambda o: (o.kind, o.key, o.episode))
DEED = st.tuples(
    st.sampled_from(["edit", "title", "pin", "unpin", "lock", "unlock", "retire", "restore", "rest", "unrest", "keep",
                     "drop", "clear", "forget", "revert", "add", "set", "reset"]),
    st.integers(0, 5), st.sampled_from(["mine", "mine too", "red"]),
)  # fmt: skip
DEEDS = st.lists(DEED, min_size=1, max_size=5)


def compare(memory: ShowMemory, observed: list[Observation], hash_: str = "h") -> Target:
    records = {id_: EpisodeRecord(id=id_, season=1, number=int(id_[3:]), hash=hash_) for id_ in IDS}
    taken = {(e.kind, e.key) for e in memory.entries if e.by == "person"}
    return target(memory, drafts(observed, records, taken), records)


def remember(memory: ShowMemory, observed: list[Observation], hash_: str = "h") -> ShowMemory:
    made = compare(memory, observed, hash_)
    return apply(made, all_decisions(made))


def first(observed: list[Observation]) -> ShowMemory:
    return remember(ShowMemory(id="memory.x"), observed)


def by_person(memory: ShowMemory, deed: tuple[str, int, str]) -> ShowMemory:
    """Memory after one deed; what it forbids changes nothing."""
    action, at, words = deed
    ids = [e.id for e in memory.entries] or ["mem.gag.none"]
    target_ = ids[at % len(ids)]
    if action == "restore" and memory.forgotten:
        target_ = memory.forgotten[at % len(memory.forgotten)].id
    words_of: dict[str, dict[str, Any]] = {
        "edit": {"text": words}, "title": {"title": words}, "set": {"rest_after": at + 1},
        "add": {"text": f"{words} {at}", "about": ("character.kettle",), "field": "hair", "value": words},
    }  # fmt: skip
    name: Any = "edit" if action == "title" else action
    nowhere = action in ("set", "reset", "add")
    change = Edit(action=name, target="" if nowhere else target_, fields=words_of.get(action, {}))
    made = edit(memory, change)
    return memory if isinstance(made, Problem) else made[0]


def layer(entry: Entry) -> tuple[Any, ...]:
    """All of an entry that is a person's."""
    own = entry.by == "person" and not entry.said
    return (
        {name: getattr(entry, name) for name in entry.edited},
        dict(entry.edited),
        {flag: getattr(entry, flag) for flag in FLAGS},
        (entry.title, entry.text, entry.about, entry.value, entry.since) if own else None,
    )


@settings(max_examples=120)
@given(PASS, DEEDS, st.lists(PASS, min_size=1, max_size=3))
def test_a_persons_words_are_byte_stable_under_any_sequence_of_passes(
    before: list[Observation], deeds: list[Any], passes: list[list[Observation]]
) -> None:
    """C7, A83 to A85: also a model's passes, scripts that change, values that a later one closes."""
    memory = first(before)
    for deed in deeds:
        memory = by_person(memory, deed)
    for number, observed in enumerate(passes):
        after = remember(memory, observed, f"h{number}")
        assert absorb(after) == (after, ()), "nothing of a pass is taken for the person's"
        held = {e.id: e for e in after.entries}
        for entry in memory.entries:
            if entry.frozen:
                assert held[entry.id] == entry
            elif entry.edited or entry.by == "person":
                mine, now = layer(entry), layer(held[entry.id])
                assert now[:3] == mine[:3] or mine[3] is not None
                words = ("title", "text", "about", "value") if mine[3] is not None else ()
                assert all(getattr(held[entry.id], name) == getattr(entry, name) for name in words)
        assert [t.model_copy(update={"words": (), "key": "", "about": ()}) for t in after.forgotten] == [
            t.model_copy(update={"words": (), "key": "", "about": ()}) for t in memory.forgotten
        ]
        assert (after.settings, after.declined) == (memory.settings, memory.declined)
        memory = after


@settings(max_examples=100)
@given(PASS, st.lists(st.one_of(DEED, PASS), min_size=1, max_size=6))
def test_undo_restores_the_bytes(before: list[Observation], steps: list[Any]) -> None:
    """Issue 6.4: step by step back over edits and passes alike, through the file's own form, and forward again."""
    memory = first(before)
    states, undos = [dumps(memory)], []
    for number, step in enumerate(steps):
        after = by_person(memory, step) if isinstance(step, tuple) else remember(memory, step, f"h{number}")
        undos.append(json.loads(json.dumps(patch(plain(memory), plain(after)))))
        states.append(dumps(after))
        memory = after
    document = plain(memory)
    redos = []
    for undo, state in zip(reversed(undos), reversed(states[:-1]), strict=True):
        now, left = reverse(document, undo)
        assert now is not None and left == []
        redos.append(json.loads(json.dumps(patch(document, now))))
        document = plain(ShowMemory.model_validate_json(json.dumps(now)))
        assert dumps(document) == state
    for redo, state in zip(reversed(redos), states[1:], strict=True):
        now, left = reverse(document, redo)
        assert now is not None and left == []
        document = plain(ShowMemory.model_validate_json(json.dumps(now)))
        assert dumps(document) == state


@settings(max_examples=100)
@given(PASS, DEEDS, PASS)
def test_reject_leaves_the_bytes_and_is_not_asked_again(
    before: list[Observation], deeds: list[Any], observed: list[Observation]
) -> None:
    """G13: of every entry; and the same scripts propose nothing of it any more."""
    memory = first(before)
    for deed in deeds:
        memory = by_person(memory, deed)
    wanted = compare(memory, observed, "new")
    after = apply(wanted, (), all_decisions(wanted))
    assert [dumps(plain(e)) for e in after.entries] == [dumps(plain(e)) for e in wanted.memory.entries]
    assert compare(after, observed, "new").deltas == ()


@settings(max_examples=100)
@given(PASS, DEEDS)
def test_a_branch_merged_with_itself_is_itself(before: list[Observation], deeds: list[Any]) -> None:
    """G12: whatever the two have in common, and where they parted."""
    base = first(before)
    memory = base
    for deed in deeds:
        memory = by_person(memory, deed)
    for old in (None, base, memory):
        assert merge_memories(old, memory, memory) == (memory, [])
    # The same again without the short way: both branches hold one thing more, each its own.
    ours, theirs = (by_person(memory, ("add", at, "only here")) for at in (0, 1))
    made, problems = merge_memories(memory, ours, theirs)
    assert problems == []
    there = {e.id: e for e in made.entries}
    assert all(there[e.id] == e for e in memory.entries if e.field is None)
    assert {e.id for e in made.entries} == {e.id for m in (ours, theirs) for e in m.entries}


@settings(max_examples=100)
@given(PASS, st.integers(0, 5), st.lists(PASS, max_size=3), st.booleans())
def test_forget_and_any_number_of_rebuilds_is_absent(
    before: list[Observation], at: int, passes: list[list[Observation]], by_hand: bool
) -> None:
    """G1, F3: forgotten by a command or taken out of the file; by key, and under another key by its words."""
    memory = first(before)
    if not memory.entries:
        return
    gone = memory.entries[at % len(memory.entries)]
    if by_hand:
        memory = memory.model_copy(update={"entries": tuple(e for e in memory.entries if e.id != gone.id)})
        memory, _ = absorb(memory)
    else:
        memory = by_person(memory, ("forget", at, ""))
    other = [o.model_copy(update={"key": f"{o.key}, again"}) if o.key == gone.key else o for o in before]
    for observed in (before, *passes, other, before):
        memory = remember(memory, observed)
        assert gone.id not in {e.id for e in memory.entries}
        assert (gone.kind, gone.key) not in {(e.kind, e.key) for e in memory.entries}
    assert (gone.kind, f"{gone.key}, again") not in {(e.kind, e.key) for e in memory.entries}
    back = edit(memory, Edit(action="restore", target=gone.id))
    assert not isinstance(back, Problem)
    assert gone.id in {e.id for e in remember(back[0], before).entries}


@settings(max_examples=120)
@given(PASS, st.lists(st.tuples(st.sampled_from(["pinned", "locked", "retired"]), st.integers(0, 5)), max_size=3), PASS)
def test_every_suppressed_change_is_exactly_one_note(
    before: list[Observation], frozen: list[Any], observed: list[Observation]
) -> None:
    """A85, D41: what would change without the flags is told once for each entry and episode, and nothing else is."""
    free = first(before)
    flags = {free.entries[at % len(free.entries)].id: flag for flag, at in frozen} if free.entries else {}
    entries = (e.model_copy(update={flags[e.id]: True}) if e.id in flags else e for e in free.entries)
    held = free.model_copy(update={"entries": tuple(entries)})
    would, does = compare(free, observed, "new"), compare(held, observed, "new")
    wanted = Counter((d.id, episode) for d in would.deltas if d.id in flags for episode in d.episodes)
    notes = plan_of(does, "", {}).notes
    assert Counter((note.entry, note.episode) for note in notes) == wanted
    assert {decision(d) for d in does.deltas} == {decision(d) for d in would.deltas if d.id not in flags}
    assert all(count == 1 for count in wanted.values())
    after = apply(does, all_decisions(does))
    assert plan_of(compare(after, observed, "new"), "", {}).notes == notes
