"""A run is killed, has no room, may not write, finds its cache spoiled, meets another run: never a wrong answer."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from killing import SIGNALS, killed
from showmemory import desk, uptodate
from showmemory.notebook import held
from showmemory.store import history
from showmemory.store.store import FORMAT, Store
from shows import add_third, edit_second, memory_bytes, outputs, pier, run

FIRE = int(os.environ.get("FIRE", "1"))
NOBODY = 65534
STORE = f"{uptodate.CACHE}/store-{FORMAT}.db"


@pytest.fixture
def place() -> Iterator[Path]:
    """In memory where there is such a place, since a run syncs every file it writes; open to another user."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as made:
        os.chmod(made, 0o755)
        yield Path(made)


@pytest.fixture
def fresh(place: Path) -> Path:
    return pier(place / "show")


@pytest.fixture
def behind(fresh: Path) -> Path:
    """A show that is remembered, with one script changed and one new, to be applied as made."""
    run(fresh)
    desk.change(fresh, "set", fields={"apply": "auto"})
    edit_second(fresh)
    add_third(fresh)
    return fresh


def copied(show: Path, to: str, *, cache: bool = True) -> Path:
    """`show` once more, under the same name; without a cache it is a clean clone."""
    left_out = () if cache else (uptodate.CACHE,)
    return Path(shutil.copytree(show, show.parent / to / show.name, ignore=shutil.ignore_patterns(*left_out)))


def everything(show: Path) -> tuple[dict[str, bytes], list[str], set[str]]:
    """What a run decides, what the history says was done, and every file there is but the cache's."""
    names = {p.relative_to(show).as_posix() for p in show.rglob("*") if p.is_file()}
    told = [change["did"] for change in history.read(show)]
    return outputs(show), told, {name for name in names if not name.startswith(uptodate.CACHE)}


def in_child(act: Callable[[], object]) -> str:
    """Do it in a process of its own: what it returned or raised, in words."""
    back, forth = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = str(act())
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(forth, said.encode()[:4000])
        os._exit(0)
    os.close(forth)
    with os.fdopen(back, "rb") as stream:
        said = stream.read().decode()
    os.waitpid(child, 0)
    return said


