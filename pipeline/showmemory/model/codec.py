"""A screenplay as compact bytes for the store and back; paths are left out, since artifacts belong to contents."""

from __future__ import annotations

import json
from dataclasses import astuple, fields, replace
from typing import Any

from showmemory.model.screenplay import Element, Scene, Screenplay
from showmemory.model.span import Problem, Span

_ELEMENT = tuple(f.default for f in fields(Element))
_SCENE = tuple(f.default for f in fields(Scene))


def encode(play: Screenplay) -> bytes:
    """The screenplay's bytes; trailing defaults of each row are cut."""
    made = {
        "elements": [_row(e, _ELEMENT) for e in play.elements],
        "scenes": [_row(s, _SCENE) for s in play.scenes],
        "problems": [astuple(p) for p in play.problems],
        "format": play.format,
        "language": play.language,
        "titlePage": play.title_page,
    }
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def decode(data: bytes, path: str) -> Screenplay:
    """The screenplay of those bytes, read at `path`."""
    made = json.loads(data)
    return Screenplay(
        elements=tuple(Element(*map(_tuple, row)) for row in made["elements"]),
        scenes=tuple(Scene(*map(_tuple, row)) for row in made["scenes"]),
        problems=tuple(_problem(row, path) for row in made["problems"]),
        path=path,
        format=made["format"],
        language=made["language"],
        title_page=tuple((key, value) for key, value in made["titlePage"]),
    )


def _row(item: Element | Scene, defaults: tuple[Any, ...]) -> list[Any]:
    row = [getattr(item, f.name) for f in fields(item)]
    while row and row[-1] == defaults[len(row) - 1]:
        row.pop()
    return row


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _problem(row: list[Any], path: str) -> Problem:
    return Problem(replace(Span(*row[0]), path=path), *row[1:])
