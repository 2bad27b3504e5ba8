"""One episode as the extract stage gets it: its place, its script with the cast resolved, and its side files."""

from __future__ import annotations

from dataclasses import dataclass

from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode, SideFiles


@dataclass(frozen=True, slots=True)
class EpisodeRead:
    """What a mechanism may look at when it reads one episode. Speakers in `screenplay` are character ids."""

    episode: Episode
    screenplay: Screenplay
    side: SideFiles
