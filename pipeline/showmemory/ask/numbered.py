"""A screenplay as a model is shown it: each line with its number, and by number the speech or paragraph it is of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from showmemory.model.screenplay import SPOKEN, UNSEEN, Element, Screenplay

_BETWEEN = frozenset({"note", "boneyard", "pagebreak"})


@dataclass(frozen=True, slots=True)
class Passage:
    """One speech, parenthetical, paragraph or heading: its elements' places, and their text joined by blanks."""

    scene: str
    places: tuple[int, ...]
    text: str
    speaker: str = ""

    def place(self, offset: int, elements: tuple[Element, ...]) -> int:
        """Which element holds character `offset` of the text."""
        at = 0
        for place in self.places:
            at += len(_plain(elements[place].text)) + 1
            if offset < at:
                return place
        return self.places[-1]


@dataclass
class Numbered:
    """The lines of a script by number: the script's own where each line has one, else counted.

    `passages`: number -> where words cited there may stand. A cue's number leads to its speech.
    """

    script: Screenplay
    numbers: dict[int, int] = field(default_factory=dict)
    passages: dict[int, tuple[Passage, ...]] = field(default_factory=dict)
    own: bool = True

    def __post_init__(self) -> None:
        """Number the lines and cut them into passages."""
        elements = self.script.elements
        shown = [n for n, e in enumerate(elements) if e.kind not in UNSEEN and e.text.strip()]
        lines = [elements[n].line for n in shown]
        self.own = all(a < b for a, b in pairwise(lines)) and all(line > 0 for line in lines)
        self.numbers = {n: lines[at] if self.own else at + 1 for at, n in enumerate(shown)}
        for passage, places in _passages(self.script):
            for place in places:
                if place in self.numbers:
                    held = self.passages.get(self.numbers[place], ())
                    self.passages[self.numbers[place]] = (*held, passage)

    def text(self) -> str:
        """All lines, one below the other, with nothing in them that could close the tag they stand in."""
        elements = self.script.elements
        omitted = {n for s in self.script.scenes if s.omitted for n in range(s.start, s.end)}
        rows = [f"{number:>5}  {_shown(elements[n])}" for n, number in self.numbers.items() if n not in omitted]
        return "\n".join(rows)

    def all(self) -> Iterator[tuple[int, Passage]]:
        """Every passage once, with the number of its first line."""
        seen: set[int] = set()
        for number, passages in sorted(self.passages.items()):
            for passage in passages:
                if id(passage) not in seen:
                    seen.add(id(passage))
                    yield number, passage


def _passages(script: Screenplay) -> Iterator[tuple[Passage, list[int]]]:
    """Each passage, and every place whose number leads to it."""
    for scene in script.scenes:
        if scene.omitted:
            continue
        cue: int | None = None
        said: list[int] = []
        heard: list[int] = []
        told: list[int] = []
        for place in range(scene.start, scene.end):
            element = script.elements[place]
            if element.kind in _BETWEEN:
                continue
            if told and not (element.joins and element.kind == script.elements[told[-1]].kind):
                yield _made(script, scene.id, told), told
                told = []
            if cue is not None and (element.kind in SPOKEN or element.kind == "paren"):
                heard.append(place)
                if element.kind == "paren":
                    yield _made(script, scene.id, [place]), [place]
                else:
                    said.append(place)
                continue
            if cue is not None and said:
                yield _made(script, scene.id, said, cue), [cue, *heard]
            cue, said, heard = (place, [], []) if element.kind == "character" else (None, [], [])
            if cue is None and element.kind not in UNSEEN:
                told.append(place)
        if told:
            yield _made(script, scene.id, told), told
        if cue is not None and said:
            yield _made(script, scene.id, said, cue), [cue, *heard]


def _made(script: Screenplay, scene: str, places: list[int], cue: int | None = None) -> Passage:
    text = " ".join(_plain(script.elements[place].text) for place in places)
    speaker = ""
    if cue is not None:
        element = script.elements[cue]
        speaker = (element.speaker or (element.name,))[0]
    return Passage(scene, tuple(places), text, speaker)


def _shown(element: Element) -> str:
    text = escape(_plain(element.text), quote=False)
    return f"    {text}" if element.kind in SPOKEN or element.kind == "paren" else text


def _plain(text: str) -> str:
    return " ".join(text.split())
