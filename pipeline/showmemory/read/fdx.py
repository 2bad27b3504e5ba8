"""Final Draft XML -> elements, one a paragraph, each with the line of its <Paragraph> tag, its page and its number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, ElementKind
from showmemory.read import cues
from showmemory.read.decode import LIMIT, decode
from showmemory.read.lines import Lines, refused

DEPTH = 64
_SCREENPLAY = "FinalDraft"
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
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
    "Outline Body": "synopsis",
    "Synopsis": "synopsis",
}
# Where these stand, text is about the script and not of it.
_ASIDE: Mapping[str, ElementKind] = {"ScriptNote": "note", "SceneProperties": "note", "OmittedScene": "boneyard"}


@dataclass(slots=True)
class _Paragraph:
    """A <Paragraph> that is open. `holds`: it only wraps other paragraphs, as one round a dual dialogue does."""

    form: str
    line: int
    number: str
    centered: bool
    aside: ElementKind | None
    parts: list[str] = field(default_factory=list)


class _RefusedError(Exception):
    """Raised inside expat's callbacks to stop it; never leaves this file."""


def read_fdx(data: bytes, path: str, rules: Rules) -> Lines:
    """Read a whole Final Draft file. XML that breaks off, or holds what no script holds, is refused with its line."""
    text, problems = decode(_recoded(data), path)
    if any(problem.severity == "error" for problem in problems):
        return Lines(problems=problems)
    if not text.strip():
        return refused(path, "expected a Final Draft script, found an empty file")
    clean = _ILLEGAL.sub(" ", text) if _ILLEGAL.search(text) else text
    reader = _Reader(cues.cue_words(rules))
    try:
        reader.parse(clean.encode("utf-8", "replace"))
    except _RefusedError as error:
        return refused(path, str(error), "save it again from Final Draft (.fdx)", reader.line)
    except expat.ExpatError as error:
        what = expat.errors.messages[error.code]
        hint = "the file is cut short or damaged: save it again from Final Draft"
        return refused(path, f"expected Final Draft XML, found {what}", hint, error.lineno)
    found = reader.finish()
    found.problems[:0] = problems
    return found


def _recoded(data: bytes) -> bytes:
    """Bytes in the encoding that the XML declaration names, as UTF-8; others as they are."""
    named = _ENCODING.match(data[:300].lstrip())
    name = named.group(1).decode("ascii").lower() if named else "utf-8"
    if name in ("utf-8", "utf8", "utf-16", "us-ascii") or len(data) > LIMIT:
        return data
    try:
        return data.decode(name).encode("utf-8", "replace")
    except (LookupError, UnicodeError, ValueError):
        return data


class _Reader:
    """Collects paragraphs as expat meets them."""

    def __init__(self, words: cues.CueWords) -> None:
        self.words = words
        self.found = Lines()
        self.titles: list[Element] = []
        self.path: list[str] = []
        self.open: list[_Paragraph] = []
        self.asides: list[ElementKind] = []
        self.waiting: list[Element] = []  # notes inside a paragraph come after it
        self.in_text = 0
        self.page = 0
        self.count = 0
        self.dual = 0
        self.line = 0
        self.expat = expat.ParserCreate("utf-8")

    def parse(self, data: bytes) -> None:
        parser = self.expat
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(data, True)

    def finish(self) -> Lines:
        """Title page first, wherever the file keeps it."""
        shift = len(self.titles)
        self.found.elements[:0] = self.titles
        self.found.numbers = {index + shift: number for index, number in self.found.numbers.items()}
        self.found.omitted = {index + shift for index in self.found.omitted}
        return self.found

    def _doctype(self, *_: object) -> None:
        self._stop("expected a Final Draft script, found a document type declaration, which none has")

    def _stop(self, message: str) -> None:
        self.line = self.expat.CurrentLineNumber
        raise _RefusedError(message)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self.path and name != _SCREENPLAY:
            self._stop(f"expected a Final Draft script (<FinalDraft>), found XML of another kind (<{name[:60]}>)")
        self.path.append(name)
        if len(self.path) > DEPTH:
            self._stop(f"expected elements at most {DEPTH} deep, found more")
        if name == "Paragraph":
            self._paragraph(attributes)
        elif name == "Text":
            self.in_text += 1
        elif name in _ASIDE:
            self.asides.append(_ASIDE[name])
            if name == "SceneProperties" and len(self.open) == 1:
                page = attributes.get("Page", "")
                self.page = int(page) if page.isascii() and page.isdigit() and len(page) < 7 else self.page
        elif name == "DualDialogue":
            self.dual = 1

    def _end(self, name: str) -> None:
        self.path.pop()
        if name == "Text":
            self.in_text -= 1
        elif name == "Paragraph":
            self._close(self.open.pop())
            if not self.open:
                self.found.elements += self.waiting
                self.waiting = []
        elif name in _ASIDE:
            self.asides.pop()
        elif name == "DualDialogue":
            self.dual = 0

    def _text(self, text: str) -> None:
        if self.in_text and self.open:
            self.open[-1].parts.append(text)

    def _paragraph(self, attributes: dict[str, str]) -> None:
        aside = self.asides[-1] if self.asides else None
        if self._in_script() and not aside and not self.open:
            self.count += 1
        self.open.append(
            _Paragraph(
                attributes.get("Type", ""),
                self.expat.CurrentLineNumber,
                attributes.get("Number", "").strip(),
                attributes.get("Alignment") == "Center",
                aside,
            )
        )

    def _in_script(self) -> bool:
        return self.path[1:2] == ["Content"]

    def _close(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.parts).strip()
        if not text:
            return
        if self.path[1:2] == ["TitlePage"]:
            self.titles.append(Element("title", text, paragraph.line))
        elif self._in_script() or paragraph.aside == "note" or self.path[1:2] == ["ScriptNotes"]:
            self._add(paragraph, text)

    def _add(self, paragraph: _Paragraph, text: str) -> None:
        kind = paragraph.aside or ("note" if not self._in_script() else _kind(paragraph))
        elements = self.waiting if paragraph.aside else self.found.elements
        page, count = self.page, self.count if self._in_script() else 0
        if kind == "character":
            cue = cues.take_apart(text, self.words)
            second = self.dual == 2
            self.dual = min(self.dual + 1, 2) if self.dual else 0
            dual = second or cue.dual
            elements.append(Element(kind, text, paragraph.line, False, dual, cue.name, cue.extensions, "", page, count))
            return
        if kind == "heading" and paragraph.number:
            self.found.numbers[len(elements)] = paragraph.number
        joins = kind in ("dialogue", "paren", "lyric") and bool(elements) and elements[-1].kind in ("dialogue", "paren")
        elements.append(Element(kind, text, paragraph.line, joins, page=page, paragraph=count))


def _kind(paragraph: _Paragraph) -> ElementKind:
    """The kind by the paragraph's type; a custom type is action, and action in the middle of the line is centered."""
    kind = _KINDS.get(paragraph.form, "action")
    return "centered" if kind == "action" and paragraph.centered else kind
