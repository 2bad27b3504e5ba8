"""What an episode sets up and pays off, taken through the episodes in order, and what others take up again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from showmemory.extract.callback import in_episodes
from showmemory.extract.corpus import Floats
from showmemory.extract.entries import Identity, Rows, observations
from showmemory.extract.held import all_plain, found_of
from showmemory.extract.ledger import Found
from showmemory.extract.names import Names
from showmemory.extract.uses import spelling, uses
from showmemory.model.memory import Said
from showmemory.model.observation import Observation


class Callbacks:
    """Callbacks within an episode; words another episode says again in another mouth join them."""

    def __init__(self, names: Names, score: Floats) -> None:
        self.names, self.stand, self._score = names, names.stand, score
        self.values = self.stand.rules.rule("callback").values
        self._found = in_episodes(names, score, self.values["bar"], self.values["most"])
        self._known: dict[int, Found] = {}
        self._rows = Rows(self.stand.show, len(self.stand.corpus.tallies))
        self._is = np.zeros(len(self.stand.grams.first), dtype=bool)

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        _, fresh = next(self._found)
        again: dict[int, Found] = {}
        for found in fresh:
            held = self._known.get(found.head.run)
            if held is None:
                self._learn(found, number)
                yield from self._observed(found, number, fresh=True)
            else:
                held.head.score = max(held.head.score, found.head.score)
                again[id(held)] = held
        for found in again.values():
            yield from self._observed(found, number, fresh=True)
        for found in self._elsewhere(number):
            if id(found) not in again and found.since < number:
                yield from self._observed(found, number, fresh=False)

    def held(self) -> Any:
        """What a pass needs to go on from here."""
        return all_plain(self.stand, {id(found): found for found in self._known.values()}.values())

    def take(self, held: Any) -> None:
        """Go on from there."""
        for found in (found_of(self.stand, one) for one in held):
            found.kept.setdefault("mouths", set())
            for member in found.members:
                self._known[member.run] = found
                self._is[member.run] = True

    def rest(self) -> Iterator[Observation]:
        """What comes back within an episode, but is not worth a callback."""
        for number, found in in_episodes(self.names, self._score, 0.001, self.values["most"] + self.values["rest"]):
            for entry in found:
                if entry.head.run not in self._known:
                    entry.since = number
                    seen = uses(self.stand, entry, number, number).get(number, [])
                    title = self._title(entry, number)
                    held = f"scores {entry.score():.1f}, and {self.values['bar']:.1f} is needed"
                    if entry.score() >= self.values["bar"]:
                        held = "its episode has better ones"
                    new = tuple(" ".join(m.words) for m in entry.members[1:])
                    said = Said(rule="callback", title=title, text=title, variants=new, uses=tuple(seen), earned=False)
                    said = said.model_copy(update={"score": round(entry.score(), 3), "held": held})
                    yield from observations(self.stand, self.identity(entry), {number: said})

    def identity(self, found: Found) -> Identity:
        """The words that came back."""
        words = " ".join(found.head.words)
        return Identity("callback", "gag", "callback", f"callback|{words}", f"callback {words}")

    def _title(self, found: Found, number: int) -> str:
        """What came back, and what came back beside it."""
        held = [found.head, *(m for m in found.kept.get("beside", ()) if m in found.members)]
        return " / ".join(spelling(self.stand, member, number) for member in held)

    def _learn(self, found: Found, number: int) -> None:
        found.since = number
        found.members = [m for m in found.members if m.run not in self._known]
        corpus = self.stand.corpus
        mouths: set[int] = set()
        for member in found.members:
            self._known[member.run] = found
            self._is[member.run] = True
            at = self.stand.grams.places(member.run)
            mouths |= set(corpus.speaker[at[corpus.episode[at] == number]].tolist())
        found.kept["mouths"] = {corpus.speakers[mouth] for mouth in mouths if mouth >= 0}

    def _elsewhere(self, number: int) -> list[Found]:
        """Known callbacks whose words this episode says too, while they are rare."""
        table, again = self.stand.show, self.values["again"]
        rows = self._rows.of(number)
        rows = rows[self._is[table.run[rows]]]
        most = max(again["episodes"], again["share"] * (number + 1))
        rows = rows[table.since(rows) <= most]
        return list({id(f): f for f in (self._known[int(run)] for run in table.run[rows])}.values())

    def _observed(self, found: Found, number: int, *, fresh: bool) -> Iterator[Observation]:
        seen = uses(self.stand, found, number, number).get(number, [])
        if not fresh:
            seen = [use for use in seen if use.speaker and use.speaker not in found.kept["mouths"]]
        if not seen:
            return
        first = found.since == number
        marked = tuple(use.model_copy(update={"setup": first and at == 0}) for at, use in enumerate(seen))
        new = tuple(" ".join(m.words) for m in found.members[1:]) if first else ()
        title = self._title(found, number) if first else None
        score = round(found.score(), 3)
        said = Said(rule="callback", title=title, text=title, variants=new, score=score, uses=marked)
        yield from observations(self.stand, self.identity(found), {number: said})
