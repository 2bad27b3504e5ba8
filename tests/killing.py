"""Kill a real run at a chosen point: in a process of its own, at the nth time it touches the disk.

Started as a program it is a server that has all loaded and forks for each line it is sent: to load costs a second.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any

from showmemory.flow import Options, remember

TOUCHES = frozenset(
    {"open", "write", "fsync", "replace", "unlink", "mkdir", "execute", "executemany", "ftruncate", "pwrite", "close"}
)
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_HANGS = 120


def killed(show: Path, point: int, number: int = signal.SIGKILL, **options: Any) -> bool:
    """Run over `show` and kill it at `point`; returns False when the run was over before that."""
    order = json.dumps({"show": str(show), "point": point, "number": int(number), "options": options})
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(order + "\n")
    server.stdin.flush()
    code = int(server.stdout.readline())
    assert code in (0, -number, 130), f"the run ended with {code}"
    return code != 0


@lru_cache(maxsize=1)
def _server() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )


def _serve() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _child(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _child(show: str, point: int, number: int, options: dict[str, Any]) -> None:
    code = 0
    signal.alarm(_HANGS)
    # A shell that runs the tests in the background has it ignored, and this process would have inherited that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _go(Path(show), options, point, number)
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stderr.flush()
    os._exit(code)


def _go(show: Path, options: dict[str, Any], point: int, number: int) -> None:
    left = point

    def watch(_: FrameType, event: str, what: Any) -> None:
        nonlocal left
        if event == "c_call" and what.__name__ in TOUCHES and not isinstance(what.__self__, str):
            left -= 1
            if left == 0:
                sys.setprofile(None)
                os.kill(os.getpid(), number)

    sys.setprofile(watch)
    remember(show, Options(workers=1, **options))
    sys.setprofile(None)


if __name__ == "__main__":
    _serve()
