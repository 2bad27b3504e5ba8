"""A pass in story order over stored results, kept step by step; it goes on from the last step that still holds.

Each step's key holds the keys of all steps before it. Beside the results, what the pass held after an episode is kept
now and then, under that episode's key and in the transaction of its results: so it is known, to the version of each
episode, what is inside the counts. Where an episode changes, the pass is taken up at the last of these before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from showmemory.extract.held import Lost
from showmemory.model.ids import digest
from showmemory.model.observation import Observation
from showmemory.store.store import Store
from showmemory.work import OBSERVATIONS, observations

_PART = 64
# What was held is looked for at multiples of this, and kept at about so many places in a show.
_LEAST, _PLACES = 16, 4


class Passing(Protocol):
    """A pass: `next` is the episode it will take in."""

    next: int

    def step(self) -> tuple[str, list[Observation]]:
        """Take in the next episode."""

    def held(self) -> bytes:
        """What it needs to be taken up after the last one."""


class Pass:
    """One pass of one show. `begin` makes it, at the first episode or from what was held after one."""

    def __init__(self, store: Store, stage: str, chain: Sequence[str], begin: Callable[[bytes], Passing]) -> None:
        self.store, self.stage, self.chain, self.begin = store, stage, chain, begin
        self.made: set[str] = set()

    def observed(self) -> Iterator[Observation]:
        """What every episode says, from the store as far as that is there."""
        at = 0
        while at < len(self.chain):
            part = self.chain[at : at + _PART]
            held = self.store.get(part)
            there = next((n for n, key in enumerate(part) if key not in held), len(part))
            yield from observations(held[key] for key in part[:there])
            at += there
            if there < len(part):
                self._make(at)

    def kept(self) -> list[str]:
        """The keys of what is held, as far as it is worth keeping."""
        return [_key(key) for number, key in enumerate(self.chain) if keeps(number, len(self.chain))]

    def _make(self, first: int) -> None:
        """Make the results of all episodes from `first` on."""
        passing = self._taken_up(first)
        fresh: dict[str, tuple[str, bytes]] = {}
        for number in range(passing.next, len(self.chain)):
            _, seen = passing.step()
            key = self.chain[number]
            if number >= first:
                fresh[key] = (self.stage, OBSERVATIONS.dump_json(seen, by_alias=True, exclude_defaults=True))
                self.made.add(key)
            if keeps(number, len(self.chain)):
                fresh[_key(key)] = (f"{self.stage}, held", passing.held())
                self.store.keep(fresh)
                fresh = {}
        self.store.keep(fresh)

    def _taken_up(self, first: int) -> Passing:
        """The pass at the last place before `first` at which it was left."""
        near = {first - 1, first - 2, *range(_LEAST - 1, first, _LEAST)}
        for number in sorted((n for n in near if 0 <= n < first), reverse=True):
            key = _key(self.chain[number])
            held = self.store.get([key]).get(key)
            try:
                if held is not None:
                    return self.begin(held)
            except (Lost, LookupError, TypeError, ValueError):
                # Of another version, or not what was kept: the episodes before it are there all the same.
                continue
        return self.begin(b"")


def keeps(number: int, of: int) -> bool:
    """Whether what a pass holds is kept: after the last two, so that a new one costs one step, and a few all along."""
    apart = _LEAST
    while apart * _PLACES < of:
        apart *= 2
    return number >= of - 2 or (number + 1) % apart == 0


def _key(key: str) -> str:
    return digest(f"held\0{key}")
