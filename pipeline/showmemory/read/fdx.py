"""Final Draft XML -> elements, one a paragraph, each with the line of its <Paragraph> tag, its page and its number."""

from __future__ import annotations

from collections.abc import Mapping

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, ElementKind
from showmemory.read import cues
from showmemory.read.lines import Lines
from showmemory.read.xml import XmlReader

_KINDS: Mapping[str, ElementKind] = {
    "Scene Heading": "heading",
    "Character": "character",
    "Dialogue": "dialogue",
    "Parenthetical": "paren",
    "Transition": "transition",
    "Lyrics": "lyric",
    "Singing": "lyric",
    "New Act": "section",
    "End of Act": "section",
    "Outline 1": "section",
    "Outline 2": "section",
    "Outline 3": "section",
    "Outline 4": "section",
    "Outline Body": "synopsis",
    "Synopsis": "synopsis",
}
_SPEECH = frozenset({"dialogue", "paren", "lyric"})
# Where these stand, text is about the script and not of it.
_ASIDE: Mapping[str, ElementKind] = {"ScriptNote": "note", "SceneProperties": "note", "OmittedScene": "boneyard"}


def read_fdx(data: bytes, path: str, rules: Rules) -> Lines:
    """Read a whole Final Draft file."""
    return _FinalDraft(cues.cue_words(rules)).read(data, path)


class _FinalDraft(XmlReader):
    """`part`: the open child of the root. `now`, `at`, `parts`: attributes, line and text so far of the open paragraph.

    `outer` keeps the same three of the paragraphs round it: a dual dialogue and a note stand inside one.
    """

    root, program = "FinalDraft", "Final Draft"

    def __init__(self, words: cues.CueWords) -> None:
        super().__init__()
        self.words = words
        self.cues: dict[str, cues.Cue] = {}
        self.titles: list[Element] = []
        self.waiting: list[Element] = []  # notes inside a paragraph come after it
        self.now: dict[str, str] = {}
        self.at = self.level = 0
        self.outer: list[tuple[dict[str, str], int, list[str]]] = []
        self.keep = self.parts.append
        self.asides: list[ElementKind] = []
        self.part = ""
        self.page = self.count = self.dual = 0
        self.last: ElementKind = "action"

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        if name == "Text" and self.level:
            # Half of all elements: kept short, and out of the count of depth.
            self.parser.CharacterDataHandler = self.keep
            return
        self.depth = depth = self.depth + 1
        if name == "Paragraph":
            if self.level:
                self.outer.append((self.now, self.at, self.parts))
                self._into([])
            else:
                self.count += 1
                self.parts.clear()
            self.level += 1
            self.now, self.at = attributes, self.parser.CurrentLineNumber
        elif name in _ASIDE:
            self.asides.append(_ASIDE[name])
            if name == "SceneProperties" and self.level == 1:
                page = attributes.get("Page", "")
                self.page = int(page) if page.isascii() and page.isdigit() and len(page) < 7 else self.page
        elif name == "DualDialogue":
            self.dual = 1
        if depth < 3 or depth > 20:
            self._frame(name)

    def _into(self, parts: list[str]) -> None:
        """Collect text in `parts` from here on."""
        self.parts, self.keep = parts, parts.append

    def _frame(self, name: str) -> None:
        self.check(name)
        if self.depth == 2:
            self.part, self.count = name, 0

    def end(self, name: str) -> None:
        """Close an element."""
        if name == "Text" and self.level:
            self.parser.CharacterDataHandler = None
            return
        self.depth -= 1
        if name == "Paragraph":
            self.level -= 1
            text = "".join(self.parts).strip()
            if text:
                if self.asides or self.part != "Content":
                    self._aside(self.at, text)
                else:
                    self._script(self.now, self.at, text)
            if self.level:
                self.now, self.at, parts = self.outer.pop()
                self._into(parts)
            elif self.waiting:
                self.found.elements += self.waiting
                self.waiting = []
        elif name in _ASIDE:
            self.asides.pop()
        elif name == "DualDialogue":
            self.dual = 0

    def _aside(self, line: int, text: str) -> None:
        """Keep what stands beside the script: the title page, notes, scenes that were taken out."""
        if self.part == "TitlePage":
            self.titles.append(Element("title", text, line))
        elif self.part in ("Content", "ScriptNotes"):
            kind = self.asides[-1] if self.asides else "note"
            page, count = (self.page, self.count) if self.part == "Content" else (0, 0)
            made = Element(kind, text, line, page=page, paragraph=count)
            (self.waiting if self.level else self.found.elements).append(made)

    def _script(self, attributes: dict[str, str], line: int, text: str) -> None:
        """Add a paragraph of the script. A custom type is action, and action set in the middle is centered."""
        kind = _KINDS.get(attributes.get("Type", ""), "action")
        elements = self.found.elements
        if kind == "character":
            self.last = kind
            self._cue(line, text)
            return
        if kind == "action":
            if attributes.get("Alignment") == "Center":
                kind = "centered"
        elif kind == "heading" and attributes.get("Number", "").strip():
            self.found.numbers[len(elements)] = attributes["Number"].strip()
        joins = kind in _SPEECH and self.last in _SPEECH
        self.last = kind
        elements.append(Element(kind, text, line, joins, False, "", (), "", self.page, self.count))

    def _cue(self, line: int, text: str) -> None:
        cue = self.cues.get(text) or self.cues.setdefault(text, cues.take_apart(text, self.words))
        dual = self.dual == 2 or cue.dual
        self.dual = min(self.dual + 1, 2) if self.dual else 0
        shown = text.rstrip("^").rstrip() if cue.dual else text
        self.found.elements.append(
            Element("character", shown, line, False, dual, cue.name, cue.extensions, "", self.page, self.count)
        )

    def finish(self) -> Lines:
        """Title page first, wherever the file keeps it."""
        shift = len(self.titles)
        self.found.elements[:0] = self.titles
        self.found.numbers = {index + shift: number for index, number in self.found.numbers.items()}
        return self.found
