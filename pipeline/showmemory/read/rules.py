"""Rule files and lexicons -> Rules, the show's own laid over the standard ones."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from showmemory.model.canonical import compact
from showmemory.model.ids import digest
from showmemory.model.rules import Lexicon, Rule, Rules
from showmemory.model.span import Problem, Span

PACKAGE = "showmemory_rules"
_ABOUT = ("says", "why", "finds", "passes")


def read_rules(language: str = "en", overlay: Path | None = None) -> tuple[Rules, list[Problem]]:
    """Load the standard rules and the lexicons of `language`, then lay `overlay` (a show's rules/ folder) over them."""
    problems: list[Problem] = []
    standard = _tables(files(PACKAGE))
    lexicons = _tables(files(PACKAGE) / language) if (files(PACKAGE) / language).is_dir() else {}
    if overlay and overlay.is_dir():
        standard = _laid_over(standard, overlay, problems)
        if (overlay / language).is_dir():
            lexicons = _laid_over(lexicons, overlay / language, problems, new=True)
    rules = {name: _rule(name, table) for name, table in sorted(standard.items())}
    held = {name: _lexicon(name, table) for name, table in sorted(lexicons.items())}
    return Rules(language, rules, held), problems


def languages() -> list[str]:
    """The languages there are word lists for, by code."""
    return sorted(folder.name for folder in files(PACKAGE).iterdir() if (folder / "headings.toml").is_file())


def _tables(folder: Traversable) -> dict[str, dict[str, Any]]:
    found = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return {f.name.removesuffix(".toml"): tomllib.loads(f.read_text(encoding="utf-8")) for f in found}


def _laid_over(
    standard: dict[str, dict[str, Any]], folder: Path, problems: list[Problem], *, new: bool = False
) -> dict[str, dict[str, Any]]:
    laid = dict(standard)
    for path in sorted(folder.glob("*.toml")):
        where = Span(f"rules/{path.name}")
        if not path.is_file():
            problems.append(Problem(where, "error", "expected a file, found none", "the standard rule is used"))
            continue
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            problems.append(Problem(where, "error", f"expected TOML, found {error}", "the standard rule is used"))
            continue
        if path.stem not in standard and not new:
            known = ", ".join(sorted(standard))
            problems.append(Problem(where, "warning", f"no rule is called {path.stem}", f"rules there are: {known}"))
            continue
        laid[path.stem] = _merged(standard.get(path.stem, {}), table)
    return laid


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(below)
    for name, value in above.items():
        held = made.get(name)
        made[name] = _merged(held, value) if isinstance(held, dict) and isinstance(value, dict) else value
    return made


def _rule(name: str, table: Mapping[str, Any]) -> Rule:
    values = {k: v for k, v in table.items() if k not in _ABOUT}
    return Rule(
        name=name,
        says=str(table.get("says", "")),
        why=str(table.get("why", "")),
        values=values,
        finds=tuple(table.get("finds", ())),
        passes=tuple(table.get("passes", ())),
        hash=digest(compact(values)),
    )


def _lexicon(name: str, table: Mapping[str, Any]) -> Lexicon:
    lists = {k: tuple(str(w) for w in v) for k, v in table.items() if isinstance(v, list)}
    return Lexicon(name, lists, digest(compact({k: list(v) for k, v in lists.items()})))
