"""Trelby's own format -> elements: text lines, each with a mark for how it breaks and one for what it is."""

from __future__ import annotations

from collections.abc import Mapping

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, ElementKind
from showmemory.model.span import Problem, Span
from showmemory.read import cues
from showmemory.read.decode import split_lines
from showmemory.read.lines import Lines

_KINDS: Mapping[str, ElementKind] = {
    "\\": "heading",
    ".": "action",
    "_": "character",
    ":": "dialogue",
    "(": "paren",
    "/": "transition",
    "=": "action",
    "%": "note",
    "@": "section",
}
_BREAKS = frozenset(">&|.")


def is_trelby(text: str) -> bool:
    """Whether a text says that Trelby wrote it."""
    return text.lstrip("\ufeff").startswith("#Version ")


def read_trelby(text: str, path: str, rules: Rules) -> Lines:
    """Read a whole Trelby text. A heading or cue that it breaks over lines is joined, and stands at its first."""
    found = Lines()
    words = cues.cue_words(rules)
    lines = split_lines(text.lstrip("\ufeff"))
    ended = True
    inside = False
    for number, line in enumerate(lines, start=1):
        if line.startswith("#") or inside:
            inside = (inside or line.startswith("#Begin-")) and not line.startswith("#End-")
            _title(found, line, number)
        elif len(line) >= 2 and line[2:].strip():
            _line(found, line, number, not ended, words)
            ended = line[0] in ".|" if line[0] in _BREAKS else False
    if not any(element.kind != "title" for element in found.elements):
        found.problems.append(Problem(Span(path), "error", "expected a Trelby script, found no lines of script"))
    return found


def _title(found: Lines, line: str, number: int) -> None:
    if line.startswith("#Title-String "):
        text = line.partition(" ")[2].split(",", 6)[-1].replace("\\n", "\n").replace("\\\\", "\\").strip()
        if text:
            found.elements.append(Element("title", text, number))


def _line(found: Lines, line: str, number: int, goes_on: bool, words: cues.CueWords) -> None:
    kind = _KINDS.get(line[1], "action")
    text = line[2:].strip()
    last = found.elements[-1] if found.elements else None
    same = goes_on and last is not None and last.kind == kind
    if same and last is not None and kind in ("heading", "character"):
        found.elements.pop()
        text, number = f"{last.text} {text}", last.line
    if kind == "character":
        cue = cues.take_apart(text, words)
        found.elements.append(Element(kind, text, number, False, cue.dual, cue.name, cue.extensions))
        return
    speech = last is not None and kind in ("dialogue", "paren") and last.kind in ("dialogue", "paren")
    found.elements.append(Element(kind, text, number, same or speech))
