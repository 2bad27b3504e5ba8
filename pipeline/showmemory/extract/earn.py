"""Tallies in story order -> what recurs, earned episode by episode: what is said at one depends on none after it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from showmemory.extract.callback import callback_scores
from showmemory.extract.callbacks import Callbacks
from showmemory.extract.catchphrase import scored
from showmemory.extract.catchphrases import Catchphrases
from showmemory.extract.corpus import lay_out
from showmemory.extract.echoes import Returns
from showmemory.extract.gag import gag_scores
from showmemory.extract.gags import Gags
from showmemory.extract.held import Lost
from showmemory.extract.literal import Literal
from showmemory.extract.names import Names, names_of
from showmemory.extract.reuse import Reused, reused
from showmemory.extract.standing import stand
from showmemory.extract.tally import Tally
from showmemory.extract.terms import Terms, term_scores
from showmemory.extract.world import Scenery
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules
from showmemory.model.show import Bible

VERSION = 1
_NONE: Mapping[int, Ranked] = MappingProxyType({})


class Ranked(Protocol):
    """A list that is taken through the episodes in order, one after the other."""

    def episode(self, number: int) -> Iterator[Observation]:
        """What the episode makes known."""

    def held(self) -> Any:
        """What is needed to go on from the last episode, as JSON values."""

    def take(self, held: Any) -> None:
        """Go on from there, at the standing's first episode to be scored."""

    def rest(self) -> Iterator[Observation]:
        """What was never earned, once all episodes are taken in."""


class Told:
    """A list that is taken through the episodes elsewhere: what it says of each, and what it holds after it."""

    def __init__(self, ask: Callable[[], Sequence[tuple[list[Observation], Any]]] = list) -> None:
        """`ask` waits for all of it; without it the list says nothing."""
        self._ask = ask
        self._rows: Sequence[tuple[list[Observation], Any]] | None = None
        self._at = 0

    def episode(self, number: int) -> Iterator[Observation]:
        """What it said of the episode."""
        self._rows = self._ask() if self._rows is None else self._rows
        self._at = number
        yield from self._rows[number][0] if self._rows else ()

    def held(self) -> Any:
        """What it held after the last episode that was asked of."""
        return self._rows[self._at][1] if self._rows else None

    def take(self, held: Any) -> None:
        """It is taken from the first episode on alone."""
        raise Lost("a list that is elsewhere is not taken up")

    def rest(self) -> Iterator[Observation]:
        """What was never earned is not asked elsewhere."""
        yield from ()


class Earning:
    """A pass through a show's episodes in story order; it can be left after any of them and taken up there again."""

    def __init__(
        self,
        tallies: Sequence[Tally],
        bible: Bible,
        rules: Rules,
        *,
        literal: bool = False,
        held: bytes = b"",
        beside: Mapping[int, Ranked] | None = None,
    ) -> None:
        """`held`: what the same pass held after an episode, the ones up to it being what they were.

        `beside`: lists, by their place, that are taken through the episodes elsewhere.
        """
        self.tallies, self.next = tallies, 0
        kept: dict[str, Any] = json.loads(held) if held else {"next": 0, "lists": []}
        self.lists: tuple[Ranked, ...] = ()
        self.clips: frozenset[str] = frozenset()
        if any(len(tally.word) for tally in tallies):
            self.next = kept["next"] if kept["lists"] else 0
            widest = int(rules.rule("catchphrase").values["most_words"])
            standing = stand(tuple(tallies), bible, rules, widest, self.next)
            self.clips = _clips(tallies, standing.reuse)
            self.lists = lists_of(names_of(standing), literal=literal, held=kept["lists"], beside=beside or {})

    def step(self) -> tuple[str, list[Observation]]:
        """Take in the next episode: its id, and what is newly known."""
        found = [seen for one in self.lists for seen in one.episode(self.next)]
        self.next += 1
        return self.tallies[self.next - 1].episode, sorted(found, key=lambda o: (o.kind, o.key, o.episode))

    def held(self) -> bytes:
        """What this pass needs to be taken up after the last episode it took in."""
        kept = {"next": self.next, "lists": [one.held() for one in self.lists]}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def earn(
    tallies: Sequence[Tally], bible: Bible, rules: Rules, *, literal: bool = False
) -> Iterator[tuple[str, list[Observation]]]:
    """For each episode what is newly known once it is remembered, earlier uses of what it earned included.

    All that the first episodes give is, byte for byte, what they give when later ones are there too. `literal` takes
    every run of three or more words that a character says again in another episode for a catchphrase.
    """
    earning = Earning(tallies, bible, rules, literal=literal)
    yield from (earning.step() for _ in tallies)


def lists_of(
    names: Names,
    *,
    literal: bool = False,
    held: Sequence[Any] = (),
    beside: Mapping[int, Ranked] = MappingProxyType({}),
) -> tuple[Ranked, ...]:
    """Everything that is ranked, ready to be taken through the episodes in order; `held`: from the middle on."""
    scenery = Scenery(names)
    makers: tuple[Callable[[], Ranked], ...] = (
        lambda: Literal(names) if literal else Catchphrases(names, scored(names)),
        lambda: Gags(names, gag_scores(names, scenery)),
        lambda: Callbacks(names, callback_scores(names)),
        lambda: Terms(names, term_scores(names, scenery)),
        lambda: Returns(names),
    )
    lists = tuple(beside[place] if place in beside else make() for place, make in enumerate(makers))
    for one, kept in zip(lists, held, strict=False):
        one.take(kept)
    names.stand.release()
    return lists


def clip_shows(tallies: Sequence[Tally], rules: Rules) -> frozenset[str]:
    """The episodes that mostly show earlier footage again."""
    if not any(len(tally.word) for tally in tallies):
        return frozenset()
    return _clips(tallies, reused(lay_out(tallies), rules.rule("reuse")))


def _clips(tallies: Sequence[Tally], found: Reused) -> frozenset[str]:
    return frozenset(t.episode for t, clip in zip(tallies, found.clips, strict=True) if clip)
