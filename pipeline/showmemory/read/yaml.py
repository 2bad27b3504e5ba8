"""YAML 1.2 text -> plain values and the line of each. Scalars stay text, so a character called No keeps the name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

Loc = tuple[str | int, ...]
DEPTH = 40
NODES = 300_000
_BUT_GOT = re.compile(r"(?:did not find )?expected (.+?),? but (?:got|found) '?([^']+)'?")
_NULL = frozenset({"", "~", "null", "Null", "NULL"})


class SlipError(Exception):
    """Why a text could not be read, and where; turned into a Problem before it leaves this stage."""

    def __init__(self, message: str, line: int = 0, column: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.line, self.column, self.hint = message, line, column, hint


@dataclass
class Tree:
    """Plain values with the line and column of each: `marks[("gags", 0, "name")] == (12, 5)`."""

    value: Any = None
    marks: dict[Loc, tuple[int, int]] = field(default_factory=dict)


@dataclass
class _Open:
    """A list or mapping that is being read."""

    value: list[Any] | dict[str, Any]
    loc: Loc
    anchor: str | None
    at: int
    key: str | None = None


def read_yaml(text: str) -> Tree:
    """Read one YAML document. Numbers and booleans stay text (the types decide); an empty value counts as absent."""
    try:
        return _Builder().build(YAML(typ="safe", pure=True).parse(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise SlipError(_said(error), line, column, _hint(error)) from None
    except YAMLError as error:
        raise SlipError(f"expected YAML, found {' '.join(str(error).split())[:120]}") from None


class _Builder:
    def __init__(self) -> None:
        self.tree = Tree()
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.count = 0
        self.documents = 0

    def build(self, events: Iterator[Any]) -> Tree:
        for event in events:
            line, column = event.start_mark.line + 1, event.start_mark.column + 1
            if isinstance(event, DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise SlipError("expected one document, found a second", line, hint="take out the --- line")
            elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
                self._close()
            elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
                self._enter(event, line, column)
            elif isinstance(event, ScalarEvent):
                self._scalar(event, line, column)
            elif isinstance(event, AliasEvent):
                self._alias(event, line, column)
        return self.tree

    def _enter(self, event: Any, line: int, column: int) -> None:
        value: list[Any] | dict[str, Any] = {} if isinstance(event, MappingStartEvent) else []
        if len(self.stack) >= DEPTH:
            raise SlipError(f"expected at most {DEPTH} levels, found more", line, column)
        loc = self._put(value, line, column, 1)
        self.stack.append(_Open(value, loc, event.anchor, self.count))

    def _close(self) -> None:
        done = self.stack.pop()
        if done.anchor:
            self.anchors[done.anchor] = (done.value, self.count - done.at + 1)

    def _scalar(self, event: Any, line: int, column: int) -> None:
        top = self.stack[-1] if self.stack else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            if event.value in top.value:
                raise SlipError(f"expected each key once, found {event.value} again", line, column)
            top.key = event.value
            self.tree.marks[squashed((*top.loc, event.value))] = (line, column)
            return
        plain = event.style is None or event.style == ""
        value = None if plain and event.value in _NULL else event.value
        self._put(value, line, column, 1)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)

    def _alias(self, event: Any, line: int, column: int) -> None:
        if event.anchor not in self.anchors:
            raise SlipError(f"expected an anchor called &{event.anchor} above, found none", line, column)
        value, size = self.anchors[event.anchor]
        self._put(value, line, column, size)

    def _put(self, value: Any, line: int, column: int, size: int) -> Loc:
        self.count += size
        if self.count > NODES:
            raise SlipError(f"expected at most {NODES} values, found more", line, column, "aliases count each time")
        if not self.stack:
            self.tree.value = value
            return ()
        top = self.stack[-1]
        if isinstance(top.value, list):
            loc: Loc = (*top.loc, len(top.value))
            top.value.append(value)
            self.tree.marks[squashed(loc)] = (line, column)
            return loc
        if top.key is None:
            raise SlipError("expected text as a key, found a list or a mapping", line, column)
        key, top.key = top.key, None
        if value is not None:
            top.value[key] = value
        return (*top.loc, key)


def squashed(loc: Loc) -> Loc:
    """`loc` without the spelling of its keys: storyOrder and story_order are one place."""
    return tuple(part.replace("_", "").lower() if isinstance(part, str) else part for part in loc)


def _said(error: MarkedYAMLError) -> str:
    said = " ".join(str(error.problem or error.context or "a slip").split())
    if "mapping values are not allowed" in said:
        return "expected YAML, found a second colon"
    wanted = _BUT_GOT.fullmatch(said)
    if wanted:
        found = "the end of the file" if wanted[2] in ("<stream end>", "<document end>") else wanted[2]
        return f"expected {wanted[1]}, found {found}"
    return f"expected YAML, found {said.removeprefix('found ')[:160]}"


def _hint(error: MarkedYAMLError) -> str:
    said = str(error.problem or "")
    if "mapping values are not allowed" in said:
        return 'put words that hold a colon in quotes: "Kit: the loud one"'
    if "'\\t'" in said or "tab" in said:
        return "indent with spaces, not with a tab"
    if "could not find expected ':'" in said:
        return "a key is missing its colon, or this line is not indented under the one above"
    return ""
