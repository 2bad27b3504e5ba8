"""The rule as first written: any run of three or more words that a character says again in another episode (A56)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from showmemory.extract.entries import Identity, Rows, observations, told
from showmemory.extract.events import closed
from showmemory.extract.held import all_plain, found_of
from showmemory.extract.ledger import Found, Member
from showmemory.extract.names import Names
from showmemory.model.observation import Observation

LEAST = 3


class Literal:
    """Every repeated run, the longest form of each; reported without a score, so no list is cut."""

    def __init__(self, names: Names) -> None:
        self.stand = names.stand
        own = self.stand.own
        again = own.since() >= 2
        whole = closed(self.stand.grams, own, again, own.so_far(own.count), 1.0)
        self._earns = again & whole & (self.stand.grams.size[own.row] >= LEAST)
        self._rows = Rows(own, len(self.stand.corpus.tallies))
        self._found: dict[int, Found] = {}

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        own = self.stand.own
        rows = self._rows.of(number)
        known = np.fromiter((int(group) in self._found for group in own.group[rows]), bool, len(rows))
        for row in rows[known | self._earns[rows]].tolist():
            group = int(own.group[row])
            if group not in self._found:
                self._found[group] = self._made(row, number)
            found = self._found[group]
            said = told(self.stand, found, number, found.owner, "catchphrase", {"about": (self._who(found),)})
            yield from observations(self.stand, self._identity(found), said)

    def held(self) -> Any:
        """What a pass needs to go on from here."""
        return all_plain(self.stand, self._found.values())

    def take(self, held: Any) -> None:
        """Go on from there."""
        own = self.stand.own
        for found in (found_of(self.stand, one) for one in held):
            found.given = True
            code = (found.head.run * own.people + found.owner) * own.wide
            self._found[int(own.group[np.searchsorted(own.code, code)])] = found

    def rest(self) -> Iterator[Observation]:
        """Nothing: this rule holds nothing back."""
        return iter(())

    def _made(self, row: int, number: int) -> Found:
        own, grams = self.stand.own, self.stand.grams
        words = self.stand.corpus.words(int(grams.place[own.row[row]]), int(grams.size[own.row[row]]))
        member = Member(int(own.run[row]), words, number, 0.0, 0.0)
        return Found(int(own.owner[row]), number, [member], given=True)

    def _who(self, found: Found) -> str:
        return self.stand.corpus.speakers[found.owner]

    def _identity(self, found: Found) -> Identity:
        who, words = self._who(found), " ".join(found.head.words)
        name = f"{who.removeprefix('character.')} {words}"
        return Identity("catchphrase", "catchphrase", "phrase", f"{who}|{words}", name, (who,))
