"""Drafts and memory -> the next memory and what waits, weighed until nothing moves of itself. Pure, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from showmemory.merge.apply import all_decisions, apply, decision
from showmemory.merge.drafts import Draft
from showmemory.merge.keeping import keeping
from showmemory.merge.plan import Target, target
from showmemory.model.memory import EpisodeRecord, ShowMemory

# Each round settles at least one more episode's record; none was ever seen to need a third.
_ROUNDS = 8


@dataclass(frozen=True)
class Settled:
    """The next memory, the target weighed against it, and how many decisions were taken on the way."""

    memory: ShowMemory
    target: Target
    taken: frozenset[str]
    applied: int


def settle(
    memory: ShowMemory,
    drafts: Mapping[tuple[str, str], Draft],
    records: Mapping[str, EpisodeRecord],
    there: Sequence[str],
    was: Mapping[str, str],
    *,
    take: bool,
) -> Settled:
    """Weigh, and let move what moves of itself; `take`: take every decision too. `there`: the show's episodes.

    What waits is weighed against the memory that is saved, as the next run would: moving the record of an episode, or
    numbers, can change how the rest of the plan reads.
    """
    gone = [e.id for e in memory.episodes if e.id not in there]
    applied = 0
    for _ in range(_ROUNDS):
        other = {e.id for e in memory.episodes if e.id in records and records[e.id].hash != e.hash}
        unread = any(e.id in there and e.id not in records for e in memory.episodes)
        made = target(memory, keeping(drafts, memory, other, was), records, gone, was, whole=not unread)
        taken = all_decisions(made) if take else frozenset()
        applied += sum(decision(d) in taken and not d.quiet for d in made.deltas)
        next_ = apply(made, taken)
        if next_ == memory or all(d.quiet or decision(d) in taken for d in made.deltas):
            break
        memory = next_
    return Settled(next_, made, taken, applied)
