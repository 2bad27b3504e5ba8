"""Facts of the world: those about the people in play and the place first (A103), then what the scene's words touch."""

from __future__ import annotations

from showmemory.context.piece import Not, Section, stepwise
from showmemory.context.readings import told
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.touch import newness, piece, touch, twins
from showmemory.model.memory import Entry

_CANON = {None: 0, "established": 0, "provisional": 1, "contested": 2, "plan": 3}


def world(ready: Ready, scene: Scene) -> Section:
    """Facts and terms, best first; what is in doubt says so and comes after what is sure."""
    whole = ready.live.get("fact", [])
    touched = {e.id: touch(ready, scene, e) for e in whole}
    left = {
        e.id: Not("out", "a term nothing here touches", "relevance")
        for e in whole
        if e.form == "term" and not touched[e.id][0]
    }
    entries = [e for e in whole if e.id not in left]

    def rank(entry: Entry) -> tuple[float | int | str, ...]:
        weight = round(touched[entry.id][0], 1)
        return (-weight, entry.form == "term", _CANON[entry.canon], -newness(ready, entry), entry.id)

    ranked = sorted(entries, key=rank)
    pieces = [
        piece(ready, e, touched[e.id][1] or "a fact of the world", (at,), noun="term" if e.form == "term" else "fact")
        for at, e in enumerate(ranked)
    ]
    read = [p for at, i in enumerate(_read(ready, scene)) for p in told(ready, i, (-1, at))]
    pieces = [*read, *pieces]
    return Section("world", "The world", stepwise(pieces), tuple(pieces), left=left, twin=twins(ready))


def _read(ready: Ready, scene: Scene) -> list[str]:
    """What is no character, has a reading, and is at hand."""
    others = (i for i in ready.readings if not i.startswith("character."))
    return [i for i in others if not scene.chosen or i in scene.wanted.ids]
