"""XML from outside, read with expat: no document types, no deep nesting, no control characters, errors as values."""

from __future__ import annotations

import re
from xml.parsers import expat

from showmemory.model.span import Problem
from showmemory.read.decode import LIMIT, decode
from showmemory.read.lines import Lines, refused

DEPTH = 64
_ENCODING = re.compile(rb"<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})[\"']")
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ILLEGAL_BYTES = bytes((*range(9), 0x0B, 0x0C, *range(0x0E, 0x20)))
_UTF = frozenset({"utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii"})


class Refused(Exception):
    """Why a document is refused. Raised in expat's callbacks to stop it; it never leaves `XmlReader.read`."""


class XmlReader:
    """Reads one document. A format says what its root is called and overrides `start`, `end` and `finish`."""

    root = ""
    program = ""

    def __init__(self) -> None:
        self.found = Lines()
        self.depth = 0
        self.parts: list[str] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take in the start of an element; a format calls `check` first."""
        raise NotImplementedError

    def end(self, name: str) -> None:
        """Take in the end of an element."""
        raise NotImplementedError

    def finish(self) -> Lines:
        """What was read, once the document is whole."""
        return self.found

    def check(self, name: str) -> None:
        """Refuse another root, and nesting that no script has."""
        if self.depth == 1 and name != self.root:
            raise Refused(
                f"expected a {self.program} script (<{self.root}>), found XML of another kind (<{name[:60]}>)"
            )
        if self.depth > DEPTH:
            raise Refused(f"expected elements at most {DEPTH} deep, found more")

    def _doctype(self, *_: object) -> None:
        raise Refused(f"expected a {self.program} script, found a document type declaration, which none has")

    def read(self, data: bytes, path: str) -> Lines:
        """Read a whole document; one that breaks off, or holds what no script holds, is refused with its line."""
        text, problems = decode(_recoded(data), path)
        if any(problem.severity == "error" for problem in problems):
            return Lines(problems=problems)
        if not text or text.isspace():
            return refused(path, f"expected a {self.program} script, found an empty file")
        again = f"save it again from {self.program}"
        try:
            self.parser.Parse(_legal(text), True)
        except Refused as error:
            return refused(path, str(error), again, self.parser.CurrentLineNumber)
        except expat.ExpatError as error:
            what = expat.errors.messages[error.code]
            hint = f"the file is cut short or damaged: {again}"
            return refused(path, f"expected {self.program} XML, found {what}", hint, error.lineno)
        return _with(problems, self.finish())


def _legal(text: str) -> bytes:
    """UTF-8 bytes without the characters that XML forbids, each one a space so that nothing moves."""
    data = text.encode("utf-8", "replace")
    if len(data.translate(None, _ILLEGAL_BYTES)) == len(data) and b"\xef\xbf" not in data:
        return data
    return _ILLEGAL.sub(" ", text).encode("utf-8", "replace")


def _with(problems: list[Problem], found: Lines) -> Lines:
    found.problems[:0] = problems
    return found


def _recoded(data: bytes) -> bytes:
    """Bytes in the encoding that the XML declaration names, as UTF-8; others as they are."""
    named = _ENCODING.match(data[:300].lstrip())
    name = named.group(1).decode("ascii").lower() if named else "utf-8"
    if name in _UTF or len(data) > LIMIT:
        return data
    try:
        return data.decode(name).encode("utf-8", "replace")
    except (LookupError, UnicodeError, ValueError):
        return data
