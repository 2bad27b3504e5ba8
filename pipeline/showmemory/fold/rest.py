"""A gag's uses -> when it last played, how worn it is, and whether it rests; computed when read, never stored (F13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from showmemory.model.memory import Entry, Settings, Use

# Wear looks at this many of the newest episodes: a gag in half of them, or in the newest one, is worn.
WEAR_WINDOW = 6


@dataclass(frozen=True, slots=True)
class Rest:
    """How a gag or catchphrase stands as of the last of some episodes.

    `idle`: remembered episodes since it last played (0: it played in the newest). `unrecorded`: later uses that a
    frozen entry could not take up; they count here all the same.
    """

    last: str | None = None
    times: int = 0
    episodes: int = 0
    idle: int | None = None
    resting: bool = False
    why: str = ""
    wear: str = ""
    unrecorded: int = 0


def rest(entry: Entry, order: Sequence[str], settings: Settings, later: Sequence[Use] = ()) -> Rest:
    """The rest of one entry as of the last episode in `order`, the remembered episodes in story order."""
    return _rest(entry, order, {e: at for at, e in enumerate(order)}, settings, later)


def rests(
    entries: Iterable[Entry],
    order: Sequence[str],
    settings: Settings,
    later: Mapping[str, Sequence[Use]] | None = None,
) -> dict[str, Rest]:
    """`rest` of each entry that plays (gags and catchphrases), by id."""
    place = {e: at for at, e in enumerate(order)}
    playing = (e for e in entries if e.kind in ("gag", "catchphrase"))
    return {e.id: _rest(e, order, place, settings, (later or {}).get(e.id, ())) for e in playing}


def _rest(
    entry: Entry, order: Sequence[str], place: Mapping[str, int], settings: Settings, later: Sequence[Use]
) -> Rest:
    missed = [u for u in _beyond(entry, later) if u.episode in place]
    played = {u.episode for u in (*entry.uses, *missed) if u.episode in place}
    resting, why = _resting(entry, order, played, settings.rest_after)
    if not played:
        return Rest(resting=resting, why=why)
    last = max(played, key=place.__getitem__)
    idle = len(order) - 1 - place[last]
    times = sum(u.episode in place for u in entry.uses) + len(missed)
    wear = _wear(order, played, idle, settings.rest_after)
    return Rest(last, times, len(played), idle, resting, why, wear, len(missed))


def _beyond(entry: Entry, later: Sequence[Use]) -> list[Use]:
    """Those of `later` that the entry does not hold itself."""
    if not later:
        return []
    held = {(u.episode, u.page, u.line) for u in entry.uses}
    return [u for u in later if (u.episode, u.page, u.line) not in held]


def _resting(entry: Entry, order: Sequence[str], played: set[str], after: int) -> tuple[bool, str]:
    """A33, F6: what the person says holds; else it rests when it played in each of the latest `after` episodes."""
    if entry.rested is not None:
        return entry.rested, "rested by the person" if entry.rested else ""
    if entry.kind != "gag" or len(order) < after or not all(e in played for e in order[-after:]):
        return False, ""
    return True, "used in the last episode" if after == 1 else f"used in each of the last {after} episodes"


def _wear(order: Sequence[str], played: set[str], idle: int, after: int) -> str:
    window = order[-WEAR_WINDOW:]
    if idle == 0 or 2 * sum(e in played for e in window) > len(window):
        return "worn"
    return "fresh" if idle >= after else ""
