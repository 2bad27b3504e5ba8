"""In a git checkout the blob ids git knows stand for the bytes, wherever they surely do (issue 5; DESIGN 4)."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from checkouts import cloned, committed, git, looked_at, opened
from showmemory import uptodate
from showmemory.store import checkout
from shows import memory_bytes, outputs, pier, run, sample

ONE = "episodes/s01e01.fountain"
TWO = "episodes/s01e02.fountain"
NOT_ASKED = "bible/memory.history.jsonl"


@pytest.fixture
def show(tmp_path: Path) -> Path:
    """A remembered show, committed, with its cache: what a CI machine saves."""
    made = pier(tmp_path / "show")
    listed = [
        f'[[episodes]]\nid = "ep.{n}"\nseason = 1\nnumber = {n}\nscript = "{s}"\n' for n, s in ((1, ONE), (2, TWO))
    ]
    (made / "show.toml").write_text('id = "pier"\n' + "".join(listed))
    run(made)
    committed(made)
    # The second run, as on CI: all is noted with what git calls it.
    run(made)
    return made


def restored(show: Path, to: Path, *options: str) -> Path:
    """A fresh clone into which the cache is copied."""
    cloned(show, to, *options)
    shutil.copytree(show / ".showmemory", to / ".showmemory")
    return to


def asked(folder: Path, *names: str) -> set[str]:
    """Which of the committed files git's account of them is believed of."""
    rows = [row.split() for row in git(folder, "ls-files", "--stage").splitlines()]
    held = {row[3]: row[1] for row in rows if not names or row[3] in names}
    return checkout.unchanged(folder, dict(uptodate.files(folder)), held)


def test_a_restored_cache_reads_nothing_again_and_gives_the_same_bytes(tmp_path: Path) -> None:
    """Issue 5.3: a clone without a cache and one restored from a CI cache; the second opens no file of the show."""
    show = sample(tmp_path / "show")
    run(show)
    committed(show)
    run(show)
    bare = cloned(show, tmp_path / "bare")
    full = restored(show, tmp_path / "full")
    before = outputs(full)
    run(bare)
    with opened(full) as read:
        assert uptodate.is_up_to_date(full)
    assert read == []
    assert outputs(bare) == outputs(full) == before == outputs(show)


def test_of_a_restored_clone_only_the_changed_script_is_read(show: Path, tmp_path: Path) -> None:
    full = restored(show, tmp_path / "full")
    (full / TWO).write_text((full / TWO).read_text().replace("keys are gone", "keys are back"))
    with opened(full) as read:
        assert not uptodate.is_up_to_date(full)
        made = run(full, apply="auto")
    assert made.errors == []
    assert ONE not in read and TWO in read
    bare = cloned(show, tmp_path / "bare")
    shutil.copy(full / TWO, bare / TWO)
    run(bare, apply="auto")
    assert memory_bytes(full) == memory_bytes(bare)


