"""What the words of a run are: how telling, names or not, common or small, cut off or whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from showmemory.extract.corpus import Flags, Floats, Ints, Longs
from showmemory.extract.grams import Events
from showmemory.extract.standing import BITS, Standing

_MOST_BITS = 22


@dataclass(eq=False)
class Wording:
    """For each event: its size in words, the bits its words carry in the language, and what sort of words they are.

    `names` counts names of the cast as of the event; `over` is how many doublings the show says its most peculiar
    word above the language; `capital` the share of capitals inside sentences of its most capitalised; `apart` how
    much the words keep to each other (0 to 1).
    """

    size: Ints
    info: Floats
    names: Ints
    only_names: Flags
    common: Flags
    small: Flags
    noise: Flags
    cut: Flags
    over: Floats
    capital: Floats
    apart: Floats


def wording(stand: Standing, table: Events, rows: Longs, common: float = 5.0) -> Wording:
    """What the words of the runs of some events are, as of these events."""
    corpus = stand.corpus
    place, episode = stand.grams.place[table.row[rows]], table.episode[rows]
    size = stand.grams.size[table.row[rows]].astype(np.int32)
    usual = stand.small | (corpus.rare <= 900 - 100 * common)
    noises = stand.lexicon("noises")
    info, over, capital = np.zeros(len(rows)), np.full(len(rows), -99.0), np.zeros(len(rows))
    names, content = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)
    all_common, all_noise = np.ones(len(rows), bool), np.ones(len(rows), bool)
    joint = np.zeros(len(rows))
    within, raised = stand.capitals
    count = stand.show_count
    for step in range(int(size.max(initial=0))):
        at = np.flatnonzero(size > step)
        word = corpus.word[place[at] + step]
        full = ~stand.small[word]
        bits = corpus.rare[word] * BITS
        unit, _ = stand.show.find(stand.unit[word], 0, episode[at])
        chance = np.log2(count[unit] / stand.spoken[episode[at]])
        joint[at] += chance
        info[at] += np.where(full, np.minimum(_MOST_BITS, bits), 0)
        over[at] = np.where(full, np.maximum(over[at], chance + bits), over[at])
        share = raised[unit] / np.maximum(within[unit], 1)
        capital[at] = np.where(full, np.maximum(capital[at], share), capital[at])
        content[at] += full
        names[at] += full & (stand.named_since[word] <= episode[at])
        all_common[at] &= usual[word]
        all_noise[at] &= noises[word]
    first, last = corpus.word[place], corpus.word[place + size - 1]
    row, _ = stand.show.find(table.run[rows], 0, episode)
    alone = np.log2(count[row] / stand.spoken[episode])
    apart = np.where(size > 1, (alone - joint) / np.maximum(-alone * np.maximum(size - 1, 1), 1e-6), 1.0)
    return Wording(
        size=size,
        info=info,
        names=names,
        only_names=(names == content) & (content > 0),
        common=all_common,
        small=content == 0,
        noise=all_noise,
        cut=stand.lexicon("never_first")[first] | stand.lexicon("never_last")[last],
        over=over,
        capital=capital,
        apart=np.clip(apart, 0, 1),
    )
