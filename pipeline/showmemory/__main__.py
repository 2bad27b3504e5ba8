"""Runs the program: `python -m showmemory`, and the installed `showmemory`."""

from __future__ import annotations

import sys

from showmemory.commands.program import main

if __name__ == "__main__":
    sys.exit(main())
