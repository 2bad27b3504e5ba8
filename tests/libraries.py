"""What public libraries make of a Fountain text, and what we do, in one form: (kind, words) in order."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

from showmemory.model.rules import Rules
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

Rows = list[tuple[str, str]]
LEFT_OUT = ("title", "note", "boneyard", "pagebreak", "section", "synopsis")


@cache
def rules() -> Rules:
    return read_rules("en")[0]


def merged(rows: Iterator[tuple[str, str]]) -> Rows:
    """Kind and words; lines of one kind in a row as one, a cue by its name, headings in capitals.

    The libraries differ in what a paragraph is, keep extensions or not, and one writes headings in capitals.
    """
    made: list[list[str]] = []
    for kind, text in rows:
        words = " ".join(text.split())
        if kind == "character":
            words = words.partition("(")[0].rstrip(" ^")
        elif kind in ("heading", "transition"):
            words = words.upper()
        if made and made[-1][0] == kind and kind not in ("heading", "character", "transition"):
            made[-1][1] += " " + words
        else:
            made.append([kind, words])
    return [(kind, text) for kind, text in made]


def ours(text: str) -> Rows:
    play = read_screenplay(text.encode(), "a.fountain", rules())
    return merged((e.kind, e.text) for e in play.elements if e.kind not in LEFT_OUT)


def screenplain(text: str) -> Rows:
    parse = import_module("screenplain.parsers.fountain").parse
    return merged(_plain(part) for held in parse(io.StringIO(text)) for part in _parts(held))


def _parts(held: object) -> Iterator[tuple[str, object]]:
    name = type(held).__name__
    if name == "DualDialog":
        yield from _parts(held.left)  # type: ignore[attr-defined]
        yield from _parts(held.right)  # type: ignore[attr-defined]
    elif name == "Dialog":
        yield "character", held.character  # type: ignore[attr-defined]
        yield from (("paren" if bracket else "dialogue", line) for bracket, line in held.blocks)  # type: ignore[attr-defined]
    elif name == "Action":
        kind = "centered" if held.centered else "action"  # type: ignore[attr-defined]
        yield from ((kind, line) for line in held.lines)  # type: ignore[attr-defined]
    elif name in ("Slug", "Transition"):
        yield {"Slug": "heading", "Transition": "transition"}[name], held.line  # type: ignore[attr-defined]


def _plain(row: tuple[str, object]) -> tuple[str, str]:
    kind, rich = row
    return kind, str(rich)


KINDS = {"scene_heading": "heading", "parenthetical": "paren", "lyrics": "lyric", "page_break": "pagebreak"}


def fountain_py(text: str) -> Rows:
    parser = import_module("fountain").FountainParser()
    return merged(row for element in parser.parse(text).elements for row in _rows(element))


def _rows(element: object) -> Iterator[tuple[str, str]]:
    kind = element.type.value  # type: ignore[attr-defined]
    if kind == "dual_dialogue":
        for side in ("left", "right"):
            for inner in element.metadata.get(side, ()):  # type: ignore[attr-defined]
                yield from _rows(inner)
        return
    kind = KINDS.get(kind, kind)
    if kind not in (*LEFT_OUT, "title_page"):
        yield kind, element.text  # type: ignore[attr-defined]


LIBRARIES: dict[str, Callable[[str], Rows]] = {"screenplain": screenplain, "fountain-py": fountain_py}
MODULES = {"screenplain": "screenplain.parsers.fountain", "fountain-py": "fountain"}
