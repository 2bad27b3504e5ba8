"""An example of a rule file, or a few lines of script, as a mechanism gets to read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, ContinuityLog, Directed, Episode, Outline, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

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
