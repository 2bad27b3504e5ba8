"""The published JSON Schemas, from the types: `python -m showmemory.check.schemas [FOLDER]` writes schemas/v1."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from showmemory.model.base import Frozen
from showmemory.model.canonical import dumps
from showmemory.model.interpretation import Readings
from showmemory.model.memory import ShowMemory
from showmemory.model.plan import Plan
from showmemory.model.show import Bible, ContinuityLog, Directed, Outline, ShowConfig, Theme

PUBLISHED: dict[str, type[Frozen]] = {
    "memory": ShowMemory,
    "proposal": Plan,
    "bible": Bible,
    "theme": Theme,
    "readings": Readings,
    "show": ShowConfig,
    "outline": Outline,
    "continuity": ContinuityLog,
    "directed": Directed,
}


@cache
def schema(name: str) -> dict[str, Any]:
    """Give the JSON Schema of the document called `name`, with camelCase keys."""
    made = PUBLISHED[name].model_json_schema(by_alias=True)
    head = {"$schema": Draft202012Validator.META_SCHEMA["$id"], "$id": f"urn:showmemory:v1:{name}"}
    return head | made


def violations(name: str, document: object) -> Iterator[ValidationError]:
    """Yield each place where `document` breaks the schema called `name`, in document order. Slow on big documents."""
    errors = Draft202012Validator(schema(name)).iter_errors(document)
    yield from sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])


def write(folder: Path) -> list[Path]:
    """Write every schema into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in PUBLISHED:
        path = folder / f"{name}.schema.json"
        path.write_text(dumps(schema(name)), encoding="utf-8", newline="\n")
        written.append(path)
    return written


if __name__ == "__main__":
    for made in write(Path(sys.argv[1] if len(sys.argv) > 1 else "schemas/v1")):
        sys.stdout.write(f"{made}\n")
