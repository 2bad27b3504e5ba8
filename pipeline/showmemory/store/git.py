"""What git holds of a file of the show: as last committed, the sides of an unfinished merge; and committing files."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

_WAIT = 30
BASE, OURS, THEIRS = 1, 2, 3


def last(root: Path, path: str) -> bytes | None:
    """The file as the newest commit that has it has it, also where a later one took it away; None where none does."""
    found = _git(root, "log", "-1", "--format=%H", "--diff-filter=AMRT", "--", path)
    commit = found.decode("ascii", "replace").strip() if found else ""
    return _git(root, "show", f"{commit}:./{path}") if commit else None


def head(root: Path, path: str) -> bytes | None:
    """The file as the last commit has it; None where it has none."""
    return _git(root, "show", f"HEAD:./{path}")


def commits(root: Path, path: str, *others: str) -> list[tuple[str, int]]:
    """The commits of this branch that touch a file, oldest first, each with its time (seconds, UTC).

    `others`: further words for git, such as what to look at instead of this branch.
    """
    found = _git(root, "log", "--reverse", "--format=%H %ct", *others, "--", path) or b""
    rows = (row.split() for row in found.decode("ascii", "replace").splitlines())
    return [(row[0], int(row[1])) for row in rows if len(row) == 2]


def at(root: Path, commit: str, path: str) -> bytes | None:
    """The file as a commit or branch has it; None where it has none."""
    return _git(root, "show", f"{commit}:./{path}")


def branches(root: Path) -> list[str]:
    """The other branches of this repository, by name."""
    found = _git(root, "for-each-ref", "--format=%(HEAD)%(refname:short)", "refs/heads") or b""
    names = found.decode("utf-8", "replace").splitlines()
    return sorted(name.strip() for name in names if not name.startswith("*"))


def stage(root: Path, path: str, side: int) -> bytes | None:
    """One side of an unfinished merge of the file: BASE, OURS or THEIRS; None where git holds no such side."""
    return _git(root, "show", f":{side}:./{path}")


def here(root: Path) -> bool | None:
    """Whether the show stands in a git repository; None where there is no git at all."""
    done = _run(root, "rev-parse", "--is-inside-work-tree")
    return None if done is None else done.stdout.strip() == b"true"


def unfinished(root: Path) -> str:
    """What git has begun and not finished, in a word; empty when nothing."""
    for head, name in (("MERGE_HEAD", "merge"), ("CHERRY_PICK_HEAD", "cherry-pick"), ("REVERT_HEAD", "revert")):
        if _git(root, "rev-parse", "--quiet", "--verify", head) is not None:
            return name
    return "rebase" if any(_path(root, name).is_dir() for name in ("rebase-merge", "rebase-apply")) else ""


def differing(root: Path, specs: Sequence[str]) -> list[str]:
    """Files that these specs name and that differ from the last commit, new and deleted ones too; none git ignores."""
    found = _git(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *specs) or b""
    prefix = (_git(root, "rev-parse", "--show-prefix") or b"").strip().decode("utf-8", "surrogateescape")
    rows = (row[3:].decode("utf-8", "surrogateescape") for row in found.split(b"\0") if row)
    # status names files from the top of the repository, whatever folder it is asked in.
    return sorted(row.removeprefix(prefix) for row in rows)


def commit(root: Path, paths: Sequence[str], message: str) -> tuple[bool, str]:
    """Commit just these files as they are on disk; returns whether it was done, and what git or its hooks said.

    What else is staged stays staged, and out of the commit. Where it fails the index is as it was.
    """
    given = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    listed = ("--pathspec-from-file=-", "--pathspec-file-nul")
    literal = ("--literal-pathspecs",)
    new = _run(root, *literal, "ls-files", "-z", "--others", "--exclude-standard", "--", *paths)
    added = new.stdout if new is not None else b""
    if added:
        _run(root, *literal, "add", "--intent-to-add", *listed, given=added)
    done = _run(root, *literal, "commit", "--quiet", "-m", message, *listed, given=given, wait=None)
    if done is not None and done.returncode == 0:
        return True, ""
    if added:
        _run(root, *literal, "reset", "--quiet", *listed, given=added)
    return False, (done.stderr + done.stdout).decode("utf-8", "replace").strip() if done is not None else ""


def _path(root: Path, name: str) -> Path:
    found = (_git(root, "rev-parse", "--git-path", name) or b"").strip().decode("utf-8", "surrogateescape")
    return root / found if found else root / ".git" / name


def _git(root: Path, *words: str) -> bytes | None:
    done = _run(root, *words)
    return done.stdout if done is not None and done.returncode == 0 else None


def _run(
    root: Path, *words: str, given: bytes = b"", wait: float | None = _WAIT
) -> subprocess.CompletedProcess[bytes] | None:
    """Run git in the show's folder; None where it cannot be run. `wait`: None for what may run a person's hooks."""
    command = ["git", "-C", str(root), *words]
    try:
        return subprocess.run(command, input=given, capture_output=True, timeout=wait, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
