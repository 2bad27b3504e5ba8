"""Fill in the contexts that docs/contexts.md shows, from a fresh sample show: `--check` only compares.

A block opens with ```text and, on the same line, the options of `memory_context` as JSON.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from showmemory.context.context import memory_context
from showmemory.flow import Options, Run, remember

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/contexts.md"
_BLOCK = re.compile(r"(```text (\{[^\n]*\})\n).*?(```\n)", re.DOTALL)
# What is made from the scripts; without it the sample show is as its writers left it.
_MADE = (".showmemory", "context", "memory.json", "memory.history.jsonl", "proposal.json", "__pycache__")


def page(text: str) -> str:
    """The page with each context as it is now."""
    with tempfile.TemporaryDirectory() as folder:
        show = Path(folder) / "sample_show"
        shutil.copytree(ROOT / "sample_show", show, ignore=shutil.ignore_patterns(*_MADE))
        remember(show, Options(workers=1))
        run = Run(show)
        run.parse()
        plays = {e.id: play for e in run.read if (play := run.artifacts.screenplay(e)) is not None}

        def fill(block: re.Match[str]) -> str:
            head, options, foot = block.groups()
            asked = {"logs": run.sides, "scripts": plays, **json.loads(options)}
            return f"{head}{memory_context(run.show, run.book.memory, **asked).text}{foot}"

        made = _BLOCK.sub(fill, text)
        run.close()
        return made


if __name__ == "__main__":
    held = PAGE.read_text(encoding="utf-8")
    made = page(held)
    if "--check" in sys.argv:
        sys.exit(0 if made == held else "docs/contexts.md does not show what contexts say; make docs writes it anew")
    PAGE.write_text(made, encoding="utf-8", newline="\n")
