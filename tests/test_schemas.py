"""The published schemas are the types', to the byte, and say what the types say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from showmemory.check.memory import load_memory
from showmemory.check.schemas import PUBLISHED, schema, violations, write
from showmemory.model.canonical import dumps
from showmemory.model.memory import GROUPS, ShowMemory


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


KINDS = {
    "story": ("synopsis", "summary"),
    "characters": ("voice", "catchphrase", "relationship", "knowledge"),
    "gags": ("gag",),
    "tone": ("tone", "never", "style"),
    "world": ("fact",),
    "threads": ("thread",),
}


def test_each_kind_has_one_group() -> None:
    """A17 to A28, A30: the twelve kinds, and the one group each belongs to; the settings name the six groups."""
    made = schema("memory")["$defs"]
    assert sorted(made["Entry"]["properties"]["kind"]["enum"]) == sorted(kind for row in KINDS.values() for kind in row)
    assert {group: tuple(kinds) for group, kinds in GROUPS.items()} == KINDS
    assert made["Settings"]["properties"]["kinds"]["default"] == list(KINDS)


SOURCE = {"episode": "ep.soup", "scene": "2", "line": 40, "words": "Nobody move."}


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("by", ["person", "model", "deterministic"], ["machine", ""]),
        ("pinned", [True, False], [None, "yes"]),
        ("locked", [True, False], [1]),
        ("retired", [True, False], ["no"]),
        ("rested", [True, False, None], ["always"]),
        ("status", ["open", "resolved"], ["closed"]),
        ("keep", ["keep", "drop", None], ["maybe"]),
        ("canon", ["established", "provisional", "contested", "plan"], ["true"]),
        ("sources", [[], [SOURCE], [SOURCE | {"page": 8, "paragraph": 3}]], [SOURCE, [{"line": 4}], ["ep.soup"]]),
        ("uses", [[SOURCE], [SOURCE | {"variant": "nobody moves", "setup": True}]], [[SOURCE | {"times": 2}]]),
        ("about", [[], ["character.odile", "gag.teapot"]], ["character.odile", [3]]),
        ("since", ["ep.soup", None], [1]),
        ("said", [{"ep.soup": {"numbers": {"lines": 4}, "measures": {"rate": 0.5}}}], [{"ep.soup": "much"}, []]),
    ],
)
def test_entry_shape(field: str, good: list[object], bad: list[object]) -> None:
    """A8 to A16: what each part of an entry may be, and may not; schema and types agree on every one."""
    for value, holds in [(value, True) for value in good] + [(value, False) for value in bad]:
        document = HEAD | {"entries": [ENTRY | {field: value}]}
        assert (not list(violations("memory", document))) is holds, f"the schema on {value!r}"
        assert (load_memory(dumps(document))[0] is not None) is holds, f"the types on {value!r}"


@pytest.mark.parametrize(
    ("field", "default", "good", "bad"),
    [
        ("apply", "review", ["review", "auto", "manual"], ["ask"]),
        ("kinds", list(KINDS), [[], ["gags"]], [["jokes"], "gags"]),
        ("budgetTokens", 1500, [0, 700], [-1, "700", 1.5]),
        ("detailedEpisodes", 6, [0, 12], [-1]),
        ("restAfter", 2, [1, 5], [0]),
        ("model", "auto", ["auto", "off"], [True]),
    ],
)
def test_settings(field: str, default: object, good: list[object], bad: list[object]) -> None:
    """A29 to A34: each setting, its default, and what it may be."""
    assert schema("memory")["$defs"]["Settings"]["properties"][field]["default"] == default
    for value, holds in [(value, True) for value in [default, *good]] + [(value, False) for value in bad]:
        document = HEAD | {"settings": {field: value}}
        assert (not list(violations("memory", document))) is holds, f"the schema on {value!r}"
        assert (load_memory(dumps(document))[0] is not None) is holds, f"the types on {value!r}"


def test_the_document() -> None:
    """A1: kind, version and id are always written, and the memory's place is bible/memory.json."""
    text = dumps(ShowMemory(id="memory.harbour"))
    assert text.startswith('{\n  "kind": "ShowMemory",\n  "version": 1,\n  "id": "memory.harbour",\n')
    assert (
        load_memory(
            "{",
        )[1][0].span.path
        == "bible/memory.json"
    )


def test_an_old_memory_still_loads(root: Path) -> None:
    """A1, A7, A8: a memory of the first form, with every field it had, loads, is unchanged, and breaks nothing."""
    text = (root / "tests/cases/check/memory-v1.json").read_text(encoding="utf-8")
    memory, problems = load_memory(text)
    assert problems == []
    assert memory is not None
    assert dumps(memory) == text
    assert [error.message for error in violations("memory", json.loads(text))] == []
