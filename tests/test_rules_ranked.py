"""The examples of the rules that rank over whole series: little scripts with what must be found and what must not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ranked import RULES, listed, tallied
from showmemory.extract.earn import clip_shows
from showmemory.fold.shown import Shown
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

RANKED = ("callback", "catchphrase", "echo", "gag", "reuse", "world")
FORMS = {"gag": ("running",), "callback": ("callback",), "echo": ("echo",), "world": ("term",)}
FOLDING = Folding.of(RULES)
FINDS = [(name, number) for name in RANKED for number, _ in enumerate(RULES.rule(name).finds)]
PASSES = [(name, number) for name in RANKED for number, _ in enumerate(RULES.rule(name).passes)]


def found(name: str, example: Mapping[str, Any]) -> list[Shown]:
    rows = [row for row in listed(example["episodes"]) if row.entry.form in FORMS.get(name, (row.entry.form,))]
    speaker = example.get("speaker")
    return [row for row in rows if row.entry.kind == "catchphrase" and speaker in row.entry.about] if speaker else rows


def says(row: Shown, words: str) -> bool:
    wanted = f" {phrase(words, FOLDING)} "
    texts = (row.entry.key.rpartition("|")[2], *row.entry.variants, *(use.words for use in row.entry.uses))
    return any(wanted in f" {phrase(text, FOLDING)} " for text in texts)


def clips(example: Mapping[str, Any]) -> frozenset[str]:
    return clip_shows(tallied(example["episodes"]), RULES)


@pytest.mark.parametrize(("name", "number"), FINDS)
def test_what_a_ranked_rule_finds(name: str, number: int) -> None:
    """A55, A56, A61 to A63, F12: each example's words stand among what is shown, in the form it names."""
    example = RULES.rule(name).finds[number]
    if name == "reuse":
        assert clips(example) == set(example["found"])
        return
    for words in example["found"]:
        rows = [row for row in found(name, example) if says(row, words)]
        assert rows, (words, [row.entry.title for row in found(name, example)])
        assert example.get("form", rows[0].entry.form) == rows[0].entry.form
        if words in example.get("setup", ()):
            assert [use.setup for use in rows[0].entry.uses] == [True] + [False] * (len(rows[0].entry.uses) - 1)


@pytest.mark.parametrize(("name", "number"), PASSES)
def test_what_a_ranked_rule_passes_over(name: str, number: int) -> None:
    """F12: everyday words, fixed expressions and a character's own long line are passed over."""
    example = RULES.rule(name).passes[number]
    if name == "reuse":
        assert not clips(example) & set(example["found"])
        return
    for words in example["found"]:
        assert not [row.entry.title for row in found(name, example) if says(row, words)]
