"""The text of a JSON file -> its plain values, or the Problem that keeps it from being read."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from showmemory.check.finding import Finding, problem_at
from showmemory.check.positions import Lines, repeated_key
from showmemory.model.span import Problem, Span

UNTOUCHED = "memory was not touched: mend it there, or showmemory restore --memory brings back the last sound one"
CONFLICT = "showmemory merge-driver --from-index takes both sides, episode by episode, and loses no word of yours"
_MARK = re.compile(r"^(?:<{7}|\|{7}|>{7}) ", re.MULTILINE)


class _Twice(Exception):
    """An object has one key twice: the second would silently replace the first."""


def parse(text: str, path: str) -> tuple[Any, Problem | None]:
    """Read JSON as strictly as it is written: no key twice, no NaN, and git's conflict markers are told apart."""
    mark = _MARK.search(text)
    if mark:
        return None, _at(path, text, mark.start(), "git left two versions side by side here", CONFLICT)
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse), None
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        return None, _at(path, text, error.pos, what, UNTOUCHED)
    except _Twice as error:
        return None, _at(path, text, repeated_key(text), str(error), UNTOUCHED)
    except (RecursionError, ValueError) as error:
        deep = isinstance(error, RecursionError)
        what = "nested deeper than any memory is" if deep else f"not JSON: {str(error).partition(';')[0]}"
        return None, Problem(Span(path), "error", what, UNTOUCHED)


def _at(path: str, text: str, offset: int, what: str, hint: str) -> Problem:
    return problem_at(path, Lines(text), offset, Finding((), "error", what, hint))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in made if keys.count(key) > 1)
        raise _Twice(f"{twice} stands twice in one object; keep one of the two")
    return made


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
