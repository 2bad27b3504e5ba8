"""Canonical JSON: declared order, two spaces, LF, one final newline, nothing absent written, no clock values."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json

from showmemory.model.ids import digest

_HEAD = ("kind", "version", "id", "settings")


def plain(model: BaseModel) -> dict[str, Any]:
    """`model` as plain JSON values, camelCase keys, fields left at their default not written.

    A document's head (kind, version, id, settings) is always written whole, but for settings that came later (`quiet`).
    """
    made: dict[str, Any] = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    fields = type(model).model_fields
    if "version" not in fields:
        return made
    head = {name: getattr(model, name) for name in _HEAD if name in fields}
    whole = {n: _whole(v) if isinstance(v, BaseModel) else v for n, v in head.items()}
    return {**whole, **{name: value for name, value in made.items() if name not in whole}}


def _whole(part: BaseModel) -> dict[str, Any]:
    fields = type(part).model_fields
    quiet = {n for n in getattr(part, "quiet", ()) if getattr(part, n) == fields[n].default}
    return part.model_dump(mode="json", by_alias=True, exclude=quiet)


def dumps(value: BaseModel | dict[str, Any] | list[Any]) -> str:
    """The canonical text of a model or of plain values."""
    data = plain(value) if isinstance(value, BaseModel) else value
    return to_json(data, indent=2, inf_nan_mode="strings").decode("utf-8") + "\n"


def compact(value: Any) -> str:
    """One line of canonical JSON with sorted keys, for keys and fingerprints."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def fingerprint(value: Any) -> str:
    """Twelve hex digits that stand for a field's value."""
    return digest(compact(value))[:12]
