"""What the types refuse, in words: what was expected, what was found, what to do next."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping
from typing import Any

from pydantic_core import ErrorDetails

# What a list of that name holds, where the name alone does not say it.
_HOLDS = {
    "about": "ids",
    "holders": "ids",
    "exemplars": "sources",
    "stale": "sources",
    "forgotten": "forgotten entries",
    "declined": "refusals",
    "how": "names",
    "kinds": "groups",
}


def refusal(error: ErrorDetails, known: Collection[str] = ()) -> tuple[str, str]:
    """Say what `error` expected and found, and a hint or nothing. `known`: the keys that may stand there."""
    said = _SAYINGS.get(error["type"])
    if said:
        return said(error), ""
    name = str(error["loc"][-1]) if error["loc"] else "this file"
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, sorted(known), 1)
        return f"nothing here is called {name}", f"did you mean {near[0]}?" if near else ""
    if error["type"] == "missing":
        return f"expected {name}, found none", ""
    return f"{name}: {error['msg'][:1].lower()}{error['msg'][1:]}", ""


def kind_of(value: object) -> str:
    """Name what kind of JSON value `value` is, as a person would."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list | tuple) else "an object"


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 40 else f'"{value[:40]}…"'
    return kind_of(value)


def _list(error: ErrorDetails) -> str:
    name = next((str(part) for part in reversed(error["loc"]) if isinstance(part, str)), "")
    return f"expected a list of {_HOLDS.get(name, name)}, found {kind_of(error['input'])}"


def _of(what: str) -> Callable[[ErrorDetails], str]:
    return lambda error: f"expected {what}, found {kind_of(error['input'])}"


def _one_of(error: ErrorDetails) -> str:
    allowed = str(_context(error).get("expected", "")).replace("'", "")
    return f"expected {allowed}, found {_shown(error['input'])}"


def _pattern(error: ErrorDetails) -> str:
    pattern = str(_context(error).get("pattern", ""))
    start = pattern.removeprefix("^").split("\\.")[0]
    return f"expected an id that starts with {start}. and holds no blanks, found {_shown(error['input'])}"


def _bound(words: str, key: str) -> Callable[[ErrorDetails], str]:
    return lambda error: f"expected {_context(error).get(key)} {words}, found {_shown(error['input'])}"


def _context(error: ErrorDetails) -> Mapping[str, Any]:
    return error.get("ctx") or {}


_SAYINGS: Mapping[str, Callable[[ErrorDetails], str]] = {
    "json_invalid": lambda error: f"not JSON: {_context(error).get('error')}",
    "tuple_type": _list,
    "list_type": _list,
    "string_type": _of("text"),
    "int_type": _of("a whole number"),
    "int_from_float": _of("a whole number"),
    "float_type": _of("a number"),
    "finite_number": _of("a number"),
    "bool_type": _of("true or false"),
    "dict_type": _of("an object"),
    "model_type": _of("an object"),
    "literal_error": _one_of,
    "string_pattern_mismatch": _pattern,
    "greater_than_equal": _bound("or more", "ge"),
    "less_than_equal": _bound("or less", "le"),
}
