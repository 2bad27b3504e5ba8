"""Takes emphasis marks (*, **, ***, _) and their escapes out of one line, in linear time."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[*_\\]|\*+|_+")


def plain(text: str) -> str:
    """Return `text` without emphasis; a mark that opens or closes nothing stays."""
    if "*" not in text and "_" not in text:
        return text
    parts: list[str] = []
    opened: list[int] = []  # where in `parts` the marks stand that may still be closed
    at = 0
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        parts.append(text[at:start])
        parts.append(found.group())
        at = end
        if text[start] == "\\":
            parts[-1] = text[start + 1 : end]
        elif not (_closes(text, start, end) and _close(parts, opened)) and _opens(text, start, end):
            opened.append(len(parts) - 1)
    parts.append(text[at:])
    return "".join(parts)


def _close(parts: list[str], opened: list[int]) -> bool:
    """Match the last part against the open marks: the same run, or for a run of three the two that make it up."""
    mark = parts[-1]
    for depth in range(len(opened) - 1, max(-1, len(opened) - 4), -1):
        held = parts[opened[depth]]
        if held == mark:
            parts[opened[depth]] = parts[-1] = ""
            del opened[depth:]
            return True
        if mark == "***" and depth and held + parts[opened[depth - 1]] == mark:
            parts[opened[depth]] = parts[opened[depth - 1]] = parts[-1] = ""
            del opened[depth - 1 :]
            return True
    return False


def _opens(text: str, start: int, end: int) -> bool:
    if end == len(text) or text[end].isspace() or not _is_mark(text, start, end):
        return False
    # "file_name" is one word; "un*frigging*believable" is emphasis.
    return text[start] == "*" or start == 0 or not text[start - 1].isalnum()


def _closes(text: str, start: int, end: int) -> bool:
    if start == 0 or text[start - 1].isspace() or not _is_mark(text, start, end):
        return False
    return text[start] == "*" or end == len(text) or not text[end].isalnum()


def _is_mark(text: str, start: int, end: int) -> bool:
    """One underscore or up to three stars; ____ is a line to write on."""
    return end - start <= (3 if text[start] == "*" else 1)
