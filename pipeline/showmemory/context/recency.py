"""The recency window: what nothing has used for long stays out until the scene at hand leans on it (B16, B17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from showmemory.context.piece import Not
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.touch import touch
from showmemory.model.memory import Entry

_KINDS = frozenset({"fact", "thread", "gag", "catchphrase", "relationship", "knowledge"})
_NODES = frozenset({"character", "group", "place", "gag", "thread", "arc"})
# As much as a link to somebody in play: a word or two in common is no leaning.
LEANS = 1.5


def cold(ready: Ready, scene: Scene) -> dict[str, Not]:
    """What was last used longer ago than `lookback` episodes, by entry id; nothing where the setting is 0.

    Used is an entry in an episode that says or plays it, and in each in which somebody or something that it is about
    was there or was spoken of. What the scene leans on is being used, and what a person holds on to is never cold.
    """
    most = ready.settings.lookback
    if most <= 0:
        return {}
    nodes = _nodes(ready)
    now, made = len(ready.moment.upto) - 1, {}
    for entry in ready.entries:
        if entry.kind not in _KINDS or entry.id in ready.held or _kept(entry):
            continue
        last = max(_own(ready.place, entry), *(nodes.get(i, -1) for i in ready.links(entry).own), -1)
        if 0 <= last < now - most and touch(ready, scene, entry)[0] < LEANS:
            label = ready.moment.label(ready.moment.upto[last])
            made[entry.id] = Not("held", f"last used in {label}, more than {most} episodes ago", "lookback")
    return made


def _kept(entry: Entry) -> bool:
    return entry.pinned or entry.keep == "keep" or (entry.by == "person" and not entry.said)


def _own(place: Mapping[str, int], entry: Entry) -> int:
    return _last(place, (*entry.said, *(use.episode for use in entry.uses), *((entry.since,) if entry.since else ())))


def _nodes(ready: Ready) -> dict[str, int]:
    """When each person, place, gag and thread was last there or spoken of."""
    made: dict[str, int] = {}
    memory = ready.moment.memory
    for record in memory.episodes if memory else ():
        for who in record.spoke:
            made[who] = max(made.get(who, -1), ready.place.get(record.id, -1))
    for entry in ready.entries:
        last = _own(ready.place, entry)
        for id_ in (*entry.about, *entry.holders):
            if id_.partition(".")[0] in _NODES:
                made[id_] = max(made.get(id_, -1), last)
    return made


def _last(place: Mapping[str, int], episodes: Iterable[str]) -> int:
    return max((place.get(e, -1) for e in episodes), default=-1)
