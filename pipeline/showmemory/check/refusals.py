"""What the types refuse in a document -> one finding a place: what was expected and found, a hint."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from showmemory.check.finding import Finding
from showmemory.check.positions import Place
from showmemory.check.wording import refusal


def refusals(error: ValidationError, document: object, model: type[BaseModel]) -> list[Finding]:
    """Give a finding for each place that `model` refused: a union reports each of its arms, and one is enough."""
    rows: dict[Place, Finding] = {}
    for each in error.errors(include_url=False):
        place = _within(each["loc"], document)
        message, hint = refusal(each, _known(each, model))
        rows.setdefault(place if each["type"] != "missing" else each["loc"], Finding(place, "error", message, hint))
    return list(rows.values())


def _within(loc: Sequence[str | int], document: object) -> Place:
    """Take the part of `loc` that the document has: a union's arm and a missing key are no places in the text."""
    at = document
    for depth, part in enumerate(loc):
        try:
            at = at[part]  # type: ignore[index]
        except (TypeError, KeyError, IndexError):
            return tuple(loc[:depth])
    return tuple(loc)


def _known(error: ErrorDetails, model: type[BaseModel]) -> list[str]:
    """List the keys that may stand where `error` does, as JSON spells them."""
    for part in error["loc"][:-1]:
        fields = {field.alias or name: field for name, field in model.model_fields.items()}
        if part in fields:
            model = _inner(fields[str(part)].annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _inner(annotation: object) -> type[BaseModel] | None:
    """Find the model inside Model, Model | None, tuple[Model, ...] or dict[str, Model]."""
    for inner in (annotation, *getattr(annotation, "__args__", ())):
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            return inner
    return None
