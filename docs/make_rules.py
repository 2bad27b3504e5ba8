"""Write docs/rules.md from the rule files: `python docs/make_rules.py`, or with `--check` say whether it is current."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("rules.md")
RULES = Path(__file__).resolve().parent.parent / "rules" / "showmemory_rules"
INPUTS = ("bible", "outline", "continuity", "directed")
HEAD = """# Rules

What the deterministic pass looks for, one rule a section. Each is a file in `rules/showmemory_rules/`; a show lays its
own numbers over them in a file of the same name in its `rules/` folder. Every example here is a test.

This page is made of those files by `python docs/make_rules.py`.
"""


def page() -> str:
    """The page, whole."""
    sections = [HEAD]
    for path in sorted(RULES.glob("*.toml")):
        source = path.read_text(encoding="utf-8")
        sections.append("\n".join(section(path.stem, source, tomllib.loads(source))))
    return "\n".join(sections)


def section(name: str, source: str, rule: Mapping[str, Any]) -> Iterator[str]:
    """One rule: what and why, its numbers with their comments, and its examples."""
    yield f"## {name}\n\n{rule.get('says', '')}\n\n*Why:* {rule.get('why', '')}\n"
    if numbers := thresholds(source):
        yield f"```toml\n{numbers}\n```\n"
    for kind, title in (("finds", "Finds"), ("passes", "Passes over")):
        for example in rule.get(kind, ()):
            yield from shown(title, example)


def thresholds(source: str) -> str:
    """The numbers of a rule file as they stand in it, comments and all."""
    values = source.split("\n[[", 1)[0].splitlines()
    return "\n".join(line for line in values if not line.startswith(("says =", "why ="))).strip()


def shown(title: str, example: Mapping[str, Any]) -> Iterator[str]:
    """One example: its note, what is read, and what must come of it."""
    note = example.get("note", "")
    yield f"{title}{f': {note}' if note else ''}\n"
    for value in example.values():
        if isinstance(value, str) and "\n" in value:
            yield f"```\n{value.strip()}\n```\n"
    rest = {k: v for k, v in example.items() if k != "note" and not (isinstance(v, str) and "\n" in v)}
    for name in sorted(rest, key=lambda key: (key not in INPUTS, key)):
        rows = rest[name] if isinstance(rest[name], list) else [rest[name]]
        lines = "\n".join(json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows)
        yield f"{name}:\n\n```json\n{lines}\n```\n"


def main() -> int:
    """Write the page, or check it."""
    made = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(made, encoding="utf-8", newline="\n")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == made:
        return 0
    print("docs/rules.md is not what the rule files say: run python docs/make_rules.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
