"""One run at a time on a show: an operating-system lock that a killed run cannot leave behind."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_NAME = "lock"


class Held(Exception):
    """Another run holds the lock; `holder` says which."""

    def __init__(self, holder: str) -> None:
        """Keep who holds it."""
        super().__init__(holder)
        self.holder = holder


@contextmanager
def run_lock(folder: Path, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the show's lock; after `wait` seconds without it raise Held. A read-only folder needs no lock."""
    handle = _taken(folder, wait)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _taken(folder: Path, wait: float) -> int | None:
    until = time.monotonic() + wait
    while (handle := _opened(folder)) is not None:
        if not _locked(handle):
            holder = os.pread(handle, 100, 0).decode("utf-8", "replace")
            os.close(handle)
            if time.monotonic() >= until:
                raise Held(holder or "another process")
            time.sleep(0.05)
        elif _stands(handle, folder / _NAME):
            _sign(handle)
            return handle
        else:
            # The cache was deleted while this run waited: whoever comes now locks another file.
            os.close(handle)
    return None


def _opened(folder: Path) -> int | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.open(folder / _NAME, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        pass
    try:
        # Another user's: it can be locked all the same.
        return os.open(folder / _NAME, os.O_RDONLY)
    except OSError:
        return None


def _locked(handle: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # A file system without locks (some network ones) is no reason to refuse the work.
        return error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
    return True


def _stands(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False


def _sign(handle: int) -> None:
    """Say who holds it; a full disk only leaves that unsaid."""
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()}".encode(), 0)
    except OSError:
        return
