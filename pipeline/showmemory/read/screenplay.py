"""Bytes of a script in any format that is known -> Screenplay."""

from __future__ import annotations

import re
from collections.abc import Mapping

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.span import Problem, Span
from showmemory.read.clock import clock
from showmemory.read.containers import member
from showmemory.read.decode import LIMIT, decode
from showmemory.read.fdx import read_fdx
from showmemory.read.fountain import read_fountain
from showmemory.read.headings import heading_words
from showmemory.read.lines import Lines, few, refused
from showmemory.read.osf import read_osf
from showmemory.read.pdf import read_pdf
from showmemory.read.scenes import scenes_of
from showmemory.read.tongue import unread_headings
from showmemory.read.trelby import is_trelby, read_trelby

# Part of every parse key: raise it when a reader reads the same bytes differently.
VERSION = 2
SUFFIXES = (".fountain", ".spmd", ".txt", ".md", ".fdx", ".pdf", ".highland", ".fadein", ".osf", ".trelby")
# Programs whose files we do not read, and what to do instead.
_REFUSED: Mapping[str, tuple[str, str]] = {
    ".celtx": ("Celtx", "in Celtx: export as Final Draft (.fdx), or as PDF"),
    ".docx": ("Word", "in Word: save as PDF, or paste the script into a Fountain file"),
    ".doc": ("Word", "in Word: save as PDF, or paste the script into a Fountain file"),
    ".odt": ("OpenDocument", "in the word processor: save as PDF, or paste the script into a Fountain file"),
    ".pages": ("Pages", "in Pages: export as PDF"),
    ".rtf": ("rich text", "save as PDF, or as plain text in Fountain"),
    ".fdr": ("Final Draft 5 to 7", "in Final Draft 8 or later: save as .fdx"),
    ".fdxt": ("Final Draft template", "save the script itself as .fdx"),
    ".mmsw": ("Movie Magic Screenwriter", "in Movie Magic Screenwriter: export as Final Draft (.fdx)"),
    ".mmx": ("Movie Magic Screenwriter", "in Movie Magic Screenwriter: export as Final Draft (.fdx)"),
    ".wdz": ("WriterDuet", "in WriterDuet: save as Final Draft (.fdx) or Fountain"),
    ".kitsp": ("KIT Scenarist", "in KIT Scenarist: export as Fountain or Final Draft (.fdx)"),
    ".starc": ("Story Architect", "in Story Architect: export as Fountain or Final Draft (.fdx)"),
    ".scriv": ("Scrivener", "in Scrivener: compile as Fountain or Final Draft (.fdx)"),
    ".arcstudio": ("Arc Studio", "in Arc Studio: export as Final Draft (.fdx) or Fountain"),
    ".scw": ("Movie Magic Screenwriter", "in Movie Magic Screenwriter: export as Final Draft (.fdx)"),
}
_FOUNTAIN_INSIDE = re.compile(r"(?:[^/\\]{1,200}\.textbundle/)?text\.(?:fountain|markdown|md|txt|spmd)")
_OSF_INSIDE = re.compile(r"(?:[^/\\]{1,200}/)?document\.xml")


def read_screenplay(data: bytes, path: str, rules: Rules) -> Screenplay:
    """Read a script. `path` serves messages and its suffix only; whatever is wrong is in `problems`."""
    form, lines = _lines(data, path, _suffix(path), rules)
    bad = any(problem.severity == "error" for problem in lines.problems)
    if not bad and not any(element.kind != "title" for element in lines.elements):
        lines.problems.append(Problem(Span(path), "error", "expected a script, found an empty file"))
    problems = few([*lines.problems, *unread_headings(lines.elements, path, rules.language)])
    words = heading_words(rules)
    cut, headings = scenes_of(lines.elements, words, lines.numbers)
    scenes = clock(lines.elements, cut, headings, words.time)
    title = tuple((e.key, e.text) for e in lines.elements if e.kind == "title")
    return Screenplay(tuple(lines.elements), scenes, tuple(problems), path, form, rules.language, title)


def _suffix(path: str) -> str:
    name = path.replace("\\", "/").rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""


def _lines(data: bytes, path: str, suffix: str, rules: Rules) -> tuple[str, Lines]:
    """Read by suffix, and by what the bytes say where that is plain."""
    if len(data) > LIMIT:
        size = len(data) // (1024 * 1024)
        return "", refused(path, f"expected a script of at most {LIMIT // 1024 // 1024} MB, found {size} MB")
    if suffix in _REFUSED:
        program, hint = _REFUSED[suffix]
        return "", refused(path, f"expected a script that can be read here, found a {program} file", hint)
    if data.startswith(b"%PDF-") or suffix == ".pdf":
        return "pdf", read_pdf(data, path, rules)
    if suffix == ".highland" or suffix == ".fadein":
        return _contained(data, path, suffix, rules)
    if suffix == ".osf":
        return "osf", read_osf(data, path, rules)
    if suffix == ".fdx" or b"<FinalDraft" in data[:1000]:
        return "fdx", read_fdx(data, path, rules)
    return _text(data, path, rules)


def _contained(data: bytes, path: str, suffix: str, rules: Rules) -> tuple[str, Lines]:
    form, wanted = ("fountain", _FOUNTAIN_INSIDE) if suffix == ".highland" else ("osf", _OSF_INSIDE)
    what = "text.fountain" if form == "fountain" else "document.xml"
    inside, problems = member(data, wanted, what, path)
    if problems:
        return form, Lines(problems=problems)
    return _text(inside, path, rules) if form == "fountain" else (form, read_osf(inside, path, rules))


def _text(data: bytes, path: str, rules: Rules) -> tuple[str, Lines]:
    if data[:4] in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"):
        hint = "export the script as Fountain, FDX or PDF"
        return "", refused(path, "expected a script, found a file of another program", hint)
    text, problems = decode(data, path)
    if any(problem.severity == "error" for problem in problems):
        return "fountain", Lines(problems=problems)
    trelby = is_trelby(text)
    lines = read_trelby(text, path, rules) if trelby else read_fountain(text, path, rules)
    lines.problems[:0] = problems
    return "trelby" if trelby else "fountain", lines
