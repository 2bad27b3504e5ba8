"""A memory.json that cannot be read: it keeps its bytes, the message tells the ways out, and they lead out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from showmemory import desk
from showmemory.checking import check
from shows import memory_bytes, pier, run

DAMAGE = {
    "empty": lambda whole: b"",
    "cut": lambda whole: whole[: len(whole) // 2],
    "noise": lambda whole: b"\xff\xfe\x00\x80" * 50,
    "another document": lambda whole: b"[]",
    "nothing of ours": lambda whole: b"{}",
}


@pytest.fixture
def show(tmp_path: Path) -> Path:
    made = pier(tmp_path / "show")
    run(made)
    return made


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_memory_is_untouched_and_can_be_brought_back(show: Path, kind: str) -> None:
    """A7, DESIGN §11: no run and no edit writes over it; `restore --memory` does, and keeps what was there."""
    whole = memory_bytes(show)
    damaged = DAMAGE[kind](whole)
    (show / "bible" / "memory.json").write_bytes(damaged)
    for problems in (run(show).errors, desk.undo(show).problems, check(show).problems):
        assert problems[-1].hint.endswith("or showmemory restore --memory brings back the last sound one")
    assert desk.change(show, "set", fields={"apply": "auto"}).problems
    assert memory_bytes(show) == damaged
    told = desk.bring_back(show)
    assert told.problems == []
    assert told.lines[-1] == "the damaged one is kept as bible/memory.damaged-1.json; showmemory does not read it"
    assert memory_bytes(show) == whole
    assert (show / "bible" / "memory.damaged-1.json").read_bytes() == damaged
    assert run(show).errors == []


def test_without_a_history_it_says_so_and_still_touches_nothing(show: Path) -> None:
    (show / "bible" / "memory.history.jsonl").unlink()
    (show / "bible" / "memory.json").write_bytes(b"")
    assert "found none" in desk.bring_back(show).problems[0].message
    assert memory_bytes(show) == b""


def test_a_folder_in_its_place_is_a_problem(show: Path) -> None:
    """No traceback, nothing written, and the way out leads out of it too."""
    whole = memory_bytes(show)
    (show / "bible" / "memory.json").unlink()
    (show / "bible" / "memory.json").mkdir()
    assert "expected a file that can be read, found a folder" in str(run(show).errors[0])
    assert desk.undo(show).problems and check(show).problems
    assert desk.bring_back(show).problems == []
    assert memory_bytes(show) == whole
    shutil.rmtree(show / "bible" / "memory.damaged-1.json")
