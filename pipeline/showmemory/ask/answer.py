"""An answer's text -> a draft, or what is wrong with it, in words that a repair round can quote."""

from __future__ import annotations

import json
import re
from typing import cast

from pydantic import ValidationError

from showmemory.ask.draft import SHAPES, Draft, Pass

_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)
_SHOWN = 12
_SAYS = {
    "model_type": "expected an object",
    "missing": "expected it, found none",
    "extra_forbidden": "nothing here is called so",
    "string_type": "expected text",
    "tuple_type": "expected a list",
    "int_type": "expected a whole number",
    "int_parsing": "expected a whole number",
}


def draft_of(text: str, pass_: Pass) -> Draft | tuple[str, ...]:
    """Read and check an answer; the errors are one line each."""
    fenced = _FENCED.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except json.JSONDecodeError as error:
        return (f"not JSON: {error.msg[:1].lower()}{error.msg[1:]} at line {error.lineno}",)
    except (RecursionError, ValueError):
        return ("not JSON: nested deeper than any draft is",)
    return checked(value, pass_)


def checked(value: object, pass_: Pass) -> Draft | tuple[str, ...]:
    """Hold plain values against the shape of a pass."""
    try:
        return cast(Draft, SHAPES[pass_].model_validate(value))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        rows = [f"{'.'.join(map(str, e['loc'])) or 'answer'}: {_said(e['type'], e['msg'])}" for e in found]
        more = (f"and {len(rows) - _SHOWN} more",) if len(rows) > _SHOWN else ()
        return (*rows[:_SHOWN], *more)


def repair(errors: tuple[str, ...]) -> str:
    """What the one repair round says."""
    rows = "\n".join(f"- {error}" for error in errors)
    return f"This answer could not be used:\n{rows}\nAnswer once more, whole, as one JSON object of the given shape."


def _said(kind: str, message: str) -> str:
    plain = message.replace("Input should be", "expected")
    return _SAYS.get(kind) or plain[:1].lower() + plain[1:]
