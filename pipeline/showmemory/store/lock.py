"""One run at a time on a show: an operating-system lock that a killed run cannot leave behind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


class Held(Exception):
    """Another run holds the lock; `holder` says which."""

    def __init__(self, holder: str) -> None:
        """Keep who holds it."""
        super().__init__(holder)
        self.holder = holder


@contextmanager
def run_lock(folder: Path, *, wait: float = 0.0) -> Iterator[None]:
    """Hold the show's lock; after `wait` seconds without it raise Held. A read-only folder needs no lock."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        yield
        return
    try:
        _take(handle, wait)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()}".encode(), 0)
        yield
    finally:
        os.close(handle)


def _take(handle: int, wait: float) -> None:
    if fcntl is None:
        return
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            if time.monotonic() >= until:
                holder = os.pread(handle, 100, 0).decode("utf-8", "replace")
                raise Held(holder or "another process") from None
            time.sleep(0.05)
