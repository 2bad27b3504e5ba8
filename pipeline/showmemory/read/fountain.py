"""Fountain text -> elements, one a source line, each with its line number."""

from __future__ import annotations

import re

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, ElementKind
from showmemory.model.span import Problem, Span
from showmemory.read import cues
from showmemory.read.decode import plain_spaces, split_lines
from showmemory.read.emphasis import plain
from showmemory.read.fountain_masks import Masked, mask
from showmemory.read.fountain_title import title_page
from showmemory.read.headings import HeadingWords, heading_words, is_transition, opens_scene, split_number
from showmemory.read.lines import Lines

# "McCOY", "DeANGELO (O.S.)": capitals but for the small letters of a surname.
_MIXED = re.compile(r"(?:[A-Z][A-Z.'’\-]* ){0,3}(?:Mc|Mac|De|Di|Du|La|Le|Van|O)[A-Z][A-Z.'’\-]+(?: ?\(.{0,40}\))?")
# A line of capitals that is a cue by the rules and hardly a name: "THE DOOR BURSTS OPEN!", "NIGHT. A FIELD".
_SENTENCE = re.compile(r"[!…]$|\.\.\.$|[^\W\d_]{4}\. ")
_LONG_NAME = 5
_MARKED_SPEECH = frozenset("(~=!")
_NARROW = 60
# Kinds that leave the line below them as free as an empty line does: exporters set "# ACT ONE" flush on a heading.
_LOOSE: frozenset[ElementKind] = frozenset({"title", "section", "synopsis", "pagebreak"})


def read_fountain(text: str, path: str, rules: Rules) -> Lines:
    """Read a whole Fountain text. Every line that is not blank ends up in exactly one element."""
    lines = split_lines(plain_spaces(text))
    titles, skip = title_page(lines)
    masked = mask(lines if not skip else [""] * skip + lines[skip:], path)
    found = Lines(list(titles), problems=masked.problems)
    reader = _Reader(masked, heading_words(rules), cues.cue_words(rules), found, path)
    reader.run(skip)
    return found


