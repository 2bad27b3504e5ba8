"""The program on a real terminal: a pty of a given size, answers typed into it, and all that it printed."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def typed(root: Path, *words: str, keys: Sequence[str] = "", columns: int = 100, **env: str) -> tuple[int, str]:
    """Run the program in a show's folder on a terminal; returns its exit code and what stood on the screen, plain.

    `keys`: the answers, one a line; what is asked beyond them gets the end of the input (^D).
    """
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    here = {name: value for name, value in os.environ.items() if name not in ("CI", "VISUAL", "EDITOR", "COLUMNS")}
    program = subprocess.Popen(
        [sys.executable, "-m", "showmemory", *words], stdin=theirs, stdout=theirs, stderr=theirs, cwd=root,
        env={**here, "TERM": "xterm-256color", **env}, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, "".join(f"{key}\n" for key in keys).encode() if keys else b"")
    os.write(ours, b"\x04" * 3)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(ours)
    return program.wait(), _COLOUR.sub("", said.decode("utf-8", "replace")).replace("\r\n", "\n")
