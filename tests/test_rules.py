"""Every example of every rule file that reads one episode is a test; the rules page is made of the same files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from episode_reading import RULES, read_example
from showmemory.extract.per_episode import MECHANISMS

FOUND = [(name, number) for name in MECHANISMS for number, _ in enumerate(RULES.rule(name).finds)]
PASSED = [(name, number) for name in MECHANISMS for number, _ in enumerate(RULES.rule(name).passes)]


def observed(name: str, example: Any) -> list[dict[str, Any]]:
    read, bible = read_example(example)
    return [seen.model_dump(mode="json") for seen in MECHANISMS[name].find(read, bible, RULES)]


def holds(wanted: Any, seen: Any, *, within: bool = False) -> bool:
    """Whether all that is wanted is seen: parts of tables, lists item by item, texts whole or (`within`) in part."""
    if isinstance(wanted, dict):
        return isinstance(seen, dict) and all(k in seen and holds(v, seen[k], within=within) for k, v in wanted.items())
    if isinstance(wanted, list):
        together = isinstance(seen, list) and len(wanted) == len(seen)
        return together and all(holds(w, s, within=within) for w, s in zip(wanted, seen, strict=True))
    if isinstance(wanted, str) and isinstance(seen, str):
        return wanted.strip().lower() in seen.lower() if within else wanted.strip() == seen.strip()
    return bool(wanted == seen)


@pytest.mark.parametrize(("name", "number"), FOUND)
def test_what_a_rule_finds(name: str, number: int) -> None:
    """A52 to A54, A57 to A60, A64 to A67: each example's values are found."""
    example = RULES.rule(name).finds[number]
    seen = observed(name, example)
    for wanted in example["found"]:
        assert any(holds(wanted, one) for one in seen), (wanted, seen)
    for unwanted in example.get("never", ()):
        assert not any(holds(unwanted, one, within=True) for one in seen), (unwanted, seen)


@pytest.mark.parametrize(("name", "number"), PASSED)
def test_what_a_rule_passes_over(name: str, number: int) -> None:
    example = RULES.rule(name).passes[number]
    seen = observed(name, example)
    if "never" not in example:
        assert seen == []
    for unwanted in example.get("never", ()):
        assert not any(holds(unwanted, one, within=True) for one in seen), (unwanted, seen)


def test_every_rule_has_examples_and_a_reason() -> None:
    """A rule without an example that matches, one that does not, a line of what and a word of why is no rule."""
    poor = [r.name for r in RULES.rules.values() if not (r.says and r.why and r.finds and r.passes)]
    assert poor == []


def test_every_mechanism_has_its_rule_file() -> None:
    assert set(MECHANISMS) <= set(RULES.rules)


def test_the_rules_page_is_current(root: Path) -> None:
    """docs/rules.md says what the rule files say; `python docs/make_rules.py` writes it anew."""
    made = subprocess.run(
        [sys.executable, str(root / "docs" / "make_rules.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout + made.stderr
