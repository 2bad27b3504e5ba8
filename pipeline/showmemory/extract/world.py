"""Tell words of a show's world, that many speak of and the action shows, from gags."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from showmemory.extract.corpus import Flags, Floats, Ints, Longs
from showmemory.extract.names import Names
from showmemory.extract.tally import BREAK

VERSION = 1


@dataclass(eq=False)
class Scenery:
    """What the action and the headings of a show say, as of each episode."""

    names: Names

    def mouths_by(self, run: Ints, episode: Ints) -> Floats:
        """How many have said a run by an episode."""
        stand = self.names.stand
        code = run.astype(np.int64) * stand.own.wide
        low, high = np.searchsorted(stand.begun, code), np.searchsorted(stand.begun, code + episode + 1)
        return np.asarray(high - low, dtype=np.float64)

    @cached_property
    def _action(self) -> tuple[Longs, Longs]:
        """Words, and pairs of words side by side, of the action: sorted codes that end in the episode."""
        stand = self.names.stand
        wide, size = len(stand.corpus.tallies) + 1, len(stand.corpus.vocab)
        single: list[Longs] = []
        double: list[Longs] = []
        for number, tally in enumerate(stand.corpus.tallies):
            into = np.asarray([*(stand.index[word] for word in tally.vocab), -1], dtype=np.int64)
            words = into[tally.action]
            both = (words[:-1] >= 0) & (words[1:] >= 0)
            single.append(words[words >= 0] * wide + number)
            double.append((words[:-1][both] * size + words[1:][both]) * wide + number)
        return np.sort(np.concatenate(single)), np.sort(np.concatenate(double))

    @cached_property
    def _headed(self) -> Ints:
        """The first episode with each word in a heading."""
        stand = self.names.stand
        found = np.full(len(stand.corpus.vocab), len(stand.corpus.tallies), dtype=np.int32)
        for number in range(len(stand.corpus.tallies) - 1, -1, -1):
            tally = stand.corpus.tallies[number]
            held = np.unique(tally.heading[tally.heading != BREAK])
            found[[stand.index[tally.vocab[word]] for word in held.tolist()]] = number
        return found

    def worldly(self, rows: Longs) -> Flags:
        """Which events of the whole show are of words of its world, as of then."""
        stand = self.names.stand
        table, values = stand.show, stand.rules.rule("world").values
        size = stand.grams.size[table.row[rows]]
        need = values["episodes"]
        part = np.ceil(need["part"] * (table.episode[rows] + 1))
        enough = table.since(rows) >= np.clip(part, need["least"], need["many"])
        enough &= table.so_far(table.whole, rows) < values["whole"] * stand.show_count[rows]
        enough &= size <= values["most_words"]
        kept = np.flatnonzero(enough)
        kept = kept[self.mouths_by(table.run[rows[kept]], table.episode[rows[kept]]) >= values["speakers"]]
        found = np.zeros(len(rows), dtype=bool)
        found[kept] = self._seen(rows[kept], values["action"])
        return found

    def _seen(self, rows: Longs, least: int) -> Flags:
        stand = self.names.stand
        table, corpus = stand.show, stand.corpus
        place, episode = stand.grams.place[table.row[rows]], table.episode[rows].astype(np.int64)
        size = stand.grams.size[table.row[rows]].astype(np.int32)
        single, double = self._action
        wide, many = len(corpus.tallies) + 1, len(corpus.vocab)
        acted = np.where(size == 1, _upto(single, corpus.word[place].astype(np.int64), episode, wide), np.inf)
        headed, telling = np.ones(len(rows), bool), np.zeros(len(rows), bool)
        for step in range(int(size.max(initial=0))):
            at = np.flatnonzero(size > step)
            word = corpus.word[place[at] + step]
            full = ~stand.small[word]
            telling[at] |= full
            headed[at] &= ~full | (self._headed[word] <= episode[at])
            if step:
                pair = corpus.word[place[at] + step - 1].astype(np.int64) * many + word
                acted[at] = np.minimum(acted[at], _upto(double, pair, episode[at], wide))
        return np.asarray(telling & (headed | (acted >= least)))


def _upto(codes: Longs, key: Longs, episode: Longs, wide: int) -> Floats:
    """How often each key stands among codes (key * wide + episode) up to its episode."""
    return np.asarray(np.searchsorted(codes, key * wide + episode + 1) - np.searchsorted(codes, key * wide), np.float64)
