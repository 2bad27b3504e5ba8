"""The show's running gags, taken through the episodes in order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from showmemory.extract.corpus import Floats
from showmemory.extract.entries import ANYBODY, Identity, Rows, latest, leftover, observations, sightings, told, untold
from showmemory.extract.ledger import Found, Ledger
from showmemory.extract.names import Names
from showmemory.model.observation import Observation


class Gags:
    """What the whole show comes back to."""

    def __init__(self, names: Names, score: Floats) -> None:
        self.names, self.stand, self.score = names, names.stand, score
        self.values = self.stand.rules.rule("gag").values
        self.ledger = Ledger(self.values["variant"])
        self._rows = Rows(self.stand.show, len(self.stand.corpus.tallies))
        self._known = np.zeros(len(self.stand.grams.first), dtype=bool)

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        rows, table = self._rows.of(number), self.stand.show
        least = self._bar(number + 1)
        low = least * self.values["variant"]["score"]
        rows = rows[(self.score[rows] >= low) | self._known[table.run[rows]]]
        seen = sightings(self.names, table, rows, self.score, self.stand.show_count, owned=False)
        for found in self.ledger.settle(number, least, seen):
            self._known[[m.run for m in found.members]] = True
            said = told(self.stand, found, number, ANYBODY, "gag", {})
            yield from observations(self.stand, self.identity(found), said)

    def rest(self) -> Iterator[Observation]:
        """What comes back too little to be earned."""
        rows = latest(self.stand.show, self.score, 8 * self.values["rest"])
        seen = sightings(self.names, self.stand.show, rows, self.score, self.stand.show_count, owned=False)
        for found in leftover(self.ledger, seen, len(self.stand.corpus.tallies) - 1)[: self.values["rest"]]:
            extra = {"held": f"scores {found.score():.0f}, and others score more"}
            yield from observations(self.stand, self.identity(found), untold(self.stand, found, ANYBODY, "gag", extra))

    def identity(self, found: Found) -> Identity:
        """The words the entry was earned with."""
        words = " ".join(found.head.words)
        return Identity("gag", "gag", "running", f"running|{words}", words)

    def _bar(self, episodes: int) -> float:
        """What a newcomer must reach: the score of the entry at the last place there is room for."""
        need = self.values["bar"]
        places = int(min(need["last"], need["first"] + need["each_episode"] * episodes))
        scores = sorted((found.score() for found in self.ledger.found), reverse=True)
        return max(float(need["floor"]), scores[places - 1] if len(scores) >= places else 0.0)
