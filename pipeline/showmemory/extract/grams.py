"""Runs of one to eight words that come back, and every place where they stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from showmemory.extract.corpus import Corpus, Flags, Ints, Longs
from showmemory.model.ids import digest

Keys = NDArray[np.uint64]
# Words that come back so many speeches on are taken up again, in the same scene too.
APART = 3
_STEP = np.uint64(0x9E3779B97F4A7C15)


@dataclass(eq=False)
class Grams:
    """Every place where a recurring run stands, sorted by run, then by place.

    `run` is a dense number, `place` the token it starts at, `size` its words. `first` holds, for each run, its first
    row, with one more at the end; `at` finds the run that starts at a token with a size (or -1).
    """

    run: Ints
    place: Ints
    size: NDArray[np.int8]
    first: Longs
    at: list[Ints]

    @property
    def sizes(self) -> NDArray[np.int8]:
        """The size of each run."""
        return self.size[self.first[:-1]]

    def places(self, run: int) -> Ints:
        """The tokens at which `run` stands, in story order."""
        return self.place[self.first[run] : self.first[run + 1]]


def grams(corpus: Corpus, hidden: Flags, widest: int) -> Grams:
    """All runs of up to `widest` words outside `hidden` tokens that come back."""
    total = len(corpus.word)
    hashed = hashes(corpus.vocab)[corpus.word]
    room = _room_outside(corpus.room, hidden)
    keys = np.zeros(total, dtype=np.uint64)
    alive = np.ones(total, dtype=bool)
    runs: list[Ints] = []
    places: list[Ints] = []
    sizes: list[NDArray[np.int8]] = []
    at: list[Ints] = []
    count = 0
    for size in range(1, widest + 1):
        keys = longer(keys, hashed, size)
        # A run can only come back if the run without its first word and the one without its last do.
        alive = alive & np.append(alive[1:], False) & (room >= size) if size > 1 else room >= 1
        where = np.flatnonzero(alive).astype(np.int32)
        run, place, number = _recurring(keys[where], where, corpus)
        alive = np.zeros(total, dtype=bool)
        alive[place] = True
        index = np.full(total, -1, dtype=np.int32)
        index[place] = run + count
        at.append(index)
        runs.append(run + np.int32(count))
        places.append(place)
        sizes.append(np.full(len(place), size, dtype=np.int8))
        count += number
    run = np.concatenate(runs)
    return Grams(
        run=run,
        place=np.concatenate(places),
        size=np.concatenate(sizes),
        first=np.searchsorted(run, np.arange(count + 1)).astype(np.int64),
        at=at,
    )


def hashes(vocab: tuple[str, ...]) -> Keys:
    """A number for each word that depends on the word alone."""
    return np.asarray([int(digest(word)[:16], 16) for word in vocab], dtype=np.uint64)


def longer(keys: Keys, hashed: Keys, size: int) -> Keys:
    """Hashes of the runs one word longer than those in `keys`."""
    made = keys * _STEP
    last = max(0, len(hashed) - size + 1)
    made[:last] += hashed[size - 1 :][:last]
    return made ^ (made >> np.uint64(29))


def _room_outside(room: Ints, hidden: Flags) -> Ints:
    """`room`, ended before the next hidden token."""
    if not hidden.any():
        return room
    places = np.arange(len(room))
    upto = np.where(hidden, places, len(room))
    upto = np.minimum.accumulate(upto[::-1])[::-1]
    return np.minimum(room, upto - places).astype(np.int32)


def _recurring(keys: Keys, where: Ints, corpus: Corpus) -> tuple[Ints, Ints, int]:
    """Rows (run, place) of the keys that come back in another scene or some speeches on, numbered in order of key."""
    order = np.argsort(keys, kind="stable")
    keys, where = keys[order], where[order]
    if not len(keys):
        return np.zeros(0, np.int32), where, 0
    new = np.append(True, keys[1:] != keys[:-1])
    group = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(keys)) - 1
    again = far(corpus, where[first], where[last])
    kept = again[group]
    dense = np.cumsum(again) - 1
    return dense[group[kept]].astype(np.int32), where[kept], int(again.sum())


def far(corpus: Corpus, one: Ints, other: Ints) -> Flags:
    """Whether the second place is in another scene than the first, or `APART` speeches on."""
    moved = corpus.scene[one] != corpus.scene[other]
    return np.asarray(moved | (corpus.speech[other] - corpus.speech[one] >= APART))
