"""Entries in the making -> observations: what each episode says of them, as far as it is known by then."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from showmemory.extract.corpus import Floats, Ints, Longs
from showmemory.extract.events import Events
from showmemory.extract.ledger import Found, Ledger, Sighting
from showmemory.extract.names import Names
from showmemory.extract.standing import Standing
from showmemory.extract.uses import ANYBODY, spelling, uses
from showmemory.model.memory import Form, Kind, Said, Source, Use
from showmemory.model.observation import Observation


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes an entry the one it is, whatever is said of it."""

    rule: str
    kind: Kind
    form: Form
    key: str
    name: str
    about: tuple[str, ...] = ()


class Rows:
    """The rows of an event table, episode by episode."""

    def __init__(self, table: Events, episodes: int) -> None:
        self._order = np.argsort(table.episode, kind="stable")
        self._cuts = np.searchsorted(table.episode[self._order], np.arange(episodes + 1))

    def of(self, episode: int) -> Longs:
        """The rows of one episode."""
        return self._order[self._cuts[episode] : self._cuts[episode + 1]]


def sightings(
    names: Names, table: Events, rows: Longs, score: Floats, count: Floats, why: Ints | None = None, *, owned: bool
) -> list[Sighting]:
    """What an episode's events are to a ledger."""
    stand = names.stand
    made = []
    for row in rows.tolist():
        place, size = int(stand.grams.place[table.row[row]]), int(stand.grams.size[table.row[row]])
        words = stand.corpus.words(place, size)
        owner = int(table.owner[row])
        made.append(
            Sighting(
                owner,
                int(table.run[row]),
                words,
                round(float(score[row]), 3),
                float(count[row]),
                0 if why is None else int(why[row]),
                frozenset(w for w in words if not stand.small[stand.index[w]]),
                names.skeleton(words, owner, int(table.episode[row])) if owned else (),
            )
        )
    return made


def told(
    stand: Standing, found: Found, episode: int, owner: int, rule: str, extra: dict[str, Any], *, once: bool = False
) -> dict[int, Said]:
    """What each episode says of an entry, as far as `episode` makes it known: at first all so far, later that one's.

    A wording counts from the episode that made it known, so what was said of earlier ones never changes. With `once`
    the first place of each episode stands for all of them.
    """
    first = 0 if found.since == episode else episode
    played = uses(stand, found, first, episode, owner)
    cited = {n: _once(seen) if once else {"uses": tuple(seen)} for n, seen in played.items()}
    said = {n: Said(rule=rule, earned=False, **seen) for n, seen in cited.items() if n < episode}
    new = tuple(" ".join(m.words) for m in found.members[1:] if m.since == episode)
    lead, title = found.leads(), None
    if lead != found.lead:
        found.lead = lead
        title = spelling(stand, found.members[lead], episode, owner)
    score = None if found.given else round(found.score(), 3)
    here = cited.get(episode, {})
    said[episode] = Said(rule=rule, title=title, text=title, variants=new, score=score, **here, **extra)
    return said


def _once(seen: list[Use]) -> dict[str, Any]:
    first = seen[0]
    kept = {name: getattr(first, name) for name in Source.model_fields}
    return {"sources": (Source(**kept),), "numbers": {"uses": float(len(seen))}}


def untold(stand: Standing, found: Found, owner: int, rule: str, extra: dict[str, Any]) -> dict[int, Said]:
    """What each episode says of something that was never earned; the last one says why it is held back."""
    last = len(stand.corpus.tallies) - 1
    played = uses(stand, found, 0, last, owner)
    said = {number: Said(rule=rule, earned=False, uses=tuple(seen)) for number, seen in played.items()}
    if played:
        title = spelling(stand, found.head, last, owner)
        update = {"title": title, "text": title, "score": round(found.score(), 3), **extra}
        update["variants"] = tuple(" ".join(member.words) for member in found.members[1:])
        final = max(said)
        said[final] = said[final].model_copy(update=update)
    return said


def leftover(ledger: Ledger, sightings: list[Sighting], episode: int) -> list[Found]:
    """What would be entries if there were no bar, beside those a ledger has; best first."""
    after = deepcopy(ledger)
    known = {id(found) for found in after.found}
    after.settle(episode, 0.001, sightings)
    made = [found for found in after.found if id(found) not in known]
    return sorted(made, key=lambda found: (-found.score(), found.head.words))


def observations(stand: Standing, identity: Identity, said: dict[int, Said]) -> Iterator[Observation]:
    """One observation for each episode that says something of an entry."""
    for number, what in sorted(said.items()):
        yield Observation(
            rule=identity.rule,
            episode=stand.corpus.tallies[number].episode,
            kind=identity.kind,
            form=identity.form,
            key=identity.key,
            name=identity.name,
            about=identity.about,
            said=what,
        )


def latest(table: Events, score: Floats, most: int) -> Longs:
    """The last rows of each (run, owner), as far as they score by then: the best `most` of each owner."""
    last = np.append(table.first[1:], len(table.run)) - 1 if len(table.first) else table.first
    last = last[score[last] > 0]
    last = last[np.lexsort((last, -score[last], table.owner[last]))]
    owner = table.owner[last]
    place = np.arange(len(last)) - np.searchsorted(owner, owner)
    return np.asarray(last[place < most])


__all__ = ["ANYBODY", "Identity", "Rows", "latest", "leftover", "observations", "sightings", "told", "untold"]
