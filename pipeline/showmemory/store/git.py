"""What git holds of a file of the show: as last committed, and the three sides of a merge that is not finished."""

from __future__ import annotations

import subprocess
from pathlib import Path

_WAIT = 30
BASE, OURS, THEIRS = 1, 2, 3


def last(root: Path, path: str) -> bytes | None:
    """The file as the newest commit that has it has it, also where a later one took it away; None where none does."""
    found = _git(root, "log", "-1", "--format=%H", "--diff-filter=AMRT", "--", path)
    commit = found.decode("ascii", "replace").strip() if found else ""
    return _git(root, "show", f"{commit}:./{path}") if commit else None


def stage(root: Path, path: str, side: int) -> bytes | None:
    """One side of an unfinished merge of the file: BASE, OURS or THEIRS; None where git holds no such side."""
    return _git(root, "show", f":{side}:./{path}")


def _git(root: Path, *words: str) -> bytes | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, timeout=_WAIT, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
