"""The hand-written probes of contexts are honest, and contexts hold up against them (issue 7, D23, D46)."""

from __future__ import annotations

from collections import Counter

import pytest
from bench.context_probes import HALVES, KINDS, Bench, folded, fresh, measure, probes

from showmemory.model.screenplay import UNSEEN

# Must-recall on the seen half at 1,500 tokens: a change of the selector that falls below has to say why.
FLOOR = 0.75
PROBES = probes()


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """The sample show, remembered once."""
    return Bench(*fresh(tmp_path_factory.mktemp("probes")))


def played(bench, probe) -> str:
    """All that is seen and heard up to the moment of a probe, folded."""
    order = bench.ways(probe).ready.moment.upto
    elements = (e for episode in order for e in bench.made.plays[episode].elements if e.kind not in UNSEEN)
    return folded(" ".join(e.text for e in elements))


def test_every_probe_is_whole():
    """Ids stand once, kinds and halves are known, every probe needs something, the halves are level."""
    assert len(PROBES) >= 60
    assert max(Counter(p.id for p in PROBES).values()) == 1
    assert all(p.kind in KINDS and p.half in HALVES and p.must and p.scene and p.cast for p in PROBES)
    assert all(words for p in PROBES for item in (*p.must, *p.should, *p.forbidden) for words in item.words)
    count = Counter((p.kind, p.half) for p in PROBES)
    assert all(abs(count[kind, "seen"] - count[kind, "unseen"]) <= 2 for kind in KINDS)


def test_every_probe_stands_in_the_show(bench):
    """Its episode exists, its cast has spoken or is in the bible, its witness is of the cast."""
    for probe in PROBES:
        assert probe.as_of in bench.made.labels, probe.id
        assert probe.witness is None or probe.witness in probe.cast, probe.id
        names = bench.ways(probe).ready.names
        there = played(bench, probe)
        assert all(names.id_of(who) or who.lower() in there for who in probe.cast), probe.id


def test_what_is_forbidden_has_not_happened(bench):
    """What must not be told stands in no script up to the moment; a witness may not have seen what does."""
    for probe in PROBES:
        there = "" if probe.witness else played(bench, probe)
        assert not [item.say for item in probe.forbidden if item.told(there)], probe.id


def test_contexts_tell_what_must_be_told(bench):
    """The floor of must-recall; nothing forbidden and nothing from the future is told at any budget (D23, B3)."""
    seen = [p for p in PROBES if p.half == "seen"]
    found = measure(bench, seen, ways=("context",))
    assert found["must", "all", "context", 1500].share >= FLOOR
    for budget in (300, 700, 1500, 3000):
        assert found["forbidden", "all", "context", budget].told == 0
        assert found["future", "all", "context", budget].told == 0
