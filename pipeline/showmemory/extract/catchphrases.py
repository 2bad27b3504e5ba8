"""Each character's catchphrases, taken through the episodes in order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from showmemory.extract.catchphrase import PART, REASONS, Scored
from showmemory.extract.entries import (
    ANYBODY,
    Identity,
    Rows,
    latest,
    leftover,
    observations,
    sightings,
    told,
    untold,
)
from showmemory.extract.held import all_plain, found_of
from showmemory.extract.ledger import Found, Ledger, Member
from showmemory.extract.manner import OPEN, Manner
from showmemory.extract.names import Names
from showmemory.extract.uses import standing_at
from showmemory.model.memory import Said
from showmemory.model.observation import Observation
from showmemory.text.tokens import phrase


def bar(values: Mapping[str, float], episodes: int) -> float:
    """The score at which a catchphrase is earned in a show of so many episodes."""
    return values["floor"] + values["slope"] * max(0.0, math.log2(episodes / values["from"]))


class Catchphrases:
    """What each character says again and again."""

    def __init__(self, names: Names, scores: Scored) -> None:
        self.names, self.stand, self.scores = names, names.stand, scores
        self.values = self.stand.rules.rule("catchphrase").values
        self.ledger = Ledger(self.values["variant"], PART)
        self.manner = Manner(names)
        self._rows = Rows(self.stand.own, len(self.stand.corpus.tallies))
        self._known = np.zeros(len(self.stand.grams.first), dtype=bool)
        self._absent: list[str] = []
        self._given = list(self._of_the_bible())

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        least = bar(self.values["bar"], number + 1)
        rows, own = self._rows.of(number), self.stand.own
        low = least * self.values["variant"]["score"]
        rows = rows[(self.scores.score[rows] >= low) | self._known[own.run[rows]]]
        seen = sightings(self.names, own, rows, self.scores.score, self.scores.count, self.scores.why, owned=True)
        touched = self.ledger.settle(number, least, seen)
        row = {(int(own.owner[r]), int(own.run[r])): int(r) for r in rows.tolist()}
        said = [found for found in self._given if number in found.kept["episodes"]]
        for found in [*said, *(f for f in touched if not f.given)]:
            found.since = min(found.since, number)
            self._known[[m.run for m in found.members if m.run >= 0]] = True
            yield from self._observed(found, number, row)

    def _observed(self, found: Found, number: int, row: dict[tuple[int, int], int]) -> Iterator[Observation]:
        who = self.who(found.owner)
        best = found.members[found.leads()]
        at = row.get((found.owner, best.run))
        extra: dict[str, Any] = {"about": (who,)}
        if at is not None:
            extra["measures"] = {
                "others": float(self.scores.others[at]),
                "rate": round(2 ** float(self.scores.rate[at]), 1),
                "uses": float(self.scores.count[at]),
            }
        if best.score <= 0 and best.why:
            extra["held"] = REASONS[best.why]
        identity = self.identity(found)
        said = told(self.stand, found, number, ANYBODY if found.given else found.owner, "catchphrase", extra)
        yield from observations(self.stand, identity, self._opened(found, said, number))

    def _opened(self, found: Found, said: dict[int, Said], number: int) -> dict[int, Said]:
        """The place that differs each time is shown in the title: "Define ___"."""
        title = said[number].title
        if title and found.lead == 0 and found.kept["open"]:
            shown = f"{title}{',' if found.kept['form'] == 'address' else ''} {OPEN}"
            said[number] = said[number].model_copy(update={"title": shown, "text": shown})
        return said

    def held(self) -> Any:
        """What a pass needs to go on from here."""
        earned = (found for found in self.ledger.found if not found.given)
        return {"given": all_plain(self.stand, self._given), "earned": all_plain(self.stand, earned)}

    def take(self, held: Any) -> None:
        """Go on from there. What a person gave is there already; other places and speakers may have come to it."""
        for found, one in zip(self._given, held["given"], strict=True):
            before = found_of(self.stand, one)
            if before.since < self.stand.start:
                found.since, found.lead = before.since, before.lead
                found.kept |= before.kept
            found.members += before.members[1:]
            self.ledger.know(found)
        self.ledger.take(found_of(self.stand, one) for one in held["earned"])
        known = (member.run for found in self.ledger.found for member in found.members)
        self._known[[run for run in known if run >= 0]] = True

    def rest(self) -> Iterator[Observation]:
        """What each character says that was not enough, and what failed although it is said often."""
        own, scores, places = self.stand.own, self.scores, self.values["rest"]
        least = bar(self.values["bar"], len(self.stand.corpus.tallies))
        for chosen, most in ((scores.score, places["below"]), (scores.failed, places["failed"])):
            rows = latest(own, chosen, 4 * most)
            seen = sightings(self.names, own, rows, chosen, scores.count, scores.why, owned=True)
            taken: dict[int, int] = {}
            for found in leftover(self.ledger, seen, len(self.stand.corpus.tallies) - 1):
                taken[found.owner] = taken.get(found.owner, 0) + 1
                if taken[found.owner] <= most:
                    why = REASONS[found.head.why] or f"scores {found.score():.1f}, and {least:.1f} is needed"
                    yield from self._untold(found, why)

    def _untold(self, found: Found, why: str) -> Iterator[Observation]:
        extra: dict[str, Any] = {"about": (self.who(found.owner),), "held": why}
        if found.head.why:
            extra["score"] = 0.0
        said = untold(self.stand, found, found.owner, "catchphrase", extra)
        yield from observations(self.stand, self.identity(found), said)

    def identity(self, found: Found) -> Identity:
        """The speaker and the words the entry was earned with."""
        who, words = self.who(found.owner), " ".join(found.head.words)
        form = found.kept.get("form")
        if form is None:
            places = self._places(found)
            form = found.kept["form"] = self.manner.form(found.head.words, found.owner, found.since, places)
            found.kept["open"] = self.manner.open_at_end(found.head.words, places)
        name = f"{who.removeprefix('character.')} {words}"
        return Identity("catchphrase", "catchphrase", form, f"{who}|{words}", name, (who,))

    def _places(self, found: Found) -> list[int]:
        """Where the head stands up to the episode that earned it."""
        stand = self.stand
        if found.head.places is not None:
            held = [place for place in found.head.places if stand.corpus.episode[place] <= found.since]
        else:
            held = stand.grams.places(found.head.run).tolist()
        upto = int(stand.corpus.base[min(found.since, len(stand.corpus.tallies) - 1) + 1])
        return [at for at in held if at < upto and (found.given or stand.corpus.speaker[at] == found.owner)]

    def who(self, owner: int) -> str:
        """The character an owner's number stands for; those below zero are of the bible and never speak."""
        return self.stand.corpus.speakers[owner] if owner >= 0 else self._absent[-1 - owner]

    def _of_the_bible(self) -> Iterator[Found]:
        """The persona's own catchphrases: earned wherever they are said, by anyone."""
        speakers = {speaker: number for number, speaker in enumerate(self.stand.corpus.speakers)}
        never = len(self.stand.corpus.tallies)
        for character in self.stand.bible.characters:
            owner = speakers.get(character.id)
            if owner is None:
                self._absent.append(character.id)
                owner = -len(self._absent)
            for words in dict.fromkeys(
                tuple(phrase(text, self.stand.folding).split()) for text in character.catchphrases
            ):
                places = standing_at(self.stand, words)
                found = Found(owner, never, [Member(-1, words, 0, 0.0, 0.0, places=places)], given=True)
                found.kept["episodes"] = {int(self.stand.corpus.episode[place]) for place in places}
                if words:
                    self.ledger.give(found)
                    yield found
