"""Git checkouts of small shows, and a count of the files that are opened."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

_WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
_listening: list[list[str]] = []


def git(folder: Path, *words: str) -> str:
    """What git prints in that folder, whatever is set up on this machine."""
    plain = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-C", str(folder), *_WHO, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, env=plain).stdout


def committed(folder: Path) -> Path:
    """The folder as a git repository with all of it committed but the cache."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / ".git" / "info" / "exclude").write_text(".showmemory\nproposal.json\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all")
    return folder


def cloned(folder: Path, to: Path, *options: str) -> Path:
    """A fresh clone, of which git itself has looked once more, later than the clock's tick."""
    git(folder, "clone", "--quiet", *options, str(folder), str(to))
    looked_at(to)
    return to


def looked_at(folder: Path) -> None:
    """Let git note again what it holds, as any `git status` does."""
    time.sleep(0.05)
    git(folder, "status", "--porcelain")
    git(folder, "update-index", "-q", "--really-refresh", "--force-write-index")


@contextmanager
def opened(below: Path) -> Iterator[list[str]]:
    """The names of the files of a show that this process opens meanwhile, but those of the cache and git's own."""
    _listen()
    found: list[str] = []
    every: list[str] = []
    _listening.append(every)
    try:
        yield found
    finally:
        _listening.remove(every)
        prefix = f"{below.resolve()}{os.sep}"
        mine = [path.removeprefix(prefix) for path in every if path.startswith(prefix)]
        found += [name for name in mine if not name.startswith((".git/", ".showmemory/"))]


@cache
def _listen() -> None:
    """Once in a process: what listens can never be taken away again."""
    sys.addaudithook(_note)


def _note(event: str, values: tuple[object, ...]) -> None:
    if event == "open" and _listening and isinstance(values[0], (str, os.PathLike)):
        _listening[-1].append(os.path.abspath(os.fspath(values[0])))
