"""A place in a JSON document, such as entries[3].sources, -> its offset in the text, for messages with a line."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator

Place = tuple[str | int, ...]

# Strings first, so that braces inside them are never seen; the string pattern has no two ways to match.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


def places(text: str, wanted: Collection[Place]) -> dict[Place, int]:
    """Find where each wanted place starts: a member at its key, an item of a list at its value, the whole at its start.

    A place that the document does not have is given the nearest one around it. One pass; stops when all are found.
    """
    if not wanted:
        return {}
    parts = {place[:depth] for place in wanted for depth in range(len(place) + 1)}
    found: dict[Place, int] = {}
    for place, offset, _ in _walk(text):
        if place in parts:
            found.setdefault(place, offset)
        if len(found) == len(parts):
            break
    return {place: _nearest(place, found) for place in wanted}


def repeated_key(text: str) -> int:
    """Find where the first key stands that its object has already, else 0."""
    seen: set[Place] = set()
    for place, offset, is_key in _walk(text):
        if is_key and place in seen:
            return offset
        seen.add(place)
    return 0


class Lines:
    """Where each line of a text starts, so that thousands of offsets are looked up, not counted."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Give the 1-based line and column of `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Give the text of the 1-based line `number`, at most its first 200 characters."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start : min(end, start + 200)]


def _nearest(place: Place, found: dict[Place, int]) -> int:
    for depth in range(len(place), -1, -1):
        if place[:depth] in found:
            return found[place[:depth]]
    return 0


def _walk(text: str) -> Iterator[tuple[Place, int, bool]]:
    """Yield each member and item with its offset, and whether it is a member, in document order. `text` is JSON."""
    path: list[str | int | None] = []  # for each open list its index, for each open object its key or None before it
    for match in _TOKEN.finditer(text):
        token = match.group()
        inner = path[-1] if path else 0
        if token in "}]":
            path.pop()
        elif token == ",":
            path[-1] = inner + 1 if isinstance(inner, int) else None
        elif inner is None:
            path[-1] = _text_of(token)
            yield _place(path), match.start(), True
        elif token != ":":
            if isinstance(inner, int):
                yield _place(path), match.start(), False
            if token in "{[":
                path.append(None if token == "{" else 0)


def _place(path: list[str | int | None]) -> Place:
    return tuple(part for part in path if part is not None)


def _text_of(token: str) -> str:
    try:
        return str(json.loads(token)) if token.startswith('"') else token
    except ValueError:
        return token
