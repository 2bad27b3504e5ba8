"""The ranked lists, taken through the episodes in order: each turns an episode's events into observations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from showmemory.extract.callback import callbacks
from showmemory.extract.catchphrase import REASONS, Scored
from showmemory.extract.corpus import Flags, Floats, Longs
from showmemory.extract.grams import Events
from showmemory.extract.ledger import Found, Ledger, Member, Sighting
from showmemory.extract.manner import Manner
from showmemory.extract.standing import Standing
from showmemory.extract.uses import ANYBODY, spelling, standing_at, uses
from showmemory.model.memory import Form, Kind, Said, Use
from showmemory.model.observation import Observation
from showmemory.text.tokens import phrase

SHOW = 0


def bar(values: dict[str, float], episodes: int) -> float:
    """The score at which a catchphrase is earned in a show of so many episodes."""
    return values["floor"] + values["slope"] * max(0.0, math.log2(episodes / values["from"]))


class _Rows:
    """The rows of an event table, episode by episode."""

    def __init__(self, table: Events, episodes: int) -> None:
        self._order = np.argsort(table.episode, kind="stable")
        self._cuts = np.searchsorted(table.episode[self._order], np.arange(episodes + 1))

    def of(self, episode: int) -> Longs:
        return self._order[self._cuts[episode] : self._cuts[episode + 1]]


def _sightings(
    stand: Standing, table: Events, rows: Longs, score: Floats, count: Floats, known: Flags, why: Any = None
) -> list[Sighting]:
    grams = stand.grams
    return [
        Sighting(
            int(table.owner[row]),
            int(table.run[row]),
            stand.corpus.words(int(grams.place[table.row[row]]), int(grams.size[table.row[row]])),
            round(float(score[row]), 3),
            float(count[row]),
            0 if why is None else int(why[row]),
        )
        for row in rows.tolist()
    ]


def observed(
    stand: Standing,
    found: Found,
    episode: int,
    said: dict[int, Said],
    identity: tuple[str, Kind, Form, str, str, tuple[str, ...]],
) -> Iterator[Observation]:
    """The observations of an entry that `episode` brings: at its first all so far, later that episode's alone."""
    rule, kind, form, key, name, about = identity
    for number, what in said.items():
        yield Observation(
            rule=rule,
            episode=stand.corpus.tallies[number].episode,
            kind=kind,
            form=form,
            key=key,
            name=name,
            about=about,
            said=what,
        )


def told(stand: Standing, found: Found, episode: int, owner: int, rule: str, extra: dict[str, Any]) -> dict[int, Said]:
    """What each episode says of an entry, as far as `episode` makes it known."""
    first = 0 if found.since == episode else episode
    said: dict[int, Said] = {}
    for number, seen in uses(stand, found, first, episode, owner).items():
        if number < episode:
            said[number] = Said(rule=rule, earned=False, uses=tuple(seen))
    new = tuple(" ".join(m.words) for m in found.members[1:] if m.since == episode)
    here: tuple[Use, ...] = tuple(uses(stand, found, episode, episode, owner).get(episode, ()))
    lead = found.leads()
    title = None
    if lead != found.lead:
        found.lead = lead
        title = spelling(stand, found.members[lead], episode, owner)
    score = None if found.given else round(found.score(), 3)
    said[episode] = Said(rule=rule, title=title, text=title, variants=new, score=score, uses=here, **extra)
    return said


class Catchphrases:
    """What each character says again and again."""

    def __init__(self, stand: Standing, scores: Scored) -> None:
        self.stand, self.scores = stand, scores
        self.values = stand.rules.rule("catchphrase").values
        self.ledger = Ledger(self.values["variant"])
        self.manner = Manner(stand)
        self._rows = _Rows(stand.own, len(stand.corpus.tallies))
        self._known = np.zeros(len(stand.grams.first), dtype=bool)
        self._given = list(self._of_the_bible())
        self._places = {id(f): {int(stand.corpus.episode[p]) for p in f.head.places or ()} for f in self._given}

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        least = bar(self.values["bar"], number + 1)
        rows, own = self._rows.of(number), self.stand.own
        low = least * self.values["variant"]["score"]
        rows = rows[(self.scores.score[rows] >= low) | self._known[own.run[rows]]]
        seen = _sightings(self.stand, own, rows, self.scores.score, self.scores.count, self._known, self.scores.why)
        touched = self.ledger.settle(number, least, seen)
        row = {(int(own.owner[r]), int(own.run[r])): int(r) for r in rows.tolist()}
        said = [f for f in self._given if number in self._places[id(f)]]
        for found in [*said, *(f for f in touched if f not in said)]:
            if found.since > number:
                found.since = number
            for member in found.members:
                if member.run >= 0:
                    self._known[member.run] = True
            yield from self._observed(found, number, row)

    def _observed(self, found: Found, number: int, row: dict[tuple[int, int], int]) -> Iterator[Observation]:
        stand = self.stand
        who = self._who(found.owner)
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
        owner = ANYBODY if found.given else found.owner
        said = told(stand, found, number, owner, "catchphrase", extra)
        words = " ".join(found.head.words)
        form = self.manner.form(found.head.words, found.owner, found.since)
        yield from observed(
            stand,
            found,
            number,
            said,
            ("catchphrase", "catchphrase", form, f"{who}|{words}", f"{_short(who)} {words}", (who,)),
        )

    def _who(self, owner: int) -> str:
        return self.stand.corpus.speakers[owner] if owner >= 0 else self._absent[-1 - owner]

    def _of_the_bible(self) -> Iterator[Found]:
        """The persona's own catchphrases: earned wherever they are said, by anyone."""
        self._absent: list[str] = []
        speakers = {speaker: number for number, speaker in enumerate(self.stand.corpus.speakers)}
        never = len(self.stand.corpus.tallies)
        for character in self.stand.bible.characters:
            owner = speakers.get(character.id)
            if owner is None:
                self._absent.append(character.id)
                owner = -len(self._absent)
            for text in character.catchphrases:
                words = tuple(phrase(text, self.stand.folding).split())
                places = standing_at(self.stand, words)
                found = Found(owner, never, [Member(-1, words, 0, 0.0, 0.0, 0, places)], given=True)
                if words:
                    self.ledger.give(found)
                    yield found


