"""What stands beside a script (outline, continuity, directed, answers): found by name, and read into the types."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import TypeVar

from showmemory.model.base import Frozen
from showmemory.model.show import ContinuityLog, Directed, Episode, Outline, SideFiles
from showmemory.model.span import Problem, Span
from showmemory.read.load import load
from showmemory.read.scan import is_inside

SUFFIXES = (".yaml", ".yml", ".json")
T = TypeVar("T", bound=Frozen)
KINDS = ("outline", "continuity", "directed", "answers")


def with_side_files(root: Path, episodes: Iterable[Episode]) -> list[Episode]:
    """The episodes with the paths of the side files that stand beside their scripts."""
    episodes = list(episodes)
    counted = Counter(PurePosixPath(episode.script).parent.as_posix() for episode in episodes)
    names: dict[str, frozenset[str]] = {}
    made = []
    for episode in episodes:
        alone = counted[PurePosixPath(episode.script).parent.as_posix()] == 1
        found = {kind: _find(root, episode, kind, names, alone=alone) for kind in KINDS}
        made.append(episode.model_copy(update=found))
    return made


def read_side_files(root: Path, episode: Episode) -> tuple[SideFiles, list[Problem]]:
    """Read the side files `episode` names; one that cannot be read is a Problem, and the others count all the same."""
    problems: list[Problem] = []
    outline = _read(root, episode.outline, Outline, problems)
    continuity = _read(root, episode.continuity, ContinuityLog, problems)
    directed = _read(root, episode.directed, Directed, problems)
    return SideFiles(outline=outline, continuity=continuity, directed=directed), problems


def _find(root: Path, episode: Episode, kind: str, names: dict[str, frozenset[str]], *, alone: bool) -> str:
    script = PurePosixPath(episode.script)
    folder = script.parent.as_posix()
    called = dict.fromkeys((script.stem, episode.id.removeprefix("ep."), f"s{episode.season:02d}e{episode.number:02d}"))
    places = [f"{folder}/{name}.{kind}" for name in called] + [f"{folder}/{name}/{kind}" for name in called]
    if alone:
        places.append(f"{folder}/{kind}")
    suffixes = (".json",) if kind == "answers" else SUFFIXES
    wanted = [PurePosixPath(place + suffix) for place in places for suffix in suffixes]
    return next((path.as_posix() for path in wanted if path.name in _names(root, path.parent.as_posix(), names)), "")


def _names(root: Path, folder: str, seen: dict[str, frozenset[str]]) -> frozenset[str]:
    if folder not in seen:
        try:
            seen[folder] = frozenset(os.listdir(root / folder))
        except OSError:
            seen[folder] = frozenset()
    return seen[folder]


def _read(root: Path, path: str, wanted: type[T], problems: list[Problem]) -> T | None:
    if not path:
        return None
    if not is_inside(root, root / path):
        problems.append(
            Problem(Span(path), "error", "expected a file inside the show, found a link that leads out of it")
        )
        return None
    value, found = load(root / path, path, wanted)
    problems += found
    return value
