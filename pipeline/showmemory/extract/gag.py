"""Score the phrases a whole show comes back to, as of every episode that says them."""

from __future__ import annotations

import numpy as np

from showmemory.extract.corpus import Flags, Floats, Ints, Longs
from showmemory.extract.grams import closed, recurring
from showmemory.extract.names import Names
from showmemory.extract.standing import Standing
from showmemory.extract.wording import wording

VERSION = 1


def gag_scores(names: Names) -> Floats:
    """The score of every phrase at every episode that says it, from counts up to that episode; 0 where it is none."""
    stand = names.stand
    values = stand.rules.rule("gag").values
    table = stand.show
    count = stand.show_count
    episodes = table.since()
    least, most = values["episodes"]
    size = stand.grams.size[table.row]
    kept = (episodes >= least) & (episodes <= most) & (size <= values["most_words"])
    kept &= closed(stand.grams, table, recurring(table, table), count, values["closed"])
    rows = np.flatnonzero(kept)
    score = np.zeros(len(kept))
    score[rows] = _score(names, rows, count, episodes)
    return np.round(score, 3)


def _score(names: Names, rows: Longs, count: Floats, episodes: Ints) -> Floats:
    stand = names.stand
    values = stand.rules.rule("gag").values
    table = stand.show
    words = wording(names, table, rows)
    low, high = values["clip"]
    said = count[rows]
    score = np.sqrt(np.clip(words.over, low, high)) * np.minimum(words.info, values["info_cap"])
    score *= np.log2(table.so_far(table.scenes)[rows]) * np.sqrt(values["apart"] + words.apart)
    score *= 1 + values["whole"] * table.so_far(table.whole)[rows] / said
    score *= 1 + values["capital"] * words.capital
    score *= 1 + values["burst"] * (table.most_so_far(table.count)[rows] / said - 0.5)
    score *= 1 + values["again"] * table.so_far((table.count >= 2).astype(np.float32))[rows] / episodes[rows]
    score *= 1 + values["shouted"] * table.so_far(table.shouted)[rows] / said
    score *= np.where(words.size == 1, values["single"], 1.0)
    score *= np.where(words.only_names, values["names_alone"], np.where(words.names > 0, values["names_some"], 1.0))
    score *= np.where(_two_parter(stand, rows, episodes), values["two_parter"], 1.0)
    score *= np.where(words.noise, values["noise"], 1.0)
    return np.asarray(np.where(words.cut | words.small, 0, score))


def _two_parter(stand: Standing, rows: Longs, episodes: Ints) -> Flags:
    """Which events are the second of exactly two episodes that follow each other."""
    table = stand.show
    start = table.episode[table.first[table.group[rows]]]
    return np.asarray((episodes[rows] == 2) & (table.episode[rows] == start + 1))
