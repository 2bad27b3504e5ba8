"""A show's folder -> Show: what show.toml, the bible and the folder itself say, and which script is which episode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from showmemory.model.base import Frozen
from showmemory.model.ids import slug
from showmemory.model.interpretation import Readings
from showmemory.model.memory import EpisodeRecord
from showmemory.model.show import Bible, Episode, Show, ShowConfig, Theme
from showmemory.model.span import Problem, Span
from showmemory.read.episodes import UNSOUND, Listing, as_remembered, episodes_of
from showmemory.read.head import head_of
from showmemory.read.identity import guess
from showmemory.read.load import load
from showmemory.read.places import Found, settle, show_title, titled
from showmemory.read.readings import check_readings
from showmemory.read.scan import ONE, is_inside, scripts_folder, scripts_in
from showmemory.read.sidefiles import SUFFIXES, with_side_files

CONFIG = "show.toml"
NO_NAME = "show"
T = TypeVar("T", bound=Frozen)


@dataclass
class Survey:
    """What a folder holds: the show's settings, its scripts, and the episodes they seem to be."""

    config: ShowConfig
    listed: bool
    scripts: list[str] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def open_show(root: Path, remembered: Sequence[EpisodeRecord] = ()) -> tuple[Show, list[Problem]]:
    """Open the show at `root`. `remembered` are memory's episodes: they keep the id and place they have there."""
    seen = survey(root)
    problems = seen.problems
    bible = _optional(root, "bible/bible", Bible, problems) or Bible()
    theme = _optional(root, "bible/theme", Theme, problems) or Theme()
    readings = _optional(root, "bible/readings", Readings, problems) or Readings()
    problems = [replace(p, group=UNSOUND) if p.severity == "error" and p.group != ONE else p for p in problems]
    if any(problem.severity == "error" and problem.span.path == CONFIG for problem in problems):
        # Which episodes there are is not known: those that are remembered, or else they would look like removals.
        kept = tuple(as_remembered(root, record) for record in remembered)
        return Show(config=seen.config, bible=bible, theme=theme, episodes=tuple(with_side_files(root, kept))), problems
    listing = Listing(root, seen.config, seen.scripts, seen.found, tuple(remembered))
    episodes, more = episodes_of(listing)
    problems += more
    placed = sorted(_in_story_order(episodes, seen.config), key=lambda episode: episode.place)
    whole = tuple(with_side_files(root, placed))
    show = Show(config=seen.config, bible=bible, theme=theme, readings=readings, episodes=whole)
    wrong = check_readings(show, root)
    return show, problems + [replace(p, group=UNSOUND) if p.severity == "error" else p for p in wrong]


def survey(root: Path, *, everything: bool = False) -> Survey:
    """Look at a folder. `everything`: also guess at the scripts show.toml lists, as `init` does."""
    problems: list[Problem] = []
    config = _config(root, problems)
    listed = config is not None
    config = config or ShowConfig()
    folder = scripts_folder(root, config.scripts)
    scripts, more = scripts_in(root, folder)
    if not scripts and not listed and folder:
        scripts, more = scripts_in(root, "")
        folder = ""
    known = set() if everything else {entry.script for entry in config.episodes}
    prefix = f"{folder}/" if folder else ""
    guesses = [
        guess(path, head_of(root / path), below=path.removeprefix(prefix)) for path in scripts if path not in known
    ]
    if not config.title and not listed:
        config = config.model_copy(update={"title": show_title(guesses)})
    if not config.id:
        config = config.model_copy(update={"id": slug(config.title) if config.title else NO_NAME})
    config = config.model_copy(update={"id": config.id.removeprefix("memory.").removeprefix("show.")})
    return Survey(config, listed, scripts, settle(titled(guesses, config.title)), problems + more)


def _config(root: Path, problems: list[Problem]) -> ShowConfig | None:
    path = root / CONFIG
    if not path.is_file():
        return None
    config, found = load(path, CONFIG, ShowConfig)
    problems += found
    return config or ShowConfig()


def _optional(root: Path, stem: str, wanted: type[T], problems: list[Problem]) -> T | None:
    paths = [stem + suffix for suffix in SUFFIXES if (root / (stem + suffix)).is_file()]
    if not paths:
        return None
    said = f"not read: {paths[0]} stands beside it"
    problems += [Problem(Span(extra), "warning", said, "keep one of the two") for extra in paths[1:]]
    if not is_inside(root, root / paths[0]):
        problems.append(Problem(Span(paths[0]), "error", "expected a file inside the show, found a link out of it"))
        return None
    value, found = load(root / paths[0], paths[0], wanted)
    problems += found
    return value


def _in_story_order(episodes: Sequence[Episode], config: ShowConfig) -> list[Episode]:
    """Episodes with their in-story place where show.toml's story order gives one."""
    order = {name: at for at, name in enumerate(config.story_order, 1)}
    if not order:
        return list(episodes)
    return [
        episode.model_copy(update={"story": float(order[episode.id])}) if episode.id in order else episode
        for episode in episodes
    ]
