"""The measures of a voice as rates of its counts, and how far two rates lie apart."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

# Measure -> what is counted, and out of what. Only `line_words` is no share.
RATES: Mapping[str, tuple[str, str]] = {
    "line_words": ("words", "lines"),
    "questions": ("questions", "sentences"),
    "exclamations": ("exclamations", "sentences"),
    "short": ("short", "sentences"),
    "cut": ("cut", "lines"),
    "trailing": ("trailing", "lines"),
    "contractions": ("contractions", "words"),
    "parens": ("parens", "lines"),
}


def rate(name: str, numbers: Mapping[str, float]) -> float:
    """A measure's value: words a line, questions a sentence, …; 0 where there is nothing to measure."""
    counted, of = RATES[name]
    total = numbers.get(of, 0)
    return numbers.get(counted, 0) / total if total else 0.0


def difference(name: str, own: Mapping[str, float], rest: Mapping[str, float]) -> float:
    """By how many standard errors two rates differ. The length of lines is taken to spread as widely as its mean."""
    counted, of = RATES[name]
    n, m = own.get(of, 0), rest.get(of, 0)
    if not n or not m:
        return 0.0
    p, q = own.get(counted, 0) / n, rest.get(counted, 0) / m
    if counted == "words":
        spread = p * p / n + q * q / m
    else:
        both = (own.get(counted, 0) + rest.get(counted, 0)) / (n + m)
        spread = both * (1 - both) * (1 / n + 1 / m)
    return (p - q) / sqrt(spread) if spread > 0 else 0.0
