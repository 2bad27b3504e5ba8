"""The story clock of one script: each scene's day and part of day, and what stands outside the story's own time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from showmemory.model.screenplay import Element, Scene
from showmemory.model.storytime import PARTS, StoryTime
from showmemory.read.headings import Heading
from showmemory.read.time_words import Move, TimeWords, move_of

_TELLS = frozenset({"action", "transition", "centered"})
_ASIDES = frozenset({"flashback", "flash-forward", "dream"})


@dataclass(slots=True)
class _Told:
    """What a scene says of time: on its way in, and on its way out to the next."""

    heading: Heading
    before: list[Move]
    after: list[Move]


def clock(
    elements: Sequence[Element], scenes: Sequence[Scene], headings: Sequence[Heading], words: TimeWords
) -> tuple[Scene, ...]:
    """Set `clock` on every scene. The first scene starts Day 1, in the morning when nothing tells (C51, C52)."""
    told = [
        _told(elements[scene.start : scene.end], heading, words)
        for scene, heading in zip(scenes, headings, strict=True)
    ]
    hands = _Hands()
    if scenes and not scenes[0].heading:
        # What stands before the first heading is at its time.
        hands.read(told[1].heading if len(told) > 1 else Heading())
    made = []
    for number, (scene, says) in enumerate(zip(scenes, told, strict=True)):
        for move in says.before:
            hands.turn(move, told, number)
        made.append(replace(scene, clock=str(hands.read(says.heading))))
        hands.leave()
        for move in says.after:
            hands.turn(move, told, number + 1)
    return tuple(made)


def placed(scenes: Sequence[Scene], when: Mapping[str, str]) -> tuple[Scene, ...]:
    """Scenes with the time that a person gave them, by scene id, in place of what the script tells."""
    return tuple(replace(scene, clock=when.get(scene.id) or scene.clock) for scene in scenes)


def _told(elements: Sequence[Element], heading: Heading, words: TimeWords) -> _Told:
    before = [move for move in heading.moves if move.days or move.turn or move.weekday >= 0]
    after: list[Move] = []
    last = max((at for at, e in enumerate(elements) if e.kind in _TELLS or e.kind == "dialogue"), default=-1)
    spoken = False
    for at, element in enumerate(elements):
        spoken = spoken or element.kind == "dialogue"
        if element.kind not in _TELLS or element.joins:
            continue
        move = move_of(element.text, words)
        if move:
            (after if spoken or (at == last and at) else before).append(move)
    return _Told(heading, before, after)


class _Hands:
    """Where the clock stands. `aside` is the turn that is open; `once`: it ends with this scene."""

    def __init__(self) -> None:
        self.day, self.part = 1, ""
        self.weekday = -1
        self.aside = ""
        self.once = False
        self.fresh = False
        self.kept: list[tuple[int, str]] = []

    def turn(self, move: Move, told: Sequence[_Told], at: int) -> None:
        """Take in one thing that is said of time, on the way into scene `at`."""
        if move.turn == "present":
            self._back()
        elif move.turn in _ASIDES:
            self.aside = f"{move.turn}, {self.aside}" if self.kept and self.aside else move.turn
            self.once = not _ends(told, at)
        elif move.back:
            self._step_back(move)
        else:
            self._pass(move)

    def _step_back(self, move: Move) -> None:
        if self.aside in _ASIDES:
            self.aside = f"{self.aside}, {move.back}"
            return
        self.kept.append((self.day, self.part))
        self.day, self.part, self.aside, self.fresh = 1, "", move.back, True
        self.once = False

    def _pass(self, move: Move) -> None:
        if self.aside in _ASIDES:
            return
        days = move.days
        if move.weekday >= 0:
            days = (move.weekday - self.weekday) % 7 if self.weekday >= 0 else 0
            self.weekday = move.weekday
        elif self.weekday >= 0:
            self.weekday = (self.weekday + days) % 7
        if days:
            self.day, self.part, self.fresh = self.day + days, move.part, True
        elif move.part:
            self._set(move.part)

    def _back(self) -> None:
        if self.kept:
            self.day, self.part = self.kept.pop()
        self.aside, self.once = "", False

    def leave(self) -> None:
        """Close what lasted for one scene only."""
        if self.once:
            self._back()

    def read(self, heading: Heading) -> StoryTime:
        """The time of a scene with this heading."""
        if self.aside and not self.kept:
            aside = f"{self.aside}, {heading.year}" if heading.year else self.aside
            return StoryTime(0, heading.daypart if heading.daypart in PARTS else "", aside)
        if heading.day:
            # A printed day is the writer's own count.
            self.fresh = heading.day != self.day
            self.day = heading.day
            self.part = "" if self.fresh else self.part
        if heading.daypart:
            self._set(heading.daypart)
        self.part = self.part or PARTS[1]
        self.fresh = False
        return StoryTime(self.day, self.part, self.aside)

    def _set(self, part: str) -> None:
        """Move on to a part of day; one that is past is tomorrow's. DAY is any part from morning to afternoon."""
        now = PARTS.index(self.part) if self.part in PARTS else -1
        if part == "day":
            if 1 <= now <= 3:
                return
            goal = 1
        else:
            goal = PARTS.index(part)
        if goal < now and not self.fresh:
            self.day += 1
        self.part = PARTS[goal]


def _ends(told: Sequence[_Told], at: int) -> bool:
    """Whether the turn just opened on the way into scene `at` is closed in so many words before another opens."""
    for number in range(at, len(told)):
        for move in (*(told[number].before if number > at else ()), *told[number].after):
            if move.turn:
                return bool(move.turn == "present")
    return False
