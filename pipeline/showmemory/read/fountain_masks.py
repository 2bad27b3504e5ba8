"""Takes notes [[ ]] and boneyards /* */ out of Fountain lines in place, so that no line moves."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

from showmemory.model.screenplay import ElementKind
from showmemory.model.span import Problem, Span

_MARK = re.compile(r"/\*|\*/|\[\[|\]\]")
_MARKS_OF: dict[ElementKind, tuple[str, str]] = {"note": ("[[", "]]"), "boneyard": ("/*", "*/")}
_RUN = re.compile(r"[ \t]{2,}")
_Cut = tuple[int, int, ElementKind]


@dataclass(slots=True)
class Masked:
    """What is left of the `source` lines, and the kind and text of each line a note or boneyard takes whole."""

    lines: list[str]
    source: list[str]
    hidden: dict[int, tuple[ElementKind, str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def mask(lines: list[str], path: str) -> Masked:
    """Blank out every note and boneyard. One that is never closed keeps its text as script, with a warning."""
    text = "\n".join(lines)
    if "[[" not in text and "/*" not in text:
        return Masked(lines, lines)
    cuts, unclosed = _cuts(text)
    starts = _starts(lines)
    shown = _without(text, cuts).split("\n")
    pieces: dict[int, list[str]] = {}
    kinds: dict[int, ElementKind] = {}
    for index, kind, inside in _inside(text, cuts, starts):
        pieces.setdefault(index, []).append(inside)
        kinds.setdefault(index, kind)
    hidden: dict[int, tuple[ElementKind, str]] = {}
    for index, parts in pieces.items():
        if shown[index].strip():
            shown[index] = _RUN.sub(" ", shown[index])
        else:
            hidden[index] = (kinds[index], " ".join(part for part in parts if part))
    return Masked(shown, lines, hidden, [_unclosed(at, kind, starts, lines, path) for at, kind in unclosed])


def _cuts(text: str) -> tuple[list[_Cut], list[tuple[int, ElementKind]]]:
    """Pair the marks, left to right, once over the text."""
    cuts: list[_Cut] = []
    unclosed: list[tuple[int, ElementKind]] = []
    note = looked = -1
    skip = 0
    last_close = text.rfind("*/")
    for found in _MARK.finditer(text):
        at, mark = found.start(), found.group()
        if at < skip:
            continue
        if mark == "/*":
            if at + 2 > last_close:
                unclosed.append((at, "boneyard"))
                continue
            skip = text.index("*/", at + 2) + 2
            if note < 0:  # inside an open note it is part of the note
                cuts.append((at, skip, "boneyard"))
        elif mark == "[[":
            # A second [[ after an empty line means that the first was never closed; without one it is nested text.
            if note >= 0 and text.find("\n\n", max(note, looked), at) >= 0:
                unclosed.append((note, "note"))
                note = at
            elif note < 0:
                note = at
            looked = at
        elif mark == "]]" and note >= 0:
            cuts.append((note, at + 2, "note"))
            note = -1
    if note >= 0:
        unclosed.append((note, "note"))
    return cuts, unclosed


def _without(text: str, cuts: list[_Cut]) -> str:
    parts: list[str] = []
    at = 0
    for begin, end, _ in cuts:
        parts.append(text[at:begin])
        parts.append("\n" * text.count("\n", begin, end))
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _inside(text: str, cuts: list[_Cut], starts: list[int]) -> list[tuple[int, ElementKind, str]]:
    found: list[tuple[int, ElementKind, str]] = []
    for begin, end, kind in cuts:
        opening, closing = _MARKS_OF[kind]
        first = bisect_right(starts, begin) - 1
        inside = text[begin:end].removeprefix(opening).removesuffix(closing)
        found += [(first + number, kind, piece.strip()) for number, piece in enumerate(inside.split("\n"))]
    return found


def _starts(lines: list[str]) -> list[int]:
    """Where each line begins in the text."""
    return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))


def _unclosed(at: int, kind: ElementKind, starts: list[int], lines: list[str], path: str) -> Problem:
    line = bisect_right(starts, at)
    message = f"expected {_MARKS_OF[kind][1]} for this {kind}, found none; its text is read as script"
    return Problem(Span(path, line, line), "warning", message, source=lines[line - 1][:300], group=f"open {kind}")
