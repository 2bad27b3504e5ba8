"""`showmemory fleet`: many shows with the same workers and one shared cache, and the broken ones among them (G17)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Program
from showmemory import uptodate
from shows import outputs, pier, run, script, tiny


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(capsys)


def broken(to: Path) -> Path:
    """A show whose show.toml cannot be read."""
    made = tiny(to, {"s01e01.fountain": script(("ADA", "Define safe."))})
    (made / "show.toml").write_text("id = pier\n")
    return made


def crashing(to: Path) -> Path:
    """A show whose folder for results cannot be one: memory.json would stand where a folder is."""
    made = pier(to)
    (made / "context").write_text("a file where a folder should be")
    return made


def test_one_summary_and_the_code_of_the_worst(program: Program, tmp_path: Path) -> None:
    """G17: a line a show, in the order they were named; a broken one stops no other."""
    pier(tmp_path / "pier")
    broken(tmp_path / "broken")
    (tmp_path / "empty").mkdir()
    pier(tmp_path / "other")
    done = program("fleet", "pier", "broken", "nowhere", "empty", "other", "pier/", "--workers", "1")
    rows = done.text.splitlines()
    assert rows[0] == ".  pier     2 of 2 read, 9 entries, first memory".replace("9", _entries(tmp_path / "pier"))
    assert rows[1].startswith("!  broken   show.toml:1")
    assert rows[2] == "!  nowhere  nowhere: expected a folder of scripts, found none"
    assert rows[3] == "!  empty    episodes: expected scripts, found none"
    assert rows[4].startswith(".  other    2 of 2 read, ")
    assert rows[5:] == ["5 shows: 2 rebuilt, 3 with problems"]
    assert done.code == 1
    assert [path.name for path in (tmp_path / "empty").iterdir()] == [uptodate.CACHE]
    alone = pier(tmp_path / "alone")
    run(alone)
    here, there = outputs(alone), outputs(tmp_path / "other")
    assert {n: d.replace(b"alone", b"other").replace(b"Alone", b"Other") for n, d in here.items()} == there
    again = program("fleet", "pier", "other")
    assert again.text == "-  pier   up to date\n-  other  up to date\n2 shows: 2 up to date\n"
    assert again.code == 0


def _entries(show: Path) -> str:
    return str(len(json.loads((show / "bible" / "memory.json").read_text())["entries"]))


def test_a_show_that_breaks_off_stops_no_other(program: Program, tmp_path: Path) -> None:
    """A fault of ours, or of the machine, is a line too, and exit code 3."""
    crashing(tmp_path / "one")
    pier(tmp_path / "two")
    done = program("fleet", "one", "two", "--json")
    states = {one["show"]: (one["state"], one["code"]) for one in done.json["shows"]}
    assert states["two"] == ("rebuilt", 0)
    assert states["one"][0] in ("fault", "problems")
    assert done.code == done.json["code"] == max(code for _, code in states.values()) > 0
    assert (tmp_path / "two" / "bible" / "memory.json").is_file()


def test_what_waits_and_what_was_read_is_told(program: Program, tmp_path: Path) -> None:
    show = pier(tmp_path / "pier")
    run(show)
    path = show / "episodes" / "s01e02.fountain"
    path.write_text(path.read_text().replace("The kettle is a witness", "The lighthouse keys are a witness"))
    done = program("fleet", "pier", "--json")
    (one,) = done.json["shows"]
    assert (one["read"], one["episodes"], one["code"], done.code) == (1, 2, 0, 0)
    assert one["waiting"] > 0 and f"{one['waiting']} change" in one["says"]


def test_one_shared_cache_for_all(program: Program, tmp_path: Path) -> None:
    """G17: a second copy of a show, on the same cache, reads no script."""
    show = pier(tmp_path / "pier")
    shutil.copytree(show, tmp_path / "copy" / "pier")
    done = program("fleet", "pier", "copy/pier", "--cache", f"file://{tmp_path / 'shared'}")
    assert done.code == 0
    assert [row.split("  ")[-1].partition(",")[0].strip() for row in done.text.splitlines()[:2]] == [
        "2 of 2 read",
        "0 of 2 read",
    ]
    assert outputs(show) == outputs(tmp_path / "copy" / "pier")
    assert uptodate.is_up_to_date(show), "a cache beside it leaves nothing to do"


def test_a_slip_on_the_line_is_told_before_anything_is_read(program: Program, tmp_path: Path) -> None:
    pier(tmp_path / "pier")
    assert program("fleet").code == 1
    done = program("fleet", "pier", "--workers", "several")
    assert done.aside == (
        "showmemory: expected --workers to be a number or the address of a Dask scheduler, found several\n"
    )
    assert done.code == 1
    assert not (tmp_path / "pier" / "bible" / "memory.json").exists()


def test_a_cluster_or_a_cache_that_is_not_there_is_a_notice(program: Program, tmp_path: Path) -> None:
    pier(tmp_path / "pier")
    done = program("fleet", "pier", "--cache", "nonsense")
    assert done.code == 0
    assert done.aside == (
        "cache: notice: expected a cache at file://, s3://, gs:// or http(s)://, found nonsense\n    it is not used\n"
    )


def test_remember_takes_workers_and_still_does_nothing_twice(program: Program, tmp_path: Path) -> None:
    pier(tmp_path / "pier")
    assert program("remember", "pier", "--workers", "0").code == 1
    command = [sys.executable, "-m", "showmemory", "remember", "pier", "--workers", "2"]
    for last in ("Read it:", "-- everything is up to date"):
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout.splitlines()[-1].startswith(last)
