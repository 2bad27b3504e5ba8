"""Undo, on the level of documents and of a show: its own change alone, to the byte, also after another branch's."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from showmemory import desk
from showmemory.fold.fold import fingerprints, order, refold
from showmemory.merge.edit import Edit, edit
from showmemory.model.canonical import dumps, plain
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Use
from showmemory.model.span import Problem
from showmemory.notebook import Notebook
from showmemory.store.undo import patch, reverse
from shows import run, script, tiny

ID = "mem.gag.kettle"


def record(name: str, number: int) -> EpisodeRecord:
    return EpisodeRecord(id=f"ep.{name}", season=1, number=number)


# Their ids sort otherwise than their places.
EPISODES = (record("soup", 1), record("boat", 2), record("horn", 3))


def said(episode: str, line: int, text: str = "words") -> Said:
    return Said(text=text, uses=(Use(episode=episode, scene="1", line=line, words=f"kettle {line}"),))


def memory(*episodes: EpisodeRecord, **told: Said) -> ShowMemory:
    """A memory whose one gag was said in these episodes."""
    by_id = {f"ep.{name}": one for name, one in told.items()}
    entry = refold(Entry(id=ID, kind="gag", form="running", key="kettle", said=by_id), order(episodes))
    return ShowMemory(id="memory.x", episodes=episodes, entries=(entry,), written={ID: fingerprints(entry)})


def do(before: ShowMemory, action: Any, target: str = ID, **fields: Any) -> ShowMemory:
    made = edit(before, Edit(action=action, target=target, fields=fields))
    assert not isinstance(made, Problem)
    return made[0]


def back(now: ShowMemory, undo: dict[str, Any]) -> tuple[str, list[str]]:
    kept = json.loads(json.dumps(undo, ensure_ascii=False))
    document, left = reverse(plain(now), kept)
    assert document is not None
    return dumps(ShowMemory.model_validate(document)), left


ONE = memory(*EPISODES[:2], soup=said("ep.soup", 1), boat=said("ep.boat", 2))
CHANGES = {
    "edit": lambda m: do(m, "edit", text="mine", title="Mine"),
    "pin": lambda m: do(m, "pin"),
    "forget": lambda m: do(m, "forget"),
    "add": lambda m: do(m, "add", "", text="The boat leaks."),
    "place": lambda m: do(m, "place", "ep.soup", season=2, number=1),
    "settings": lambda m: do(m, "set", rest_after=3),
    "one more episode": lambda m: memory(*EPISODES, **{e.removeprefix("ep."): s for e, s in m.entries[0].said.items()},
                                         horn=said("ep.horn", 3, "new words")),
    "reset": lambda m: do(do(m, "pin"), "reset"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_undo_restores_the_bytes_and_redo_too(name: str) -> None:
    """Law: undo restores the bytes."""
    before = do(ONE, "edit", text="first") if name == "reset" else ONE
    after = CHANGES[name](before)
    undo, redo = patch(plain(before), plain(after)), patch(plain(after), plain(before))
    assert back(after, undo) == (dumps(before), [])
    assert back(before, redo) == (dumps(after), [])


def test_a_change_keeps_little() -> None:
    """One more episode of an entry with many is kept as that one episode."""
    many = [record(f"e{n}", n) for n in range(1, 41)]
    told = {f"e{n}": said(f"ep.e{n}", n) for n in range(1, 41)}
    before = memory(*many[:-1], **dict(list(told.items())[:-1]))
    undo = patch(plain(before), plain(memory(*many, **told)))
    assert set(undo["entries"][ID]["said"]) == {"ep.e40"} and len(dumps(undo)) < 600


def test_undo_takes_back_its_own_episode_from_an_entry_that_another_branch_has_added_to() -> None:
    """Issue 6.4: ours remembered the boat, theirs the horn, both the same gag; undoing ours leaves theirs whole."""
    start = memory(EPISODES[0], soup=said("ep.soup", 1))
    ours = memory(*EPISODES[:2], soup=said("ep.soup", 1), boat=said("ep.boat", 2))
    merged = memory(*EPISODES, soup=said("ep.soup", 1), boat=said("ep.boat", 2), horn=said("ep.horn", 3))
    theirs = memory(EPISODES[0], EPISODES[2], soup=said("ep.soup", 1), horn=said("ep.horn", 3))
    assert back(merged, patch(plain(start), plain(ours))) == (dumps(theirs), [])


def test_undo_of_an_entry_both_branches_added_leaves_what_the_other_says() -> None:
    start = ShowMemory(id="memory.x", episodes=EPISODES[:1])
    ours = memory(*EPISODES[:2], boat=said("ep.boat", 2))
    merged = memory(*EPISODES, boat=said("ep.boat", 2), horn=said("ep.horn", 3))
    theirs = memory(EPISODES[0], EPISODES[2], horn=said("ep.horn", 3))
    assert back(merged, patch(plain(start), plain(ours))) == (dumps(theirs), [])


def test_undo_leaves_alone_what_changed_meanwhile() -> None:
    """Issue 6.4: and says what."""
    after = do(ONE, "edit", text="first")
    later = do(after, "edit", text="second")
    assert back(later, patch(plain(ONE), plain(after))) == (dumps(later), [ID])
    pinned = do(after, "pin")
    assert back(pinned, patch(plain(ONE), plain(after))) == (dumps(do(ONE, "pin")), [])


def test_undo_of_a_first_memory_takes_the_file_away_unless_it_grew() -> None:
    undo = patch(None, plain(ONE))
    assert reverse(plain(ONE), undo) == (None, [])
    grown = do(ONE, "pin")
    assert reverse(plain(grown), undo) == (plain(grown), ["memory"])


GAGS = "gags:\n  - name: Lighthouse keys\n"


@pytest.fixture
def show(tmp_path: Path) -> Path:
    made = tiny(
        tmp_path / "show",
        {
            f"s01e0{n}.fountain": script(("ADA", f"Number {n}: the lighthouse keys."), ("BO", "No keys for you."))
            for n in (1, 2)
        },
    )
    (made / "bible").mkdir()
    (made / "bible" / "bible.yaml").write_text(GAGS)
    return made


def bytes_of(show: Path) -> bytes:
    return (show / "bible" / "memory.json").read_bytes()


KEYS = "mem.gag.lighthouse-keys"


def test_many_steps_back_and_forth_in_other_sessions(show: Path, tmp_path: Path) -> None:
    """Issue 6.4: everything applied, by whomever, several steps back and forward again, from the files alone."""
    states = []
    run(show)
    states.append(bytes_of(show))
    for action, fields in (("edit", {"text": "mine"}), ("pin", {}), ("set", {"rest_after": 4}), ("forget", {})):
        desk.change(show, action, KEYS if action != "set" else "", fields=fields, by="agent" if fields else "person")  # type: ignore[arg-type]
        states.append(bytes_of(show))
    desk.change(show, "restore", KEYS)
    desk.change(show, "unpin", KEYS)
    states += [bytes_of(show)]
    (show / "episodes" / "s01e03.fountain").write_text(script(("ADA", "The lighthouse keys!")))
    run(show, apply="auto")
    states.append(bytes_of(show))
    other = tmp_path / "clone"
    shutil.copytree(show, other, ignore=shutil.ignore_patterns(".showmemory"))
    desk.undo(other)
    assert bytes_of(other) == states[-2]
    for _ in range(2):
        desk.undo(other)
    for state in reversed(states[:-2]):
        assert bytes_of(other) == state
        desk.undo(other)
    assert not (other / "bible" / "memory.json").exists()
    for _ in range(8):
        assert desk.redo(other).problems == []
    assert bytes_of(other) == states[-1]
    assert desk.redo(other).problems[0].message == "nothing to redo"
    assert {c["by"] for c in desk.log(other)} == {"pass", "person", "agent"}


def by_hand(show: Path) -> None:
    """Another title for the gag, written into the file."""
    memory = Notebook(show).memory
    assert memory is not None
    entries = (e.model_copy(update={"title": "The keys, again"}) if e.id == KEYS else e for e in memory.entries)
    text = dumps(memory.model_copy(update={"entries": tuple(entries)}))
    (show / "bible" / "memory.json").write_text(text)


def test_what_was_done_by_hand_is_a_change_like_any_other(show: Path) -> None:
    """Issue 6.3, 6.4: rewritten in the file, noted as the person's, taken back to the pass's words."""
    run(show)
    before = bytes_of(show)
    by_hand(show)
    (show / "episodes" / "s01e03.fountain").write_text(script(("ADA", "The lighthouse keys!")))
    run(show, apply="auto")
    assert [(c["by"], c["did"]) for c in desk.log(show)][1:] == [
        ("person", f"{KEYS}: title was rewritten by hand: yours"),
        ("pass", "remembered 4 changes"),
    ]
    desk.undo(show)
    desk.undo(show)
    assert bytes_of(show) == before


def test_undo_right_after_a_hand_edit_takes_back_the_hand_edit(show: Path) -> None:
    run(show)
    desk.change(show, "pin", KEYS)
    before = bytes_of(show)
    path = show / "bible" / "memory.json"
    path.write_text(
        path.read_text().replace('"title": "Lighthouse keys",\n      "about"', '"title": "Mine",\n      "about"')
    )
    assert bytes_of(show) != before
    assert desk.undo(show).lines == [f"taken back: {KEYS}: title was rewritten by hand: yours"]
    assert bytes_of(show) == before


def test_two_entries_of_one_id_stop_everything(show: Path) -> None:
    """Issue 6.3: what a careless merge leaves is named with its line, and the file keeps its bytes."""
    run(show)
    path = show / "bible" / "memory.json"
    memory = Notebook(show).memory
    assert memory is not None
    twice = (*memory.entries, memory.entries[0].model_copy(update={"text": "theirs"}))
    path.write_text(dumps(memory.model_copy(update={"entries": twice})))
    before = bytes_of(show)
    made = run(show, apply="auto")
    assert made.errors[0].message == f"two entries are called {memory.entries[0].id}" and made.errors[0].span.line > 1
    assert bytes_of(show) == before
    assert desk.change(show, "pin", KEYS).problems and desk.undo(show).problems
    assert bytes_of(show) == before


def test_a_memory_that_a_commit_took_away_comes_back_from_the_one_before(show: Path) -> None:
    """Issue 6.5: whichever commit holds it last, not only the newest."""
    run(show)
    git = ["git", "-C", str(show), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "with"]):
        subprocess.run([*git, *words], check=True)
    before = bytes_of(show)
    (show / "bible" / "memory.json").unlink()
    (show / "bible" / "memory.history.jsonl").unlink()
    subprocess.run([*git, "commit", "-qam", "without"], check=True)
    assert "git holds one" in run(show).errors[0].message
    assert desk.change(show, "pin", KEYS).problems[0].message.endswith("and git holds one")
    assert desk.bring_back(show).problems == []
    assert bytes_of(show) == before
    assert "in its place" in desk.bring_back(show).problems[0].message
