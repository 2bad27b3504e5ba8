"""The mechanisms that read one episode by itself, by the name of their rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType

from showmemory.extract import biblegag, fact, knowledge, relationship, style, synopsis, thread, voice
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible


@dataclass(frozen=True, slots=True)
class Mechanism:
    """What a mechanism finds, the version of its code, and which inputs its result depends on.

    An input is "script", a part of the bible ("cast": characters and groups, "places", "gags", "threads", "arcs")
    or a side file ("outline", "continuity", "directed").
    """

    VERSION: int
    READS: tuple[str, ...]
    find: Callable[[EpisodeRead, Bible, Rules], list[Observation]]


def _mechanism(module: ModuleType) -> Mechanism:
    return Mechanism(module.VERSION, module.READS, module.find)


# No mechanism relies on another; the order of the table decides nothing. What `voice` counts is weighed over the whole
# show by `voices`, whose observations take the place of these.
MECHANISMS: Mapping[str, Mechanism] = MappingProxyType(
    {
        "biblegag": _mechanism(biblegag),
        "fact": _mechanism(fact),
        "knowledge": _mechanism(knowledge),
        "relationship": _mechanism(relationship),
        "style": _mechanism(style),
        "synopsis": _mechanism(synopsis),
        "thread": _mechanism(thread),
        "voice": _mechanism(voice),
    }
)
