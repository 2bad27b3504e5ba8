"""A path -> why no script can be read there: it is missing, a folder, a pipe, empty, or not ours to open."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from showmemory.model.span import Problem, Span

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def unread(path: Path, shown: str, *, empty: bool = False) -> Problem | None:
    """A Problem where no script can be read, None where one can. `empty`: a file without a byte is none either.

    Nothing is opened that is not a file: to read a pipe is to wait for whoever writes it.
    """
    try:
        made = path.stat()
        if not stat.S_ISREG(made.st_mode):
            found = next((name for is_one, name in _KINDS if is_one(made.st_mode)), "something else")
            return _problem(shown, found)
        if empty and not made.st_size:
            return _problem(shown, "an empty file")
        if not os.access(path, os.R_OK):
            return _problem(shown, "one that may not be read")
    except FileNotFoundError:
        return _problem(shown, "a link to nothing" if path.is_symlink() else "no such file")
    except OSError as error:
        return _problem(shown, (error.strerror or type(error).__name__).lower())
    return None


def _problem(shown: str, found: str) -> Problem:
    hint = "what is remembered of it stays; the other scripts are read"
    return Problem(Span(shown), "error", f"expected a script, found {found}", hint)
