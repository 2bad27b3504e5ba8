"""Stretches of a passage: the shortest that holds all words wanted, and the sentences around it."""

from __future__ import annotations

from dataclasses import dataclass

from showmemory.extract.passages import Passage
from showmemory.text.tokens import ENDS, STARTS, Token


@dataclass(frozen=True, slots=True)
class Line:
    """A passage with its folded words and their stems."""

    passage: Passage
    held: list[Token]
    stems: list[str]


def is_sentence(line: Line, span: tuple[int, int]) -> bool:
    """Whether the characters of `span` are whole sentences."""
    first = next(token for token in line.held if token.start == span[0])
    last = next(token for token in reversed(line.held) if token.end == span[1])
    return bool(first.bounds & STARTS and last.bounds & ENDS)


def ends(line: Line, wanted: set[str]) -> tuple[int, int]:
    """The first and the last word of `line` that is wanted."""
    places = [at for at, word in enumerate(line.stems) if word in wanted]
    return places[0], places[-1]


def closest(stems: list[str], wanted: set[str]) -> tuple[int, int]:
    """The shortest stretch of `stems` that holds all that is wanted."""
    last: dict[str, int] = {}
    best = (0, len(stems))
    for at, word in enumerate(stems):
        if word in wanted:
            last[word] = at
            first = min(last.values())
            if len(last) == len(wanted) and at - first < best[1] - best[0]:
                best = (first, at)
    return best


def around(line: Line, first: int, last: int) -> tuple[int, int]:
    """The sentences around words `first` to `last`, from no earlier than the script line the first stands on."""
    _, begins = line.passage.holder(line.held[first].start)
    while first and not line.held[first].bounds & STARTS and line.held[first - 1].start >= begins:
        first -= 1
    while last < len(line.held) - 1 and not line.held[last].bounds & ENDS:
        last += 1
    return line.held[first].start, line.held[last].end
