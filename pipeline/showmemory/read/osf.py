"""Open Screenplay Format (.osf, and document.xml inside Fade In's .fadein) -> elements, one a paragraph."""

from __future__ import annotations

from collections.abc import Mapping

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, ElementKind
from showmemory.read import cues
from showmemory.read.lines import Lines
from showmemory.read.xml import XmlReader

_KINDS: Mapping[str, ElementKind] = {
    "scene heading": "heading",
    "character": "character",
    "dialogue": "dialogue",
    "parenthetical": "paren",
    "transition": "transition",
    "lyrics": "lyric",
    "synopsis": "synopsis",
    "act": "section",
    "new act": "section",
    "end of act": "section",
}
_SPEECH = frozenset({"dialogue", "paren", "lyric"})
_STYLES = ("basestylename", "basestyle", "name")


def read_osf(data: bytes, path: str, rules: Rules) -> Lines:
    """Read a whole Open Screenplay Format document."""
    return _OpenScreenplay(cues.cue_words(rules)).read(data, path)


class _OpenScreenplay(XmlReader):
    """`part`: paragraphs or titlepage. `style`: what the open paragraph's style says of it."""

    root, program = "document", "Fade In"

    def __init__(self, words: cues.CueWords) -> None:
        super().__init__()
        self.words = words
        self.titles: list[Element] = []
        self.part = self.note = ""
        self.line = self.count = 0
        self.style: dict[str, str] = {}
        self.last: ElementKind = "action"

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        self.depth += 1
        self.check(name)
        if self.depth == 2:
            self.part, self.count = name, 0
        elif name == "para":
            self.count += 1
            self.line = self.parser.CurrentLineNumber
            self.parts, self.style = [], {}
            self.note = attributes.get("note", "").strip()
        elif name == "style" and self.depth == 4:
            self.style = attributes
        elif name == "text" and self.part in ("paragraphs", "titlepage"):
            self.parser.CharacterDataHandler = self.parts.append

    def end(self, name: str) -> None:
        """Close an element."""
        self.depth -= 1
        if name == "text":
            self.parser.CharacterDataHandler = None
        elif name == "para" and self.part in ("paragraphs", "titlepage"):
            text = "".join(self.parts).strip()
            if text:
                self._paragraph(text)
            if self.note and self.part == "paragraphs":
                self.found.elements.append(Element("note", self.note, self.line, paragraph=self.count))

    def _paragraph(self, text: str) -> None:
        if self.part == "titlepage":
            self.titles.append(Element("title", text, self.line))
            return
        style = next((self.style[name] for name in _STYLES if self.style.get(name)), "")
        kind = _KINDS.get(style.lower(), "action")
        elements = self.found.elements
        if kind == "heading" and self.style.get("number", "").strip():
            self.found.numbers[len(elements)] = self.style["number"].strip()
        joins = kind in _SPEECH and self.last in _SPEECH
        self.last = kind
        if kind != "character":
            elements.append(Element(kind, text, self.line, joins, paragraph=self.count))
            return
        cue = cues.take_apart(text, self.words)
        dual = cue.dual or self.style.get("dualdialogue") == "2"
        elements.append(Element(kind, text, self.line, False, dual, cue.name, cue.extensions, "", 0, self.count))

    def finish(self) -> Lines:
        """Title page first, wherever the file keeps it."""
        shift = len(self.titles)
        self.found.elements[:0] = self.titles
        self.found.numbers = {index + shift: number for index, number in self.found.numbers.items()}
        return self.found
