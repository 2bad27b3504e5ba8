"""What pydantic found wrong -> Problems a person can act on: path:line, what was expected, what was found."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from showmemory.model.span import Problem, Span
from showmemory.read.yaml import Loc, squashed

MOST = 20
_WANTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "keys with values",
    "model_type": "keys with values",
    "model_attributes_type": "keys with values",
}
_HINTS = {
    "tuple_type": "write each on a line of its own after a dash, or [one, two] in brackets",
    "model_type": "write it as name: … on the lines under it",
}


def explained(
    error: ValidationError,
    wanted: type[BaseModel],
    shown: str,
    text: str,
    marks: Mapping[Loc, tuple[int, int]],
) -> list[Problem]:
    """One Problem for each mistake, in the order they stand, the first MOST in full."""
    rows = text.splitlines()
    told = [dict(one) for one in error.errors(include_url=False)]
    found = [_problem(one, wanted, shown, rows, marks) for one in told if not _is_slip(one, told)]
    found.sort(key=lambda problem: (problem.span.line, problem.span.column, problem.message))
    if len(found) <= MOST:
        return found
    rest = Problem(Span(shown), "error", f"{len(found) - MOST} more like these")
    return [*found[:MOST], rest]


def _problem(
    one: dict[str, Any], wanted: type[BaseModel], shown: str, rows: list[str], marks: Mapping[Loc, tuple[int, int]]
) -> Problem:
    loc: Loc = tuple(one["loc"])
    line, column = mark_of(loc, marks)
    message, hint = _message(one, loc, wanted)
    source = rows[line - 1] if 0 < line <= len(rows) else ""
    return Problem(Span(shown, line, line, column), "error", message, hint, source)


def _is_slip(one: dict[str, Any], told: list[dict[str, Any]]) -> bool:
    """Whether a missing key is there under a misspelt name, which is told already."""
    if one["type"] != "missing":
        return False
    loc: Loc = tuple(one["loc"])
    beside = [
        str(other["loc"][-1]) for other in told if other["type"] == "extra_forbidden" and other["loc"][:-1] == loc[:-1]
    ]
    return bool(get_close_matches(_name(loc), beside, 1, 0.6))


def mark_of(loc: Loc, marks: Mapping[Loc, tuple[int, int]]) -> tuple[int, int]:
    """The line and column of `loc`, else of the nearest thing around it."""
    wanted = squashed(loc)
    while wanted and wanted not in marks:
        wanted = wanted[:-1]
    return marks.get(wanted, (1, 1) if marks else (0, 0))


def _message(one: dict[str, Any], loc: Loc, wanted: type[BaseModel]) -> tuple[str, str]:
    kind, name = str(one["type"]), _name(loc)
    if kind == "missing":
        return f"expected {name}, found nothing", f"add a line {name}: …"
    if kind == "extra_forbidden":
        known = _fields(wanted, loc[:-1])
        near = get_close_matches(name, known, 1, 0.6)
        hint = f"did you mean {near[0]}?" if near else f"keys there are: {', '.join(known)}"
        return f"expected a key that is known here, found {name}", hint
    if kind == "literal_error":
        return f"expected {name} to be {one['ctx']['expected']}, found {_found(one['input'])}", ""
    if kind in _WANTED:
        # Text where YAML gives text for all, and a number is wanted: what it is matters, not that it is text.
        number = kind.endswith(("parsing", "float")) or (kind == "int_type" and isinstance(one["input"], str))
        found = f"{one['input']!r}" if number else _found(one["input"])
        return f"expected {_of(name, _WANTED[kind])}, found {found}", _HINTS.get(kind, "")
    if kind == "string_pattern_mismatch":
        start = _start(one["ctx"]["pattern"])
        form = f"start {start}" if start else "be one word without blanks"
        return f"expected {name} to {form}, found {_found(one['input'])}", ""
    said = str(one["msg"])
    return f"expected a right {name}: {said[:1].lower()}{said[1:]}, found {_found(one['input'])}", ""


def _name(loc: Loc) -> str:
    names = [part for part in loc if isinstance(part, str)]
    return names[-1] if names else "the file"


def _of(name: str, wanted: str) -> str:
    return f"a list of {name}" if wanted == "a list" else f"{wanted} for {name}"


def _found(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"text {value[:40]!r}" if value else "empty text"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    return "keys with values" if isinstance(value, dict) else "a list"


def _start(pattern: str) -> str:
    return pattern.lstrip("^").split("[")[0].replace("\\", "")


def _fields(wanted: type[BaseModel], loc: Loc) -> list[str]:
    """The keys the type at `loc` takes, as they are written in files."""
    model: Any = wanted
    for part in loc:
        if isinstance(part, int) or not (isinstance(model, type) and issubclass(model, BaseModel)):
            continue
        for name, info in model.model_fields.items():
            if squashed((part,)) == squashed((info.alias or name,)):
                model = _model_in(info.annotation)
                break
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return []
    return [info.alias or name for name, info in model.model_fields.items()]


def _model_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (tuple, list, dict, Union, UnionType):
        inner = [_model_in(arg) for arg in get_args(annotation)]
        return next((found for found in inner if found is not None), None)
    return None
