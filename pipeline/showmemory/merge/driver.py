"""Two branches' memories and where they parted -> one memory, and a Problem for each thing that both changed. Pure.

What passes say is united by episode, what a person decided field by field. Where two people decided differently ours
stands, and the Problem tells theirs and how to take it. Nothing of a pass becomes the person's, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from showmemory.fold.fold import closed, fingerprints, order
from showmemory.merge.clashes import told
from showmemory.merge.onesided import one_sided, turned_down
from showmemory.merge.person import absorb
from showmemory.merge.throw import tombstone
from showmemory.merge.unite import Clash, by_name, chosen, unite, without
from showmemory.model.ids import digest
from showmemory.model.memory import Entry, EpisodeRecord, Refusal, Settings, ShowMemory, Tombstone
from showmemory.model.span import Problem

_PLACE = ("season", "number", "story", "placed")
_READ = ("title", "screenplay", "hash", "clip_show", "spoke")


def merge_memories(base: ShowMemory | None, ours: ShowMemory, theirs: ShowMemory) -> tuple[ShowMemory, list[Problem]]:
    """The memory both branches mean. `base`: as it was where they parted, None when it was not there yet."""
    if ours in (theirs, base):
        return (theirs if ours == base else ours), []
    if theirs == base:
        return ours, []
    old, ours, theirs = (absorb(each)[0] for each in (base or ShowMemory(id=ours.id), ours, theirs))
    theirs = _aligned(theirs, ours, {e.id for e in old.entries})
    clashes: list[Clash] = []
    episodes = _episodes(old, ours, theirs, clashes)
    aired = order(episodes)
    entries, tombs, refusals = _entries(old, ours, theirs, aired, clashes)
    kept = closed(entries, aired, hold=True)
    known = theirs.written | ours.written
    made = ours.model_copy(
        update={
            "settings": _settings(old, ours, theirs, clashes),
            "episodes": episodes,
            "entries": kept,
            "forgotten": tuple(tombs[id_] for id_ in sorted(tombs)),
            "declined": tuple(refusals[at] for at in sorted(refusals)),
            "written": {e.id: fingerprints(e, known[e.id]) for e in kept if e.id in known},
        }
    )
    return made, told(clashes, made)


def _aligned(theirs: ShowMemory, ours: ShowMemory, before: set[str]) -> ShowMemory:
    """Theirs under our ids: one thing both branches found is one entry, two things of one id are two."""
    named = {(e.kind, e.key): e.id for e in ours.entries if e.key}
    keys = {e.id: (e.kind, e.key) for e in ours.entries}
    moved: dict[str, str] = {}
    for entry in theirs.entries:
        same = named.get((entry.kind, entry.key))
        if entry.id in before or (same == entry.id):
            continue
        if same is not None and same not in before:
            moved[entry.id] = same
        elif keys.get(entry.id, (entry.kind, entry.key)) != (entry.kind, entry.key):
            moved[entry.id] = f"{entry.id}-{digest(entry.key)[:6]}"
    if not moved:
        return theirs
    entries = (e.model_copy(update={"id": moved.get(e.id, e.id)}) for e in theirs.entries)
    written = {moved.get(id_, id_): prints for id_, prints in theirs.written.items()}
    return theirs.model_copy(update={"entries": tuple(entries), "written": written})


def _episodes(old: ShowMemory, ours: ShowMemory, theirs: ShowMemory, clashes: list[Clash]) -> tuple[EpisodeRecord, ...]:
    sides = [{e.id: e for e in memory.episodes} for memory in (old, ours, theirs)]
    made: dict[str, EpisodeRecord] = {}
    for id_ in dict.fromkeys((*sides[1], *sides[2])):
        was, one, other = (side.get(id_) for side in sides)
        if one is None or other is None:
            left = one or other
            if left is not None and left != was:
                made[id_] = left
            continue
        made[id_] = _episode(was, one, other, clashes)
    places: dict[tuple[int, int], str] = {}
    for record in sorted(made.values(), key=lambda e: e.id):
        rival = places.setdefault((record.season, record.number), record.id)
        if rival != record.id:
            clashes.append(Clash(record.id, "place", rival, record.id))
    return tuple(sorted(made.values(), key=lambda e: (e.season, e.number, e.id)))


def _episode(
    was: EpisodeRecord | None, ours: EpisodeRecord, theirs: EpisodeRecord, clashes: list[Clash]
) -> EpisodeRecord:
    """Where it stands, and what was read of it, each as a whole."""
    update: dict[str, Any] = {}
    for what, names in (("place", _PLACE), ("script", _READ)):
        value, clash = chosen(*(tuple(getattr(e, n) for n in names) if e else None for e in (was, ours, theirs)))
        if clash and what == "place" and theirs.placed and not ours.placed:
            value, clash = tuple(getattr(theirs, n) for n in names), False
        update |= dict(zip(names, value, strict=True))
        if clash and (what == "script" or ours.placed):
            own, other = ((e.season, e.number) if what == "place" else e.hash for e in (ours, theirs))
            clashes.append(Clash(ours.id, f"{what} of an episode", own, other))
    return ours.model_copy(update=update)


def _settings(old: ShowMemory, ours: ShowMemory, theirs: ShowMemory, clashes: list[Clash]) -> Settings:
    sides = [memory.settings.model_dump() for memory in (old, ours, theirs)]
    made, both = by_name(*sides)
    clashes += [Clash("settings", name, sides[1][name], sides[2][name]) for name in sorted(both)]
    return Settings(**made)


def _entries(
    old: ShowMemory, ours: ShowMemory, theirs: ShowMemory, aired: Sequence[str], clashes: list[Clash]
) -> tuple[list[Entry], dict[str, Tombstone], dict[tuple[str, str, str], Refusal]]:
    was, one, other = ({e.id: e for e in memory.entries} for memory in (old, ours, theirs))
    tombs = _tombs(old, ours, theirs, aired)
    refusals = by_name(*({_refusal(r): r for r in m.declined} for m in (old, ours, theirs)))[0]
    gone = {e.id for e in old.episodes} - set(aired)
    made: list[Entry] = []
    for id_ in sorted({*one, *other}):
        mine, yours = one.get(id_), other.get(id_)
        entry: Entry | None
        if mine is not None and yours is not None:
            entry, found = unite(was.get(id_), mine, yours, aired)
        else:
            here = mine is not None
            left, lacking = (mine, theirs) if mine else (yours, ours)
            assert left is not None, "one of the two has it"
            entry, found, tomb = one_sided(was.get(id_), left, here, (old, lacking), aired)
            tombs |= {id_: tomb} if tomb else {}
            for refusal in turned_down(left, old, lacking) if here else ():
                refusals.pop(_refusal(refusal), None)
        clashes += found
        standing = without(entry, gone, aired) if entry else None
        made += [standing] if standing else []
    tombs = {id_: tomb for id_, tomb in tombs.items() if all(e.id != id_ for e in made)}
    return made, tombs, refusals


def _tombs(old: ShowMemory, ours: ShowMemory, theirs: ShowMemory, aired: Sequence[str]) -> dict[str, Tombstone]:
    """What either branch threw out; what both did keeps what each had decided of it before."""
    sides = [{t.id: t for t in memory.forgotten} for memory in (old, ours, theirs)]
    made, both = by_name(*sides)
    for id_ in both & sides[1].keys() & sides[2].keys():
        mine, yours = sides[1][id_].entry, sides[2][id_].entry
        was = next((e for e in old.entries if e.id == id_), None)
        if mine is not None and yours is not None:
            made[id_] = tombstone(unite(was, mine, yours, aired)[0])
        elif yours is not None:
            made[id_] = sides[2][id_]
    return made


def _refusal(refusal: Refusal) -> tuple[str, str, str]:
    return (refusal.id, refusal.episode or "", refusal.fingerprint or "")
