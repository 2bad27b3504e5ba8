"""A person's citations held against the scripts as they are now: followed to where their words stand, or stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from showmemory.artifacts import Artifacts
from showmemory.fold.fold import order
from showmemory.merge.stale import Scripts, Stale, followed, leaning, stale
from showmemory.model.memory import ShowMemory
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode


def follow(memory: ShowMemory, artifacts: Artifacts, read: Sequence[Episode], hashes: Mapping[str, str]) -> ShowMemory:
    """Memory with the person's citations where their words stand, in the episodes it remembers as they are now."""
    return followed(memory, _scripts(memory, artifacts, read, hashes)) if leaning(memory) else memory


def gone(
    memory: ShowMemory, artifacts: Artifacts, read: Sequence[Episode], hashes: Mapping[str, str]
) -> tuple[Stale, ...]:
    """What the person's entries cite and stands nowhere any more."""
    return stale(memory, _scripts(memory, artifacts, read, hashes))


def _scripts(memory: ShowMemory, artifacts: Artifacts, read: Sequence[Episode], hashes: Mapping[str, str]) -> Scripts:
    there = {episode.id: episode for episode in read}
    known = {record.id: record.hash for record in memory.episodes}

    def play(id_: str) -> Screenplay | None:
        same = id_ in there and known.get(id_) == hashes.get(id_)
        return artifacts.screenplay(there[id_]) if same else None

    return Scripts(play, order(memory.episodes))
