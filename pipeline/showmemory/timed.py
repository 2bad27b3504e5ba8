"""The scripts by which a show's clock is measured, where its settings ask for that: those that memory has read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from showmemory.artifacts import Artifacts
from showmemory.model.memory import ShowMemory
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode


def timed(
    memory: ShowMemory | None,
    artifacts: Artifacts,
    episodes: Iterable[Episode],
    scripts: Mapping[str, str],
    *,
    looking: bool = False,
) -> dict[str, Screenplay]:
    """Episode id -> its script. `scripts`: the hashes of the bytes as they are now.

    What a person looks at is dated wherever the clock is on, what is sent only where time in memory is too (C44, C49).
    What changed since memory read it is not dated by what nobody has approved (C54).
    """
    if memory is None or not (memory.settings.measured_clock and (looking or memory.settings.time_in_memory)):
        return {}
    held = {record.id: record.hash for record in memory.episodes}
    same = [e for e in episodes if scripts.get(e.id) and scripts[e.id] == held.get(e.id)]
    return {e.id: play for e in same if (play := artifacts.screenplay(e)) is not None}
