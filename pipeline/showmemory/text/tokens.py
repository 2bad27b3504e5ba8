"""Cut text into folded tokens that know where they stand, and how they are bounded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from showmemory.text.fold import Folding, fold_word

# A word: initials (U.S.S., O.K.), or letters and digits, with inner apostrophes, points between digits, one apostrophe
# at its end.
_WORD = re.compile(
    r"(?<![^\W_])(?:[^\W\d_]\.){2,}(?:[^\W\d_](?![^\W_]))?"
    r"|['’](?=(?:em|til|cause|bout|round|tis|twas|kay|n)\b)[^\W_]+"
    r"|[^\W_]+(?:[.,](?=\d)(?<=\d[.,])\d+|['’`][^\W_]+)*['’]?",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?…]|--|—|[\"“”]")
_PAUSE = re.compile(r"[,;:()\[\]–]")

STARTS, ENDS, PAUSED, PAUSES, CAPITAL, SHOUTED, ASKED = 1, 2, 4, 8, 16, 32, 64


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word, where the written one stands in its text, and its bounds.

    `bounds` adds up STARTS or ENDS a sentence, PAUSED before or PAUSES after (a comma), CAPITAL within a sentence,
    SHOUTED or ASKED: the sentence it stands in ends so.
    """

    word: str
    start: int
    end: int
    bounds: int


def tokens(text: str, folding: Folding) -> list[Token]:
    """All tokens of `text`, in order."""
    return _bounded(text, _merged(_written(text, folding), text, folding), folding)


def words(text: str, folding: Folding) -> tuple[str, ...]:
    """The folded words of `text`, without offsets."""
    return tuple(word for word, _, _ in _merged(_written(text, folding), text, folding))


def phrase(text: str, folding: Folding) -> str:
    """`text` folded to one spelling, words joined by spaces."""
    return " ".join(words(text, folding))


_Piece = tuple[str, int, int]


def _written(text: str, folding: Folding) -> list[_Piece]:
    found: list[_Piece] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if text[end - 1] in "'’" and not _elided(text, start, end, folding):
            end -= 1
        found += [(word, start, end) for word in fold_word(text[start:end], folding)]
    return found


def _elided(text: str, start: int, end: int, folding: Folding) -> bool:
    """Whether the closing apostrophe belongs to the word (goin', o'): a quote or a plural's does not."""
    low = text[start:end].lower().replace("’", "'")
    return (low,) in folding.runs or any(low.endswith(ending) for ending, _ in folding.clipped)


def _merged(pieces: list[_Piece], text: str, folding: Folding) -> list[_Piece]:
    """Runs of several words that are spoken as one ("all right", "mm hmm") put together."""
    if not folding.heads:
        return pieces
    made: list[_Piece] = []
    at = 0
    while at < len(pieces):
        width = _run_at(pieces, at, text, folding) if pieces[at][0] in folding.heads else 0
        if not width:
            made.append(pieces[at])
            at += 1
            continue
        run = pieces[at : at + width]
        made += [(word, run[0][1], run[-1][2]) for word in folding.runs[tuple(p[0] for p in run)]]
        at += width
    return made


def _run_at(pieces: list[_Piece], at: int, text: str, folding: Folding) -> int:
    for width in range(min(folding.widest, len(pieces) - at), 1, -1):
        run = pieces[at : at + width]
        if tuple(p[0] for p in run) in folding.runs and not _STOP.search(text[run[0][2] : run[-1][1]]):
            return width
    return 0


def _bounded(text: str, pieces: list[_Piece], folding: Folding) -> list[Token]:
    marks = [0] * len(pieces)
    for number, (before, here) in enumerate(pairwise(pieces), 1):
        gap = text[before[2] : here[1]]
        if gap == " " or here[1] < before[2]:
            continue
        if _STOP.search(gap) and not _abbreviated(before[0], gap, folding):
            marks[number - 1] |= ENDS | PAUSES
            marks[number] |= STARTS | PAUSED
        elif _PAUSE.search(gap):
            marks[number - 1] |= PAUSES
            marks[number] |= PAUSED
    if pieces:
        marks[0] |= STARTS | PAUSED
        marks[-1] |= ENDS | PAUSES
    return _toned(text, pieces, marks)


def _abbreviated(word: str, gap: str, folding: Folding) -> bool:
    return gap.strip() == "." and word in folding.short


def _toned(text: str, pieces: list[_Piece], marks: list[int]) -> list[Token]:
    """Add what each sentence ends with and which words stand with a capital inside it."""
    found: list[Token] = []
    tone = 0
    following = len(text)
    for (word, start, end), mark in zip(reversed(pieces), reversed(marks), strict=True):
        if mark & ENDS:
            gap = text[end:following]
            tone = (SHOUTED if "!" in gap else 0) | (ASKED if "?" in gap else 0)
        following = start
        capital = CAPITAL if not mark & STARTS and text[start].isupper() else 0
        found.append(Token(word, start, end, mark | tone | capital))
    found.reverse()
    return found
