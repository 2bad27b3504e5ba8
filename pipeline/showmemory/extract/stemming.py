"""Stems for names: regular endings by the language's stemmer, irregular ones by its lexicon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from showmemory.model.rules import Rules
from showmemory.text.stems import stem


@dataclass(frozen=True)
class Stemming:
    """`irregular`: a form -> its base. `function`: the words a name may hold and a line need not."""

    language: str = "en"
    irregular: Mapping[str, str] = field(default_factory=dict)
    function: frozenset[str] = frozenset()

    @staticmethod
    def of(rules: Rules) -> Stemming:
        """The stemming of the show's language. A line of the lexicon is "base form form"."""
        irregular: dict[str, str] = {}
        for line in rules.words("inflection", "irregular"):
            base, *forms = line.split()
            irregular |= dict.fromkeys(forms, base)
        small = rules.lexicons.get("function")
        function = frozenset(word for held in small.lists.values() for word in held) if small else frozenset()
        return Stemming(rules.language, irregular, function)

    def __call__(self, word: str) -> str:
        """The stem of a folded word."""
        bare = word.removesuffix("'s")
        return stem(self.irregular.get(bare, bare), self.language)
