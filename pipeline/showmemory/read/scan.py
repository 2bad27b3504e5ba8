"""A show's folder -> the script files in it, none of them outside it."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from showmemory.model.span import Problem, Span
from showmemory.read.drafts import FORMATS
from showmemory.read.head import looks_like_script
from showmemory.read.identity import is_paper, natural
from showmemory.read.unread import unread

DEPTH = 4
MOST = 20_000
# The group of what is wrong with one file or folder among the scripts; the others are read all the same.
ONE = "not a script"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
NOT_SCRIPTS = frozenset({"bible", "context", "rules", "spend", "node_modules", "__pycache__", "venv"})


def scripts_folder(root: Path, named: str) -> str:
    """Where the scripts are: the folder show.toml names, else the show's own folder where that holds none."""
    folder = root / named
    return named if folder.is_dir() or folder.is_symlink() else ""


def scripts_in(root: Path, folder: str) -> tuple[list[str], list[Problem]]:
    """The scripts under `folder`, as paths relative to `root`, in natural order."""
    found: list[str] = []
    problems: list[Problem] = []
    start = root / folder
    if not is_inside(root, start):
        return [], [_outside(folder)]
    for at, folders, names in os.walk(start):
        here = Path(at).relative_to(root).as_posix()
        depth = len(Path(at).relative_to(start).parts)
        links = [f for f in folders if (Path(at) / f).is_symlink()]
        problems += [_outside(_join(here, f), ONE) for f in sorted(links) if not is_inside(root, Path(at) / f)]
        folders[:] = sorted(f for f in folders if f not in links and _is_open(f, depth))
        for name in sorted(names):
            path = _join(here, name)
            if not _is_named_so(name):
                continue
            wrong = _wrong(root, Path(at) / name, path)
            if wrong is not None:
                problems.append(wrong)
            elif Path(name).suffix.lower() != ".txt" or looks_like_script(Path(at) / name):
                found.append(path)
        if len(found) > MOST:
            problems.append(Problem(Span(folder), "error", f"expected at most {MOST} scripts, found more"))
            break
    return sorted(found, key=natural), problems


def is_inside(root: Path, path: Path) -> bool:
    """Whether `path`, links followed, stays under `root`."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


def _is_open(folder: str, depth: int) -> bool:
    return depth < DEPTH and not folder.startswith(".") and folder not in NOT_SCRIPTS


def _is_named_so(name: str) -> bool:
    return not name.startswith((".", "~$")) and Path(name).suffix.lower() in FORMATS and not is_paper(name)


def _wrong(root: Path, path: Path, shown: str) -> Problem | None:
    """Why what has a script's name is none, or cannot be cited: by one Problem, and the others are read."""
    if (wrong := unread(path, shown)) is not None:
        return replace(wrong, group=ONE)
    if not is_inside(root, path):
        return _outside(shown, ONE)
    if _CONTROL.search(shown):
        message = "expected a name that can be printed, found a line break or another control character in it"
        return Problem(Span(shown), "error", message, "rename it; the other scripts are read", group=ONE)
    return None


def _join(here: str, name: str) -> str:
    return name if here == "." else f"{here}/{name}"


def _outside(path: str, group: str = "") -> Problem:
    hint = "copy it into the show: nothing outside the show's folder is read"
    message = "expected a path inside the show, found one that leads out of it"
    return Problem(Span(path), "error", message, hint, group=group)