class _Reader:
    """Walks the lines once. `free`: an empty line, or one like it, stands above; `speech`: a cue is open above."""

    def __init__(self, masked: Masked, headings: HeadingWords, words: cues.CueWords, found: Lines, path: str) -> None:
        self.lines, self.hidden, self.source = masked.lines, masked.hidden, masked.source
        self.headings, self.words, self.found, self.path = headings, words, found, path
        self.elements = found.elements
        self.cues: dict[str, cues.Cue] = {}
        self.free = True
        self.speech = False
        self.paren = False

    def run(self, start: int) -> None:
        """Read every line from `start` on. Plain lines of speech, which most are, are made here."""
        hidden, lines, add = self.hidden, self.lines, self.elements.append
        tight = False  # whether the line above is of the same speech
        for index in range(start, len(lines)):
            if hidden and index in hidden:
                self._hide(index)
                continue
            line = lines[index]
            text = line.strip()
            if not text:
                # Two spaces on an otherwise empty line hold a speech open.
                if not (self.speech and line.startswith("  ")):
                    self.speech = self.paren = False
                    self.free = True
            elif not self.speech:
                self._open(text, index)
                tight = False
            elif self.paren or text[0] in _MARKED_SPEECH:
                self._spoken(text, index + 1, tight)
                tight = True
            else:
                add(Element("dialogue", plain(text) if "*" in text or "_" in text else text, index + 1, tight))
                tight = True

    def _add(self, kind: ElementKind, text: str, line: int, joins: bool = False) -> None:
        self.elements.append(Element(kind, text, line, joins))
        self.free = kind in _LOOSE

    def _hide(self, index: int) -> None:
        kind, text = self.hidden[index]
        if self.source[index].strip():
            self.elements.append(Element(kind, text, index + 1))

    def _spoken(self, text: str, line: int, joins: bool) -> None:
        """Read a line of speech that may be more than words."""
        first = text[0]
        if self.paren or (first == "(" and text[-1] == ")"):
            self.paren = self.paren and ")" not in text
            self._add("paren", plain(text), line, joins)
        elif first == "(" and ")" not in text and self._closes_below(line):
            self.paren = True
            self._add("paren", plain(text), line, joins)
        elif first == "~":
            self._add("lyric", plain(text[1:].strip()), line, joins)
        elif first == "=" and _is_page_break(text):
            self._add("pagebreak", "", line)
        elif first == "!":
            self.speech = False
            self._add("action", plain(text[1:].strip()), line)
        else:
            self._add("dialogue", plain(text), line, joins)

    def _closes_below(self, line: int) -> bool:
        """Whether a "(" left open is closed by the end of one of the next two lines of the same speech."""
        for text in self.lines[line : line + 2]:
            if not text.strip():
                return False
            if ")" in text:
                return text.rstrip().endswith(")")
        return False

    def _open(self, text: str, index: int) -> None:
        """Read a line that is not part of a speech."""
        if text[0] in "#=~!.@>" and self._forced(text, index):
            return
        line, shown = index + 1, plain(text) if "*" in text or "_" in text else text
        if self.free:
            if opens_scene(shown, self.headings):
                self._heading(shown, line)
                return
            capitals = shown.isupper()
            if (capitals or "(" in shown or "ß" in shown) and cues.is_cue(shown) and self._follows(index):
                seen = shown in self.cues
                self._cue(shown, line)
                if not seen:
                    self._odd(index)
                return
            if capitals:
                if is_transition(shown, self.headings) and not self._follows(index):
                    self._add("transition", shown, line)
                    return
            elif len(shown) < _NARROW and _MIXED.fullmatch(shown) and self._follows(index):
                hint = f"read as action; write @{shown}"
                self._note("a cue in capitals, found small letters", hint, index, "mixed cue")
        elif shown.isupper() and opens_scene(shown, self.headings):
            self._note("an empty line above this scene heading, found none", "read as action", index, "tight heading")
        self._add("action", shown, line, self._in("action"))

    def _odd(self, index: int) -> None:
        name = self.elements[-1].name
        if _SENTENCE.search(name) or name.count(" ") > _LONG_NAME:
            self._note("a name on a cue, found a sentence", "write ! before it if it is action", index, "odd cue")

    def _note(self, expected: str, hint: str, index: int, group: str) -> None:
        where = Span(self.path, index + 1, index + 1)
        source = self.source[index][:300]
        self.found.problems.append(Problem(where, "notice", f"expected {expected}", hint, source, group))

    def _forced(self, text: str, index: int) -> bool:
        first, rest, line = text[0], text[1:].strip(), index + 1
        if first == "#":
            self._add("section", plain(text.lstrip("#").strip()), line)
        elif first == "=":
            broken = _is_page_break(text)
            self._add("pagebreak" if broken else "synopsis", "" if broken else plain(rest), line)
        elif first == "~":
            self._add("lyric", plain(rest), line, self._in("lyric"))
        elif first == "!":
            self._add("action", plain(rest), line, not self.free and self._in("action"))
        elif first == ">":
            centered = rest.endswith("<")
            self._add("centered" if centered else "transition", plain(rest.rstrip("<").strip()), line)
        elif first == "." and text[1:2].isalnum():
            self._heading(plain(rest), line)
        elif first == "@" and rest:
            self._cue(plain(rest), line)
        else:
            return False
        return True

    def _heading(self, text: str, line: int) -> None:
        shown, number = split_number(text)
        if number:
            self.found.numbers[len(self.elements)] = number
        self._add("heading", shown, line)

    def _cue(self, text: str, line: int) -> None:
        cue = self.cues.get(text) or self.cues.setdefault(text, cues.take_apart(text, self.words))
        shown = text.rstrip("^").rstrip() if cue.dual else text
        element = Element("character", shown, line, False, cue.dual, cue.name, cue.extensions)
        self.elements.append(element)
        self.free, self.speech = False, True

    def _in(self, kind: ElementKind) -> bool:
        return not self.free and bool(self.elements) and self.elements[-1].kind == kind

    def _follows(self, index: int) -> bool:
        """Whether the next line that no note or boneyard takes has text."""
        lines, hidden = self.lines, self.hidden
        below = index + 1
        while hidden and below in hidden:
            below += 1
        return below < len(lines) and not (lines[below] == "" or lines[below].isspace())


def _is_page_break(text: str) -> bool:
    return len(text) >= 3 and not text.strip("=")
