"""Laws of contexts over every episode and scene of the sample show: budget, neighbours, receipts (A94, D24, G3)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from bench.context_probes import fresh

from showmemory.context.context import compose
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.tokens import count
from showmemory.writing import scene_text

BUDGETS = (300, 550, 900, 1500, 3000)


class Shown:
    """The sample show with a context for any scene of it, as of the episode before."""

    def __init__(self, folder):
        self.made, self.sides = fresh(folder)
        self.held = {}
        self.ready = {e: self._ready(e) for e in self.made.plays}

    def _ready(self, episode):
        moment = moment_of(self.made.show, self.made.memory, episode)
        return Ready(self.made.show, moment, self.sides, scripts=self.made.plays)

    def context(self, episode, scene, budget=1500):
        key = (episode, scene.id, budget)
        if key not in self.held:
            self.held[key] = self._context(episode, scene, budget)
        return self.held[key]

    def _context(self, episode, scene, budget):
        text = scene_text(self.made.plays[episode], scene)
        return compose(self.ready[episode], characters=scene.present or None, scene=text, budget=budget)

    def scenes(self, episode):
        return [scene for scene in self.made.plays[episode].scenes if not scene.omitted and scene.end > scene.start]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    return Shown(tmp_path_factory.mktemp("laws"))


def entries(made) -> dict[str, tuple[str, int]]:
    """What is printed but for the layout: id -> its kind and tokens."""
    return {r.id: (r.kind, r.tokens) for r in made.receipt.rows if r.state == "in" and r.limit != "layout"}


def test_more_budget_never_removes(shown):
    """A94: over every episode, its first, middle and last scene: what was printed stays, as long or longer."""
    for episode in shown.made.plays:
        scenes = shown.scenes(episode)
        for scene in {s.id: s for s in (scenes[0], scenes[len(scenes) // 2], scenes[-1])}.values():
            for small, large in pairwise(shown.context(episode, scene, budget) for budget in BUDGETS):
                had, has = entries(small), entries(large)
                had = {id_: row for id_, row in had.items() if row[0] != "heading" and id_ != "left-out"}
                lost = {id_ for id_, (_, tokens) in had.items() if id_ not in has or has[id_][1] < tokens}
                assert not lost, (episode, scene.id, large.receipt.budget, lost)


def test_whatever_comes_or_goes_between_adjacent_scenes_has_its_reason(shown):
    """G3: over every pair of adjacent scenes: in both receipts each entry stands once, and who is out says why."""
    for episode in shown.made.plays:
        for one, two in pairwise(shown.scenes(episode)):
            before, after = (shown.context(episode, scene) for scene in (one, two))
            rows = [{r.id: r for r in made.receipt.rows if r.id.startswith("mem.")} for made in (before, after)]
            assert rows[0].keys() == rows[1].keys()
            for id_ in rows[0]:
                states = [held[id_].state for held in rows]
                if states[0] != states[1]:
                    assert all(held[id_].reason for held in rows), (episode, two.id, id_)
                    assert all(held[id_].limit for held in rows if held[id_].state != "in"), (episode, two.id, id_)


def test_the_receipt_accounts_for_every_token_of_every_scene(shown):
    """G3: rows in state `in` sum to the text, lines of the scripts among them; no id stands twice."""
    for episode in shown.made.plays:
        for scene in shown.scenes(episode):
            made = shown.context(episode, scene)
            rows = [r for r in made.receipt.rows if r.state == "in"]
            assert sum(r.tokens for r in rows) == made.tokens == count(made.text)
            assert max(Counter(r.id for r in made.receipt.rows).values()) == 1
            assert made.tokens <= max(1500, made.receipt.always)


def test_lines_come_from_earlier_episodes_alone(shown):
    """A113, D27: the scripts quoted are those before the episode being written; some are quoted."""
    quoted = 0
    for episode, ready in shown.ready.items():
        for scene in shown.scenes(episode):
            rows = [r for r in shown.context(episode, scene).receipt.rows if r.kind == "lines"]
            quoted += len(rows)
            assert {f"ep.{r.id.split('.')[1]}" for r in rows} <= set(ready.moment.order)
    assert quoted
