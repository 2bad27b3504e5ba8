"""What the words of a run are: how telling, names or not, common or small, cut off or whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from showmemory.extract.corpus import Flags, Floats, Ints, Longs
from showmemory.extract.events import Events
from showmemory.extract.names import Names
from showmemory.extract.standing import BITS

_MOST_BITS = 22


@dataclass(eq=False)
class Wording:
    """For each event: its size in words, the bits its words carry in the language, and what sort of words they are.

    `names` counts names as of the event, `numbers` numbers; `mine` is set where a word is of the speaker's own name,
    `figures` where all telling words are numbers, `cued` where all stand in cues; `over` is how many doublings the show
    says its most peculiar word above the language; `capital` the share of capitals inside sentences of its most
    capitalised; `apart` how much the words keep to each other (0 to 1).
    """

    size: Ints
    info: Floats
    names: Ints
    mine: Flags
    only_names: Flags
    common: Flags
    small: Flags
    noise: Flags
    numbers: Ints
    figures: Flags
    cued: Flags
    cut: Flags
    led: Flags
    over: Floats
    capital: Floats
    apart: Floats


def wording(names: Names, table: Events, rows: Longs, common: float = 5.0) -> Wording:
    """What the words of the runs of some events are, as of these events."""
    stand = names.stand
    corpus = stand.corpus
    place, episode, owner = stand.grams.place[table.row[rows]], table.episode[rows], table.owner[rows]
    size = stand.grams.size[table.row[rows]].astype(np.int32)
    titles = stand.lexicon("titles")
    usual = stand.small | titles | (corpus.rare <= 900 - 100 * common)
    noises, numbers = stand.lexicon("noises"), _numbers(names)
    counted, figured = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)
    all_cued = np.ones(len(rows), bool)
    own = _own(names)
    wide = len(corpus.vocab)
    info, over, capital = np.zeros(len(rows)), np.full(len(rows), -99.0), np.zeros(len(rows))
    named, content = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)
    all_common, all_noise = np.ones(len(rows), bool), np.ones(len(rows), bool)
    mine = np.zeros(len(rows), bool)
    joint = np.zeros(len(rows))
    within, raised = stand.capitals
    count = stand.show_count
    for step in range(int(size.max(initial=0))):
        at = np.flatnonzero(size > step)
        word = corpus.word[place[at] + step]
        full = ~stand.small[word] & ~titles[word]
        bits = corpus.rare[word] * BITS
        unit, _ = stand.show.find(stand.unit[word], 0, episode[at])
        chance = np.log2(count[unit] / stand.spoken[episode[at]])
        joint[at] += chance
        info[at] += np.where(~stand.small[word], np.minimum(_MOST_BITS, bits), 0)
        over[at] = np.where(full, np.maximum(over[at], chance + bits), over[at])
        share = raised[unit] / np.maximum(within[unit], 1)
        capital[at] = np.where(full, np.maximum(capital[at], share), capital[at])
        content[at] += full
        named[at] += full & (names.since[word] <= episode[at])
        all_common[at] &= usual[word]
        all_noise[at] &= noises[word]
        counted[at] += numbers[word]
        figured[at] += full & numbers[word]
        all_cued[at] &= ~full | (names.cues[word] <= episode[at])
        mine[at] |= _has(own, owner[at].astype(np.int64) * wide + word, episode[at])
    first, last = corpus.word[place], corpus.word[place + size - 1]
    row, _ = stand.show.find(table.run[rows], 0, episode)
    alone = np.log2(count[row] / stand.spoken[episode])
    apart = np.where(size > 1, (alone - joint) / np.maximum(-alone * np.maximum(size - 1, 1), 1e-6), 1.0)
    return Wording(
        size=size,
        info=info,
        names=named,
        mine=mine,
        only_names=(named == content) & (content > 0),
        common=all_common,
        small=content == 0,
        noise=all_noise,
        numbers=counted,
        figures=(figured == content) & (content > 0),
        cued=all_cued & (content > 0),
        cut=stand.lexicon("never_first")[first] | stand.lexicon("never_last")[last],
        led=stand.lexicon("determiners")[first],
        over=over,
        capital=capital,
        apart=np.clip(apart, 0, 1),
    )


def _numbers(names: Names) -> Flags:
    """Which words of the vocabulary are numbers, in letters or in figures."""
    figures = np.asarray([word[:1].isdigit() for word in names.stand.corpus.vocab], dtype=bool)
    return np.asarray(names.stand.lexicon("numbers") | figures)


def _own(names: Names) -> tuple[Longs, Ints]:
    """Speakers' own names as sorted codes, with the episode each is known from."""
    wide = len(names.stand.corpus.vocab)
    held = sorted((speaker * wide + word, since) for (speaker, word), since in names.own.items() if speaker >= 0)
    return np.asarray([c for c, _ in held], np.int64), np.asarray([s for _, s in held], np.int32)


def _has(own: tuple[Longs, Ints], code: Longs, episode: Ints) -> Flags:
    codes, since = own
    if not len(codes):
        return np.zeros(len(code), bool)
    at = np.minimum(np.searchsorted(codes, code), len(codes) - 1)
    return np.asarray((codes[at] == code) & (since[at] <= episode))
