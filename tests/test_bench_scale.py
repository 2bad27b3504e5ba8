"""The generated show that runs are measured on is a function of its seed, and reads as a show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay


def generated(root: Path, to: Path, episodes: int) -> dict[str, bytes]:
    command = [sys.executable, "bench/generate.py", str(to), "--episodes", str(episodes), "--words", "600"]
    subprocess.run(command, cwd=root, check=True, timeout=120)
    return {path.name: path.read_bytes() for path in (to / "episodes").iterdir()}


def test_an_episode_is_the_same_in_a_longer_show(root: Path, tmp_path: Path) -> None:
    """The first episodes of a long show are the short one; no two are alike, and each reads without a complaint."""
    short, long = generated(root, tmp_path / "a", 3), generated(root, tmp_path / "b", 5)
    assert short.items() <= long.items() and len(set(long.values())) == 5
    rules, _ = read_rules()
    for name, data in long.items():
        play = read_screenplay(data, name, rules)
        said = sum(len(speech.text.split()) for speech in play.speeches())
        assert play.problems == () and 500 <= said <= 700 and len(play.scenes) == 14
