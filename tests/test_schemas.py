"""The published schemas are the types', to the byte, and say what the types say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from showmemory.check.schemas import PUBLISHED, schema, violations, write


def test_published_bytes(root: Path, tmp_path: Path) -> None:
    """A7: schemas/v1 is what `make schemas` writes."""
    for made in write(tmp_path):
        held = root / "schemas/v1" / made.name
        assert held.read_bytes() == made.read_bytes(), f"{made.name} is behind the types: run make schemas"
    assert {path.name for path in (root / "schemas/v1").iterdir()} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("name", PUBLISHED)
def test_schema_is_one(name: str) -> None:
    """A7: each is a valid JSON Schema that names itself, forbids unknown keys and spells keys in camelCase."""
    made = schema(name)
    Draft202012Validator.check_schema(made)
    assert made["$schema"].startswith("https://json-schema.org/") and made["$id"] == f"urn:showmemory:v1:{name}"
    shapes = [made, *made.get("$defs", {}).values()]
    for shape in (each for each in shapes if each.get("type") == "object"):
        assert shape["additionalProperties"] is False
        assert all("_" not in key for key in shape["properties"])


ENTRY = {"id": "mem.gag.teapot", "kind": "gag"}
HEAD = {"kind": "ShowMemory", "version": 1, "id": "memory.harbour"}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({}, None),
        ({"entries": [ENTRY]}, None),
        ({"entries": [ENTRY | {"sources": "s02e04"}]}, ["entries", 0, "sources"]),
        ({"entries": [ENTRY | {"kind": "joke"}]}, ["entries", 0, "kind"]),
        ({"settings": {"restAfter": 0}}, ["settings", "restAfter"]),
        ({"settings": {"rest_after": 2}}, ["settings"]),
        ({"version": 2}, ["version"]),
        ({"id": "harbour"}, ["id"]),
        ({"remarks": "none"}, []),
    ],
)
def test_memory_schema_refuses(change: dict[str, Any], place: list[str | int] | None) -> None:
    """A7, A8: what the schema lets through and what not, and where it points."""
    found = [list(error.absolute_path) for error in violations("memory", HEAD | change)]
    assert found == ([] if place is None else [place])
