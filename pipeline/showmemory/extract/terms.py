"""The words of a show's world as facts, taken through the episodes in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from showmemory.extract.corpus import Floats
from showmemory.extract.entries import ANYBODY, Identity, Rows, observations, sightings, told
from showmemory.extract.events import closed, recurring
from showmemory.extract.held import all_plain, found_of
from showmemory.extract.ledger import Found, Ledger
from showmemory.extract.names import Names
from showmemory.extract.wording import wording
from showmemory.extract.world import Scenery
from showmemory.model.observation import Observation


def term_scores(names: Names, scenery: Scenery) -> Floats:
    """How widely each word of the world is spoken of at every episode that says it; 0 where it is none."""
    stand = names.stand
    table, values = stand.show, stand.rules.rule("world").values
    score = np.zeros(len(table.run), dtype=np.float32)
    back = recurring(table)
    rows = np.flatnonzero(back & closed(stand.grams, table, back, stand.show_count, 0.75))
    rows = rows[table.episode[rows] >= stand.start]
    rows = rows[scenery.worldly(rows)]
    words = wording(names, table, rows)
    spread = np.log2(table.since(rows)) * np.log2(1 + scenery.mouths_by(table.run[rows], table.episode[rows]))
    made = spread * np.sqrt(np.minimum(words.info, 40)) * np.sqrt(0.3 + words.apart)
    passed = words.only_names | words.cut | words.small | (words.numbers > 0) | (words.over < values["over"])
    score[rows] = np.round(np.where(passed, 0, made), 3)
    return score


class Terms:
    """What belongs to the show's world."""

    def __init__(self, names: Names, score: Floats) -> None:
        self.names, self.stand, self.score = names, names.stand, score
        self.values = self.stand.rules.rule("world").values
        self.ledger = Ledger(self.values["variant"])
        self._rows = Rows(self.stand.show, len(self.stand.corpus.tallies))
        self._known = np.zeros(len(self.stand.grams.first), dtype=bool)

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        rows, table = self._rows.of(number), self.stand.show
        rows = rows[(self.score[rows] > 0) | self._known[table.run[rows]]]
        seen = sightings(self.names, table, rows, self.score, self.stand.show_count, owned=False)
        for found in self.ledger.settle(number, self._bar(), seen):
            self._known[[member.run for member in found.members]] = True
            said = told(self.stand, found, number, ANYBODY, "world", {}, once=True)
            yield from observations(self.stand, self.identity(found), said)

    def held(self) -> Any:
        """What a pass needs to go on from here."""
        return all_plain(self.stand, self.ledger.found)

    def take(self, held: Any) -> None:
        """Go on from there."""
        self.ledger.take(found_of(self.stand, one) for one in held)
        self._known[[m.run for found in self.ledger.found for m in found.members]] = True

    def rest(self) -> Iterator[Observation]:
        """Nothing: every term is either kept or said too narrowly to be one."""
        return iter(())

    def identity(self, found: Found) -> Identity:
        """The words the term was first known by."""
        words = " ".join(found.head.words)
        return Identity("world", "fact", "term", f"term|{words}", f"term {words}")

    def _bar(self) -> float:
        scores = sorted((found.score() for found in self.ledger.found), reverse=True)
        return max(0.001, scores[self.values["most"] - 1] if len(scores) >= self.values["most"] else 0.0)
