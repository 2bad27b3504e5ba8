"""Whether anything a run reads or writes has changed since the last run, asked without loading anything heavy.

Size, modification time, change time and inode stand for a file's bytes, but only when they are two seconds older than
the moment they are trusted from, so that an edit within the clock's grain is still seen. Where they do not, as in a
fresh clone with a restored cache, the blob ids of a git checkout are asked; else the bytes are hashed.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from showmemory.store import checkout, program

CACHE = ".showmemory"
FORMAT = 3
_GRAIN_NS = 2_000_000_000
_LEFT_OUT = frozenset({CACHE, ".git", ".hg", ".svn", "spend", "__pycache__", ".venv", "node_modules"})
_RECORD = f"uptodate-{FORMAT}.json"
_PARTS = ("tool", "stamp", "seen", "files", "lacking")
_EMPTY = hashlib.sha256().hexdigest()
_NOT_READ = ("bible/memory.history.jsonl",)
# Reports, wherever somebody has them written: no run reads a page.
_PAGES = ".html"

Stamp = list[int]
Held = dict[str, list[Any]]


def is_up_to_date(root: Path) -> bool:
    """Whether every file of the show is as the last successful run left it, and the program is the same."""
    record = _load(root)
    if record is None or os.environ.get(record["lacking"] or ""):
        return False
    stamp = program.stamp()
    if record["stamp"] != stamp and record["tool"] != program.contents():
        return False
    seen, now = clock(root), dict(files(root))
    held: Held = record["files"]
    if now.keys() != held.keys():
        return False
    doubtful = {path for path, stamped in now.items() if not _trusted(stamped, held[path], record["seen"])}
    if any(hash_of(root / path) != held[path][4] for path in doubtful - _same_blobs(root, now, held, doubtful)):
        return False
    if doubtful or record["stamp"] != stamp:
        # What had to be asked or hashed this time need not be the next time.
        again = {path: [*now[path], *held[path][4:]] for path in now}
        _save(root, record | {"stamp": stamp, "seen": seen, "files": again})
    return True


def known(root: Path, now: Mapping[str, Stamp]) -> dict[str, str]:
    """path -> sha256 of those files of `now` that are, beyond doubt, as the last run read or left them."""
    record = _load(root)
    if record is None:
        return {}
    held: Held = record["files"]
    sure = {p for p, stamp in now.items() if p in held and _trusted(stamp, held[p], record["seen"])}
    sure |= _same_blobs(root, now, held, now.keys() & held.keys() - sure)
    return {path: held[path][4] for path in sure if held[path][4]}


def record(
    root: Path, read: Mapping[str, str], before: Mapping[str, Stamp], wrote: Mapping[str, str], seen: int, lacking: str
) -> None:
    """Note the state of every file after a successful run.

    `read`, `wrote`: path -> sha256 of the bytes the run really read or wrote; `before` and `seen`: `files(root)` and
    `clock(root)` when the run began. A file that changed meanwhile is noted without a hash, so that the next run looks
    at it. `lacking`: a variable of the environment that the run missed; once it is set there is something to do.
    """
    now = dict(files(root))
    sure = known(root, now)
    blobs = _blobs(root)
    held: Held = {}
    for name, stamp in now.items():
        if name in wrote:
            sha = wrote[name]
        elif before.get(name) != stamp:
            sha = ""
        else:
            sha = read.get(name) or sure.get(name) or _hash_as(root / name, stamp)
        held[name] = [*stamp, sha, blobs.get(sha) or _blob_of(root / name, sha) if blobs is not None else ""]
    made = {"tool": program.contents(), "stamp": program.stamp(), "seen": seen, "files": held, "lacking": lacking}
    _save(root, made)


def forget(root: Path) -> None:
    """Drop the record, so that the next run looks at everything."""
    try:
        (root / CACHE / _RECORD).unlink(missing_ok=True)
    except OSError:
        return


def files(root: Path) -> Iterator[tuple[str, Stamp]]:
    """Every regular file under the show but caches: its path with forward slashes, and its stamp."""
    stack = [("", str(root))]
    while stack:
        prefix, folder = stack.pop()
        for one in _in(folder):
            name = prefix + one.name
            try:
                if one.is_dir(follow_symlinks=False):
                    if one.name not in _LEFT_OUT:
                        stack.append((name + "/", one.path))
                elif one.is_file() and name not in _NOT_READ and not name.endswith(_PAGES):
                    yield name, _stamp(one.stat())
            except OSError:
                # Gone since it was listed, as an editor's own temporary files are.
                continue


def clock(root: Path) -> int:
    """The time by the disk's own clock, which is the one that stamps files."""
    probe = root / CACHE / f".clock.{os.getpid()}"
    try:
        probe.parent.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        now = probe.stat().st_mtime_ns
        probe.unlink(missing_ok=True)
    except OSError:
        return time.time_ns()
    return now


def hash_of(path: Path) -> str:
    """The sha256 of a file's bytes, empty when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def hash_once(path: Path, name: str, sure: dict[str, str]) -> str:
    """The hash of a script, of which `sure` is believed once; empty for one that is empty or not there."""
    made = sure.pop(name, None) or hash_of(path)
    return "" if made == _EMPTY else made


def _in(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _stamp(stat: os.stat_result) -> Stamp:
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino]


def _load(root: Path) -> dict[str, Any] | None:
    try:
        made = json.loads((root / CACHE / _RECORD).read_text(encoding="utf-8"))
        sound = all(len(row) == 6 for row in made["files"].values()) and isinstance(made["seen"], int)
        return made if sound and all(part in made for part in _PARTS) else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _save(root: Path, made: Mapping[str, Any]) -> None:
    """Without a record the next run looks at everything: a full or read-only disk costs no more."""
    path = root / CACHE / _RECORD
    temp = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        temp.write_text(json.dumps(made, sort_keys=True), encoding="utf-8")
        os.replace(temp, path)
    except OSError:
        try:
            temp.unlink(missing_ok=True)
        except OSError:
            return


def _same_blobs(root: Path, now: Mapping[str, Stamp], held: Held, names: AbstractSet[str]) -> set[str]:
    """Those of the files that are, by git's own account, the bytes they were when their hash was noted."""
    wanted = {n: held[n][5] for n in names if held[n][4] and held[n][5] and held[n][0] == now[n][0]}
    return checkout.unchanged(root, now, wanted) if wanted else set()


def _blobs(root: Path) -> dict[str, str] | None:
    """What git calls the bytes of each hash, as far as it was noted; None outside a git checkout."""
    if not checkout.inside(root):
        return None
    held = (_load(root) or {"files": {}})["files"]
    return {row[4]: row[5] for row in held.values() if row[4] and row[5]}


def _blob_of(path: Path, sha: str) -> str:
    """The blob id of a file's bytes, if they are still those of this hash."""
    try:
        data = path.read_bytes() if sha else b""
    except OSError:
        return ""
    return checkout.blob_id(data) if sha and hashlib.sha256(data).hexdigest() == sha else ""


def _trusted(now: Stamp, then: list[Any], seen: int) -> bool:
    return now == then[:4] and max(now[1], now[2]) < seen - _GRAIN_NS


def _hash_as(path: Path, stamp: Stamp) -> str:
    """The hash of a file whose stamp is still this one, else none."""
    made = hash_of(path)
    try:
        return made if _stamp(path.stat()) == stamp else ""
    except OSError:
        return ""
