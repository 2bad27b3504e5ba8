"""Which files of a git checkout are, beyond doubt, the bytes of a blob: read from git's own index, no file opened.

Git notes size, times and inode of each file when it writes it or has compared it, beside the blob's id. Both together
say what a file's bytes are, with three exceptions, in which nothing is believed here and the file is hashed instead:

- Racily clean: a file written in the same tick of the clock in which it was noted could be edited unseen. So, as git
  does, an entry is believed only when it is older than the index itself, by more than a tick.
- Filters: where `filter` (LFS) or `working-tree-encoding` stands in the attributes, the blob is not what lies on disk.
  Line ends and `$Id$` change a file's length, and whoever calls compares that.
- Attributes newer than the file: it may have been written under others.
"""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

_ENTRY = struct.Struct(">10I20sH")
_HEAD, _TRAILER = 12, 20
_NAME_BITS, _EXTENDED = 0x0FFF, 0x4000
_REGULAR = 0o100000
_LOW = 0xFFFFFFFF
# A file system that keeps whole seconds (some keep two) is told by its zeros; the clocks of others tick within 20 ms.
_TICK_NS, _COARSE_NS = 20_000_000, 2_000_000_000
_SECOND = 1_000_000_000
_FILTERS = ("filter", "working-tree-encoding")
_PLAIN = ("unspecified", "unset")
_WAIT = 60

Stamp = list[int]


def blob_id(data: bytes) -> str:
    """The id git gives to these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def inside(root: Path) -> bool:
    """Whether the folder is in a git checkout."""
    return _top(root) is not None


def unchanged(root: Path, now: Mapping[str, Stamp], wanted: Mapping[str, str]) -> set[str]:
    """Those of `wanted` (path -> blob id) whose file is surely that blob. `now`: the stamps of all files of the show.

    A file whose length is not the blob's must not be asked for.
    """
    top = _top(root)
    if top is None or not wanted:
        return set()
    prefix = root.resolve().relative_to(top).as_posix()
    prefix = "" if prefix == "." else prefix + "/"
    newest = _newest_attributes(root.resolve(), top, now)
    asked = {prefix + name: (blob, _as_git_notes(now[name])) for name, blob in wanted.items() if name in now}
    noted = ((name, blob, stamp) for name, blob, stamp in _noted(top) if name in asked)
    sure = {
        name.removeprefix(prefix) for name, blob, stamp in noted if asked[name] == (blob, stamp) and stamp[1] >= newest
    }
    return _unfiltered(root, sure)


def _top(root: Path) -> Path | None:
    root = root.resolve()
    return next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)


def _noted(top: Path) -> Iterator[tuple[str, str, Stamp]]:
    """Path, blob id and stamp of each file that the index vouches for; nothing of an index it cannot read for sure."""
    try:
        path = _git_folder(top) / "index"
        written = os.stat(path).st_mtime_ns
        data = path.read_bytes()
        entries = list(_entries(data))
    except (OSError, ValueError, struct.error, IndexError):
        return
    for name, blob, stamp in entries:
        newest = max(stamp[1], stamp[2])
        grain = _TICK_NS if stamp[1] % _SECOND else _COARSE_NS
        if newest + grain < written:
            yield name, blob, stamp


def _git_folder(top: Path) -> Path:
    """`.git`, or where the file of that name points in a second worktree or a submodule."""
    marked = top / ".git"
    if marked.is_dir():
        return marked
    said = marked.read_text(encoding="utf-8").strip()
    if not said.startswith("gitdir: "):
        raise ValueError(said)
    return top / said.removeprefix("gitdir: ")


def _entries(data: bytes) -> Iterator[tuple[str, str, Stamp]]:
    """The entries of an index of version 2, 3 or 4 that stands alone and whose checksum holds."""
    signature, version, count = struct.unpack_from(">4sII", data)
    whole = hashlib.sha1(data[:-_TRAILER], usedforsecurity=False).digest() == data[-_TRAILER:]
    if signature != b"DIRC" or version not in (2, 3, 4) or not whole:
        raise ValueError("not an index that is known here")
    at, before = _HEAD, b""
    for _ in range(count):
        seconds, nanos, mseconds, mnanos, _, inode, mode, _, _, size, blob, flags = _ENTRY.unpack_from(data, at)
        start = at + _ENTRY.size + (2 if flags & _EXTENDED else 0)
        if version == 4:
            cut, start = _number(data, start)
            end = data.index(b"\0", start)
            name = before[: len(before) - cut] + data[start:end]
            at = end + 1
        else:
            end = data.index(b"\0", start + min(flags & _NAME_BITS, _NAME_BITS))
            name = data[start:end]
            at += (end - at) // 8 * 8 + 8
        before = name
        if mode & 0o170000 == _REGULAR:
            stamp = [size, mseconds * _SECOND + mnanos, seconds * _SECOND + nanos, inode]
            yield name.decode("utf-8", "surrogateescape"), blob.hex(), stamp
    while at < len(data) - _TRAILER:
        if data[at : at + 4] == b"link":
            raise ValueError("an index in two files")
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length as git packs it, and where it ends."""
    value = data[at] & 127
    while data[at] & 128:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 127)
    return value, at + 1


def _as_git_notes(stamp: Stamp) -> Stamp:
    """A stamp with what git cuts to 32 bits cut."""
    size, modified, changed, inode = stamp
    return [size & _LOW, modified, changed, inode & _LOW]


def _newest_attributes(root: Path, top: Path, now: Mapping[str, Stamp]) -> int:
    """When the newest attributes that may govern these files were written."""
    times = [stamp[1] for name, stamp in now.items() if name.rpartition("/")[2] == ".gitattributes"]
    above = [folder for folder in (root, *root.parents) if folder.is_relative_to(top)]
    for path in (*(folder / ".gitattributes" for folder in above), top / ".git" / "info" / "attributes"):
        try:
            times.append(os.stat(path).st_mtime_ns)
        except OSError:
            continue
    return max(times, default=0)


def _unfiltered(root: Path, names: set[str]) -> set[str]:
    """Those of these files that no filter stands before, as git itself reads its attributes."""
    if not names:
        return names
    asked = "".join(f"{name}\0" for name in sorted(names)).encode("utf-8", "surrogateescape")
    command = ["git", "-C", str(root), "check-attr", "-z", "--stdin", *_FILTERS]
    try:
        done = subprocess.run(command, input=asked, capture_output=True, timeout=_WAIT, check=False)
    except (OSError, subprocess.SubprocessError):
        return set()
    told = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    rows = list(zip(told[::3], told[1::3], told[2::3], strict=False))
    if done.returncode or len(rows) != len(_FILTERS) * len(names):
        return set()
    return names - {name for name, _, value in rows if value not in _PLAIN}
