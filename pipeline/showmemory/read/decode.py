"""Bytes of a text file -> its text and lines, with what was odd about the encoding."""

from __future__ import annotations

import codecs
import re

from showmemory.model.span import Problem, Span

LIMIT = 64 * 1024 * 1024
_LINE_END = re.compile(r"\r\n|\n|\r")
# Control characters that no script holds, and ESC and its like, which give a terminal orders. VT, FF, NEL and the
# separators FS..US do turn up in exports and are left alone.
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_BINARY_BYTES = bytes((*range(9), *range(0x0E, 0x1C), 0x7F))
_BINARY_SHARE = 0.02
# Two spaces that a reader cannot tell from the plain one, and that break "INT. ROOM" and "BOB (V.O.)".
_SPACES = str.maketrans({"\xa0": " ", "\u202f": " "})


def decode(data: bytes, path: str) -> tuple[str, list[Problem]]:
    """Return the text of `data`; text that cannot be had is empty, with one error."""
    if len(data) > LIMIT:
        size = len(data) // (1024 * 1024)
        return "", [_error(path, f"expected a script of at most {LIMIT // 1024 // 1024} MB, found {size} MB")]
    text, problems = _text(data, path)
    # In UTF-8 and its like such a byte is such a character: the quick look at the bytes is enough.
    if len(data.translate(None, _BINARY_BYTES)) == len(data) and b"\xc2" not in data:
        return text, problems
    odd = len(_BINARY.findall(text))
    if not odd:
        return text, problems
    if odd > max(8, len(text) * _BINARY_SHARE):
        return "", [_error(path, "expected text, found binary data", "export the script as Fountain, FDX or PDF")]
    at = _BINARY.search(text)
    line = len(split_lines(text[: at.start()])) if at else 1
    message = f"{odd} control character{'s' if odd > 1 else ''} left out, the first one here"
    problems.append(Problem(Span(path, line, line), "warning", message, group="control characters"))
    return _BINARY.sub("", text), problems


def split_lines(text: str) -> list[str]:
    """Lines as editors count them: only CRLF, LF and CR end one."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return text.split("\n")


def plain_spaces(text: str) -> str:
    """No-break spaces as plain ones."""
    return text.translate(_SPACES) if "\xa0" in text or "\u202f" in text else text


def _text(data: bytes, path: str) -> tuple[str, list[Problem]]:
    encoding = _marked(data)
    if encoding:
        return _strict(data, encoding, path)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"expected UTF-8, found byte 0x{data[error.start]:02x}; read as Windows-1252"
        found = Problem(Span(path, line, line), "warning", message, "save the file as UTF-8", group="encoding")
        return data.decode("cp1252", "replace"), [found]


def _marked(data: bytes) -> str:
    """The encoding that a byte-order mark, or every other byte being zero, gives away."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    head = data[:2000]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
        if len(head) >= 4 and zeros.count(0) > 0.8 * len(zeros):
            return encoding
    return ""


def _strict(data: bytes, encoding: str, path: str) -> tuple[str, list[Problem]]:
    try:
        return data.decode(encoding), []
    except UnicodeDecodeError as error:
        name = {"utf-8-sig": "UTF-8"}.get(encoding, "UTF-16")
        message = f"expected {name}, as its first bytes say, found bytes that are not"
        found = Problem(Span(path), "warning", message, f"byte {error.start}; save the file as UTF-8", group="encoding")
        return data.decode(encoding, "replace").replace("\ufffd", ""), [found]


def _error(path: str, message: str, hint: str = "") -> Problem:
    return Problem(Span(path), "error", message, hint)
