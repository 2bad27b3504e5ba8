"""Rules as data: what a rule file says, and the lexicons of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Rule:
    """One rule file: `values` are its thresholds, `hash` the sha256 of all that decides them (overlays included)."""

    name: str
    says: str
    why: str
    values: Mapping[str, Any]
    finds: tuple[Mapping[str, Any], ...] = ()
    passes: tuple[Mapping[str, Any], ...] = ()
    hash: str = ""


@dataclass(frozen=True)
class Lexicon:
    """One lexicon file of a language: name of list -> its words, in file order."""

    name: str
    lists: Mapping[str, tuple[str, ...]]
    hash: str = ""


@dataclass(frozen=True)
class Rules:
    """All rules and the lexicons of the show's language, overlays applied."""

    language: str
    rules: Mapping[str, Rule] = field(default_factory=dict)
    lexicons: Mapping[str, Lexicon] = field(default_factory=dict)

    def rule(self, name: str) -> Rule:
        """The rule called `name`; a missing one is our bug."""
        return self.rules[name]

    def words(self, lexicon: str, name: str) -> tuple[str, ...]:
        """A list of a lexicon, empty where the language has none."""
        held = self.lexicons.get(lexicon)
        return held.lists.get(name, ()) if held else ()
