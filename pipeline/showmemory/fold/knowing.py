"""Who knows what (G4): who was there, who only heard, who was told, and whose group was told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from showmemory.model.memory import Entry, Source
from showmemory.model.screenplay import Screenplay

Way = Literal["told", "member", "present", "overheard"]
# (episode, scene) -> who is there, and who only hears.
Attendance = Mapping[tuple[str, str], tuple[frozenset[str], frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Knows:
    """How somebody came to know of an entry, and by which citation."""

    way: Way
    source: Source | None = None


def attendance(scripts: Mapping[str, Screenplay]) -> Attendance:
    """Who witnesses each scene of scripts whose cast is resolved (F9)."""
    return {
        (episode, scene.id): (frozenset(scene.present), frozenset(scene.heard))
        for episode, script in scripts.items()
        for scene in script.scenes
    }


def knows(entry: Entry, who: str, groups: Mapping[str, Iterable[str]], witnessed: Attendance) -> Knows | None:
    """How `who` knows of an entry as of its moment, or None. `groups`: group id -> the ids of its members.

    What somebody learned is known to its holders alone, not to whoever stood by and not to whom it concerns (D50);
    anything else is known to who saw or heard a scene that it is cited from.
    """
    if who in entry.holders:
        return Knows("told", next(iter(entry.sources), None))
    if any(who in groups.get(holder, ()) for holder in entry.holders):
        return Knows("member", next(iter(entry.sources), None))
    if entry.kind == "knowledge":
        return None
    cited = [(source, witnessed.get((source.episode, source.scene))) for source in (*entry.sources, *entry.uses)]
    there = next((source for source, seen in cited if seen and who in seen[0]), None)
    if there:
        return Knows("present", there)
    heard = next((source for source, seen in cited if seen and who in seen[1]), None)
    return Knows("overheard", heard) if heard else None
