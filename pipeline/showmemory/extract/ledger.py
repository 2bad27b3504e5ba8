"""Entries as they are earned: one pass in story order that knows, at each one, only what came before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sighting:
    """A run that an episode says. `owner`: whose list it is for; `count`: uses so far; `why`: why it scores 0."""

    owner: int
    run: int
    words: tuple[str, ...]
    score: float
    count: float
    why: int = 0


@dataclass(slots=True)
class Member:
    """A wording of an entry, known since an episode; `score` is its latest, `why` why that is 0.

    `places` is set for wordings that a person gave, which need not recur.
    """

    run: int
    words: tuple[str, ...]
    since: int
    score: float
    count: float
    why: int = 0
    places: tuple[int, ...] | None = None


@dataclass(slots=True)
class Found:
    """An entry in the making. The first member is the head, which gives the entry its key.

    `lead` is the member it is called by; `given`: a person named it, so it is earned wherever it is said.
    """

    owner: int
    since: int
    members: list[Member]
    lead: int = -1
    given: bool = False

    @property
    def head(self) -> Member:
        """The wording the entry was earned with."""
        return self.members[0]

    def score(self) -> float:
        """The best latest score of its wordings."""
        return max(member.score for member in self.members)

    def leads(self) -> int:
        """The member with the best latest score, the older one of equals."""
        return max(range(len(self.members)), key=lambda n: (self.members[n].score, -n))


class Ledger:
    """All entries of one kind, earned so far."""

    def __init__(self, variant: Mapping[str, Any]) -> None:
        self.found: list[Found] = []
        self._variant = variant
        self._member: dict[tuple[int, int], tuple[Found, Member]] = {}
        self._by_word: dict[tuple[int, str], list[Found]] = {}

    def knows(self, owner: int, run: int) -> bool:
        """Whether the run is a wording of an entry of `owner`."""
        return (owner, run) in self._member

    def give(self, found: Found) -> None:
        """Put in an entry that a person named."""
        self.found.append(found)
        self._index(found)

    def settle(self, episode: int, bar: float, sightings: Iterable[Sighting]) -> list[Found]:
        """Take in one episode; return the entries it touches.

        Members are brought up to date first; then what scores joins an entry it overlaps or, at the bar, becomes one.
        """
        ranked = sorted(sightings, key=lambda s: (s.owner, -s.score, s.words))
        touched: dict[int, Found] = {}
        for seen in ranked:
            held = self._member.get((seen.owner, seen.run))
            if held:
                held[1].score, held[1].count, held[1].why = seen.score, seen.count, seen.why
                touched[id(held[0])] = held[0]
        for seen in ranked:
            if (seen.owner, seen.run) in self._member or seen.score <= 0:
                continue
            near = self._overlapping(seen)
            if near is None and seen.score >= bar:
                near = Found(seen.owner, episode, [])
                self.found.append(near)
            elif near is None or not self._joins(near, seen):
                continue
            self._add(near, seen, episode)
            touched[id(near)] = near
        return list(touched.values())

    def _joins(self, entry: Found, seen: Sighting) -> bool:
        need = self._variant
        if len(entry.members) > need["most"]:
            return False
        head = entry.head
        if entry.given:
            return contains(seen.words, head.words)
        enough = seen.count >= need["count"] * head.count and seen.score >= need["score"] * max(head.score, 0.01)
        return bool(enough)

    def _add(self, entry: Found, seen: Sighting, episode: int) -> None:
        member = Member(seen.run, seen.words, episode, seen.score, seen.count)
        entry.members.append(member)
        self._member[seen.owner, seen.run] = (entry, member)
        if len(entry.members) == 1:
            self._index(entry)

    def _index(self, entry: Found) -> None:
        for word in sorted(set(entry.head.words)):
            self._by_word.setdefault((entry.owner, word), []).append(entry)

    def _overlapping(self, seen: Sighting) -> Found | None:
        """The entry whose head this wording overlaps; of several the one with the best score, then the oldest."""
        near: dict[int, Found] = {}
        for word in seen.words:
            for entry in self._by_word.get((seen.owner, word), ()):
                near[id(entry)] = entry
        fitting = [e for e in near.values() if overlap(e.head.words, seen.words, self._variant["overlap"])]
        return min(fitting, key=lambda e: (-e.score(), e.since, e.head.words), default=None)


def overlap(one: tuple[str, ...], other: tuple[str, ...], share: float) -> bool:
    """Whether one phrase contains the other, or they share two words and `share` of the shorter one's."""
    if contains(one, other) or contains(other, one):
        return True
    first, second = set(one), set(other)
    common = len(first & second)
    return common >= 2 and common >= share * min(len(first), len(second))


def contains(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether the words of `part` stand side by side in `whole`."""
    width = len(part)
    return any(whole[at : at + width] == part for at in range(len(whole) - width + 1))
