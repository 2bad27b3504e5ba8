"""Whether anything a run reads or writes has changed since the last run, asked without loading anything heavy.

Size, modification time, change time and inode stand for a file's bytes, but only when they are older than the record
by two seconds, so that an edit within the clock's grain is still seen; otherwise the bytes are hashed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import showmemory_rules

CACHE = ".showmemory"
FORMAT = 1
_GRAIN_NS = 2_000_000_000
_LEFT_OUT = frozenset({CACHE, ".git", ".hg", ".svn", "spend", "__pycache__", ".venv", "node_modules"})
_RECORD = f"uptodate-{FORMAT}.json"
_NOT_READ = ("bible/memory.history.jsonl",)

Stamp = list[int]


def is_up_to_date(root: Path) -> bool:
    """Whether every file of the show is as the last successful run left it, and the program is the same."""
    record = _load(root)
    if record is None or record["tool"] != tool_stamp() or os.environ.get(record.get("lacking") or ""):
        return False
    now = dict(files(root))
    if now.keys() != record["files"].keys():
        return False
    seen = int(record["seen"])
    return all(_same(root, path, stamp, record["files"][path], seen) for path, stamp in now.items())


def record(
    root: Path, read: Mapping[str, str], before: Mapping[str, Stamp], wrote: Collection[str], lacking: str = ""
) -> None:
    """Note the state of every file after a successful run.

    `read`: path -> sha256 of the bytes the run really read; `before`: `files(root)` when the run began; `wrote`: what
    it wrote itself. A file that changed meanwhile is noted without a hash, so that the next run looks at it. `lacking`:
    a variable of the environment that the run missed; once it is set there is something to do.
    """
    last = _load(root)
    old: dict[str, list[object]] = last["files"] if last else {}
    held: dict[str, list[object]] = {}
    for name, stamp in files(root):
        known = old.get(name)
        if name in read:
            held[name] = [*stamp, read[name] if name in wrote or before.get(name) == stamp else ""]
        elif name not in wrote and before.get(name) != stamp:
            held[name] = [*stamp, ""]
        elif known and known[:4] == stamp and known[4]:
            held[name] = known
        else:
            held[name] = [*stamp, _hash(root / name)]
    text = json.dumps({"tool": tool_stamp(), "seen": _now_ns(root), "files": held, "lacking": lacking}, sort_keys=True)
    path = root / CACHE / _RECORD
    temp = path.with_suffix(f".{os.getpid()}.tmp")
    temp.write_text(text, encoding="utf-8")
    os.replace(temp, path)


def forget(root: Path) -> None:
    """Drop the record, so that the next run looks at everything."""
    (root / CACHE / _RECORD).unlink(missing_ok=True)


def files(root: Path) -> Iterator[tuple[str, Stamp]]:
    """Every regular file under the show but caches: its path with forward slashes, and its stamp."""
    stack = [("", str(root))]
    while stack:
        prefix, folder = stack.pop()
        with os.scandir(folder) as found:
            for one in found:
                name = prefix + one.name
                if one.is_dir(follow_symlinks=False):
                    if one.name not in _LEFT_OUT:
                        stack.append((name + "/", one.path))
                elif one.is_file() and name not in _NOT_READ:
                    stat = one.stat()
                    yield name, [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]


def tool_stamp() -> str:
    """What stands for the program itself: its own files and its rules, so that an upgrade runs everything again."""
    made = hashlib.sha256()
    for folder in (Path(__file__).parent, _rules_folder()):
        for name, stamp in sorted(files(folder)) if folder else ():
            made.update(f"{name}\0{stamp[0]}\0{stamp[1]}\n".encode())
    return made.hexdigest()


def _rules_folder() -> Path | None:
    return next((Path(p) for p in showmemory_rules.__path__), None)


def _load(root: Path) -> dict[str, Any] | None:
    try:
        made = json.loads((root / CACHE / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return made if isinstance(made, dict) and {"tool", "seen", "files"} <= made.keys() else None


def _same(root: Path, path: str, now: Stamp, then: list[object], seen: int) -> bool:
    if now == then[:4] and max(now[1], now[2]) < seen - _GRAIN_NS:
        return True
    return _hash(root / path) == then[4]


def _hash(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _now_ns(root: Path) -> int:
    """The time by the disk's own clock, which is the one that stamps files."""
    probe = root / CACHE / f".clock.{os.getpid()}"
    probe.parent.mkdir(parents=True, exist_ok=True)
    probe.write_bytes(b"")
    now = probe.stat().st_mtime_ns
    probe.unlink(missing_ok=True)
    return now
