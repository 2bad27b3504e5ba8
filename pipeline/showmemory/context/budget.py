"""Which steps fit: one fixed queue over all sections, and as much of it as the budget holds (A94, D24, D38).

The queue does not depend on the budget, and what is taken is always its longest beginning that fits: so a larger
budget adds and never removes. Each section has a share; a step's turn comes when its section has used
tokens in proportion to its share, so that no section starves another, and what one does not need goes to the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from showmemory.context.piece import Not, Section, Step

SHARES: tuple[tuple[str, int], ...] = (
    ("characters", 30),
    ("gags", 18),
    ("story", 12),
    ("threads", 15),
    ("world", 20),
    ("plans", 10),
    ("lines", 35),
)


@dataclass(frozen=True, slots=True)
class Queued:
    """A step with what it adds to the text, headings that it brings with it included."""

    section: str
    step: Step
    tokens: int


@dataclass
class Queue:
    """The steps in the order they are taken, as far as `room` could ever reach, and the twins met on the way."""

    steps: list[Queued] = field(default_factory=list)
    twins: dict[str, Not] = field(default_factory=dict)


@dataclass(frozen=True)
class Prices:
    """What a step costs in all, and what the heading of a section or group does."""

    step: Callable[[Step], int]
    heading: Callable[[Section, str], int]


def shares(sections: Sequence[Section]) -> tuple[tuple[str, int], ...]:
    """Each section's part of a budget: its own, else the usual one."""
    usual = dict(SHARES)
    return tuple((section.name, section.share or usual[section.name]) for section in sections)


def queue(sections: Sequence[Section], room: int, prices: Prices) -> Queue:
    """The queue. A section's steps beyond `room` tokens of its own can never be taken, and are not even told."""
    share = dict(shares(sections))
    made = Queue()
    ranked: list[tuple[float, int, int, Queued]] = []
    for number, section in enumerate(sections):
        used = 0
        for at, queued in enumerate(_costed(section, prices, made.twins)):
            used += queued.tokens
            if used > room:
                break
            ranked.append((used / share[section.name], number, at, queued))
    ranked.sort(key=lambda item: item[:3])
    made.steps = [item[3] for item in ranked]
    return made


def _costed(section: Section, prices: Prices, twins: dict[str, Not]) -> Iterator[Queued]:
    before: dict[str, int] = {}
    groups: set[str] = set()
    for step in section.turns():
        piece = step.piece
        if step.level == 0 and section.twin and (twin := section.twin(piece)):
            twins[piece.id] = Not("held", f"nearly the same as {twin}", "near-duplicate")
        if piece.id in twins:
            continue
        whole = prices.step(step)
        added = whole - before.get(piece.id, 0) + (0 if before else prices.heading(section, ""))
        if piece.group and piece.group not in groups:
            groups.add(piece.group)
            added += prices.heading(section, piece.group)
        before[piece.id] = whole
        yield Queued(section.name, step, added)


def fitting(
    queued: Sequence[Queued], room: int, beyond: Mapping[str, int], last: Callable[[Mapping[str, int]], int]
) -> int:
    """How many steps are taken: the most for which they and the line on what is left out fit into `room`.

    `beyond`: how many pieces of each noun are not in the queue at all.
    """
    taken, used = 0, 0
    while taken < len(queued) and used + queued[taken].tokens <= room:
        used += queued[taken].tokens
        taken += 1
    left = Counter(beyond) + Counter(q.step.piece.noun for q in queued[taken:] if q.step.level == 0)
    while taken and used + last(left) > room:
        taken -= 1
        used -= queued[taken].tokens
        if queued[taken].step.level == 0:
            left[queued[taken].step.piece.noun] += 1
    return taken
