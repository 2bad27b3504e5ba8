"""The text of memory.json, and the show -> the memory it holds, and Problems that name path, line and column."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from showmemory.check.finding import Finding, problems
from showmemory.check.links import findings
from showmemory.check.parse import UNTOUCHED, parse
from showmemory.check.refusals import refusals
from showmemory.check.schemas import violations
from showmemory.check.wording import kind_of
from showmemory.model.canonical import plain
from showmemory.model.memory import ShowMemory
from showmemory.model.show import Show
from showmemory.model.span import Problem, Span

# jsonschema takes 0.1 s over 1,000 statements, 8 s over a long show, and asks nothing the strict types do not ask.
SCHEMA_LIMIT = 5_000
SHOWN = 20


def load_memory(text: str, path: str = "bible/memory.json") -> tuple[ShowMemory | None, list[Problem]]:
    """Read memory strictly: JSON, no key twice, the right version, every type as the schema says (A7)."""
    text = text.removeprefix("\ufeff")
    document, problem = parse(text, path)
    if problem:
        return None, [problem]
    strange = _strange(document)
    if strange:
        return None, _refused([strange], text, path)
    # Its plain values take many times the room of the text, and are read again where something is wrong.
    del document
    try:
        return ShowMemory.model_validate_json(text, strict=True, by_alias=True, by_name=False), []
    except ValidationError as error:
        return None, _refused(refusals(error, json.loads(text), ShowMemory), text, path)


def check_memory(memory: str | ShowMemory, show: Show, path: str = "bible/memory.json") -> list[Problem]:
    """Hold memory against its types, the published schema (unless it is big), itself and the show (A38 to A43).

    From the text of a file every Problem has its line; a memory about to be written has none yet.
    """
    if isinstance(memory, ShowMemory):
        return _against_schema(memory, plain(memory), "", path) + check_links(memory, show, path)
    held, wrong = load_memory(memory, path)
    if held is None:
        return wrong
    text = memory.removeprefix("\ufeff")
    return _against_schema(held, json.loads(text), text, path) + check_links(held, show, path, text)


def check_links(memory: ShowMemory, show: Show, path: str = "bible/memory.json", text: str = "") -> list[Problem]:
    """Hold a memory, read or about to be written, against itself and the show; `text` gives each Problem its line."""
    return problems(list(findings(memory, show)), text, path)


def _strange(document: object) -> Finding | None:
    """Say when this is another document, or of another version, before its types are looked at."""
    if not isinstance(document, dict):
        return Finding((), "error", f"expected an object, found {kind_of(document)}")
    kind, version = document.get("kind"), document.get("version")
    if kind != "ShowMemory":
        found = f'"{kind}"' if isinstance(kind, str) else "none" if kind is None else kind_of(kind)
        return Finding(("kind",), "error", f'expected the kind "ShowMemory", found {found}')
    if type(version) is int and version > 1:
        newer = f"written by a newer showmemory: version {version}, and this one reads version 1"
        return Finding(("version",), "error", newer, "update showmemory")
    if type(version) is not int or version < 1:
        found = "none" if version is None else kind_of(version)
        return Finding(("version",), "error", f"expected version 1, found {found}")
    return None


def _against_schema(memory: ShowMemory, document: object, text: str, path: str) -> list[Problem]:
    if len(memory.entries) + sum(len(entry.said) for entry in memory.entries) > SCHEMA_LIMIT:
        said = "too big for jsonschema, so held against the types alone; they ask what the published schema asks"
        return [Problem(Span(path), "notice", said)]
    found = [(tuple(each.absolute_path), each.message[:200]) for each in violations("memory", document)]
    rows = [Finding(place, "error", f"against the published schema: {message}") for place, message in found]
    return _refused(rows, text, path)


def _refused(found: Sequence[Finding], text: str, path: str) -> list[Problem]:
    """Give the first refusals their lines and count the rest; the last one says that nothing is lost."""
    made = sorted(problems(found[:SHOWN], text, path))
    if len(found) > SHOWN:
        made.append(Problem(Span(path), "error", f"and {len(found) - SHOWN} more like these"))
    if made:
        hint = "; ".join(part for part in (made[-1].hint, UNTOUCHED) if part)
        made[-1] = replace(made[-1], hint=hint)
    return made
