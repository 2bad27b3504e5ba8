"""The show's running gags, taken through the episodes in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from showmemory.extract.corpus import Floats, Ints
from showmemory.extract.entries import ANYBODY, Identity, Rows, latest, leftover, observations, sightings, told, untold
from showmemory.extract.gag import OFTEN, PART, REASONS
from showmemory.extract.held import all_plain, found_of
from showmemory.extract.ledger import Found, Ledger
from showmemory.extract.names import Names
from showmemory.model.observation import Observation


class Gags:
    """What the whole show comes back to."""

    def __init__(self, names: Names, scores: tuple[Floats, Ints]) -> None:
        self.names, self.stand = names, names.stand
        self.score, self.why = scores
        self.values = self.stand.rules.rule("gag").values
        self.ledger = Ledger(self.values["variant"], PART)
        self._rows = Rows(self.stand.show, len(self.stand.corpus.tallies))
        self._known = np.zeros(len(self.stand.grams.first), dtype=bool)

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        rows, table = self._rows.of(number), self.stand.show
        least = self._bar(number + 1)
        low = least * self.values["variant"]["score"]
        rows = rows[(self.score[rows] >= low) | self._known[table.run[rows]]]
        seen = sightings(self.names, table, rows, self.score, self.stand.show_count, self.why, owned=False)
        for found in self.ledger.settle(number, least, seen):
            self._known[[m.run for m in found.members]] = True
            best = found.members[found.leads()]
            if self._over(found, over=best.why == OFTEN or best.score < self.values["dormant"] * least):
                continue
            extra = {"held": REASONS[best.why]} if best.why else {}
            said = told(self.stand, found, number, ANYBODY, "gag", extra)
            yield from observations(self.stand, self.identity(found), said)

    def _over(self, found: Found, *, over: bool) -> bool:
        """Whether it was over before and still is: what everybody says, or far below others, is told of no more."""
        before = found.kept.get("over", False)
        found.kept["over"] = over
        return bool(before and over)

    def held(self) -> Any:
        """What a pass needs to go on from here."""
        return all_plain(self.stand, self.ledger.found)

    def take(self, held: Any) -> None:
        """Go on from there."""
        self.ledger.take(found_of(self.stand, one) for one in held)
        self._known[[m.run for found in self.ledger.found for m in found.members]] = True

    def rest(self) -> Iterator[Observation]:
        """What comes back too little to be earned."""
        rows = latest(self.stand.show, self.score, 8 * self.values["rest"])
        table, count = self.stand.show, self.stand.show_count
        seen = sightings(self.names, table, rows, self.score, count, self.why, owned=False)
        for found in leftover(self.ledger, seen, len(self.stand.corpus.tallies) - 1)[: self.values["rest"]]:
            extra = {"held": REASONS[found.head.why] or f"scores {found.score():.0f}, and others score more"}
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
