"""Running gags and callbacks: what touches the scene first, fresher before worn, resting ones last (A98, A99)."""

from __future__ import annotations

import re

from showmemory.context.piece import Piece, Section, stepwise
from showmemory.context.plans import bible_gags
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.touch import newness, piece, touch, twins
from showmemory.fold.rest import Rest
from showmemory.model.memory import Entry
from showmemory.model.show import BibleGag

_NOUNS = {"callback": "callback", "echo": "echo"}
_WEAR = {"fresh": 0, "": 1, "worn": 2}
# What a frequency note says -> after how many episodes without it the gag is due.
_DUE: tuple[tuple[str, int], ...] = (
    (r"\b(every|each) (episode|week)|\balways\b", 1),
    (r"\bevery (other|second)\b", 2),
    (r"\b(every|each) (few|couple|three|third|3)|\boften\b|\bregular", 3),
    (r"\b(now and then|sometimes|occasional|half a season)", 6),
    (r"\b(once|twice) (a|per) season|\brare|\bsparing|\bseldom", 12),
)
BIBLE, DUE = 2.0, 1.0
# After this many others, one resting gag that touches the scene is told, so that nobody plays it unknowing.
WARN_EACH = 3


def gags(ready: Ready, scene: Scene) -> Section:
    """Printed: playable ones by what they have to do with the scene, then resting ones."""
    entries = ready.live.get("gag", [])
    told = {e.id: touch(ready, scene, e) for e in entries}
    ranked = sorted(entries, key=lambda e: _rank(ready, e, told[e.id][0]))
    pieces = [*bible_gags(ready), *(_piece(ready, e, told[e.id], at + 1) for at, e in enumerate(ranked))]
    resting = {e.id for e in ranked if ready.rests[e.id].resting}
    warned = [p for p in pieces if p.id in resting and told[p.id][0] > 0]
    turns = _turns(pieces, resting, warned)
    return Section("gags", "Running gags and callbacks", stepwise(turns), tuple(turns), twin=twins(ready))


def _turns(pieces: list[Piece], resting: set[str], warned: list[Piece]) -> list[Piece]:
    """Playable ones, one resting gag that the scene touches after each few of them, the others that rest at the end."""
    playable = [p for p in pieces if p.id not in resting]
    mixed: list[Piece] = []
    for at in range(0, max(len(playable), 1), WARN_EACH):
        mixed += playable[at : at + WARN_EACH] + warned[at // WARN_EACH : at // WARN_EACH + 1]
    done = {p.id for p in mixed}
    late = [p for p in warned if p.id not in done]
    done |= {p.id for p in late}
    return [*mixed, *late, *(p for p in pieces if p.id in resting and p.id not in done)]


def _rank(ready: Ready, entry: Entry, weight: float) -> tuple[float | int | str, ...]:
    rest = ready.rests[entry.id]
    wanted = weight + _asked(ready, entry, rest)
    return (rest.resting, -round(wanted, 1), _WEAR[rest.wear], -ready.score(entry), -newness(ready, entry), entry.id)


def _asked(ready: Ready, entry: Entry, rest: Rest) -> float:
    """What the bible's frequency adds: a gag the creator means to run, more when it is due."""
    gag = next((ready.gags[i] for i in entry.about if i in ready.gags), None)
    if gag is None:
        return 0.0
    after = due_after(gag)
    return BIBLE + (DUE if after is not None and rest.idle is not None and rest.idle >= after else 0.0)


def due_after(gag: BibleGag) -> int | None:
    """After how many episodes without it the bible wants a gag again, where its frequency says so."""
    note = gag.frequency.casefold()
    return next((after for pattern, after in _DUE if note and re.search(pattern, note)), None)


def _piece(ready: Ready, entry: Entry, told: tuple[float, str], at: int) -> Piece:
    rest = ready.rests[entry.id]
    reason = told[1] or ("resting" if rest.resting else "by its standing")
    return piece(ready, entry, reason, (at,), noun=_NOUNS.get(entry.form or "", "gag"))
