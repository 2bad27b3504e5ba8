"""A show's folder -> the script files in it, none of them outside it."""

from __future__ import annotations

import os
from pathlib import Path

from showmemory.model.span import Problem, Span
from showmemory.read.drafts import FORMATS
from showmemory.read.head import looks_like_script
from showmemory.read.identity import is_paper, natural

DEPTH = 4
MOST = 20_000
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
        problems += [_outside(_join(here, f)) for f in sorted(links) if not is_inside(root, Path(at) / f)]
        folders[:] = sorted(f for f in folders if f not in links and _is_open(f, depth))
        for name in sorted(names):
            path = _join(here, name)
            if not _is_script(Path(at) / name):
                continue
            if is_inside(root, Path(at) / name):
                found.append(path)
            else:
                problems.append(_outside(path))
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


def _is_script(path: Path) -> bool:
    suffix = path.suffix.lower()
    if path.name.startswith((".", "~$")) or suffix not in FORMATS or is_paper(path.name) or not path.is_file():
        return False
    return suffix != ".txt" or looks_like_script(path)


def _join(here: str, name: str) -> str:
    return name if here == "." else f"{here}/{name}"


def _outside(path: str) -> Problem:
    hint = "copy it into the show: nothing outside the show's folder is read"
    return Problem(Span(path), "error", "expected a path inside the show, found one that leads out of it", hint)
