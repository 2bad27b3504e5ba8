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
        self.follows = _follows(masked)
        self.cues: dict[str, cues.Cue] = {}
        self.free = True
        self.speech = False
        self.paren = False

    def run(self, start: int) -> None:
        """Read every line from `start` on."""
        hidden = self.hidden
        for index in range(start, len(self.lines)):
            if hidden and index in hidden:
                self._hide(index)
                continue
            line = self.lines[index]
            text = line.strip()
            if not text:
                # Two spaces on an otherwise empty line hold a speech open.
                if not (self.speech and line.startswith("  ")):
                    self.speech = self.paren = False
                    self.free = True
            elif self.speech:
                self._spoken(text, index + 1)
            else:
                self._open(text, index)

    def _add(self, kind: ElementKind, text: str, line: int, joins: bool = False) -> None:
        self.found.elements.append(Element(kind, text, line, joins))
        self.free = kind in _LOOSE

    def _hide(self, index: int) -> None:
        kind, text = self.hidden[index]
        if self.source[index].strip():
            self.found.elements.append(Element(kind, text, index + 1))

    def _spoken(self, text: str, line: int) -> None:
        first = text[0]
        joins = self.found.elements[-1].kind != "character"
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
        line, shown = index + 1, plain(text)
        if self.free:
            if opens_scene(shown, self.headings):
                self._heading(shown, line)
                return
            if self.follows[index]:
                if cues.is_cue(shown):
                    self._cue(shown, line)
                    if _SENTENCE.search(self.found.elements[-1].name):
                        self._note(
                            "a name on a cue, found a sentence", "write ! before it if it is action", index, "odd cue"
                        )
                    return
            elif is_transition(shown, self.headings):
                self._add("transition", shown, line)
                return
        self._doubt(shown, index)
        self._add("action", shown, line, not self.free and self._in_action())

    def _doubt(self, text: str, index: int) -> None:
        """Say so when action looks like something that a writer may have meant otherwise."""
        if not self.free and text.isupper() and opens_scene(text, self.headings):
            self._note("an empty line above this scene heading, found none", "read as action", index, "tight heading")
        elif self.free and self.follows[index] and _MIXED.fullmatch(text):
            self._note("a cue in capitals, found small letters", f"read as action; write @{text}", index, "mixed cue")

    def _odd(self, index: int) -> None:
        name = self.found.elements[-1].name
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
            self._add("action", plain(rest), line, not self.free and self._in_action())
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
            self.found.numbers[len(self.found.elements)] = number
        self._add("heading", shown, line)

    def _cue(self, text: str, line: int) -> None:
        cue = self.cues.get(text) or self.cues.setdefault(text, cues.take_apart(text, self.words))
        shown = text.rstrip("^").rstrip() if cue.dual else text
        element = Element("character", shown, line, False, cue.dual, cue.name, cue.extensions)
        self.found.elements.append(element)
        self.free, self.speech = False, True

    def _in(self, kind: ElementKind) -> bool:
        held = self.found.elements
        return not self.free and bool(held) and held[-1].kind == kind

    def _in_action(self) -> bool:
        return self._in("action")


def _follows(masked: Masked) -> list[bool]:
    """For each line, whether the next one that is not hidden has text."""
    below = False
    made = [False] * len(masked.lines)
    for index in range(len(masked.lines) - 1, -1, -1):
        made[index] = below
        if index not in masked.hidden:
            below = bool(masked.lines[index].strip())
    return made


def _is_page_break(text: str) -> bool:
    return len(text) >= 3 and not text.strip("=")
