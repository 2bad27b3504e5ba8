"""Running gags and callbacks: what touches the scene first, fresher before worn, resting ones last (A98, A99)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from showmemory.context.piece import Not, Piece, Section, Step, stepwise
from showmemory.context.plans import bible_gags
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.touch import newness, piece, touch, twins
from showmemory.fold.relevance import by_words
from showmemory.fold.rest import Rest
from showmemory.model.memory import Entry
from showmemory.model.show import BibleGag
from showmemory.text.fold import bare

_NOUNS = {"callback": "callback", "echo": "echo"}
# What runs through the show stands before what came back once; scores compare within a form only.
_FORMS = {"running": 1, "callback": 2, "echo": 3}
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
FORGOTTEN = (12, 40)
# So many are told whole, then so many in all are named and then told whole, before any other is so much as named.
WHOLE, NAMED = 2, 40
# So many callbacks, the best of the show so far, may be told though nothing calls for them.
BEST = 40
# And what shares with the scene words that fewer than one entry in sixteen has.
TELLING = 1.5
# After this many others, one resting gag that touches the scene is told, so that nobody plays it unknowing.
WARN_EACH = 3


def gags(ready: Ready, scene: Scene) -> Section:
    """Printed: playable ones by what they have to do with the scene, then resting ones."""
    whole = ready.live.get("gag", [])
    best = _best(ready, whole)
    told = {e.id: touch(ready, scene, e) for e in whole if e.id in best or _called_for(ready, scene, e)}
    left = {e.id: Not("out", "came back long ago, and nothing here calls for it", "relevance") for e in whole}
    left = {id_: why for id_, why in left.items() if id_ not in told} | _said_by(ready, scene, whole)
    entries = [e for e in whole if e.id not in left]
    ranked = sorted(entries, key=lambda e: _rank(ready, e, told[e.id][0]))
    pieces = [*bible_gags(ready), *(_piece(ready, e, told[e.id], at + 1) for at, e in enumerate(ranked))]
    resting = {e.id for e in ranked if ready.rests[e.id].resting}
    warned = [p for p in pieces if p.id in resting and told[p.id][0] > 0]
    turns = _turns(pieces, resting, warned)
    steps = [Step(p, level) for p in turns[:WHOLE] for level in range(len(p.texts))]
    steps += [Step(p, level) for level in (0, 1) for p in turns[WHOLE:NAMED] if level < len(p.texts)]
    steps += stepwise(turns[NAMED:])
    return Section("gags", "Running gags and callbacks", tuple(steps), tuple(turns[NAMED:]), {}, left, twins(ready))


def _said_by(ready: Ready, scene: Scene, entries: Sequence[Entry]) -> dict[str, Not]:
    """A gag that is somebody's catchphrase is told as theirs, where they are in play."""
    cast = frozenset(scene.cast)
    theirs = [e for e in ready.live.get("catchphrase", ()) if cast.intersection(e.about)]
    told = {bare(words): e.id for e in theirs for words in (e.title, *e.variants)}
    return {
        e.id: Not("held", f"told as {told[bare(e.title)]}", "near-duplicate")
        for e in entries
        if e.form == "running" and bare(e.title) in told
    }


def _best(ready: Ready, entries: Sequence[Entry]) -> frozenset[str]:
    """What is told of whoever is in play and wherever it is: all that runs through the show, and its best callbacks."""
    once = sorted((e for e in entries if e.form in _NOUNS), key=lambda e: (-ready.score(e), e.id))
    return frozenset((*(e.id for e in entries if e.form not in _NOUNS), *(e.id for e in once[:BEST])))


def _called_for(ready: Ready, scene: Scene, entry: Entry) -> bool:
    """Whether a callback is of late, or has to do with the scene: that somebody in play once said it is not enough.

    A show of years has a thousand of them, and what is nearly to the point hurts most (D21).
    """
    idle = ready.rests[entry.id].idle
    if entry.rested is not None or idle is None or idle < max(1, ready.settings.detailed_episodes):
        return True
    if scene.wanted.ids.keys() & ready.links(entry).own:
        return True
    return bool(scene.wanted.words) and by_words(ready.shared(entry, scene.wanted), scene.wanted)[0] >= TELLING


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
    wanted = round(weight + _asked(ready, entry, rest) - _forgotten(rest), 1)
    standing = (_FORMS.get(entry.form or "", 0), -ready.score(entry), -newness(ready, entry))
    return (rest.resting, -wanted, _WEAR[rest.wear], *standing, entry.id)


def _asked(ready: Ready, entry: Entry, rest: Rest) -> float:
    """What the bible's frequency adds: a gag the creator means to run, more when it is due."""
    gag = next((ready.gags[i] for i in entry.about if i in ready.gags), None)
    if gag is None:
        return 0.0
    after = due_after(gag)
    return BIBLE + (DUE if after is not None and rest.idle is not None and rest.idle >= after else 0.0)


def _forgotten(rest: Rest) -> float:
    """What nobody has played for a season or for years stands lower, unless the scene calls for it (B16, D28)."""
    return sum(rest.idle > after for after in FORGOTTEN) / 2 if rest.idle is not None else 0.0


def due_after(gag: BibleGag) -> int | None:
    """After how many episodes without it the bible wants a gag again, where its frequency says so."""
    note = gag.frequency.casefold()
    return next((after for pattern, after in _DUE if note and re.search(pattern, note)), None)


def _piece(ready: Ready, entry: Entry, told: tuple[float, str], at: int) -> Piece:
    rest = ready.rests[entry.id]
    reason = told[1] or ("resting" if rest.resting else "by its standing")
    return piece(ready, entry, reason, (at,), noun=_NOUNS.get(entry.form or "", "gag"))
