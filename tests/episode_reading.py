"""An example of a rule file, a few lines of script, or the sample show, as a mechanism gets to read it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, ContinuityLog, Directed, Episode, Outline, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay
from showmemory.read.show import open_show
from showmemory.read.sidefiles import read_side_files
from showmemory.work import prepared

SAMPLE = Path(__file__).resolve().parent.parent / "sample_show"
RULES: Rules = read_rules("en")[0]


def read_example(
    example: Mapping[str, Any], rules: Rules = RULES, id_: str = "ep.example"
) -> tuple[EpisodeRead, Bible]:
    """The script and side files of `example`, and its bible."""
    bible = Bible.model_validate(example.get("bible", {}))
    script = str(example["script"]).lstrip("\n")
    play = resolve(read_screenplay(script.encode(), f"{id_}.fountain", rules), bible, rules)
    types = {"outline": Outline, "continuity": ContinuityLog, "directed": Directed}
    held = {name: kind.model_validate(example[name]) for name, kind in types.items() if name in example}
    place = example.get("episode", {"season": 1, "number": 1})
    episode = Episode(id=id_, script=play.path, **place)
    return EpisodeRead(episode, play, SideFiles(**held)), bible


@lru_cache(maxsize=1)
def sample_reads() -> tuple[Bible, tuple[EpisodeRead, ...]]:
    """The sample show's bible, and every episode of it in story order."""
    show, _ = open_show(SAMPLE)
    reads = []
    for episode in show.episodes:
        side, _ = read_side_files(SAMPLE, episode)
        play = read_screenplay((SAMPLE / episode.script).read_bytes(), episode.script, RULES)
        reads.append(EpisodeRead(episode, prepared(play, side, show.bible, RULES), side))
    return show.bible, tuple(reads)
