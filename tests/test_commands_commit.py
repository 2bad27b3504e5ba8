"""`remember --commit`, through real git: memory and what goes with it, with what changed as the message (D10)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import BELL, FOG, Program, with_bible
from shows import run
from test_coordinator_hour import GIT

Git = Callable[..., str]
LAST = ("log", "-1", "--format=%B")


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A remembered show in a repository that holds its scripts and its bible, and no memory yet."""
    root = with_bible(tmp_path_factory.mktemp("shows") / "brine")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "scripts"]):
        subprocess.run(["git", "-C", str(root), *words], env=GIT, check=True, capture_output=True)
    run(root)
    return root


@pytest.fixture
def program(
    remembered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    monkeypatch.chdir(shutil.copytree(remembered, tmp_path / "brine"))
    for name, value in GIT.items():
        monkeypatch.setenv(name, value)
    return Program(capsys)


@pytest.fixture
def git() -> Git:
    def call(*words: str, code: int = 0) -> str:
        done = subprocess.run(["git", *words], env=GIT, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    return call


def test_memory_and_contexts_and_nothing_else(program: Program, git: Git) -> None:
    """D10, issue 6.6: what a person has staged stays staged, what they have not stays as it is."""
    Path("notes.txt").write_text("mine")
    git("add", "notes.txt")
    Path("bible/bible.yaml").write_text(Path("bible/bible.yaml").read_text() + "# mine too\n")
    out = program("remember", "--commit")
    assert out.code == 0 and out.aside == ""
    files = git("show", "--name-only", "--format=", "HEAD").splitlines()
    assert {"bible/memory.json", "bible/memory.history.jsonl", "context/show.md"} <= set(files)
    assert all(name.startswith(("bible/memory", "context/")) for name in files)
    assert f"committed {len(files)} files: First memory: " in out.text
    assert git("status", "--porcelain").splitlines() == [" M bible/bible.yaml", "A  notes.txt", "?? .showmemory/"]
    assert "nothing to commit" in program("remember", "--commit").text


def test_the_change_list_is_the_message(program: Program, git: Git) -> None:
    """D10: the episodes, what people decided, and a line for each entry; what waits is not in it, and that is said."""
    program("remember", "--commit")
    Path("103 Fog.fountain").write_text(FOG + "\nODILE\nWho let the goat up here?\n")
    program("pin", "The goat gets in")
    program("remember")
    assert "not in it: 1 change for you to decide: showmemory review" in program("remember", "--commit").text
    assert git(*LAST).splitlines() == [
        "Memory: 1 change",
        "",
        "The goat gets in is in every context now, and no pass changes it",
        "",
        "~ gag         The goat gets in",
        "",
    ]
    program("unpin", "The goat gets in")
    program("review", "--all")
    out = program("remember", "--commit")
    head, _, rest = git(*LAST).partition("\n\n")
    assert head.endswith(", s01e03") and head in out.text
    assert "\n~ gag         The goat gets in: s01e03\n" in rest
    assert "approved" in rest and git("status", "--porcelain", "--", "bible", "context") == ""


def test_a_deleted_context_and_a_folder_below(
    program: Program, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D10: a show in a folder of a bigger repository; a file that is no longer written is committed as gone."""
    shutil.rmtree(".git")
    Path("show").mkdir()
    for path in [path for path in Path().iterdir() if path.name != "show"]:
        path.rename(Path("show") / path.name)
    git("init", "-q")
    Path(".gitignore").write_text(".showmemory/\n")
    git("add", "-A")
    git("commit", "-qm", "all")
    monkeypatch.chdir("show")
    program("set", "contextEpisodes=1")
    out = program("remember", "--commit")
    assert out.code == 0, out.aside
    changed = git("show", "--name-status", "--no-renames", "--format=", "HEAD").splitlines()
    assert "M\tshow/bible/memory.json" in changed and any(row.startswith("D\tshow/context/") for row in changed)
    assert git("status", "--porcelain") == ""


def test_what_keeps_git_from_committing_is_said(
    program: Program, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 6.6: a hook's own words, and the index is as it was."""
    hook = Path(".git/hooks/pre-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'no commits on a Friday' >&2\nexit 1\n")
    hook.chmod(0o755)
    Path("notes.txt").write_text("mine")
    git("add", "notes.txt")
    before = git("status", "--porcelain")
    out = program("remember", "--commit")
    assert out.code == 1 and "    no commits on a Friday" in out.text
    assert out.aside == "error: git did not commit\n    memory is written and stays as it is; nothing is lost\n"
    assert git("status", "--porcelain") == before
    assert program("remember", "--commit", "--json").json["problems"]
    assert git("status", "--porcelain") == before


def test_in_the_middle_of_a_merge(program: Program, git: Git) -> None:
    """Issue 6.6: git cannot commit some files of a merge; how to go on is said."""
    git("checkout", "-qb", "other")
    Path("102 Bell BLUE.fountain").write_text(BELL + "\nBASTIEN\nTheirs.\n")
    git("commit", "-qam", "theirs")
    git("checkout", "-q", "-")
    Path("102 Bell BLUE.fountain").write_text(BELL + "\nBASTIEN\nOurs.\n")
    git("commit", "-qam", "ours")
    git("merge", "-q", "other", code=1)
    git("checkout", "--ours", "102 Bell BLUE.fountain")
    out = program("remember", "--commit")
    assert out.code == 1
    assert out.aside.splitlines() == [
        "error: expected a finished history to commit to, found a merge on its way",
        "    finish it (git status says how), then showmemory remember --commit; or git merge --abort",
    ]


def test_outside_a_repository_and_without_git(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 6.6: memory is made all the same; a dry run commits nothing."""
    head = Path(".git/HEAD").read_bytes()
    program("remember", "--commit", "--dry-run")
    assert Path(".git/HEAD").read_bytes() == head and not list(Path(".git").glob("index.lock"))
    shutil.rmtree(".git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(Path.cwd().parent))
    out = program("remember", "--commit")
    assert out.code == 1
    assert out.aside.startswith(
        "error: expected a git repository to commit to, found none here\n    showmemory init --git"
    )
    monkeypatch.setenv("PATH", str(Path.cwd()))
    assert program("remember", "--commit").aside.startswith("error: expected git on this machine, found none")
