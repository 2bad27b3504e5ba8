"""A run costs what changed: counted by what is read and made, never by the clock."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from showmemory import flow, work
from showmemory.extract.earn import Earning
from showmemory.flow import Run
from showmemory.store.store import FORMAT, Store
from shows import clone, outputs, run, script, tiny

PHRASES = ("Define safe.", "The kettle is a witness.", "Nobody counts the keys twice.", "Mind the lantern, Bo.")
MANY = 40


def told(number: int) -> str:
    """An episode in which two people say some of the phrases, and things of their own."""
    lines = [("ADA" if n % 2 else "BO", PHRASES[(number + n) % len(PHRASES)]) for n in range(6)]
    own = [("ADA", f"The tide stood at mark {number} when barge number {number * 7} came in."), ("BO", "Let it stand.")]
    return script(*lines, *own) + "\n" + script(*lines[:3], heading="INT. LAMP ROOM - NIGHT")


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare show of many episodes, remembered."""
    scripts = {f"s01e{n:02}.fountain": told(n) for n in range(1, MANY + 1)}
    made = tiny(tmp_path_factory.mktemp("many") / "show", scripts)
    assert run(made).errors == []
    return made


@pytest.fixture
def show(remembered: Path, tmp_path: Path) -> Path:
    """That show with its cache, to be changed."""
    return shutil.copytree(remembered, tmp_path / "show")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the scripts that are read, as they are."""
    names: list[str] = []
    real = work.read_screenplay

    def counted(data: bytes, path: str, *rest: object) -> object:
        names.append(path.rpartition("/")[2])
        return real(data, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "read_screenplay", counted)
    return names


def change(show: Path, number: int) -> None:
    path = show / "episodes" / f"s01e{number:02}.fountain"
    path.write_text(path.read_text("utf-8") + "\nADA\nDefine the keys, then. Mind the lantern, Bo.\n", "utf-8")


def as_clean(show: Path, to: Path) -> bool:
    """Whether the outputs are those of a clone with no cache."""
    other = clone(show, to)
    run(other)
    return outputs(show) == outputs(other)


def test_the_newest_changed_costs_one_step(show: Path, tmp_path: Path, read: list[str]) -> None:
    """One script is read, its rules run, and each pass takes in one episode more (B9)."""
    change(show, MANY)
    done = run(show)
    assert read == [f"s01e{MANY}.fountain"]
    assert set(done.artifacts.made.values()) == {1} and {"earn", "voices", "tally"} <= set(done.artifacts.made)
    assert as_clean(show, tmp_path / "clean")


def test_a_new_episode_costs_one_step(show: Path, read: list[str]) -> None:
    """What was held after the last episode is gone on from."""
    (show / "episodes" / f"s01e{MANY + 1}.fountain").write_text(told(MANY + 1), "utf-8")
    done = run(show)
    assert read == [f"s01e{MANY + 1}.fountain"] and set(done.artifacts.made.values()) == {1}


@pytest.mark.parametrize("number", [1, 7, 18, 33])
def test_an_earlier_one_changed_is_earned_again_from_there(
    show: Path, tmp_path: Path, read: list[str], number: int
) -> None:
    """Over stored counts: no other script is read, and no step before it is made again (B9)."""
    change(show, number)
    done = run(show)
    assert read == [f"s01e{number:02}.fountain"]
    later = MANY - number + 1
    assert done.artifacts.made["earn"] == done.artifacts.made["voices"] == later
    assert {n for stage, n in done.artifacts.made.items() if stage not in ("earn", "voices")} == {1}
    assert as_clean(show, tmp_path / "clean")


def test_the_pass_is_taken_up_near_the_change(show: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the episodes since the last place where it was left are walked through."""
    walked: list[int] = []
    real = Earning.step

    def counted(self: Earning) -> object:
        walked.append(self.next + 1)
        return real(self)

    monkeypatch.setattr(Earning, "step", counted)
    change(show, 18)
    run(show)
    assert walked == list(range(17, MANY + 1))


def test_a_rule_changed_reruns_that_rule_alone(show: Path, tmp_path: Path, read: list[str]) -> None:
    """No script is read for it."""
    (show / "rules").mkdir()
    (show / "rules" / "style.toml").write_text("manner_words = 4\n", "utf-8")
    done = run(show)
    assert read == [] and done.artifacts.made == {"style": MANY}
    assert as_clean(show, tmp_path / "clean")


