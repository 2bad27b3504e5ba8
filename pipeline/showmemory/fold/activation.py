"""How much a show leans on an entry, and on how much the entry leans: one phrase; computed when read (B22 to B27).

An episode leans on an entry that it says something of. Tiers are thirds of how many episodes do so; ties are the
people, places, groups and threads that an entry touches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from showmemory.fold.relevance import links
from showmemory.model.memory import Entry
from showmemory.text.counted import counted

Tier = Literal["hot", "warm", "cold", "fresh"]
Topology = Literal["hub", "bridge", "leaf", "isolated"]
# What an entry is, and no tie of it: a synopsis is of its episode, a gag is the bible's gag.
_ITSELF = {"synopsis": "ep", "summary": "season", "gag": "gag", "thread": "thread"}


@dataclass(frozen=True, slots=True)
class Activation:
    """How one entry stands. `active`: the episodes that lean on it, in story order; `of`: how many there are."""

    tier: Tier
    topology: Topology
    active: tuple[str, ...]
    of: int
    ties: int

    @property
    def phrase(self) -> str:
        """As people read it: hot hub, in 7 of 11 episodes, 4 ties."""
        where = f"in {len(self.active)} of {counted(self.of, 'episode')}"
        return f"{self.tier} {self.topology}, {where}, {counted(self.ties, 'tie')}"


def activations(entries: Iterable[Entry], aired: Sequence[str]) -> dict[str, Activation]:
    """The activation of each entry, by id, as of the last of the `aired` episodes."""
    held = [(entry, tuple(e for e in aired if e in entry.said)) for entry in entries]
    counts = sorted(len(active) for _, active in held if active)
    cold, hot = (counts[(len(counts) - 1) * third // 3] if counts else 0 for third in (1, 2))
    return {e.id: Activation(_tier(active, aired, cold, hot), *_ties(e, active, len(aired))) for e, active in held}


def _tier(active: Sequence[str], aired: Sequence[str], cold: int, hot: int) -> Tier:
    """Fresh is what the newest episode alone knows; hot takes two episodes at least, however few the others have."""
    if len(aired) > 1 and tuple(active) == (aired[-1],):
        return "fresh"
    if len(active) >= max(2, hot):
        return "hot"
    return "warm" if len(active) > cold else "cold"


def _ties(entry: Entry, active: tuple[str, ...], of: int) -> tuple[Topology, tuple[str, ...], int, int]:
    touched = links(entry)
    itself = _ITSELF.get(entry.kind)
    spoke = {source.speaker for source in entry.sources if source.speaker}
    ties = {id_ for id_ in (*touched.own, *touched.spoke, *spoke) if id_.partition(".")[0] != itself}
    cohorts = {id_.partition(".")[0] for id_ in ties}
    made: Topology = "isolated" if not ties else "leaf" if len(ties) == 1 else "bridge" if len(cohorts) > 1 else "hub"
    return made, active, of, len(ties)
