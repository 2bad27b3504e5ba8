"""What the writers have settled and what comes next: decisions that are locked, and the next step with its entry."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from showmemory.model.base import Frozen


class Decision(Frozen):
    """Something settled that is not reopened without saying so.

    `since`: the episode from which it is locked. With `field` and `value` it says what a field of `about` is.
    """

    text: str
    since: str = ""
    about: tuple[str, ...] = ()
    field: str | None = None
    value: str | None = None


class NextStep(Frozen):
    """What is done next, and where somebody who comes back begins: a file, `FILE:LINE`, or an episode."""

    step: str = ""
    entry: str = ""


def _worded(name: str) -> BeforeValidator:
    """Words alone stand for the field `name`."""
    whole = Decision if name == "text" else NextStep

    def read(value: object) -> object:
        return {name: value} if isinstance(value, str) else value

    return BeforeValidator(read, json_schema_input_type=str | whole)


Decided = Annotated[Decision, _worded("text")]
Next = Annotated[NextStep, _worded("step")]
