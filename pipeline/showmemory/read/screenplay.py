"""Bytes of a script in any format that is known -> Screenplay."""

from __future__ import annotations

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.span import Problem, Span
from showmemory.read.clock import clock
from showmemory.read.decode import decode
from showmemory.read.fdx import read_fdx
from showmemory.read.fountain import read_fountain
from showmemory.read.headings import heading_words
from showmemory.read.lines import Lines
from showmemory.read.scenes import scenes_of

VERSION = 1
SUFFIXES = (".fountain", ".spmd", ".txt", ".fdx", ".pdf", ".highland")


def read_screenplay(data: bytes, path: str, rules: Rules) -> Screenplay:
    """Read a script. `path` serves messages and its suffix only; whatever is wrong is in `problems`."""
    suffix = path[path.rfind(".") :].lower() if "." in path else ""
    if suffix == ".fdx":
        return _fdx(data, path, rules)
    text, problems = decode(data, path)
    if any(problem.severity == "error" for problem in problems):
        return _made(Lines(problems=problems), path, "fountain", rules)
    lines = read_fountain(text, path, rules)
    lines.problems[:0] = problems
    if not lines.elements:
        lines.problems.append(Problem(Span(path), "error", "expected a script, found an empty file"))
    return _made(lines, path, "fountain", rules)


def _fdx(data: bytes, path: str, rules: Rules) -> Screenplay:
    return _made(read_fdx(data, path, rules), path, "fdx", rules)


def _made(lines: Lines, path: str, form: str, rules: Rules) -> Screenplay:
    title = tuple((e.key, e.text) for e in lines.elements if e.kind == "title")
    words = heading_words(rules)
    cut, headings = scenes_of(lines.elements, words, lines.numbers)
    scenes = clock(lines.elements, cut, headings, words.time)
    return Screenplay(
        tuple(lines.elements), scenes, tuple(lines.problems), path, form, rules.language, title_page=title
    )
