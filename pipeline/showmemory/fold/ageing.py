"""Set-ups that wait for their payoff, and how long (G10); computed when read, never stored (F13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from showmemory.model.memory import Entry, Source


@dataclass(frozen=True, slots=True)
class Owed:
    """An open thread: where it was set up, the episode in which it last moved, and how many episodes ago that was."""

    entry: Entry
    setup: Source | None
    moved: str
    waited: int


@dataclass(frozen=True, slots=True)
class Paid:
    """A payoff and the set-up that it pays."""

    setup: Source
    payoff: Source


def owed(entries: Iterable[Entry], order: Sequence[str], after: int = 0) -> list[Owed]:
    """Open threads that have waited `after` episodes or more as of the last of `order`, the longest wait first."""
    place = {episode: at for at, episode in enumerate(order)}
    found = []
    for entry in entries:
        moved = _moved(entry, order)
        if entry.kind != "thread" or entry.status == "resolved" or entry.retired or moved is None:
            continue
        waited = len(order) - 1 - place[moved]
        if waited >= after:
            found.append(Owed(entry, _setup(entry, order), moved, waited))
    return sorted(found, key=lambda one: (-one.waited, one.entry.id))


def paid(entry: Entry, order: Sequence[str]) -> Paid | None:
    """A thread's resolution, or a callback's latest return, with the line that set it up; None while unpaid."""
    if entry.kind == "thread":
        steps = [episode for episode in order if episode in entry.said and entry.said[episode].sources]
        if entry.status != "resolved" or not steps:
            return None
        setup, payoff = _setup(entry, order), entry.said[steps[-1]].sources[-1]
        return Paid(setup, payoff) if setup and setup != payoff else None
    setups = [use for use in entry.uses if use.setup]
    later = [use for use in entry.uses if not use.setup]
    return Paid(setups[0], later[-1]) if setups and later else None


def _moved(entry: Entry, order: Sequence[str]) -> str | None:
    steps = [episode for episode in order if episode in entry.said and entry.said[episode].status]
    return steps[-1] if steps else entry.changed if entry.changed in order else None


def _setup(entry: Entry, order: Sequence[str]) -> Source | None:
    """Where the thread was opened last before its latest step; else the first line it has."""
    steps = [entry.said[episode] for episode in order if episode in entry.said and entry.said[episode].sources]
    opened = [step.sources[0] for step in steps if step.move == "opened"]
    return opened[-1] if opened else steps[0].sources[0] if steps else next(iter(entry.sources), None)
