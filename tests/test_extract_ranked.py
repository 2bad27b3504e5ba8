"""The ranked lists on the sample show: what its labels plant is shown, and what they call a decoy is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from ruamel.yaml import YAML

from episode_reading import SAMPLE, sample_reads
from ranked import RULES, entries
from showmemory.extract.earn import earn
from showmemory.extract.tally import tally
from showmemory.fold.shown import Shown, shown
from showmemory.model.memory import Entry
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

LABELS: dict[str, Any] = YAML(typ="safe", pure=True).load((SAMPLE / "labels.yaml").read_text("utf-8"))
FOLDING = Folding.of(RULES)


@cache
def rows() -> list[Shown]:
    bible, reads = sample_reads()
    tallies = [tally(read, RULES) for read in reads]
    aired = [one.episode for one in tallies]
    seen = [one for _, found in earn(tallies, bible, RULES) for one in found]
    return [row for row in shown(entries(seen, aired), aired) if not row.held]


def among(wanted: Callable[[Entry], bool]) -> list[Entry]:
    return [row.entry for row in rows() if wanted(row.entry)]


def wordings(entry: Entry) -> set[str]:
    return {entry.key.rpartition("|")[2], *entry.variants}


def holding(found: list[Entry], text: str) -> Entry:
    """The entry, among the first ten, one of whose wordings is `text` or holds it."""
    words = phrase(text.replace("___", ""), FOLDING)
    fitting = [one for one in found[:10] if any(f" {words} " in f" {wording} " for wording in wordings(one))]
    assert fitting, (text, [one.title for one in found])
    return fitting[0]


def spots(uses: Any) -> set[tuple[str, str, int]]:
    return {(use["episode"], use["scene"], use["line"]) for use in uses}


def played(entry: Entry) -> set[tuple[str, str, int]]:
    return {(use.episode, use.scene, use.line) for use in entry.uses}


@pytest.mark.parametrize("label", LABELS["catchphrases"], ids=lambda label: label["phrase"])
def test_planted_catchphrases(label: Mapping[str, Any]) -> None:
    """A55, A56, F12: shown of their speaker, in their form, with every use at its line."""
    found = among(lambda e: e.kind == "catchphrase" and label["speaker"] in e.about)
    assert len(found) <= 12
    entry = holding(found, label["phrase"])
    assert entry.form == label["form"]
    assert played(entry) >= spots(label["uses"])


@pytest.mark.parametrize("label", LABELS["running_gags"], ids=lambda label: label["phrase"])
def test_planted_running_gags(label: Mapping[str, Any]) -> None:
    """A57 to A60 beyond the bible: shown, with every use in any mouth."""
    entry = holding(among(lambda e: e.form == "running"), label["phrase"])
    assert played(entry) >= spots(label["uses"])


def often(label: Mapping[str, Any], text: str) -> bool:
    """Whether a phrase of a callback comes more than once in its episode; else it can only be part of the setting."""
    return [use["words"].lower() for use in (label["setup"], *label["payoffs"])].count(text.lower()) > 1


@pytest.mark.parametrize("label", LABELS["callbacks"], ids=lambda label: f"{label['episode']} {label['phrases'][0]}")
def test_planted_callbacks(label: Mapping[str, Any]) -> None:
    """A61, A62: set up once, paid off later in the episode; what is said together is one callback."""
    found = among(lambda e: e.form == "callback" and label["episode"] in e.said)
    entry = holding(found, label["phrases"][0])
    assert {holding(found, text).id for text in label["phrases"] if often(label, text)} == {entry.id}
    uses = [use for use in entry.uses if use.episode == label["episode"]]
    setup = [(use.scene, use.line) for use in uses if use.setup]
    assert (label["setup"]["scene"], label["setup"]["line"]) in setup[:1]
    paid = {(use.scene, use.line) for use in uses if not use.setup}
    assert paid >= {(use["scene"], use["line"]) for use in label["payoffs"] if often(label, use["words"])}


@pytest.mark.parametrize("label", LABELS["echoes"], ids=lambda label: label["returned"]["words"][:40])
def test_planted_echoes(label: Mapping[str, Any]) -> None:
    """A63, G10: planted by one in an episode, returned by another in a later one, both cited."""
    found = among(lambda e: e.form == "echo")[:10]
    ends = {(label[end]["episode"], label[end]["line"]) for end in ("planted", "returned")}
    entry = next(one for one in found if ends <= {(use.episode, use.line) for use in one.uses})
    assert [use.episode for use in entry.uses if use.setup] == [label["planted"]["episode"]]
    assert entry.canon == "provisional"
    assert label["planted"]["episode"] in entry.text


@pytest.mark.parametrize("label", LABELS["decoys"], ids=lambda label: label["phrase"])
def test_decoys_are_in_no_list(label: Mapping[str, Any]) -> None:
    """F12: everyday phrases, fixed expressions and bare names are nobody's catchphrase and nobody's gag."""
    words = phrase(label["phrase"], FOLDING)
    assert not [one.title for one in among(lambda e: e.form != "term") if words in wordings(one)]
