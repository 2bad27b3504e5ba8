"""Score what each character says again, as of every episode that says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from showmemory.extract.corpus import Flags, Floats, Ints, Longs
from showmemory.extract.grams import closed, recurring
from showmemory.extract.standing import Standing
from showmemory.extract.wording import Wording, wording

VERSION = 1
# Why a phrase scores nothing, in the order in which it is asked; 0 is no reason.
REASONS = (
    "",
    "said in one episode only",
    "part of a longer phrase",
    "others say it as often",
    "everyday words, and others say them too",
    "cut off in the middle of a sentence",
    "a single word that seldom stands alone",
    "said in two episodes only, and others say it too",
    "only names, and others say them too",
    "only small words",
)
_ONCE, _PART = 1, 2


@dataclass(eq=False)
class Scored:
    """For each event of `own`: its score, why it scores nothing, the uses so far by the speaker and by others."""

    score: Floats
    why: Ints
    rate: Floats
    count: Floats
    others: Floats


def scored(stand: Standing) -> Scored:
    """Score every (speaker, phrase) at every episode that says it, from counts up to that episode."""
    values = stand.rules.rule("catchphrase").values
    own = stand.own
    count = own.so_far(own.count)
    others = _others(stand, count)
    rate = _rate(stand, count, others, values)
    why = np.where(own.since() < 2, _ONCE, 0).astype(np.int32)
    why[(why == 0) & ~closed(stand.grams, own, recurring(stand.show, own), count, values["closed"])] = _PART
    rows = np.flatnonzero(why == 0)
    words = wording(stand, own, rows, values["common"])
    whole = own.so_far(own.whole)[rows] / count[rows]
    why[rows] = _why(stand, rows, words, whole, count[rows], others[rows], rate[rows], values)
    score = np.zeros(len(why), dtype=np.float64)
    score[rows] = np.where(why[rows] == 0, _score(own.since()[rows], words, whole, rate[rows], values), 0)
    return Scored(np.round(score, 3), why, rate, count, others)


def _score(episodes: Ints, words: Wording, whole: Floats, rate: Floats, values: Any) -> Floats:
    length = np.asarray([0, *values["length"]])[np.minimum(words.size, len(values["length"]))]
    names = values["names"]
    part = np.where(
        words.only_names,
        np.where(rate >= 4, names["alone_own"], names["alone"]),
        1 - names["each"] * words.names / words.size,
    )
    info = 1 + values["info"] * np.minimum(words.info, values["info_cap"]) / values["info_cap"]
    plain = values["unwhole"] + (1 - values["unwhole"]) * whole
    return np.asarray(np.maximum(rate, 0) * np.log2(episodes) * plain * length * part * info)


def _others(stand: Standing, count: Floats) -> Floats:
    row, _ = stand.show.find(stand.own.run, 0, stand.own.episode)
    return np.asarray(np.maximum(stand.show.so_far(stand.show.count)[row] - count, 0))


def _rate(stand: Standing, count: Floats, others: Floats, values: Any) -> Floats:
    """Doublings of the speaker's rate over everybody else's."""
    mine = stand.spoken_by[stand.own.owner, stand.own.episode]
    rest = np.maximum(stand.spoken[stand.own.episode] - mine, 1)
    low, high = values["clip"]
    return np.asarray(np.clip(np.log2((count / mine) / ((others + 1) / rest)), low, high))


def _why(
    stand: Standing,
    rows: Longs,
    words: Wording,
    whole: Floats,
    count: Floats,
    others: Floats,
    rate: Floats,
    values: Any,
) -> Ints:
    """The first reason, if any, for which each event scores nothing; numbers index `REASONS`."""
    episodes = stand.own.since()[rows]
    early = stand.own.episode[rows] + 1 < values["early"]
    usual = np.where(early, values["own_common_early"], values["own_common"])
    alone = values["small_whole"]
    failed: tuple[Flags, ...] = (
        rate < values["own"],
        words.common & (rate < usual),
        words.cut & (whole < values["edge_whole"]),
        (words.size == 1) & (whole < values["single_whole"]) & (rate < values["single_own"]),
        (episodes == 2) & (whole < 0.5) & (others > 1),
        words.only_names & (rate < values["own_names"]),
        words.small & ((whole * count < alone["uses"]) | (whole <= alone["share"])),
    )
    why = np.zeros(len(rows), dtype=np.int32)
    for number in range(len(failed) - 1, -1, -1):
        why[failed[number]] = number + _PART + 1
    return why
