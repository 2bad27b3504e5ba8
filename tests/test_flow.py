"""A run from folder to memory: first memory, review, auto, manual, accidents."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from showmemory import desk, uptodate
from showmemory.notebook import Notebook
from showmemory.store import history
from shows import GAGS, ONE, add_third, edit_second, memory_bytes, outputs, pier, run, tiny


@pytest.fixture
def show(tmp_path: Path) -> Path:
    return pier(tmp_path / "show")


def test_a_first_memory_takes_every_episode_and_is_applied_at_once(show: Path) -> None:
    """A1, A44, A46, A92, F11: a bare folder of scripts with a small bible is enough."""
    made = run(show)
    assert made.errors == [] and made.first and made.applied
    memory = Notebook(show).memory
    assert memory is not None and (memory.kind, memory.id) == ("ShowMemory", "memory.show")
    assert [e.id for e in memory.episodes] == ["ep.s01e01", "ep.s01e02"]
    assert {e.id for e in memory.entries} >= {"mem.gag.lighthouse-keys", "mem.synopsis.s01e01"}
    assert not (show / "bible" / "proposal.json").exists()


def test_remembered_episodes_say_who_spoke_how_much_and_what_they_were_read_from(show: Path) -> None:
    """A35, A36: place, script, its hash, who spoke how much."""
    run(show)
    memory = Notebook(show).memory
    assert memory is not None
    first = memory.episodes[0]
    assert (first.season, first.number, first.screenplay) == (1, 1, "episodes/s01e01.fountain")
    assert len(first.hash) == 64
    assert {k: (v.lines, v.words) for k, v in first.spoke.items()} == {"character.ada": (2, 4), "character.bo": (1, 6)}


def test_review_stages_a_proposal_and_leaves_memory_alone(show: Path) -> None:
    """A89, G13: the plan waits, bound to the memory it was made against."""
    run(show)
    before = memory_bytes(show)
    add_third(show)
    made = run(show)
    assert memory_bytes(show) == before
    proposal = json.loads((show / "bible" / "proposal.json").read_text())
    assert proposal["memory"] == Notebook(show).hash
    assert "mem.gag.lighthouse-keys" in {c["entry"] for c in proposal["changes"]}
    assert made.plan.waiting and made.errors == []


def test_auto_applies_as_made_and_undo_takes_it_back(show: Path) -> None:
    """A90: applied, undoable."""
    run(show)
    before = memory_bytes(show)
    add_third(show)
    made = run(show, apply="auto")
    assert made.applied and memory_bytes(show) != before
    desk.undo(show)
    assert memory_bytes(show) == before
    desk.redo(show)
    memory = Notebook(show).memory
    assert memory is not None and len(memory.episodes) == 3


def test_manual_does_nothing_until_asked(show: Path) -> None:
    """A91, F11: and then proposes as review does."""
    run(show)
    desk.change(show, "set", fields={"apply": "manual"})
    before = memory_bytes(show)
    add_third(show)
    made = run(show)
    assert "manual" in made.stage("merge") and memory_bytes(show) == before
    assert not (show / "bible" / "proposal.json").exists()
    run(show, episode="ep.s01e03")
    assert (show / "bible" / "proposal.json").exists() and memory_bytes(show) == before


def test_settings_before_a_first_memory_are_kept_by_it(show: Path) -> None:
    """F11: `set` writes a memory.json with settings alone; the first memory comes on top."""
    desk.change(show, "set", fields={"rest_after": 3})
    memory = Notebook(show).memory
    assert memory is not None and memory.entries == () and memory.settings.rest_after == 3
    assert not uptodate.is_up_to_date(show)
    made = run(show)
    memory = Notebook(show).memory
    assert made.first and memory is not None and memory.entries and memory.settings.rest_after == 3


def test_approving_everything_gives_what_auto_gives(show: Path, tmp_path: Path) -> None:
    run(show)
    add_third(show)
    other = tmp_path / "other"
    shutil.copytree(show, other, ignore=shutil.ignore_patterns(".showmemory"))
    (other / "show.toml").write_text('id = "show"\n')
    (show / "show.toml").write_text('id = "show"\n')
    run(show)
    done = desk.decide(show, all_=True)
    assert done.problems == [] and "nothing waits any more" in done.lines[0]
    run(other, apply="auto")
    assert memory_bytes(show) == memory_bytes(other)


def test_rejecting_leaves_memory_and_is_not_asked_again(show: Path) -> None:
    run(show)
    entries = Notebook(show).memory
    add_third(show)
    made = run(show)
    desk.decide(show, reject=[c.id for c in made.plan.changes])
    again = run(show)
    after = Notebook(show).memory
    assert again.plan.changes == () and entries is not None and after is not None
    assert after.entries == entries.entries


def test_one_decision_of_many(show: Path) -> None:
    run(show)
    add_third(show)
    made = run(show)
    done = desk.decide(show, approve=["mem.gag.lighthouse-keys"])
    assert done.problems == []
    memory = Notebook(show).memory
    assert memory is not None
    gag = next(e for e in memory.entries if e.id == "mem.gag.lighthouse-keys")
    assert gag.uses[-1].episode == "ep.s01e03"
    assert len(run(show).plan.changes) == len(made.plan.changes) - 1


def test_a_name_that_does_not_wait_is_a_problem(show: Path) -> None:
    run(show)
    done = desk.decide(show, approve=["mem.gag.nothing"])
    assert [str(p) for p in done.problems] == [
        "bible/memory.json: error: expected something that waits, found mem.gag.nothing\n"
        "    showmemory plan lists what waits"
    ]


def test_a_changed_script_is_said_to_have_changed(show: Path) -> None:
    """A36: another hash than when it was remembered."""
    run(show)
    edit_second(show)
    made = run(show)
    memory = Notebook(show).memory
    assert memory is not None and made.scripts["ep.s01e02"] != memory.episodes[1].hash
    assert any(c.episode == "ep.s01e02" for c in made.plan.changes)


def test_a_script_gone_waits_for_the_person(show: Path) -> None:
    run(show)
    (show / "episodes" / "s01e02.fountain").unlink()
    made = run(show, apply="auto")
    memory = Notebook(show).memory
    assert memory is not None and len(memory.episodes) == 2
    assert [c.entry for c in made.plan.changes] == ["ep.s01e02"]
    desk.decide(show, approve=["ep.s01e02"])
    memory = Notebook(show).memory
    assert memory is not None and [e.id for e in memory.episodes] == ["ep.s01e01"]
    assert "mem.synopsis.s01e02" not in {e.id for e in memory.entries}


def test_a_dry_run_writes_nothing(show: Path) -> None:
    before = {p for p in show.rglob("*") if ".showmemory" not in str(p)}
    run(show, dry_run=True)
    assert {p for p in show.rglob("*") if ".showmemory" not in str(p)} == before


def test_a_folder_without_scripts_says_what_it_would_need(tmp_path: Path) -> None:
    """A46: a show with no episodes."""
    made = run(tmp_path)
    assert made.errors == [] or "script" in str(made.errors[0])
    assert not made.busy


def test_one_episode_and_no_bible(tmp_path: Path) -> None:
    """A44: a show of one script works."""
    show = tiny(tmp_path / "one", {"pilot.fountain": ONE})
    assert run(show).errors == []
    assert (show / "context" / "show.md").read_text()


def test_memory_holds_nothing_of_the_rules(show: Path) -> None:
    """A2, A4, A5: a new tone rule shows in the next context; memory.json keeps its bytes, and the bible its own."""
    (show / "bible" / "theme.yaml").write_text("never:\n  - A joke about the fog horn.\n")
    run(show)
    assert "fog horn" not in memory_bytes(show).decode()
    before = memory_bytes(show)
    bible = GAGS + "tone:\n  - Dry as a ledger.\n"
    (show / "bible" / "bible.yaml").write_text(bible)
    run(show)
    assert "Dry as a ledger." in (show / "context" / "show.md").read_text()
    assert "fog horn" in (show / "context" / "show.md").read_text()
    assert memory_bytes(show) == before
    assert (show / "bible" / "bible.yaml").read_text() == bible


def test_a_bible_gag_is_linked_not_copied(show: Path) -> None:
    """A5: `about` names it."""
    run(show)
    memory = Notebook(show).memory
    assert memory is not None
    gag = next(e for e in memory.entries if e.id == "mem.gag.lighthouse-keys")
    assert gag.about == ("gag.lighthouse-keys",) and gag.form == "bible"


def test_a_place_given_by_hand_holds_everywhere(show: Path) -> None:
    """A37, A40: order follows, and a taken place is refused."""
    run(show)
    taken = desk.change(show, "place", "ep.s01e01", fields={"season": 1, "number": 2})
    assert "expected a free place, found ep.s01e02" in str(taken.problems[0])
    done = desk.change(show, "place", "ep.s01e01", fields={"season": 1, "number": 9})
    assert done.problems == []
    run(show)
    memory = Notebook(show).memory
    assert memory is not None and [e.id for e in memory.episodes] == ["ep.s01e02", "ep.s01e01"]


def test_history_names_each_change_and_who_made_it(show: Path) -> None:
    run(show)
    desk.change(show, "pin", "mem.gag.lighthouse-keys")
    rows = desk.log(show)
    assert [(r["by"], r["did"]) for r in rows] == [
        ("pass", "first memory of 2 episodes"),
        ("person", "Lighthouse keys is in every context now, and no pass changes it"),
    ]
    assert len(history.read(show)) == 2


def test_edits_leave_contexts_as_the_next_run_would(show: Path) -> None:
    """An edit is applied as made, in the contexts too."""
    run(show)
    for action in ("pin", "unpin", "rest", "lock", "drop", "forget"):
        desk.change(show, action, "mem.gag.lighthouse-keys")
        before = outputs(show)
        run(show)
        assert outputs(show) == before, action


def test_a_save_alone_runs_nothing(show: Path) -> None:
    """A87: a script may be saved many times; memory moves when a run is asked for, and then says there is work."""
    run(show)
    before = outputs(show)
    for _ in range(3):
        edit_second(show)
    assert outputs(show) == before
    assert not uptodate.is_up_to_date(show)
    assert run(show).plan.waiting


def test_about_rewritten_by_hand_stays_and_can_be_reverted(show: Path) -> None:
    """What no episode says by itself is the person's all the same."""
    run(show)
    before = memory_bytes(show)
    desk.change(show, "edit", "mem.gag.lighthouse-keys", fields={"about": ("character.ada",)})
    for _ in range(2):
        run(show, apply="auto")
        memory = Notebook(show).memory
        assert memory is not None
        gag = next(e for e in memory.entries if e.id == "mem.gag.lighthouse-keys")
        assert (gag.about, gag.original["about"]) == (("character.ada",), ("gag.lighthouse-keys",))
    desk.change(show, "revert", "mem.gag.lighthouse-keys")
    assert memory_bytes(show) == before


def test_undo_and_redo_name_the_change_itself(show: Path) -> None:
    run(show)
    desk.change(show, "set", fields={"rest_after": 3})
    assert desk.undo(show).lines == ["taken back: set rest_after = 3"]
    assert desk.redo(show).lines == ["made again: set rest_after = 3"]
    assert desk.undo(show).lines == ["taken back: set rest_after = 3"]


def test_a_run_that_left_something_to_a_plain_one_is_not_the_last_word(show: Path) -> None:
    """A90: under auto, an edit or a run told to review leaves what waits to the next run, which doit must not skip."""
    desk.change(show, "set", fields={"apply": "auto"})
    run(show)
    assert uptodate.is_up_to_date(show)
    for act in (lambda: run(show, apply="review"), lambda: desk.change(show, "pin", "mem.gag.lighthouse-keys")):
        edit_second(show) if "keys are gone" in (show / "episodes" / "s01e02.fountain").read_text() else add_third(show)
        act()
        assert not uptodate.is_up_to_date(show)
        assert run(show).applied
        assert uptodate.is_up_to_date(show)
