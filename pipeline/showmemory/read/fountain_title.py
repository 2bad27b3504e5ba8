"""The title page at the top of a Fountain file: `Key: value` lines up to the first empty one."""

from __future__ import annotations

import re

from showmemory.model.screenplay import Element
from showmemory.read.emphasis import plain

_KEY = re.compile(r"([^\W_][\w /.'’&-]{0,39}):(?:[ \t]*(.*))$")
_KNOWN = frozenset(
    {"title", "credit", "author", "authors", "source", "notes", "date", "draft", "contact", "copyright", "revision"}
    | {"season", "episode", "format", "number", "series", "version", "production", "network", "language"}
    | {"titel", "autor", "autoren", "auteur", "auteurs", "titre", "título", "titulo", "titolo", "autore", "autori"}
)


def title_page(lines: list[str]) -> tuple[list[Element], int]:
    """Return the title elements, one a key, and how many lines they take; none where the script starts at once."""
    block = _block(lines)
    first = _KEY.match(lines[block[0]].strip()) if block else None
    if not first or not _is_title(first.group(1), first.group(2), [lines[index] for index in block[1:]]):
        return [], 0
    made: list[tuple[int, str, list[str]]] = []
    for index in block:
        found = _key_of(lines[index])
        if found:
            made.append((index + 1, found[0].strip().lower(), [found[1]]))
        else:
            made[-1][2].append(lines[index].strip())
    elements = [
        Element("title", "\n".join(plain(value) for value in values if value), line, key=key)
        for line, key, values in made
    ]
    return elements, block[-1] + 1


def _block(lines: list[str]) -> range:
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return range(start, end)


def _key_of(line: str) -> tuple[str, str] | None:
    """A new key stands at the margin; an indented line goes on with the value above it."""
    if line[:1] in ("\t", " "):
        return None
    found = _KEY.match(line.rstrip())
    return (found.group(1), found.group(2)) if found else None


def _is_title(key: str, value: str, rest: list[str]) -> bool:
    """A known key, or a key in small letters whose lines below are keys or indented: "FADE IN:" is neither."""
    word = key.lower().split()[0]
    if word in _KNOWN:
        return bool(value or rest)
    if key.isupper() or not rest:
        return False
    return all(_key_of(line) or line[:1] in ("\t", " ") for line in rest)
