"""What a writing session begins with: what comes, where the story left off, who last met, what is kept from whom (D55).

All of it is counted, nothing is judged (D5, D7, D53).
"""

from __future__ import annotations

from collections.abc import Iterator

from showmemory.context.focusing import LATEST
from showmemory.context.past import Past, remembered
from showmemory.context.piece import Piece, Section, row, stepwise
from showmemory.context.quote import bare_end, line, listed, sentence
from showmemory.context.ready import Ready
from showmemory.context.scene import LEADS, Scene
from showmemory.context.touch import newness
from showmemory.context.untold import unaware

# Scenes of so many people's last meetings, looked for in so many of the latest episodes; and so many secrets.
MET, BACK, KEPT = 3, 12, 4
SHARE = 16


def handover(ready: Ready, scene: Scene) -> Section:
    """The section, the first of all; nothing of it is an entry of its own."""
    cast = scene.cast if scene.chosen else scene.cast[:LEADS]
    told = [*_coming(ready, scene), *_left_off(ready), *_together(ready, cast), *_kept(ready, cast)]
    pieces = [_piece(at, kind, text) for at, (kind, text) in enumerate(told)]
    return Section("handover", "Where we stand", stepwise(pieces), share=SHARE)


def _piece(at: int, kind: str, text: str) -> Piece:
    return row(f"handover.{at + 1}", kind, text, "the handover", noun="handover line", place=(at,))


def _coming(ready: Ready, scene: Scene) -> Iterator[tuple[str, str]]:
    """The episode that is written next, as its outline plans it, and where its first scene is set."""
    writing = ready.moment.writing
    side = ready.logs.get(writing or "")
    if writing is None or side is None or side.outline is None:
        return
    outline = side.outline
    head = f"Coming: {ready.moment.named(writing)}"
    yield "coming", f"{head}: {sentence(outline.logline)}" if line(outline.logline) else f"{head}."
    first = next((s for s in outline.scenes if line(s.summary)), None)
    if first is not None:
        who = listed([ready.names.name(i) for i in ready.names.ids(first.cast)])
        yield "coming", f"It begins{f' with {who}' if who else ''}: {sentence(first.summary)}"


def _left_off(ready: Ready) -> Iterator[tuple[str, str]]:
    """The last scene that memory has: place, who is there, when."""
    newest = ready.moment.newest
    scenes = remembered(ready, newest) if newest else []
    if newest and scenes:
        yield "left-off", f"Left off in {ready.moment.named(newest)}: {_told(scenes[-1])}"


def _together(ready: Ready, cast: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The last scenes in which two or more of them were together, the newest first."""
    wanted, met = frozenset(cast), list[frozenset[str]]()
    last = remembered(ready, ready.moment.newest)[-1:] if ready.moment.newest else []
    # Told already, as what was left off.
    left = next(((one.episode, one.scene) for one in last), None)
    for episode in reversed(ready.moment.order[-BACK:]):
        for past in reversed(remembered(ready, episode)):
            here = wanted.intersection(ready.names.found(past.where))
            if len(here) < 2 or any(here <= others for others in met):
                continue
            met.append(here)
            if (past.episode, past.scene) == left:
                continue
            who = listed([ready.names.name(i) for i in cast if i in here])
            yield "together", f"Last together, {who}: {ready.moment.label(past.episode)}, {_told(past, False)}"
            if len(met) == MET:
                return


def _kept(ready: Ready, cast: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What somebody at hand does not know though it concerns them, the newest first."""
    known = sorted(ready.live.get("knowledge", ()), key=lambda e: (-newness(ready, e), e.id))
    told = 0
    for entry in known[:LATEST]:
        if told == KEPT:
            return
        who = [i for i in unaware(ready, entry) if i in cast]
        if who:
            told += 1
            verb = "has" if len(who) == 1 else "have"
            names = listed([ready.names.name(i) for i in who])
            yield "kept", f"{names} {verb} not been told: {sentence(entry.text or entry.title)}"


def _told(past: Past, named: bool = True) -> str:
    """A scene: where, who is there (unless that was said), and what it was."""
    where = bare_end(past.where if named else past.where.partition(" (")[0])
    return f"{where}: {sentence(past.summary)}" if past.summary else f"{where}."
