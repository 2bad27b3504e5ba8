"""How much more one speaker says a word than everyone else."""

from __future__ import annotations

from collections.abc import Mapping
from math import log, log2, sqrt


class Keyness:
    """Log-odds of a word against the rest, the show itself as prior of `prior` words, in standard errors."""

    def __init__(self, own: Mapping[str, int], everyone: Mapping[str, int], prior: float) -> None:
        self.own, self.everyone, self.prior = own, everyone, prior
        self.said = sum(own.values())
        self.rest = sum(everyone.values()) - self.said

    def __call__(self, word: str) -> float:
        """The z value of `word`; 0 where nobody else has spoken."""
        if not self.rest:
            return 0.0
        count, total = self.own.get(word, 0), self.everyone.get(word, 0) or 1
        expected = self.prior * total / (self.said + self.rest)
        own, rest = count + expected, max(total - count, 0) + expected
        odds = log(own / (self.said + self.prior - own)) - log(rest / (self.rest + self.prior - rest))
        return odds / sqrt(1 / own + 1 / rest)

    def doublings(self, word: str) -> float:
        """How many times over, in powers of two, the word's rate is that of everyone else."""
        own, total = self.own.get(word, 0), self.everyone.get(word, 0)
        if not self.said or not self.rest or not own:
            return 0.0
        return round(log2((own / self.said) / ((total - own + 1) / self.rest)), 3)
