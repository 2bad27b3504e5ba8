"""Where each value of a JSON or TOML text stands, for messages."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from showmemory.read.yaml import Loc, squashed

Marks = dict[Loc, tuple[int, int]]
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')
_TABLE = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"^\s*([\w\-.\"']+)\s*=")
_INLINE = re.compile(r"[{,]\s*([\w\-]+)\s*=")


def json_marks(text: str) -> Marks:
    """The line and column of each value of a JSON text that json.loads takes."""
    starts = [0] + [found.end() for found in re.finditer("\n", text)]
    marks: Marks = {}
    stack: list[list[str | int]] = []
    key = expects_key = None
    for token in _TOKEN.finditer(text):
        word, at = token.group(), token.start()
        line = bisect_right(starts, at)
        place = (line, at - starts[line - 1] + 1)
        if word in "]}":
            stack.pop()
        elif word == ",":
            if isinstance(stack[-1][-1], int):
                stack[-1][-1] += 1
            else:
                expects_key = True
            continue
        elif word == ":":
            continue
        elif stack and isinstance(stack[-1][-1], str) and expects_key:
            key = json.loads(word)
            stack[-1][-1] = key
            marks[squashed(tuple(step[-1] for step in stack))] = place
            expects_key = False
        else:
            marks.setdefault(squashed(tuple(step[-1] for step in stack)), place)
            if word in "[{":
                stack.append([0] if word == "[" else [""])
                expects_key = word == "{"
    return marks


def toml_marks(text: str) -> Marks:
    """The line of each table and key of a TOML text; good enough for a show.toml, never wrong about a header."""
    marks: Marks = {}
    counts: dict[str, int] = {}
    table: Loc = ()
    array: Loc | None = None
    for number, row in enumerate(text.splitlines(), 1):
        if row.lstrip().startswith("#"):
            continue
        header = _TABLE.match(row)
        if header and array is None:
            name = header[2].strip("\"'")
            table = tuple(name.split("."))
            if header[1] == "[[":
                table = (*table, counts.setdefault(name, -1) + 1)
                counts[name] += 1
            marks[squashed(table)] = (number, 1)
            continue
        key = _KEY.match(row)
        if key and array is None:
            loc = (*table, key[1].strip("\"'"))
            marks[squashed(loc)] = (number, 1)
            if row.split("=", 1)[1].strip() == "[":
                array = (*loc, -1)
        elif array is not None and row.strip().startswith("]"):
            array = None
        elif array is not None and row.strip():
            array = (*array[:-1], int(array[-1]) + 1)
            marks[squashed(array)] = (number, 1)
            for inner in _INLINE.finditer(row):
                marks[squashed((*array, inner[1]))] = (number, inner.start(1) + 1)
    return marks
