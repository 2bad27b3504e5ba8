"""Accidents: missing, broken and unreadable files, kills, two runs at once; nothing is lost."""

from __future__ import annotations

import multiprocessing
import shutil
import subprocess
from pathlib import Path

import pytest

from showmemory import desk, uptodate
from showmemory.flow import Options, remember
from showmemory.notebook import Notebook, held
from showmemory.store import files, history
from shows import add_third, memory_bytes, outputs, pier, run


@pytest.fixture
def show(tmp_path: Path) -> Path:
    return pier(tmp_path / "show")


def test_a_missing_memory_that_history_holds_stops_the_run(show: Path) -> None:
    """DESIGN §5: not a first memory: nothing written, and the choice."""
    run(show)
    (show / "bible" / "memory.json").unlink()
    made = run(show)
    assert [str(p) for p in made.errors] == [
        "bible/memory.json: error: expected the show's memory, found no file, and the history holds one\n"
        "    bring it back: showmemory restore --memory     or begin anew: showmemory remember --fresh"
    ]
    assert not (show / "bible" / "memory.json").exists()
    assert run(show, fresh=True).errors == []
    before = memory_bytes(show)
    again = run(show, fresh=True)
    assert "expected no memory to begin anew, found one" in str(again.errors[0])
    assert memory_bytes(show) == before


def test_a_missing_memory_that_git_holds_stops_the_run_and_can_be_brought_back(show: Path) -> None:
    run(show)
    git = ["git", "-C", str(show), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    before = memory_bytes(show)
    (show / "bible" / "memory.json").unlink()
    (show / "bible" / "memory.history.jsonl").unlink()
    assert "git holds one" in str(run(show).errors[0])
    assert desk.bring_back(show).problems == []
    assert memory_bytes(show) == before


def test_undoing_a_first_memory_makes_room_for_another(show: Path) -> None:
    run(show)
    desk.undo(show)
    assert not (show / "bible" / "memory.json").exists()
    assert not uptodate.is_up_to_date(show)
    assert run(show).first


def test_a_broken_memory_is_never_touched(show: Path) -> None:
    """DESIGN §11, A7: the message names the line, and the file keeps its bytes."""
    run(show)
    path = show / "bible" / "memory.json"
    path.write_text(path.read_text()[:-40])
    before = path.read_bytes()
    made = run(show)
    assert made.errors and made.errors[0].span.line > 1
    assert path.read_bytes() == before
    assert desk.change(show, "pin", "mem.gag.lighthouse-keys").problems


def test_one_bad_script_never_stops_the_others(show: Path) -> None:
    """DESIGN §11: a Problem, what is remembered of it stays, and the others are read."""
    run(show)
    (show / "episodes" / "s01e01.fountain").write_bytes(b"\x00\x01\x02" * 500)
    add_third(show)
    made = run(show, apply="auto")
    assert [p.span.path for p in made.errors] == ["episodes/s01e01.fountain"]
    memory = Notebook(show).memory
    assert memory is not None and len(memory.episodes) == 3
    gag = next(e for e in memory.entries if e.id == "mem.gag.lighthouse-keys")
    assert [u.episode for u in gag.uses] == ["ep.s01e01", "ep.s01e02", "ep.s01e03"]


def _slow(show: Path, ready: object, go: object) -> None:
    with held(show):
        ready.set()  # type: ignore[attr-defined]
        go.wait(30)  # type: ignore[attr-defined]


def test_two_runs_at_once(show: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A88: the second says who holds the lock; nothing is written."""
    context = multiprocessing.get_context("spawn")
    ready, go = context.Event(), context.Event()
    process = context.Process(target=_slow, args=(show, ready, go))
    process.start()
    assert ready.wait(30)
    monkeypatch.setattr("showmemory.notebook.held.__wrapped__.__defaults__", (0.2,))
    made = remember(show, Options(workers=1))
    assert "expected no other run on this show" in str(made.errors[0])
    assert not (show / "bible" / "memory.json").exists()
    go.set()
    process.join()


@pytest.mark.parametrize("first", [True, False])
def test_a_run_killed_between_history_and_memory_leaves_no_trace(
    show: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    """Kill: the next run gives what a run that was never killed gives, history's clock times aside."""
    if not first:
        run(show)
        add_third(show)
    other = tmp_path / "other" / "show"
    shutil.copytree(show, other)

    def killed(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        real = files.write_text
        patch.setattr(files, "write_text", lambda p, t: killed() if p.name == "memory.json" else real(p, t))
        with pytest.raises(KeyboardInterrupt):
            run(show, apply="auto")
    assert len(history.read(show)) == (0 if first else 1)
    run(show, apply="auto")
    run(other, apply="auto")
    assert outputs(show) == outputs(other)
    assert [c["did"] for c in history.read(show)] == [c["did"] for c in history.read(other)]


@pytest.mark.parametrize("name", ["bible/bible.yaml", "show.toml"])
def test_a_broken_bible_or_config_stops_before_anything_is_concluded(show: Path, name: str) -> None:
    """DESIGN §11: nothing is proposed, nothing applied, nothing lost."""
    (show / "show.toml").write_text('id = "show"\n')
    run(show)
    before = memory_bytes(show)
    (show / name).write_text('gags: [\n  name = "x\n')
    made = run(show, apply="auto")
    assert made.errors and made.errors[0].span.path == name and made.plan.changes == ()
    assert memory_bytes(show) == before


def test_a_broken_side_file_leaves_what_its_episode_said(show: Path) -> None:
    """One bad file is a Problem at its line; nothing of its episode goes."""
    (show / "episodes" / "s01e01.continuity.yaml").write_text("facts:\n  - text: The boat leaks.\n")
    run(show)
    (show / "episodes" / "s01e01.continuity.yaml").write_text("facts:\n  - text: [\n")
    made = run(show, apply="auto")
    assert [p.span.path for p in made.errors] == ["episodes/s01e01.continuity.yaml"]
    memory = Notebook(show).memory
    assert memory is not None and any(e.kind == "fact" for e in memory.entries)
    (show / "episodes" / "s01e01.continuity.yaml").write_text("facts:\n  - text: The boat leaks.\n")
    assert run(show, apply="auto").plan.changes == ()
