"""Tallies in story order -> what recurs, earned episode by episode: what is said at one depends on none after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from showmemory.extract.callback import callback_scores
from showmemory.extract.callbacks import Callbacks
from showmemory.extract.catchphrase import scored
from showmemory.extract.catchphrases import Catchphrases
from showmemory.extract.corpus import lay_out
from showmemory.extract.echoes import Returns
from showmemory.extract.gag import gag_scores
from showmemory.extract.gags import Gags
from showmemory.extract.literal import Literal
from showmemory.extract.names import Names, names_of
from showmemory.extract.reuse import reused
from showmemory.extract.standing import stand
from showmemory.extract.tally import Tally
from showmemory.extract.terms import Terms, term_scores
from showmemory.extract.world import Scenery
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules
from showmemory.model.show import Bible

VERSION = 1


class Ranked(Protocol):
    """A list that is taken through the episodes in order, one after the other."""

    def episode(self, number: int) -> Iterator[Observation]:
        """What the episode makes known."""

    def rest(self) -> Iterator[Observation]:
        """What was never earned, once all episodes are taken in."""


def earn(
    tallies: Sequence[Tally], bible: Bible, rules: Rules, *, literal: bool = False
) -> Iterator[tuple[str, list[Observation]]]:
    """For each episode what is newly known once it is remembered, earlier uses of what it earned included.

    All that the first episodes give is, byte for byte, what they give when later ones are there too. `literal` takes
    every run of three or more words that a character says again in another episode for a catchphrase.
    """
    if not any(len(tally.word) for tally in tallies):
        yield from ((tally.episode, []) for tally in tallies)
        return
    standing = stand(tuple(tallies), bible, rules, int(rules.rule("catchphrase").values["most_words"]))
    lists = lists_of(names_of(standing), literal=literal)
    for number, tally in enumerate(tallies):
        found = [seen for one in lists for seen in one.episode(number)]
        yield tally.episode, sorted(found, key=lambda o: (o.kind, o.key, o.episode))


def lists_of(names: Names, *, literal: bool = False) -> tuple[Ranked, ...]:
    """Everything that is ranked, ready to be taken through the episodes in order."""
    scenery = Scenery(names)
    said: Ranked = Literal(names) if literal else Catchphrases(names, scored(names))
    gags, callbacks = Gags(names, gag_scores(names, scenery)), Callbacks(names, callback_scores(names))
    terms = Terms(names, term_scores(names, scenery))
    names.stand.release()
    return (said, gags, callbacks, terms, Returns(names))


def clip_shows(tallies: Sequence[Tally], rules: Rules) -> frozenset[str]:
    """The episodes that mostly show earlier footage again."""
    if not any(len(tally.word) for tally in tallies):
        return frozenset()
    found = reused(lay_out(tallies), rules.rule("reuse"))
    return frozenset(t.episode for t, clip in zip(tallies, found.clips, strict=True) if clip)
