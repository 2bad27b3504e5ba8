"""Passes over all episodes, done by other processes while this one does its own: for the first look at many scripts.

Voices are earned whole by one of them and kept in the store. What recurs is one pass of five lists; two of them, about
half of the work, are taken through the episodes elsewhere, and the pass here asks what they said and held. Every key
and every byte is what it is without.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from showmemory.artifacts import Artifacts
from showmemory.crew import Crew, Gone
from showmemory.extract.earn import Earning, Told
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules
from showmemory.model.show import Episode, Show
from showmemory.passes import keeps
from showmemory.store.store import Store

# With fewer episodes there is nothing to win.
_LEAST = 48
# The places of the lists that are taken elsewhere: callbacks and returns.
_THERE = (2, 4)
_LISTS = 5

Rows = list[tuple[list[list[Observation]], list[Any]]]


@dataclass(frozen=True)
class _Order:
    """What another process needs to do a pass of a show whose parts lie in its store."""

    folder: Path
    show: Show
    rules: Rules
    wants: dict[str, dict[str, str]]
    episodes: tuple[Episode, ...]
    literal: bool


def begin(artifacts: Artifacts, episodes: Sequence[Episode], crew: Crew, *, literal: bool) -> None:
    """Have others begin what has to be made from the first episode on."""
    if crew.alone or crew.far or len(episodes) < _LEAST:
        return
    order = _Order(artifacts.store.folder, artifacts.show, artifacts.rules, artifacts.wants, tuple(episodes), literal)
    given = pickle.dumps(order)
    try:
        _give_out(artifacts, episodes, crew, "earn literally" if literal else "earn", given)
    except Gone:
        # Then all of it is done here.
        artifacts.beside, artifacts.coming = {}, None


def _give_out(artifacts: Artifacts, episodes: Sequence[Episode], crew: Crew, stage: str, given: bytes) -> None:
    if artifacts.lacks(stage, "tally", episodes):
        rows = crew.later(_half, given)
        artifacts.beside = {place: Told(_asked(crew, rows, at)) for at, place in enumerate(_THERE)}
    if artifacts.lacks("voices", "voice", episodes):
        artifacts.coming = crew.later(_voices, given)


def _asked(crew: Crew, rows: Future[Rows], at: int) -> Any:
    def ask() -> list[tuple[list[Observation], Any]]:
        return [(seen[at], held[at] if held else None) for seen, held in crew.result(rows)]

    return ask


def _half(given: bytes) -> Rows:
    """What two of the lists say of each episode, and hold after those where that is kept."""
    order, artifacts = _opened(given)
    tallies = artifacts.tallies(order.episodes)
    away = {place: Told() for place in range(_LISTS) if place not in _THERE}
    earning = Earning(tallies, order.show.bible, order.rules, literal=order.literal, beside=away)
    rows: Rows = []
    for number in range(len(tallies)):
        seen = [list(earning.lists[place].episode(number)) if earning.lists else [] for place in _THERE]
        kept = bool(earning.lists) and keeps(number, len(tallies))
        rows.append((seen, [earning.lists[place].held() for place in _THERE] if kept else []))
    artifacts.store.close()
    return rows


def _voices(given: bytes) -> None:
    order, artifacts = _opened(given)
    for _ in artifacts.voices(order.episodes):
        pass
    artifacts.store.close()


def _opened(given: bytes) -> tuple[_Order, Artifacts]:
    order: _Order = pickle.loads(given)
    made = Artifacts(order.folder, order.show, order.rules, {}, Store(order.folder))
    made.wants = order.wants
    wanted = {want[stage] for want in order.wants.values() for stage in ("tally", "voice")}
    if made.store.has(wanted) != wanted:
        raise LookupError("the store has not what this is made from")
    return order, made