def test_a_same_size_edit_is_seen_whatever_its_times(show: Path, tmp_path: Path) -> None:
    full = restored(show, tmp_path / "full")
    path = full / ONE
    stat = path.stat()
    path.write_bytes(path.read_bytes().replace(b"twice", b"thrie"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert not uptodate.is_up_to_date(full)


def test_an_edit_in_the_tick_in_which_git_wrote_is_seen(show: Path, tmp_path: Path) -> None:
    """Racily clean: what git noted in the same tick as the file was written is not believed; a later look is."""
    full = restored(show, tmp_path / "full")
    noted = (full / ONE).stat()
    os.utime(full / ".git" / "index", ns=(noted.st_ctime_ns, noted.st_ctime_ns))
    assert asked(full, ONE) == set()
    os.utime(full / ".git" / "index", ns=(noted.st_ctime_ns, noted.st_ctime_ns + 50_000_000))
    assert asked(full, ONE) == {ONE}
    # Whole seconds are those of a disk with a coarse clock: there a tick is two of them.
    second = time.time_ns() // 10**9 * 10**9 - 10**10
    os.utime(full / ONE, ns=(second, second))
    looked_at(full)
    changed = (full / ONE).stat().st_ctime_ns
    os.utime(full / ".git" / "index", ns=(changed, changed + 1_900_000_000))
    assert asked(full, ONE) == set()
    os.utime(full / ".git" / "index", ns=(changed, changed + 2_100_000_000))
    assert asked(full, ONE) == {ONE}


def test_what_git_calls_modified_or_does_not_know_is_hashed(show: Path, tmp_path: Path) -> None:
    full = restored(show, tmp_path / "full")
    os.utime(full / ONE)
    with opened(full) as read:
        assert uptodate.is_up_to_date(full)
    assert read == [ONE]
    git(full, "rm", "--quiet", "--cached", TWO)
    assert asked(full) >= {"bible/memory.json"} and TWO not in asked(full)


def test_line_ends_that_git_rewrites_are_other_bytes(show: Path, tmp_path: Path) -> None:
    """DESIGN 4: never mix blob ids and file bytes where autocrlf filters; the clone is read as it lies there."""
    full = restored(show, tmp_path / "full", "--config", "core.autocrlf=true")
    assert b"\r\n" in (full / ONE).read_bytes()
    assert not uptodate.is_up_to_date(full)
    sure = uptodate.known(full, dict(uptodate.files(full)))
    assert ONE not in sure


@pytest.mark.parametrize("attribute", ["filter=turned", "filter=lfs", "working-tree-encoding=IBM037"])
def test_behind_a_filter_a_blob_says_nothing_of_the_file(show: Path, tmp_path: Path, attribute: str) -> None:
    """A filter may keep the length: LFS, and any other, is hashed; files without one are still believed."""
    (show / ".gitattributes").write_text(f"{ONE} {attribute}\n")
    git(show, "-c", "filter.turned.clean=tr a-z b-za", "add", "--all")
    git(show, "commit", "--quiet", "--message", "turned")
    full = cloned(show, tmp_path / "full", "--config", "filter.turned.smudge=tr b-za a-z")
    assert asked(full, ONE, TWO) == {TWO}


def test_attributes_newer_than_a_file_leave_it_in_doubt(show: Path, tmp_path: Path) -> None:
    full = cloned(show, tmp_path / "full")
    time.sleep(0.05)
    (full / "episodes" / ".gitattributes").write_text("# nothing\n")
    assert asked(full) == set()


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_kind_of_index_is_read_as_git_reads_it(show: Path, tmp_path: Path, version: str) -> None:
    full = cloned(show, tmp_path / "full")
    (full / ("n" * 200)).mkdir()
    for name in ("é.txt", "n" * 200 + "/" + "m" * 60):
        (full / name).write_text(name)
    git(full, "add", "--all")
    if version == "3":
        (full / "later").write_text("x")
        git(full, "add", "--intent-to-add", "later")
    else:
        git(full, "update-index", "--index-version", version)
    looked_at(full)
    assert (full / ".git" / "index").read_bytes()[7] == int(version)
    rows = [row.split("\t") for row in git(full, "ls-files", "--stage", "-z").split("\0") if row]
    held = {name: said.split()[1] for said, name in rows if name not in ("later", NOT_ASKED)}
    assert checkout.unchanged(full, dict(uptodate.files(full)), held) == set(held)


def test_an_index_that_is_not_known_is_not_believed(show: Path, tmp_path: Path) -> None:
    """Split in two, cut short or damaged: nothing of it is used, and nothing breaks."""
    full = cloned(show, tmp_path / "full")
    index = full / ".git" / "index"
    held = {ONE: git(full, "rev-parse", f"HEAD:{ONE}").strip()}
    whole = index.read_bytes()
    for wrong in (whole[:200], whole[:-30] + b"\0" * 30, b"", b"DIRC" + b"\xff" * 400):
        index.write_bytes(wrong)
        assert checkout.unchanged(full, dict(uptodate.files(full)), held) == set()
    index.write_bytes(whole)
    looked_at(full)
    assert asked(full, ONE) == {ONE}
    git(full, "update-index", "--split-index")
    assert list((full / ".git").glob("sharedindex.*"))
    assert asked(full, TWO) == set()
    assert asked(full, ONE) == set()


def test_a_show_in_a_folder_of_a_repository_and_in_a_second_worktree(show: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    shutil.copytree(show, outer / "shows" / "pier", ignore=shutil.ignore_patterns(".git"))
    committed(outer)
    git(outer, "worktree", "add", "--quiet", "-b", "other", str(tmp_path / "tree"))
    for top in (outer, tmp_path / "tree"):
        looked_at(top)
        inner = top / "shows" / "pier"
        held = {ONE: checkout.blob_id((inner / ONE).read_bytes())}
        assert checkout.unchanged(inner, dict(uptodate.files(inner)), held) == {ONE}
