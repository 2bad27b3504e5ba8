"""Which steps fit: one fixed queue over all sections, and as much of it as the budget holds (A94, D24, D38).

The queue does not depend on the budget, and what is taken is always its longest beginning that fits: so a larger
budget adds and never removes. Each section has a share; a step's turn comes when its section has used
tokens in proportion to its share, so that no section starves another, and what one does not need goes to the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from showmemory.context.piece import Section, Step

SHARES: tuple[tuple[str, int], ...] = (
    ("characters", 30),
    ("gags", 20),
    ("story", 25),
    ("threads", 12),
    ("world", 13),
    ("plans", 10),
)


@dataclass(frozen=True, slots=True)
class Queued:
    """A step with what it adds to the text, headings that it brings with it included."""

    section: str
    step: Step
    tokens: int


def queue(
    sections: Sequence[Section], cost: Callable[[Step], int], heads: Callable[[Section, str], int]
) -> list[Queued]:
    """All steps of all sections in the order they are taken."""
    share = dict(SHARES)
    ranked: list[tuple[float, int, int, Queued]] = []
    for number, section in enumerate(sections):
        used = 0
        for at, queued in enumerate(_costed(section, cost, heads)):
            used += queued.tokens
            ranked.append((used / share.get(section.name, 10), number, at, queued))
    ranked.sort(key=lambda item: item[:3])
    return [item[3] for item in ranked]


def _costed(section: Section, cost: Callable[[Step], int], heads: Callable[[Section, str], int]) -> list[Queued]:
    made: list[Queued] = []
    before: dict[str, int] = {}
    groups: set[str] = set()
    for step in section.steps:
        whole = cost(step)
        added = whole - before.get(step.piece.id, 0)
        before[step.piece.id] = whole
        if not made:
            added += heads(section, "")
        if step.piece.group and step.piece.group not in groups:
            groups.add(step.piece.group)
            added += heads(section, step.piece.group)
        made.append(Queued(section.name, step, added))
    return made


def fitting(queued: Sequence[Queued], room: int, last: Callable[[Mapping[str, int]], int]) -> int:
    """How many steps are taken: the most for which they and the line on what is left out fit into `room`."""
    taken, used = 0, 0
    while taken < len(queued) and used + queued[taken].tokens <= room:
        used += queued[taken].tokens
        taken += 1
    left = Counter(q.step.piece.noun for q in queued[taken:] if q.step.level == 0)
    while taken and used + last(left) > room:
        taken -= 1
        used -= queued[taken].tokens
        if queued[taken].step.level == 0:
            left[queued[taken].step.piece.noun] += 1
    return taken
