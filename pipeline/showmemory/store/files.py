"""Files of a show, written so that a kill or a full disk leaves either the old bytes or the new."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from pathlib import Path

_TEMP = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")


def read_text(path: Path) -> str | None:
    """The file's text (UTF-8), None when it is not there. What is no file is not opened: a pipe is waited for."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, "a folder, a pipe or a device, where a file should be", str(path))
        return path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except FileNotFoundError:
        return None


def write_text(path: Path, text: str) -> bool:
    """Write atomically (temp file, fsync, rename) when the bytes differ; returns whether they did."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        if path.read_bytes() == data:
            return False
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    temp = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(temp, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temp, path)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)
    return True


def is_left_over(name: str) -> bool:
    """Whether a file's name is that of a temp file of ours: under the lock it is what a killed run left."""
    return _TEMP.fullmatch(name) is not None


def append_line(path: Path, line: str) -> None:
    """Add one line and sync; a line cut short by a kill is recognised by its missing end and dropped on reading."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab") as file:
        if file.tell() and not _ends_line(path):
            file.write(b"\n")
        file.write(line.encode("utf-8") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def remove(path: Path) -> bool:
    """Remove a file; returns whether it was there."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True


def _ends_line(path: Path) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _sync_folder(folder: Path) -> None:
    # Windows cannot open a folder; there the rename itself is all there is.
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
