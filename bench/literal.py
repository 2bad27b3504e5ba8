"""The rule as first written, ranked: runs of three or more words said again in another episode, most episodes first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from showmemory.extract.events import closed
from showmemory.extract.standing import stand
from showmemory.extract.tally import Tally
from showmemory.model.rules import Rules
from showmemory.model.show import Bible


def literal_lists(
    tallies: Sequence[Tally], rules: Rules, speakers: set[str], most: int = 50
) -> tuple[dict[str, list[tuple[str, ...]]], int]:
    """The first runs of some speakers, and how many runs all speakers have together."""
    standing = stand(tuple(tallies), Bible(), rules, 8)
    own, grams, corpus = standing.own, standing.grams, standing.corpus
    count, episodes = own.so_far(own.count), own.since()
    whole = closed(grams, own, episodes >= 2, count, 1.0)
    last = np.append(own.first[1:], len(own.run)) - 1 if len(own.run) else own.first
    last = last[(episodes[last] >= 2) & whole[last] & (grams.size[own.row[last]] >= 3)]
    order = last[np.lexsort((-count[last], -episodes[last]))]
    made: dict[str, list[tuple[str, ...]]] = {}
    for row in order.tolist():
        who = corpus.speakers[int(own.owner[row])]
        if who in speakers and len(made.setdefault(who, [])) < most:
            words = corpus.words(int(grams.place[own.row[row]]), int(grams.size[own.row[row]]))
            made[who].append((" ".join(words),))
    return made, len(last)
