"""What was never earned: the rest of every ranking as of the last episode; recomputed when asked for, never stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from showmemory.extract.earn import lists_of
from showmemory.extract.names import names_of
from showmemory.extract.standing import stand
from showmemory.extract.tally import Tally
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules
from showmemory.model.show import Bible


def candidates(tallies: Sequence[Tally], bible: Bible, rules: Rules) -> Iterator[Observation]:
    """What each list holds below what it earned, best first within a list, each with the reason it is held back."""
    if not any(len(tally.word) for tally in tallies):
        return
    widest = int(rules.rule("catchphrase").values["most_words"])
    lists = lists_of(names_of(stand(tuple(tallies), bible, rules, widest)))
    for one in lists:
        for number in range(len(tallies)):
            for _ in one.episode(number):
                pass
        yield from one.rest()
