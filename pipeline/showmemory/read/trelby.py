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


def is_trelby(text: str) -> bool:
    """Whether a text says that Trelby wrote it."""
    return text.lstrip("\ufeff").startswith("#Version ")


def read_trelby(text: str, path: str, rules: Rules) -> Lines:
    """Read a whole Trelby text. A heading or cue that it breaks over lines is joined, and stands at its first."""
    found = Lines()
    words = cues.cue_words(rules)
    broken: list[str] = []  # the lines so far of a heading or cue
    holds: ElementKind = "heading"
    first = 0
    goes_on = inside = False
    for number, line in enumerate(split_lines(text.lstrip("\ufeff")), start=1):
        if line.startswith("#") or inside:
            inside = (inside or line.startswith("#Begin-")) and not line.startswith("#End-")
            _title(found, line, number)
            continue
        if len(line) < 3 or not line[2:].strip():
            continue
        kind = _KINDS.get(line[1], "action")
        if broken and (kind != holds or not goes_on):
            _whole(found, holds, " ".join(broken), first, words)
            broken = []
        if kind in ("heading", "character"):
            first = first if broken else number
            broken.append(line[2:].strip())
            holds = kind
        else:
            _line(found, kind, line[2:].strip(), number, goes_on)
        goes_on = line[0] not in ".|"
    if broken:
        _whole(found, holds, " ".join(broken), first, words)
    if not any(element.kind != "title" for element in found.elements):
        found.problems.append(Problem(Span(path), "error", "expected a Trelby script, found no lines of script"))
    return found


def _title(found: Lines, line: str, number: int) -> None:
    if line.startswith("#Title-String "):
        text = line.partition(" ")[2].split(",", 6)[-1].replace("\\n", "\n").replace("\\\\", "\\").strip()
        if text:
            found.elements.append(Element("title", text, number))


def _whole(found: Lines, kind: ElementKind, text: str, number: int, words: cues.CueWords) -> None:
    cue = cues.take_apart(text, words) if kind == "character" else cues.Cue("")
    found.elements.append(Element(kind, text, number, False, cue.dual, cue.name, cue.extensions))


def _line(found: Lines, kind: ElementKind, text: str, number: int, goes_on: bool) -> None:
    last = found.elements[-1].kind if found.elements else "title"
    speech = kind in ("dialogue", "paren") and last in ("dialogue", "paren")
    found.elements.append(Element(kind, text, number, (goes_on and last == kind) or speech))
