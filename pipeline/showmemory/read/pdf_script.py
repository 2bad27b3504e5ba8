"""Lines of a printed script -> elements, told apart by how far each is indented."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, ElementKind
from showmemory.model.span import Problem, Span
from showmemory.read import cues
from showmemory.read.headings import HeadingWords, heading_words, is_transition, opens_scene
from showmemory.read.lines import Lines
from showmemory.read.pdf_page import Page, Row

_ACT = re.compile(r"(?:END OF )?(?:ACT|TEASER|TAG|COLD OPEN|COLD OPENING|PROLOGUE|EPILOGUE)(?: [A-Z]+| \d+)?")
_SLACK = 3  # columns that a proportional font or a crooked margin may be off
_TWO = re.compile(r"(\S.*?)\s{4,}(\S.*)")


@dataclass(frozen=True, slots=True)
class Margins:
    """The column of the action, and how far in from it dialogue and cues stand."""

    action: int = 15
    dialogue: int = 10
    cue: int = 20


def script_of(pages: Sequence[Page], path: str, rules: Rules) -> Lines:
    """Read all pages. A first page that holds neither heading nor cue is the title page."""
    words = heading_words(rules)
    margins = _margins(pages, words)
    found = Lines()
    first = pages[0] if pages else Page(1, ())
    if len(pages) > 1 and first.rows and not any(_heads(row, words) for row in first.rows) and not _speaks(first):
        found.elements += [
            Element("title", row.text, row.line, key="" if n else "title", page=first.number)
            for n, row in enumerate(first.rows)
        ]
        pages = pages[1:]
    reader = _Reader(found, words, cues.cue_words(rules), margins)
    for page in pages:
        reader.page(page)
    if not any(element.kind == "character" for element in found.elements):
        hint = "is it a script? export it as Fountain or FDX if it is"
        found.problems.append(Problem(Span(path), "warning", "expected character cues, found none", hint))
    return found


def _heads(row: Row, words: HeadingWords) -> bool:
    return row.gap and (bool(row.number) or row.text.isupper()) and opens_scene(row.text, words)


def _cue_rows(rows: Sequence[Row]) -> Iterable[tuple[Row, Row]]:
    """Lines in capitals with an empty line above and a line less indented right below: cues, wherever they stand."""
    for row, below in pairwise(rows):
        if row.gap and not below.gap and cues.is_cue(row.text) and below.column < row.column - 2:
            yield row, below


def _speaks(page: Page) -> bool:
    return any(True for _ in _cue_rows(page.rows))


def _margins(pages: Sequence[Page], words: HeadingWords) -> Margins:
    """The commonest distances, over pages where a heading shows where the action stands."""
    left: Counter[int] = Counter()
    said: Counter[int] = Counter()
    named: Counter[int] = Counter()
    for page in pages:
        heads = [row.column for row in page.rows if _heads(row, words)]
        left.update(heads)
        for row, below in _cue_rows(page.rows) if heads else ():
            named[row.column - heads[0]] += 1
            if not below.text.startswith("("):
                said[below.column - heads[0]] += 1
    usual = Margins()
    return Margins(_commonest(left, usual.action), _commonest(said, usual.dialogue), _commonest(named, usual.cue))


def _commonest(counts: Counter[int], usual: int) -> int:
    likely = {column: count for column, count in counts.items() if column > 2}
    return max(likely, key=lambda column: (likely[column], -column)) if likely else usual


class _Reader:
    """Walks the pages. `speech`: a cue is open above; `second`: the right-hand side of a dual dialogue."""

    def __init__(self, found: Lines, words: HeadingWords, cue: cues.CueWords, margins: Margins) -> None:
        self.found, self.words, self.cue_words, self.margins = found, words, cue, margins
        self.speech = self.paren = self.more = False
        self.number = 0
        self.second: list[tuple[Row, str]] = []
        self.split = 0

    def page(self, page: Page) -> None:
        """Read one page; a speech that is marked (MORE) goes on below its cue, said again."""
        self.number = page.number
        origin = self._origin(page)
        held = self.more
        rows = page.rows
        for index, row in enumerate(rows):
            below = rows[index + 1] if index + 1 < len(rows) else None
            tight = below is not None and not below.gap
            if index == 0 and self._goes_on(row, row.column - origin, held):
                continue
            if self._two(row, tight):
                continue
            self._row(row, row.column - origin, tight, first=index == 0)
        self._right()
        self.more = page.more

    def _origin(self, page: Page) -> int:
        """The column of the action on this page: of a heading, since margins may shift, else the usual one."""
        heads = [row.column for row in page.rows if _heads(row, self.words)]
        return min(heads) if heads else self.margins.action

    def _goes_on(self, row: Row, column: int, more: bool) -> bool:
        """Whether the first line of a page is the cue of the speech that the page before broke off."""
        last = next((e for e in reversed(self.found.elements) if e.kind == "character"), None)
        if not (more and last and column > self.margins.dialogue and row.text.isupper()):
            return False
        cue = cues.take_apart(row.text, self.cue_words)
        self.speech = cue.name == last.name
        return self.speech

    def _row(self, row: Row, column: int, tight: bool, first: bool) -> None:
        text = row.text
        if first and row.gap and not self.speech and self._dialogue(column) and self._in(("dialogue", "paren")):
            self.speech = True  # a speech broken by the page without (MORE)
        elif row.gap and not (first and self.speech and not self._named(row, column, tight)):
            self.speech = self.paren = False
            self._right()
        if self.speech and column >= self.margins.dialogue - _SLACK:
            self._spoken(row, text)
        elif _heads(row, self.words) or (row.number and text.isupper()):
            if row.number:
                self.found.numbers[len(self.found.elements)] = row.number
            self._add("heading", text, row)
        elif self._named(row, column, tight):
            self._cue(row, text)
        elif column > _SLACK:
            self._apart(row, text, column)
        else:
            joins = (not row.gap and self._in(("action",))) or (first and self._in(("action",)) and text[0].islower())
            self._add("action", text, row, joins)

    def _named(self, row: Row, column: int, tight: bool) -> bool:
        return row.gap and tight and column > self.margins.dialogue + 2 and cues.is_cue(row.text)

    def _apart(self, row: Row, text: str, column: int) -> None:
        """A line that stands neither with the action nor in a speech."""
        if is_transition(text, self.words) or (text.isupper() and column > self.margins.cue + 8):
            self._add("transition", text, row)
        elif _ACT.fullmatch(text):
            self._add("section", text, row)
        elif row.gap or not self._in(("action",)):
            self._add("centered", text, row, not row.gap and self._in(("centered",)))
        else:
            self._add("action", text, row, True)

    def _spoken(self, row: Row, text: str) -> None:
        joins = not self._in(("character",))
        if self.paren or text.startswith("("):
            self.paren = not text.endswith(")")
            self._add("paren", text, row, joins)
        else:
            self._add("dialogue", text, row, joins)

    def _cue(self, row: Row, text: str, dual: bool = False) -> None:
        cue = cues.take_apart(text, self.cue_words)
        self.found.elements.append(
            Element("character", text, row.line, False, dual, cue.name, cue.extensions, "", self.number)
        )
        self.speech, self.paren = True, False

    def _two(self, row: Row, tight: bool) -> bool:
        """Two speeches side by side: the left one is read at once, the right one kept until the block ends."""
        found = _TWO.fullmatch(row.text)
        if row.gap:
            self._right()
            if not (found and tight and cues.is_cue(found.group(1)) and cues.is_cue(found.group(2))):
                return False
            self._cue(row, found.group(1))
            self.second = [(row, found.group(2))]
            self.split = row.column + found.start(2)
            return True
        if not self.second:
            return False
        if found and row.column + found.start(2) > row.column + 8:
            self._spoken(row, found.group(1))
            self.second.append((row, found.group(2)))
        elif row.column > self.split - 12:
            self.second.append((row, row.text))
        else:
            self._spoken(row, row.text)
        return True

    def _right(self) -> None:
        if not self.second:
            return
        held, self.second = self.second, []
        self._cue(*held[0], dual=True)
        for row, text in held[1:]:
            self._spoken(row, text)
        self.speech = self.paren = False

    def _dialogue(self, column: int) -> bool:
        return abs(column - self.margins.dialogue) <= _SLACK

    def _add(self, kind: ElementKind, text: str, row: Row, joins: bool = False) -> None:
        self.found.elements.append(Element(kind, text, row.line, joins, page=self.number))

    def _in(self, kinds: tuple[ElementKind, ...]) -> bool:
        held = self.found.elements
        return bool(held) and held[-1].kind in kinds