class Gags:
    """What the whole show comes back to."""

    def __init__(self, stand: Standing, score: Floats) -> None:
        self.stand, self.score = stand, score
        self.values = stand.rules.rule("gag").values
        self.count = stand.show.so_far(stand.show.count)
        self.ledger = Ledger(self.values["variant"])
        self._rows = _Rows(stand.show, len(stand.corpus.tallies))
        self._known = np.zeros(len(stand.grams.first), dtype=bool)

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        rows, table = self._rows.of(number), self.stand.show
        least = self._bar(number + 1)
        low = least * self.values["variant"]["score"]
        rows = rows[(self.score[rows] >= low) | self._known[table.run[rows]]]
        seen = _sightings(self.stand, table, rows, self.score, self.count, self._known)
        for found in self.ledger.settle(number, least, seen):
            for member in found.members:
                self._known[member.run] = True
            said = told(self.stand, found, number, ANYBODY, "gag", {})
            words = " ".join(found.head.words)
            yield from observed(
                self.stand, found, number, said, ("gag", "gag", "running", f"running|{words}", words, ())
            )

    def _bar(self, episodes: int) -> float:
        """What a newcomer must reach: the score of the entry at the last place there is room for."""
        need = self.values["bar"]
        places = int(min(need["last"], need["first"] + need["each_episode"] * episodes))
        scores = sorted((found.score() for found in self.ledger.found), reverse=True)
        return max(float(need["floor"]), scores[places - 1] if len(scores) >= places else 0.0)


class Callbacks:
    """What an episode sets up and pays off, and what of it another episode says again in another mouth."""

    def __init__(self, stand: Standing, score: Floats) -> None:
        self.stand = stand
        self.values = stand.rules.rule("callback").values
        self._found = callbacks(stand, score, self.values["bar"], self.values["most"])
        self._known: dict[int, Found] = {}
        self._rows = _Rows(stand.show, len(stand.corpus.tallies))
        self._mouths: dict[int, set[int]] = {}
        self._is = np.zeros(len(stand.grams.first), dtype=bool)

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

    def _learn(self, found: Found, number: int) -> None:
        found.since = number
        found.members = [m for m in found.members if m.run not in self._known]
        mouths = self._mouths[id(found)] = set()
        places = self.stand.corpus
        for member in found.members:
            self._known[member.run] = found
            self._is[member.run] = True
            at = self.stand.grams.places(member.run)
            mouths |= set(places.speaker[at[places.episode[at] == number]].tolist())

    def _elsewhere(self, number: int) -> list[Found]:
        """Known callbacks whose words this episode says in another mouth, while they are rare."""
        table, again = self.stand.show, self.values["again"]
        rows = self._rows.of(number)
        rows = rows[self._is[table.run[rows]]]
        most = max(again["episodes"], again["share"] * (number + 1))
        rows = rows[table.since()[rows] <= most]
        return list({id(f): f for f in (self._known[int(run)] for run in table.run[rows])}.values())

    def _observed(self, found: Found, number: int, *, fresh: bool) -> Iterator[Observation]:
        stand = self.stand
        seen = uses(stand, found, number, number).get(number, [])
        if not fresh:
            known = {stand.corpus.speakers[m] for m in self._mouths[id(found)] if m >= 0}
            seen = [u for u in seen if u.speaker and u.speaker not in known]
        if not seen:
            return
        first = found.since == number
        marked = tuple(u.model_copy(update={"setup": first and at == 0}) for at, u in enumerate(seen))
        new = tuple(" ".join(m.words) for m in found.members[1:]) if first else ()
        title = " / ".join(spelling(stand, m, number) for m in found.members[:3]) if first else None
        said = Said(rule="callback", title=title, text=title, variants=new, score=round(found.score(), 3), uses=marked)
        words = " ".join(found.head.words)
        yield from observed(
            stand,
            found,
            number,
            {number: said},
            ("callback", "gag", "callback", f"callback|{words}", f"callback {words}", ()),
        )


def _short(who: str) -> str:
    return who.removeprefix("character.")
