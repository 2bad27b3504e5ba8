"""Entries as they are earned: one pass in story order that knows, at each one, only what came before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from showmemory.extract.names import NAME, SELF


@dataclass(frozen=True, slots=True)
class Sighting:
    """A run that an episode says. `owner`: whose list it is for; `count`: uses so far; `why`: why it scores 0.

    `telling` are its words that say something; `skeleton` has names taken out, and is empty where names do not matter.
    """

    owner: int
    run: int
    words: tuple[str, ...]
    score: float
    count: float
    why: int = 0
    telling: frozenset[str] = frozenset()
    skeleton: tuple[str, ...] = ()


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
    telling: frozenset[str] = frozenset()
    places: tuple[int, ...] | None = None


@dataclass(slots=True)
class Found:
    """An entry in the making. The first member is the head, which gives the entry its key.

    `lead` is the member it is called by; `given`: a person named it, so it is earned wherever it is said;
    `skeleton`: what all its wordings have in common when that is a name, or a place for one.
    """

    owner: int
    since: int
    members: list[Member]
    lead: int = -1
    given: bool = False
    skeleton: tuple[str, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict)

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

    def __init__(self, variant: Mapping[str, Any], part: int = -1) -> None:
        """`part` is the reason for which a wording scores nothing that leaves an entry's score as it was."""
        self._part = part
        self.found: list[Found] = []
        self._variant = variant
        self._member: dict[tuple[int, int], tuple[Found, Member]] = {}
        self._by_word: dict[tuple[int, str], list[Found]] = {}
        self._by_skeleton: dict[tuple[int, tuple[str, ...]], Found] = {}

    def give(self, found: Found) -> None:
        """Put in an entry that a person named."""
        self.found.append(found)
        self._index(found)

    def take(self, entries: Iterable[Found]) -> None:
        """Go on from entries that were earned before, in the order in which they were."""
        for entry in entries:
            self.found.append(entry)
            self._index(entry)
            self.know(entry)

    def know(self, entry: Found) -> None:
        """Know an entry by all its wordings that recur."""
        for member in entry.members:
            if member.run >= 0:
                self._member[entry.owner, member.run] = (entry, member)

    def settle(self, episode: int, bar: float, sightings: Iterable[Sighting]) -> list[Found]:
        """Take in one episode; return the entries it touches.

        Members are brought up to date first; then what scores joins an entry that is akin or, at the bar, becomes one.
        """
        ranked = sorted(sightings, key=lambda s: (s.owner, -s.score, s.words))
        touched: dict[int, Found] = {}
        for seen in ranked:
            held = self._member.get((seen.owner, seen.run))
            if held:
                if seen.why != self._part:
                    held[1].score, held[1].count, held[1].why = seen.score, seen.count, seen.why
                touched[id(held[0])] = held[0]
        for seen in ranked:
            if (seen.owner, seen.run) in self._member or seen.score <= 0:
                continue
            near = self._akin(seen)
            if near is None and seen.score >= bar:
                near = Found(seen.owner, episode, [], skeleton=_shared(seen.skeleton))
                self.found.append(near)
            elif near is None or not self._joins(near, seen):
                continue
            self._add(near, seen, episode)
            touched[id(near)] = near
        return list(touched.values())

    def _akin(self, seen: Sighting) -> Found | None:
        """The entry this wording belongs to: by a name or the place for one, else by the words they share."""
        shared = _shared(seen.skeleton)
        held = self._by_skeleton.get((seen.owner, shared)) if shared else None
        if held is not None or shared == (SELF,):
            return held
        near: dict[int, Found] = {}
        for word in seen.words:
            for entry in self._by_word.get((seen.owner, word), ()):
                near[id(entry)] = entry
        share = self._variant["overlap"]
        fitting = [e for e in near.values() if e.skeleton != (SELF,) and overlap(e.head, seen, share)]
        return min(fitting, key=lambda e: (-e.score(), e.since, e.head.words), default=None)

    def _joins(self, entry: Found, seen: Sighting) -> bool:
        """Whether there is room for one more wording, and this one is used enough."""
        need = self._variant
        if entry.given:
            return len(entry.members) <= need["most"] and contains(seen.words, entry.head.words)
        if entry.skeleton:
            if entry.skeleton != _shared(seen.skeleton):
                return False
            most = need["own"] if entry.skeleton == (SELF,) else need["names"]
            return bool(len(entry.members) <= most and seen.score >= need["score"] * entry.head.score / 2)
        enough = seen.count >= need["count"] * entry.head.count
        enough &= seen.score >= need["score"] * max(entry.head.score, 0.01)
        return bool(enough and len(entry.members) <= need["most"])

    def _add(self, entry: Found, seen: Sighting, episode: int) -> None:
        member = Member(seen.run, seen.words, episode, seen.score, seen.count, seen.why, seen.telling)
        entry.members.append(member)
        self._member[seen.owner, seen.run] = (entry, member)
        if len(entry.members) == 1:
            self._index(entry)

    def _index(self, entry: Found) -> None:
        if entry.skeleton:
            self._by_skeleton.setdefault((entry.owner, entry.skeleton), entry)
        for word in sorted(set(entry.head.words)):
            self._by_word.setdefault((entry.owner, word), []).append(entry)


def _shared(skeleton: tuple[str, ...]) -> tuple[str, ...]:
    """What wordings of one entry share: all with the speaker's own name are one, and all of one form of address."""
    if SELF in skeleton:
        return (SELF,)
    return skeleton if NAME in skeleton and len(skeleton) > 1 else ()


def overlap(one: Member | Sighting, other: Member | Sighting, share: float) -> bool:
    """Whether one phrase contains the other, or they share two words and `share` of the shorter one's telling ones."""
    if contains(one.words, other.words) or contains(other.words, one.words):
        return True
    first, second = set(one.words), set(other.words)
    if len(first & second) < max(2, share * min(len(first), len(second))):
        return False
    told = one.telling & other.telling
    return bool(told) and len(told) >= share * min(len(one.telling), len(other.telling))


def contains(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether the words of `part` stand side by side in `whole`."""
    width = len(part)
    return any(whole[at : at + width] == part for at in range(len(whole) - width + 1))
