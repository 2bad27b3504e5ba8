"""A person's own words for something: in their editor, or typed at the terminal."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from showmemory.commands.screen import Screen


def reworded(screen: Screen, words: str) -> str | None:
    """Other words than `words`, as the person's editor or terminal gives them; None when there are none."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    made = _in_editor(screen, editor, words) if editor else screen.ask("  your words: ")
    told = made.strip() if made else ""
    return told if told and told != words.strip() else None


def _in_editor(screen: Screen, editor: str, words: str) -> str | None:
    with tempfile.TemporaryDirectory(prefix="showmemory-") as folder:
        path = Path(folder) / "words.txt"
        path.write_text(words + "\n", encoding="utf-8")
        try:
            code = subprocess.call([*shlex.split(editor), str(path)])
            return path.read_text(encoding="utf-8") if code == 0 else None
        except (OSError, ValueError) as error:
            screen.line(f"  {editor} could not be used: {error}")
            return screen.ask("  your words: ")
