"""A memory.json that is gone: put together again from the history, or taken from git, whichever is newer."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import FOG, Program, with_bible
from showmemory.store import history
from test_coordinator_hour import GIT

MEMORY, HISTORY = Path("bible/memory.json"), Path("bible/memory.history.jsonl")
GOAT = "The goat gets in"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    monkeypatch.chdir(with_bible(tmp_path / "brine"))
    for name, value in {**GIT, "GIT_CEILING_DIRECTORIES": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    program = Program(capsys)
    assert program("remember").code == 0
    return program


def worked_on(program: Program) -> bytes:
    """Edits, a decision, an undo, a hand edit in the file and a new draft; returns memory's bytes."""
    for words in (["pin", GOAT], ["edit", "mem.synopsis.s01e01", "--text", "Goats."], ["undo"], ["redo"],
                  ["forget", "mem.synopsis.s01e02"], ["add", "--text", "The goat is called Mère.", "--about", "Odile"],
                  ["set", "restAfter=3"], ["place", "Fog", "--season", "2", "--number", "1"]):  # fmt: skip
        assert program(*words).code == 0
    MEMORY.write_text(MEMORY.read_text().replace('"title": "House style"', '"title": "Our style"', 1))
    Path("103 Fog.fountain").write_text(FOG + "\nODILE\nWho let the goat up here?\n")
    assert program("remember").code == 0
    assert program("review", "--all").code == 0
    return MEMORY.read_bytes()


def test_from_the_history_alone(program: Program) -> None:
    """Issue 6.5: without git, byte for byte, and it can be undone as ever; a run before stops and offers it."""
    before = worked_on(program)
    MEMORY.unlink()
    out = program("remember")
    assert out.code == 1 and "showmemory restore --memory" in out.text + out.aside and not MEMORY.exists()
    out = program("restore", "--memory")
    assert out.code == 0 and out.text.startswith("memory.json is back from the history, as it was at ")
    assert MEMORY.read_bytes() == before
    assert program("restore", "--memory").code == 1 and MEMORY.read_bytes() == before
    assert program("remember").code == 0 and MEMORY.read_bytes() == before
    assert program("undo").code == 0 and not MEMORY.exists(), "the restoring is the newest change"


def test_whichever_is_newer(program: Program) -> None:
    """Issue 6.5: what was done since the last commit is in the history alone; without a history git has it."""
    subprocess.run(["git", "init", "-q"], env=GIT, check=True)
    before = worked_on(program)
    subprocess.run(["git", "add", "-A"], env=GIT, check=True)
    subprocess.run(["git", "commit", "-qm", "all"], env=GIT, check=True)
    MEMORY.unlink()
    out = program("restore", "--memory")
    assert (
        out.text.startswith("memory.json is back from the last commit that had it: ") and MEMORY.read_bytes() == before
    )
    assert program("unpin", GOAT).code == 0
    newer = MEMORY.read_bytes()
    MEMORY.unlink()
    out = program("restore", "--memory")
    assert out.text.startswith("memory.json is back from the history") and MEMORY.read_bytes() == newer
    MEMORY.unlink()
    HISTORY.unlink()
    assert program("restore", "--memory").code == 0 and MEMORY.read_bytes() == before


def test_a_history_begun_before_changes_were_kept_both_ways(program: Program) -> None:
    """Issue 6.5: it holds no whole memory, and that is said with the choice; one that was taken away is whole."""
    lines = [json.loads(line) for line in HISTORY.read_text().splitlines()]
    HISTORY.write_text("".join(json.dumps({k: v for k, v in line.items() if k != "redo"}) + "\n" for line in lines))
    whole = MEMORY.read_bytes()
    MEMORY.unlink()
    out = program("restore", "--memory")
    assert (out.code, out.aside.splitlines()) == (
        1,
        [
            "bible/memory.json: error: expected the history or git to hold a whole memory, found none",
            "    showmemory remember --fresh begins anew, from the scripts",
        ],
    )
    MEMORY.write_bytes(whole)
    assert program("undo").code == 0 and not MEMORY.exists()
    history_ = HISTORY.read_text()
    HISTORY.write_text(history_.replace('"redo"', '"unknown"'))
    assert program("restore", "--memory").code == 0 and MEMORY.read_bytes() == whole


def test_two_branches_histories_are_put_together(program: Program, tmp_path: Path) -> None:
    """Issue 6.4, 6.5: both branches' changes are there; where both touched one thing, that is said."""
    there = shutil.copytree(Path(), tmp_path / "other")
    assert program("pin", GOAT).code == 0
    assert program("edit", "mem.synopsis.s01e01", "--text", "Ours.").code == 0
    assert program("add", "-C", str(there), "--text", "The lamp is lit.").code == 0
    assert program("edit", "-C", str(there), "mem.synopsis.s01e01", "--text", "Theirs.").code == 0
    ours, theirs = history.read(Path()), history.read(there)
    HISTORY.write_text(history.text_of(history.united(ours, theirs)))
    MEMORY.unlink()
    out = program("restore", "--memory")
    assert out.code == 0 and "two branches' changes were put together" in out.text
    held = {entry["id"]: entry for entry in json.loads(MEMORY.read_text())["entries"]}
    assert held["mem.gag.the-goat-gets-in"]["pinned"] and held["mem.fact.the-lamp-is-lit"]["by"] == "person"
    assert held["mem.synopsis.s01e01"]["text"] in ("Ours.", "Theirs.")


def test_the_history_stays_small(program: Program) -> None:
    """Issue 6.4: a first memory is packed; an edit is a line."""
    assert HISTORY.stat().st_size < MEMORY.stat().st_size / 3
    before = HISTORY.stat().st_size
    assert program("pin", GOAT).code == 0
    assert HISTORY.stat().st_size - before < 1000
