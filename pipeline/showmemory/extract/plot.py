"""What an episode's outline and log say of the bible's threads and arcs, in the order of the scenes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from showmemory.extract.showids import ShowIds
from showmemory.model.reading import EpisodeRead
from showmemory.model.screenplay import scene_called
from showmemory.model.show import Bible, OutlineScene

Step = Literal["opened", "moved", "resolved"]
_STEPS: tuple[Step, ...] = ("opened", "moved", "resolved")


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a thread. `logged`: the log saw it, with `words`; else the outline meant it."""

    thread: str
    step: Step
    scene: str
    text: str
    words: str
    logged: bool


def thread_moves(read: EpisodeRead, ids: ShowIds) -> list[Move]:
    """All steps in story order. Where log and outline tell the same step of the same scene, the log's is kept."""
    moves = [*_logged(read, ids), *_outlined(read, ids)]
    kept: dict[tuple[str, Step, int], Move] = {}
    for move in moves:
        kept.setdefault((move.thread, move.step, _place(read, move.scene)), move)
    told = {(move.thread, move.step) for move in kept.values() if move.logged}
    # A log that tells the step without its scene, or in another scene, is the evidence; the outline was the plan.
    held = [m for m in kept.values() if m.logged or (m.thread, m.step) not in told]
    return sorted(held, key=lambda m: (_place(read, m.scene), _STEPS.index(m.step), m.thread))


def _logged(read: EpisodeRead, ids: ShowIds) -> Iterable[Move]:
    for one in read.side.continuity.threads if read.side.continuity else ():
        yield Move(ids.id(one.thread, "thread"), one.move, one.scene, one.text, one.words, True)


def _outlined(read: EpisodeRead, ids: ShowIds) -> Iterable[Move]:
    for scene in played(read):
        for step, threads in zip(_STEPS, (scene.opens, scene.moves, scene.resolves), strict=True):
            for thread in threads:
                yield Move(ids.id(thread, "thread"), step, scene.scene, scene.summary, "", False)


def played(read: EpisodeRead) -> list[OutlineScene]:
    """The outline's scenes that stand in the script: one that was cut was planned, and did not happen."""
    scenes = read.side.outline.scenes if read.side.outline else ()
    return [one for one in scenes if scene_called(read.screenplay, one.scene) is not None]


def arc_beats(read: EpisodeRead, ids: ShowIds, bible: Bible) -> list[tuple[str, str]]:
    """The arcs that moved, each with the beat: its text in the bible, else its id in words."""
    texts = {(arc.id, beat.id): beat.text for arc in bible.arcs for beat in arc.beats}
    made: dict[tuple[str, str], None] = {}
    for scene in played(read):
        for written in scene.beats:
            arc, _, beat = written.partition("/")
            id_ = ids.id(arc, "arc")
            made[id_, texts.get((id_, beat)) or beat.replace("-", " ")] = None
    return list(made)


def _place(read: EpisodeRead, scene: str) -> int:
    number = scene_called(read.screenplay, scene) if scene else None
    return len(read.screenplay.scenes) if number is None else number
