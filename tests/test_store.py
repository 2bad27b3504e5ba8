"""The store, the lock, atomic writes and the history."""

from __future__ import annotations

import json
import multiprocessing
import random
from pathlib import Path
from typing import Any

import pytest

from showmemory.model.canonical import dumps
from showmemory.store import files, history
from showmemory.store.lock import Held, run_lock
from showmemory.store.store import FORMAT, Store


def test_what_is_put_is_got_and_only_that(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("parse", {"a": b"one", "b": b""})
    assert store.get(["a", "b", "c"]) == {"a": b"one", "b": b""}
    assert store.has(["a", "c"]) == {"a"}
    store.close()
    assert Store(tmp_path).get(["a"]) == {"a": b"one"}


def test_more_keys_than_one_query_holds(tmp_path: Path) -> None:
    store = Store(tmp_path)
    values = {f"k{n}": str(n).encode() for n in range(1300)}
    store.put("x", values)
    assert store.get(values) == values
    assert store.has([*values, "no"]) == set(values)


@pytest.mark.parametrize("bytes_", [b"", b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 4000])
def test_a_corrupt_store_is_thrown_away_and_made_again(tmp_path: Path, bytes_: bytes) -> None:
    path = tmp_path / f"store-{FORMAT}.db"
    path.write_bytes(bytes_)
    store = Store(tmp_path)
    assert store.get(["a"]) == {}
    store.put("x", {"a": b"1"})
    assert store.get(["a"]) == {"a": b"1"}


def test_a_damaged_value_counts_as_absent(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("x", {"a": b"value" * 50})
    assert store._db is not None
    store._db.execute("update artifact set value = substr(value, 1, 9)")
    store._db.commit()
    assert store.get(["a"]) == {}


def test_a_folder_that_cannot_be_written_still_serves_this_run(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    store = Store(blocked / "below")
    store.put("x", {"a": b"1"})
    assert store.get(["a", "b"]) == {"a": b"1"}


def test_what_nothing_refers_to_goes_when_the_store_is_over_its_size(tmp_path: Path) -> None:
    """The oldest first, down to three quarters, and never what is in use; the file shrinks."""
    store = Store(tmp_path)
    noise = [random.Random(n).randbytes(10_000) for n in range(100)]
    for number, value in enumerate(noise):
        store.put("x", {f"k{number}": value})
    size = store.size()
    assert store.collect(["k0"], size) == 0
    gone = store.collect(["k0"], size // 2)
    assert store.has(f"k{n}" for n in range(100)) == {"k0", *(f"k{n}" for n in range(gone + 1, 100))}
    assert size // 4 < store.size() < size // 2
    assert store.collect([f"k{n}" for n in range(100)], 1) == 0


def test_a_write_is_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.json"
    assert files.write_text(path, "one\n")
    assert not files.write_text(path, "one\n")
    assert files.write_text(path, "two\n")
    assert path.read_text() == "two\n"
    assert [p.name for p in path.parent.iterdir()] == ["file.json"]


def test_a_line_cut_short_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"id": "x", "un')
    files.append_line(path, '{"id": "y"}')
    assert path.read_text().split("\n")[1] == '{"id": "y"}'


def _hold(folder: Path, ready: object, go: object) -> None:
    with run_lock(folder):
        ready.set()  # type: ignore[attr-defined]
        go.wait(20)  # type: ignore[attr-defined]


def test_one_run_at_a_time_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    """A88: the other run says who holds the lock; after a kill the lock is free."""
    context = multiprocessing.get_context("spawn")
    ready, go = context.Event(), context.Event()
    process = context.Process(target=_hold, args=(tmp_path, ready, go))
    process.start()
    assert ready.wait(20)
    with pytest.raises(Held, match=f"process {process.pid}"), run_lock(tmp_path):
        pass
    process.kill()
    process.join()
    with run_lock(tmp_path, wait=5):
        pass


def test_the_stacks_of_undo_and_redo(tmp_path: Path) -> None:
    for did, kind in (("one", "change"), ("two", "change"), ("back", "undo"), ("again", "redo")):
        done, undone = history.stacks(history.read(tmp_path))
        of = {"undo": done, "redo": undone}.get(kind, [{"id": ""}])[-1]["id"]
        history.append(tmp_path, did, "person", {}, ("", did), kind, of)
    changes = history.read(tmp_path)
    done, undone = history.stacks(changes)
    assert [c["did"] for c in done] == ["one", "again"] and undone == []
    assert {c["did"] for c in changes if c["id"] in history.standing(changes)} == {"one", "two", "again"}
    assert all(c["at"].endswith("Z") for c in changes)


def line(id_: str, at: int, kind: str = "change", of: str = "") -> dict[str, Any]:
    return {"id": id_, "at": f"2026-01-01T00:00:{at:02d}Z", "kind": kind, "of": of, "did": id_, "by": "p", "undo": {}}


@pytest.mark.parametrize(
    ("ours", "theirs", "next_", "again"),
    [
        ([line("a", 1)], [line("b", 2)], "b", ""),
        ([line("b", 2)], [line("a", 1)], "b", ""),
        ([line("a", 1), line("ua", 3, "undo", "a")], [line("b", 2)], "b", "ua"),
        ([line("b", 2)], [line("uz", 3, "undo", "z")], "b", "uz"),
        ([line("uz", 1, "undo", "z"), line("rz", 2, "redo", "uz")], [line("b", 1)], "rz", ""),
    ],
)
def test_after_gits_union_an_undo_takes_the_newest_and_knows_what_was_taken_back(
    ours: list[dict[str, Any]], theirs: list[dict[str, Any]], next_: str, again: str
) -> None:
    """Issue 6.4: two branches' lines one after the other; an undo names what it took back, wherever that stands."""
    base = [line("z", 0)]
    for one, other in ((ours, theirs), (theirs, ours)):
        changes = history.united([*base, *one], [*base, *other])
        done, undone = history.stacks(changes)
        assert done[-1]["id"] == next_
        assert [c["id"] for c in undone] == ([again] if again else [])


def test_a_clock_that_goes_wrong_never_brings_back_what_was_taken_back() -> None:
    done, undone = history.stacks([line("a", 5), line("ua", 3, "undo", "a")])
    assert (done, [c["id"] for c in undone]) == ([], ["ua"])


def test_lines_that_git_left_twice_or_marked_are_read_once(tmp_path: Path) -> None:
    text = history.text_of([line("a", 1)])
    (tmp_path / "bible").mkdir()
    (tmp_path / history.PATH).write_text(f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n{text[:30]}\n")
    assert [c["id"] for c in history.read(tmp_path)] == ["a"]


def test_the_same_change_made_twice_in_one_second_is_two_changes(tmp_path: Path) -> None:
    for before, after, kind in (("", "1", "change"), ("1", "", "undo"), ("", "1", "change")):
        history.append(tmp_path, "first memory", "pass", {}, (before, after), kind, "")
    assert len({c["id"] for c in history.read(tmp_path)}) == 3


def test_a_change_that_never_reached_memory_is_dropped(tmp_path: Path) -> None:
    """A kill between the history line and the file."""
    history.append(tmp_path, "one", "pass", {}, ("", "1"), "change", "")
    length = history.size(tmp_path)
    history.append(tmp_path, "killed", "pass", {}, ("1", "2"), "change", "")
    whole = (tmp_path / history.PATH).read_bytes()
    assert not history.take_back(tmp_path, length, "x", "y")
    for end in (len(whole), len(whole) - 5, length + 1, length):
        (tmp_path / history.PATH).write_bytes(whole[:end])
        assert history.take_back(tmp_path, length, "1", "2") == (end > length)
        assert (tmp_path / history.PATH).read_bytes() == whole[:length]
    assert history.size(tmp_path / "elsewhere") == -1


def test_history_lines_are_one_json_object_each(tmp_path: Path) -> None:
    history.append(tmp_path, "a\nb", "person", {"entries": {}}, ("", "1"), "change", "")
    lines = (tmp_path / history.PATH).read_text().splitlines()
    assert len(lines) == 1 and json.loads(lines[0])["did"] == "a\nb"


def test_canonical_json_is_stable() -> None:
    assert dumps({"b": 1, "a": "é"}) == '{\n  "b": 1,\n  "a": "é"\n}\n'
