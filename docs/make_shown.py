"""Run the commands our pages show, on a fresh sample show, and write what they print: `--check` only compares."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# In this order, on one show: the README remembers it.
PAGES = (ROOT / "README.md", ROOT / "docs/windows.md", ROOT / "docs/checkpoints.md")
_BLOCK = re.compile(r"(```console\n\$ ([^\n]+)\n).*?(```\n)", re.DOTALL)
_SECONDS = re.compile(r"\(\d+\.\d s\)|\b\d+ s$", re.MULTILINE)
# What is made from the scripts; without it the sample show is as its writers left it.
_MADE = (".showmemory", "context", "memory.json", "memory.history.jsonl", "proposal.json", "__pycache__")


def pages(texts: list[str]) -> list[str]:
    """The pages with every console block filled in by its command, run in the order of the pages."""
    with tempfile.TemporaryDirectory() as folder:
        show = Path(folder) / "sample_show"
        shutil.copytree(ROOT / "sample_show", show, ignore=shutil.ignore_patterns(*_MADE))
        return [_BLOCK.sub(_filled(show), text) for text in texts]


def _filled(show: Path) -> Callable[[re.Match[str]], str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    plain = {**os.environ, "PATH": path, "CI": "true", "COLUMNS": "110", "LC_ALL": "C.UTF-8"}
    plain["SHOWMEMORY_PROFILE"] = ""

    def fill(block: re.Match[str]) -> str:
        head, command, foot = block.groups()
        done = subprocess.run(command, shell=True, cwd=show, env=plain, capture_output=True, text=True, check=False)
        printed = _SECONDS.sub("(0.1 s)", done.stdout).rstrip()
        return f"{head}{printed}\n{foot}"

    return fill


if __name__ == "__main__":
    held = [page.read_text(encoding="utf-8") for page in PAGES]
    made = pages(held)
    differ = [page.name for page, was, is_ in zip(PAGES, held, made, strict=True) if was != is_]
    if "--check" in sys.argv:
        sys.exit(f"{', '.join(differ)}: not what its commands print; make docs writes it anew" if differ else 0)
    for page, text in zip(PAGES, made, strict=True):
        page.write_text(text, encoding="utf-8", newline="\n")