def test_a_threshold_of_earning_changed_earns_again_over_stored_counts(
    show: Path, tmp_path: Path, read: list[str]
) -> None:
    """Neither scripts nor words are laid out again."""
    (show / "rules").mkdir()
    (show / "rules" / "callback.toml").write_text("bar = 2.5\n", "utf-8")
    done = run(show)
    assert read == [] and done.artifacts.made == {"earn": MANY}
    assert as_clean(show, tmp_path / "clean")


def test_a_touched_script_does_nothing(show: Path, read: list[str]) -> None:
    """The same bytes under a new time make nothing."""
    os.utime(show / "episodes" / "s01e03.fountain")
    assert run(show).artifacts.made == {} and read == []


def test_a_changed_episode_back_as_it_was_makes_nothing(show: Path, read: list[str]) -> None:
    """As after switching a branch and back: both branches' results are there."""
    path = show / "episodes" / "s01e05.fountain"
    before = path.read_bytes()
    change(show, 5)
    run(show)
    path.write_bytes(before)
    read.clear()
    assert run(show).artifacts.made == {} and read == []


def test_counts_and_what_they_hold_are_written_at_once(show: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a pass held after an episode goes into one transaction with what was earned there (DESIGN 3)."""
    together: list[set[str]] = []
    real = Store.keep

    def seen(self: Store, results: object) -> None:
        together.append({stage for stage, _ in results.values()})  # type: ignore[attr-defined]
        real(self, results)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "keep", seen)
    change(show, MANY)
    run(show)
    assert {"earn", "earn, held"} in together and {"voices", "voices, held"} in together


def damaged(show: Path, stage: str) -> None:
    """Cut the values of a stage in the store short."""
    with sqlite3.connect(show / ".showmemory" / f"store-{FORMAT}.db") as db:
        assert db.execute("update artifact set value = substr(value, 1, 9) where stage = ?", (stage,)).rowcount
    db.close()


@pytest.mark.parametrize("stage", ["earn", "earn, held", "voices, held"])
def test_what_is_damaged_is_made_again(show: Path, tmp_path: Path, stage: str) -> None:
    """A result, or what was held, that cannot be read counts as not there."""
    damaged(show, stage)
    change(show, MANY)
    assert run(show).errors == []
    assert as_clean(show, tmp_path / "clean")


def stored(show: Path) -> int:
    return sum(p.stat().st_size for p in (show / ".showmemory").glob("store-*"))


def test_the_cache_is_collected_within_its_size(show: Path, read: list[str]) -> None:
    """Over its size it lets go of what the show as it is does not need, and of nothing else."""
    (show / "show.toml").write_text('id = "show"\n[cache]\nmegabytes = 0\n', "utf-8")
    run(show)
    least = stored(show)
    for number in range(3):
        change(show, 20 + number)
        run(show)
    assert stored(show) < 1.5 * least
    read.clear()
    (show / "show.toml").write_text('id = "show"\n[cache]\nmegabytes = 0\n# the same\n', "utf-8")
    assert run(show).artifacts.made == {} and read == []


def test_what_another_branch_needs_stays_while_there_is_room(show: Path, read: list[str]) -> None:
    """Without a size in show.toml there is room for a gigabyte."""
    path = show / "episodes" / "s01e05.fountain"
    before = path.read_bytes()
    for _ in range(3):
        change(show, 5)
        run(show)
    path.write_bytes(before)
    read.clear()
    done: Run = run(show)
    assert done.artifacts.made == {} and read == []


def test_what_writers_read_is_composed_once(show: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that waits for a person leaves memory as it is, and so every page; one that is applied does not."""
    run(show)
    composed: list[int] = []
    real = flow.context_files

    def counted(*given: object, **more: object) -> object:
        composed.append(1)
        return real(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(flow, "context_files", counted)
    change(show, MANY)
    run(show)
    assert composed == []
    run(show, apply="auto")
    assert composed == [1]
    assert as_clean(show, tmp_path / "clean")
    (show / "bible").mkdir(exist_ok=True)
    (show / "bible" / "theme.yaml").write_text("never:\n  - Never drain the harbour.\n", "utf-8")
    run(show)
    assert "Never drain the harbour" in (show / "context" / "show.md").read_text("utf-8")
