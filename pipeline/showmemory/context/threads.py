"""Open threads, with where each opened and last moved (A102): those of the people in play first."""

from __future__ import annotations

from showmemory.context.piece import Section, stepwise
from showmemory.context.plans import bible_threads
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.told import moves
from showmemory.context.touch import newness, piece, touch, twins
from showmemory.model.memory import Entry


def threads(ready: Ready, scene: Scene) -> Section:
    """Resolved ones are held elsewhere; a thread is never aged out, only placed lower."""
    entries = ready.live.get("thread", [])
    told = {e.id: touch(ready, scene, e) for e in entries}

    def rank(entry: Entry) -> tuple[float | int | str, ...]:
        moved = moves(ready.moment, entry)[1]
        at = ready.place.get(moved or "", newness(ready, entry))
        return (-round(told[entry.id][0], 1), -at, entry.id)

    ranked = sorted(entries, key=rank)
    rows = [piece(ready, e, told[e.id][1] or "open", (at + 1,)) for at, e in enumerate(ranked)]
    pieces = [*bible_threads(ready), *rows]
    return Section("threads", "Open threads", stepwise(pieces), tuple(pieces), twin=twins(ready))
