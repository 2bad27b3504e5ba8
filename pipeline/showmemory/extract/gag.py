"""Score the phrases a whole show comes back to, as of every episode that says them."""

from __future__ import annotations

from typing import Any

import numpy as np

from showmemory.extract.corpus import Flags, Floats, Ints, Longs, in_parts
from showmemory.extract.events import closed, recurring
from showmemory.extract.everyday import Everyday
from showmemory.extract.names import Names
from showmemory.extract.wording import Wording, wording
from showmemory.extract.world import Scenery

VERSION = 1
# Why a phrase is held back; 0 is no reason.
REASONS = ("", "a word of the show's world", "said in too many episodes", "part of a longer phrase", "no telling words")
OFTEN, PART = 2, 3
_WORLD, _EMPTY = 1, 4


def gag_scores(names: Names, scenery: Scenery) -> tuple[Floats, Ints]:
    """The score of every phrase at every episode that says it, from counts up to it, and why it is held back."""
    stand = names.stand
    values = stand.rules.rule("gag").values
    table = stand.show
    episodes = table.since()
    least, most = values["episodes"]
    kept = (episodes >= least) & (stand.grams.size[table.row] <= values["most_words"])
    kept &= table.episode >= stand.start
    why = np.where(episodes > most, OFTEN, 0).astype(np.int8)
    back = recurring(table)
    why[kept & (why == 0) & ~closed(stand.grams, table, back, stand.show_count, values["closed"])] = PART
    score = np.zeros(len(kept), dtype=np.float32)
    for rows in in_parts(np.flatnonzero(kept & (why == 0))):
        _score_rows(names, scenery, rows, score, why)
    return score, why


def _score_rows(names: Names, scenery: Scenery, rows: Longs, score: Floats, why: Ints) -> None:
    table, values = names.stand.show, names.stand.rules.rule("gag").values
    words = wording(names, table, rows, values["common"])
    worldly = scenery.worldly(rows)
    made = _score(names, scenery, rows, words) * np.where(worldly, values["world"], 1.0)
    empty = words.cut | words.small | (words.common & (words.size == 1) & ~words.only_names)
    # Whom everybody speaks of all the time is a lead, not a gag.
    leads = words.only_names & (table.since(rows) > np.maximum(4, values["leads"] * (table.episode[rows] + 1)))
    why[rows] = np.where(empty, _EMPTY, np.where(leads, OFTEN, np.where(worldly, _WORLD, 0)))
    score[rows] = np.round(np.where(empty | leads, 0, made), 3)
    _lower_everyday(names, score, rows, values)


def _score(names: Names, scenery: Scenery, rows: Longs, words: Wording) -> Floats:
    stand = names.stand
    values = stand.rules.rule("gag").values
    table = stand.show
    said, episodes = stand.show_count[rows], table.since(rows)
    over, info = values["over"], values["info"]
    score = np.power(over["plus"] + np.clip(words.over, *over["clip"]), over["power"])
    score *= np.power(np.minimum(words.info, info["most"]), info["power"])
    score *= np.log2(np.maximum(table.so_far(table.scenes, rows), 1)) * np.sqrt(values["apart"] + words.apart)
    score *= np.power(np.log2(1 + scenery.mouths_by(table.run[rows], table.episode[rows])), values["mouths"])
    burst = table.most_so_far(table.count, rows) / said
    score *= 1 + values["whole"] * table.so_far(table.whole, rows) / said
    score *= 1 + values["capital"] * words.capital
    score *= 1 + values["burst"] * (burst - 0.5)
    score *= 1 + values["again"] * table.so_far(table.count >= 2, rows) / episodes
    score *= 1 + values["shouted"] * table.so_far(table.shouted, rows) / said
    one_off = values["one_off"]
    score *= np.where((episodes == 2) & (burst > one_off["burst"]), one_off["factor"], 1.0)
    score *= np.where(_two_parter(names, rows, episodes), values["two_parter"], 1.0)
    return np.asarray(score * _words_factor(words, values))


def _words_factor(words: Wording, values: Any) -> Floats:
    """What names, numbers and noises take away."""
    some = np.where(words.names > 0, values["names_some"], np.where(words.cued, values["cue"], 1.0))
    made = np.where(words.only_names, values["names_alone"], some)
    return np.asarray(made * np.power(values["number"], words.numbers) * np.where(words.noise, values["noise"], 1.0))


def _two_parter(names: Names, rows: Longs, episodes: Ints) -> Flags:
    """Which events are the second of exactly two episodes that follow each other."""
    table = names.stand.show
    start = table.episode[table.first[table.group[rows]]]
    return np.asarray((episodes == 2) & (table.episode[rows] == start + 1))


def _lower_everyday(names: Names, score: Floats, rows: Longs, values: Any) -> None:
    everyday = Everyday(names)
    stand = names.stand
    table, grams = stand.show, stand.grams
    for row in rows[score[rows] > values["bar"]["floor"] * values["variant"]["score"]].tolist():
        words = stand.corpus.words(int(grams.place[table.row[row]]), int(grams.size[table.row[row]]))
        if everyday(words, -1, int(table.episode[row])):
            score[row] *= values["everyday"]
