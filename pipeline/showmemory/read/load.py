"""A hand-written file (YAML, JSON or TOML by suffix) -> one of the types, each mistake with its line."""

from __future__ import annotations

import json
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from showmemory.model.base import Frozen
from showmemory.model.span import Problem, Span
from showmemory.read.decode import decode
from showmemory.read.explain import explained
from showmemory.read.marks import json_marks, toml_marks
from showmemory.read.yaml import DEPTH, SlipError, Tree, read_yaml

T = TypeVar("T", bound=Frozen)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
LIMIT = 8_000_000
_TOML_AT = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)")


def load(path: Path, shown: str, wanted: type[T]) -> tuple[T | None, list[Problem]]:
    """Read `path` (printed as `shown`) as `wanted`; None when it cannot be used, and why."""
    text, problems = file_text(path, shown)
    if text is None:
        return None, problems
    try:
        tree = parsed(text, path.suffix)
    except SlipError as mistake:
        span = Span(shown, mistake.line, mistake.line, mistake.column)
        line = text.splitlines()[mistake.line - 1] if 0 < mistake.line <= len(text.splitlines()) else ""
        return None, [*problems, Problem(span, "error", mistake.message, mistake.hint, line)]
    value = {} if tree.value is None else _printable(tree.value)
    try:
        return wanted.model_validate(value), problems
    except ValidationError as error:
        return None, problems + explained(error, wanted, shown, text, tree.marks)


def _printable(value: Any) -> Any:
    r"""Without the control characters that a text can hold as \e or \u001b, and that give a terminal orders."""
    if isinstance(value, str):
        return value if value.isprintable() else _CONTROL.sub("", value)
    if isinstance(value, dict):
        return {_printable(key): _printable(held) for key, held in value.items()}
    return [_printable(held) for held in value] if isinstance(value, list) else value


def parsed(text: str, suffix: str) -> Tree:
    """The plain values of `text` and where each stands."""
    if suffix == ".json":
        return _json(text)
    return _toml(text) if suffix == ".toml" else read_yaml(text)


def file_text(path: Path, shown: str) -> tuple[str | None, list[Problem]]:
    """The text of a small hand-written file, None where there is none."""
    where = Span(shown)
    try:
        made = path.stat()
        if not stat.S_ISREG(made.st_mode):
            return None, [Problem(where, "error", "expected a file, found a folder, a pipe or a device")]
        if made.st_size > LIMIT:
            return None, [Problem(where, "error", f"expected at most {LIMIT // 1_000_000} MB, found more")]
        raw = path.read_bytes()
    except OSError as error:
        return None, [Problem(where, "error", f"expected a file that can be read, found {_reason(error)}")]
    text, problems = decode(raw, shown)
    return (None if any(problem.severity == "error" for problem in problems) else text), problems


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _json(text: str) -> Tree:
    # Numbers stay text as in YAML, so that `"scene": 12` is scene "12" in both.
    try:
        value = json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise SlipError(f"expected JSON, found a slip: {error.msg.lower()}", error.lineno, error.colno) from None
    except RecursionError:
        raise SlipError(f"expected at most {DEPTH} levels, found more") from None
    return Tree(_present(value), json_marks(text))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = sorted({key for key, _ in pairs if sum(k == key for k, _ in pairs) > 1})
        raise SlipError(f"expected each key once, found {twice[0]} again")
    return made


def _present(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _present(held) for key, held in value.items() if held is not None}
    return [_present(held) for held in value] if isinstance(value, list) else value


def _toml(text: str) -> Tree:
    try:
        return Tree(tomllib.loads(text), toml_marks(text))
    except tomllib.TOMLDecodeError as error:
        at = _TOML_AT.search(str(error))
        said = _TOML_AT.sub("", str(error)).strip()
        line = int(at[1]) if at and at[1] else len(text.splitlines())
        column = int(at[2]) if at and at[2] else 0
        raise SlipError(f"expected TOML, found a slip: {said[:1].lower()}{said[1:]}", line, column) from None
    except RecursionError:
        raise SlipError(f"expected at most {DEPTH} levels, found more") from None
