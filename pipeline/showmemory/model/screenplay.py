"""A screenplay as every reader hands it on: flat elements, each with its line, the scenes and speeches over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from showmemory.model.span import Problem, Span

ElementKind = Literal[
    "title",
    "heading",
    "action",
    "character",
    "dialogue",
    "paren",
    "transition",
    "lyric",
    "centered",
    "section",
    "synopsis",
    "pagebreak",
    "note",
    "boneyard",
]
SPOKEN: frozenset[str] = frozenset({"dialogue", "lyric"})
UNSEEN: frozenset[str] = frozenset({"title", "section", "synopsis", "pagebreak", "note", "boneyard"})


@dataclass(frozen=True, slots=True)
class Element:
    """One source line (Fountain, PDF) or one paragraph (Final Draft) of one kind.

    `text` is without emphasis marks, notes and boneyards; `line` is 1-based, and in a PDF counts on its page.
    `joins`: continues the paragraph or speech line above it. `dual`: the second of two cues spoken at once.
    `name` and `extensions` are set on cues only: "KIT (V.O.) (CONT'D)" has name KIT and extensions ("V.O.",).
    `key` is set on title elements: the title-page key, lower case.
    """

    kind: ElementKind
    text: str
    line: int
    joins: bool = False
    dual: bool = False
    name: str = ""
    extensions: tuple[str, ...] = ()
    key: str = ""
    page: int = 0
    paragraph: int = 0
    speaker: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A run of elements under one heading: `elements[start:end]`, the heading first.

    `id` is the printed scene number, else the ordinal (1-based) as text; ids are unique within the episode.
    Elements before the first heading make scene "0" when they hold speech or action.
    `place` is the heading without INT./EXT. and time; `daypart` one of dawn, morning, midday, afternoon, evening,
    night, day, or empty. `present` are who is there (character ids), `heard` who is only heard (O.S., phone).
    `moves` are those whom action brings in late or sends out early: id, first and last line they are there (0: to
    either end of the scene).
    """

    id: str
    heading: str
    line: int
    start: int
    end: int
    setting: str = ""
    place: str = ""
    daypart: str = ""
    omitted: bool = False
    page: int = 0
    present: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    clock: str = ""
    moves: tuple[tuple[str, int, int], ...] = ()

    def there_at(self, line: int) -> tuple[str, ...]:
        """Those present when `line` is said or done, as far as entrances and exits in action tell."""
        away = {who for who, first, last in self.moves if line < first or (last and line > last)}
        return tuple(who for who in self.present if who not in away)


@dataclass(frozen=True, slots=True)
class Speech:
    """What one cue says: the cue, then its dialogue lines and parentheticals in order.

    `speakers` are character ids once the cast is resolved, else the cue name as written.
    """

    cue: Element
    scene: int
    lines: tuple[Element, ...]
    parens: tuple[Element, ...]
    speakers: tuple[str, ...]

    @property
    def line(self) -> int:
        """The line of the first spoken words, else of the cue."""
        return self.lines[0].line if self.lines else self.cue.line

    @property
    def text(self) -> str:
        """All spoken lines joined by one space."""
        return " ".join(part.text for part in self.lines)

    def element_at(self, offset: int) -> Element:
        """Return the spoken line that holds character `offset` of `text`."""
        at = 0
        for part in self.lines:
            at += len(part.text) + 1
            if offset < at:
                return part
        return self.lines[-1]


@dataclass(frozen=True, slots=True)
class Screenplay:
    """A parsed script. `path` is relative to the show and is never part of a stored artifact."""

    elements: tuple[Element, ...]
    scenes: tuple[Scene, ...]
    problems: tuple[Problem, ...] = ()
    path: str = ""
    format: str = "fountain"
    language: str = "en"
    title_page: tuple[tuple[str, str], ...] = field(default=())

    def span(self, element: Element) -> Span:
        """Where `element` stands."""
        return Span(self.path, element.line, element.line, page=element.page, paragraph=element.paragraph)

    def speeches(self) -> tuple[Speech, ...]:
        """Every cue with what it says, in order; cues without words are left out."""
        found: list[Speech] = []
        for number, scene in enumerate(self.scenes):
            found += _speeches(self.elements[scene.start : scene.end], number)
        return tuple(found)


def scene_called(script: Screenplay, name: str) -> int | None:
    """Which scene a side file means by `name`: its printed number, else its ordinal."""
    wanted = name.strip().lstrip("#").rstrip(".").casefold()
    for number, scene in enumerate(script.scenes):
        if scene.id.casefold() == wanted:
            return number
    headed = [number for number, scene in enumerate(script.scenes) if scene.id != "0"]
    if wanted.isdecimal() and 0 < int(wanted) <= len(headed):
        return headed[int(wanted) - 1]
    return None


def _speeches(elements: tuple[Element, ...], scene: int) -> list[Speech]:
    found: list[Speech] = []
    cue: Element | None = None
    lines: list[Element] = []
    parens: list[Element] = []

    def close() -> None:
        if cue is not None and lines:
            found.append(Speech(cue, scene, tuple(lines), tuple(parens), cue.speaker or (cue.name,)))

    for element in elements:
        if element.kind == "character":
            close()
            cue, lines, parens = element, [], []
        elif element.kind in SPOKEN and cue is not None:
            lines.append(element)
        elif element.kind == "paren" and cue is not None:
            parens.append(element)
        elif element.kind not in ("note", "boneyard", "pagebreak"):
            close()
            cue, lines, parens = None, [], []
    close()
    return found
