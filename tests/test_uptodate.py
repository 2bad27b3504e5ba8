"""Whether there is anything to do, asked cheaply and never wrongly."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from showmemory import uptodate


@pytest.fixture
def show(tmp_path: Path) -> Path:
    (tmp_path / "episodes").mkdir()
    (tmp_path / "episodes" / "one.fountain").write_text("INT. A - DAY\n")
    (tmp_path / "bible").mkdir()
    return tmp_path


def settle(root: Path) -> None:
    uptodate.record(root, {}, dict(uptodate.files(root)), {}, uptodate.clock(root), "")


def test_nothing_recorded_means_work(show: Path) -> None:
    assert not uptodate.is_up_to_date(show)


def test_an_untouched_show_is_up_to_date(show: Path) -> None:
    settle(show)
    assert uptodate.is_up_to_date(show)


def test_a_touched_file_with_the_same_bytes_is_still_up_to_date(show: Path) -> None:
    settle(show)
    os.utime(show / "episodes" / "one.fountain")
    assert uptodate.is_up_to_date(show)


def test_a_same_size_edit_within_the_clock_s_grain_is_seen(show: Path) -> None:
    """The stamp alone is trusted only when it is two seconds older than the record."""
    path = show / "episodes" / "one.fountain"
    stat = path.stat()
    settle(show)
    path.write_text("INT. B - DAY\n")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert not uptodate.is_up_to_date(show)


@pytest.mark.parametrize("what", ["added", "removed", "changed", "renamed"])
def test_any_difference_means_work(show: Path, what: str) -> None:
    settle(show)
    path = show / "episodes" / "one.fountain"
    if what == "added":
        (show / "episodes" / "two.fountain").write_text("x")
    elif what == "removed":
        path.unlink()
    elif what == "changed":
        path.write_text("INT. A - NIGHT\n")
    else:
        path.rename(path.with_name("first.fountain"))
    assert not uptodate.is_up_to_date(show)


def test_a_file_edited_while_the_run_went_on_is_looked_at_again(show: Path) -> None:
    before, seen = dict(uptodate.files(show)), uptodate.clock(show)
    path = show / "episodes" / "one.fountain"
    time.sleep(0.01)
    path.write_text("INT. A - DUSK\n")
    uptodate.record(show, {"episodes/one.fountain": "the hash of what the run read"}, before, {}, seen, "")
    assert not uptodate.is_up_to_date(show)


def test_caches_spend_and_history_are_not_looked_at(show: Path) -> None:
    settle(show)
    (show / "spend").mkdir()
    (show / "spend" / "2026-01.jsonl").write_text("x")
    (show / "bible" / "memory.history.jsonl").write_text("x")
    assert uptodate.is_up_to_date(show)


def test_a_broken_record_means_work(show: Path) -> None:
    settle(show)
    (show / uptodate.CACHE / f"uptodate-{uptodate.FORMAT}.json").write_text('{"tool": 3')
    assert not uptodate.is_up_to_date(show)
