"""The text of memory.json, and the show -> the memory it holds, and Problems that name path, line and column."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from jsonschema.exceptions import ValidationError as Violation
from pydantic import ValidationError

from showmemory.check.links import findings
from showmemory.check.parse import UNTOUCHED, parse, problem_at
from showmemory.check.positions import Lines, places
from showmemory.check.refusals import Refusal, refusals
from showmemory.check.schemas import violations
from showmemory.check.wording import kind_of
from showmemory.model.memory import ShowMemory
from showmemory.model.show import Show
from showmemory.model.span import Problem, Span

# jsonschema takes 8 s over 20,000 entries and finds nothing there that the types, read strictly, let pass.
SCHEMA_LIMIT = 2_000_000
SHOWN = 20


def load_memory(text: str, path: str = "bible/memory.json") -> tuple[ShowMemory | None, list[Problem]]:
    """Read memory strictly: JSON, no key twice, the right version, every type as the schema says (A7)."""
    text = text.removeprefix("\ufeff")
    document, problem = parse(text, path)
    if problem:
        return None, [problem]
    strange = _strange(document)
    if strange:
        return None, _placed([strange], text, path)
    try:
        return ShowMemory.model_validate_json(text, strict=True, by_alias=True, by_name=False), []
    except ValidationError as error:
        return None, _placed(refusals(error, document, ShowMemory), text, path)


def check_memory(text: str, show: Show, path: str = "bible/memory.json") -> list[Problem]:
    """Hold memory.json against its types, the published schema (up to 2 MB), itself and the show (A38 to A43)."""
    memory, problems = load_memory(text, path)
    if memory is None:
        return problems
    text = text.removeprefix("\ufeff")
    if len(text) <= SCHEMA_LIMIT:
        problems += _placed([_row(found) for found in violations("memory", json.loads(text))], text, path)
    else:
        size = f"over {SCHEMA_LIMIT // 1_000_000} MB"
        said = f"{size}, so held against the types alone; they ask what the published schema asks"
        problems.append(Problem(Span(path), "notice", said))
    return problems + check_links(memory, show, path, text)


def check_links(memory: ShowMemory, show: Show, path: str = "bible/memory.json", text: str = "") -> list[Problem]:
    """Hold a memory, read or about to be written, against itself and the show; `text` gives each Problem its line."""
    found = list(findings(memory, show))
    if not text:
        return [Problem(Span(path), each.severity, each.message, each.hint, group=each.group) for each in found]
    at, lines = places(text, {each.place for each in found}), Lines(text)
    return [
        problem_at(path, lines, at[each.place], each.message, each.hint, each.severity, each.group) for each in found
    ]


def _strange(document: object) -> Refusal | None:
    """Say when this is another document, or of another version, before its types are looked at."""
    if not isinstance(document, dict):
        return (), f"expected an object, found {kind_of(document)}", ""
    kind, version = document.get("kind"), document.get("version")
    if kind != "ShowMemory":
        found = f'"{kind}"' if isinstance(kind, str) else "none" if kind is None else kind_of(kind)
        return ("kind",), f'expected the kind "ShowMemory", found {found}', ""
    if type(version) is int and version > 1:
        newer = f"written by a newer showmemory: version {version}, and this one reads version 1"
        return ("version",), newer, "update showmemory"
    if type(version) is not int or version < 1:
        return ("version",), f"expected version 1, found {'none' if version is None else kind_of(version)}", ""
    return None


def _row(found: Violation) -> Refusal:
    return tuple(found.absolute_path), f"against the published schema: {found.message[:200]}", ""


def _placed(refused: Sequence[Refusal], text: str, path: str) -> list[Problem]:
    """Give each refusal its line; the last one says that nothing is lost."""
    shown = refused[:SHOWN]
    at, lines = places(text, {place for place, _, _ in shown}), Lines(text)
    made = sorted(problem_at(path, lines, at[place], what, hint) for place, what, hint in shown)
    if len(refused) > SHOWN:
        made.append(Problem(Span(path), "error", f"and {len(refused) - SHOWN} more like these"))
    if made:
        hint = "; ".join(part for part in (made[-1].hint, UNTOUCHED) if part)
        made[-1] = replace(made[-1], hint=hint)
    return made