# Kills.


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("fixture", ["fresh", "behind"])
def test_a_run_killed_anywhere_leaves_no_trace(fixture: str, number: int, request: pytest.FixtureRequest) -> None:
    """Law 1: at points where a run touches the disk, for a first memory and for an update applied as made."""
    begun: Path = request.getfixturevalue(fixture)
    whole = copied(begun, "whole")
    run(whole)
    hits = 0
    for point in range(1 + number, 1500, max(1, 127 // FIRE)):
        struck = copied(begun, str(point))
        if not killed(struck, point, number):
            break
        hits += 1
        assert run(struck).errors == []
        assert everything(struck) == everything(whole)
        shutil.rmtree(struck.parent)
    assert hits > 1


def test_a_first_run_killed_in_the_middle_keeps_every_script_it_had_read(place: Path) -> None:
    """Issue 5.1: the next run goes on from there."""
    script = "INT. PIER - DAY\n\nADA\nDefine safe.\n"
    (place / "show" / "episodes").mkdir(parents=True)
    for number in range(1, 7):
        (place / "show" / "episodes" / f"s01e0{number}.fountain").write_text(script + f"\nBO\nNumber {number}.\n")
    kept = 0
    for point in range(40, 400, 4):
        struck = copied(place / "show", str(point))
        assert killed(struck, point)
        kept = _parsed(struck)
        if 0 < kept < 6:
            break
        shutil.rmtree(struck.parent)
    assert 0 < kept < 6
    assert run(struck).artifacts.made["parse"] == 6 - kept


def _parsed(show: Path) -> int:
    if not (show / STORE).exists():
        return 0
    with sqlite3.connect(show / STORE) as db:
        there = db.execute("select count(*) from sqlite_master where name = 'artifact'").fetchone()[0]
        made: int = db.execute("select count(*) from artifact where stage = 'parse'").fetchone()[0] if there else 0
    return made


# No room, and no leave to write.


def _short_of_room(show: Path, limit: int) -> str:
    def act() -> object:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return [str(p) for p in run(show).errors]

    return in_child(act)


@pytest.mark.parametrize("limit", [0, 300, 5_000, 20_000, 60_000])
@pytest.mark.parametrize("fixture", ["fresh", "behind"])
def test_without_room_nothing_is_lost_and_the_next_run_goes_on(
    fixture: str, limit: int, request: pytest.FixtureRequest
) -> None:
    """Issue 5.1: no file may grow beyond so many bytes. Old bytes or new ones, and a message that says why."""
    show: Path = request.getfixturevalue(fixture)
    whole = copied(show, "whole")
    run(whole)
    before = memory_bytes(show) if fixture == "behind" else b""
    said = _short_of_room(show, limit)
    assert said == "[]" or "File too large" in said
    after = memory_bytes(show) if (show / "bible" / "memory.json").exists() else b""
    assert after in (before, memory_bytes(whole))
    assert run(show).errors == []
    assert everything(show) == everything(whole)


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root can become somebody who may not write")
@pytest.mark.parametrize("fixture", ["fresh", "behind"])
def test_without_leave_to_write_it_is_said_and_nothing_changes(fixture: str, request: pytest.FixtureRequest) -> None:
    """Issue 5.1: a read-only folder."""
    show: Path = request.getfixturevalue(fixture)
    before = everything(show)

    def act() -> object:
        os.setuid(NOBODY)
        return [str(p) for p in run(show).errors]

    assert in_child(act).startswith("PermissionError: [Errno 13] Permission denied: ")
    assert everything(show) == before


def test_no_room_is_told_as_the_machines_and_not_as_a_fault_of_ours(
    fresh: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """README, exit codes: 3; the message names the file and what to do."""
    from showmemory.commands.program import main

    def act() -> object:
        os.chdir(fresh)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        return main(["emit"])

    assert in_child(act) == "3"
    told = capfd.readouterr().err
    assert "File too large" in told and "a fault of ours" not in told and "Traceback" not in told


# The cache.


def _cut(store: Path) -> None:
    os.truncate(store, store.stat().st_size // 2)


def _noise(store: Path) -> None:
    held_ = bytearray(store.read_bytes())
    held_[100 : len(held_) // 2] = os.urandom(len(held_) // 2 - 100)
    store.write_bytes(bytes(held_))


def _another(store: Path) -> None:
    store.unlink()
    with sqlite3.connect(store) as db:
        db.execute("create table artifact (another text)")


def _folder(store: Path) -> None:
    store.unlink()
    store.mkdir()


def _lies(store: Path) -> None:
    """Every result is another's."""
    with sqlite3.connect(store) as db:
        rows = db.execute("select key, value from artifact order by key").fetchall()
        values = [value for _, value in rows]
        turned = zip(rows, [*values[1:], values[0]], strict=True)
        db.executemany("update artifact set value = ? where key = ?", [(value, key) for (key, _), value in turned])


def _no_folder(store: Path) -> None:
    shutil.rmtree(store.parent)
    store.parent.write_text("not a folder")


SPOILED: dict[str, Callable[[Path], object]] = {
    "cut short": _cut,
    "noise": _noise,
    "empty": lambda store: store.write_bytes(b""),
    "no database": lambda store: store.write_text("no database at all\n" * 500),
    "another database": _another,
    "a folder in its place": _folder,
    "every result another's": _lies,
    "a file in the cache's place": _no_folder,
}


@pytest.mark.parametrize("kind", SPOILED)
def test_a_spoiled_store_is_made_again_and_changes_nothing(behind: Path, kind: str) -> None:
    """Issue 5.1: a silent rebuild, equal to a clean clone."""
    whole = copied(behind, "whole", cache=False)
    run(whole)
    Store(behind / uptodate.CACHE).close()
    SPOILED[kind](behind / STORE)
    assert run(behind).errors == []
    assert everything(behind) == everything(whole)
    run(behind)
    assert everything(behind) == everything(whole)


def test_a_store_of_another_version_is_left_alone(behind: Path) -> None:
    """Issue 5.1: another showmemory may still want it; ours has a file of its own."""
    whole = copied(behind, "whole", cache=False)
    run(whole)
    other = behind / uptodate.CACHE / f"store-{FORMAT + 1}.db"
    (behind / STORE).rename(other)
    before = other.read_bytes()
    assert run(behind).errors == []
    assert everything(behind) == everything(whole)
    assert other.read_bytes() == before


def test_a_store_that_another_process_holds_is_done_without(behind: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 5.1: locked for good; the run makes what it needs in memory and gives the same."""
    whole = copied(behind, "whole", cache=False)
    run(whole)
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: real(*a, **(k | {"timeout": 0.05})))
    other = real(behind / STORE, isolation_level=None)
    other.execute("pragma locking_mode=exclusive")
    other.execute("begin exclusive")
    assert run(behind).errors == []
    assert everything(behind) == everything(whole)
    other.close()


# Two at once.


def _hold(show: Path, ready: object, go: object) -> None:
    with held(show):
        ready.set()  # type: ignore[attr-defined]
        go.wait(30)  # type: ignore[attr-defined]


def _remember(show: Path, said: object) -> None:
    said.put([str(p) for p in run(show).errors])  # type: ignore[attr-defined]


def test_of_two_runs_at_once_one_waits_and_both_are_right(behind: Path) -> None:
    """A88: the second begins when the first lets go, and finds nothing to do or does the rest."""
    whole = copied(behind, "whole")
    run(whole)
    context = multiprocessing.get_context("fork")
    said = context.Queue()
    both = [context.Process(target=_remember, args=(behind, said)) for _ in range(2)]
    for one in both:
        one.start()
    assert [said.get(timeout=60) for _ in both] == [[], []]
    for one in both:
        one.join()
    assert everything(behind) == everything(whole)


def test_edits_and_undo_say_who_holds_the_lock(behind: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A88: by its process, and nothing is written."""
    context = multiprocessing.get_context("fork")
    ready, go = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(behind, ready, go))
    other.start()
    assert ready.wait(30)
    monkeypatch.setattr("showmemory.notebook.held.__wrapped__.__defaults__", (0.1,))
    before = everything(behind)
    for done in (
        desk.undo(behind),
        desk.change(behind, "set", fields={"restAfter": 2}),
        desk.decide(behind, all_=True),
    ):
        assert f"found process {other.pid} at work on it" in done.problems[0].message
    assert everything(behind) == before
    go.set()
    other.join()
