"""Runs of one to eight words that come back, and their counts as of each episode that says them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from showmemory.extract.corpus import Corpus, Flags, Floats, Ints, Longs
from showmemory.model.ids import digest
from showmemory.text.tokens import ENDS, PAUSED, PAUSES, SHOUTED, STARTS

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
    again = _far(corpus, where[first], where[last])
    kept = again[group]
    dense = np.cumsum(again) - 1
    return dense[group[kept]].astype(np.int32), where[kept], int(again.sum())


def _far(corpus: Corpus, one: Ints, other: Ints) -> Flags:
    """Whether the second place is in another scene than the first, or `APART` speeches on."""
    moved = corpus.scene[one] != corpus.scene[other]
    return np.asarray(moved | (corpus.speech[other] - corpus.speech[one] >= APART))


@dataclass(eq=False)
class Events:
    """One row for each (owner, run, episode): what that episode says of the run, and the sums up to it.

    The owner is a speaker or, in the table of the whole show, always 0. Rows are sorted by run, owner, episode.
    `count` and so on are this episode's: `whole` as a sentence, `clause` between pauses, `led` after one; `back` is 1
    where it takes the run up again after a while. The `so_far` forms sum over this and the earlier episodes.
    """

    run: Ints
    owner: Ints
    episode: Ints
    code: Longs
    count: Floats
    whole: Floats
    clause: Floats
    led: Floats
    shouted: Floats
    scenes: Floats
    back: Floats
    row: Longs
    first: Longs
    group: Ints
    people: int
    wide: int

    def find(self, run: Ints, owner: Ints | int, episode: Ints) -> tuple[Longs, Flags]:
        """The rows of (run, owner, episode), and which of them there are."""
        code = (run.astype(np.int64) * self.people + owner) * self.wide + episode
        row = np.minimum(np.searchsorted(self.code, code), max(len(self.code) - 1, 0)).astype(np.int64)
        return row, self.code[row] == code if len(self.code) else np.zeros(len(code), bool)

    def since(self) -> Ints:
        """How many episodes have said the run, this one counted."""
        return (np.arange(len(self.run)) - self.first[self.group] + 1).astype(np.int32)

    def so_far(self, values: Floats) -> Floats:
        """Running sums of a column within each (run, owner)."""
        total = np.cumsum(values, dtype=np.float64)
        before = np.append(0.0, total)[self.first]
        return np.asarray(total - before[self.group], dtype=np.float32)

    def most_so_far(self, values: Floats) -> Floats:
        """Running maxima of a column within each (run, owner)."""
        return running_most(values, self.group)


def running_most(values: Floats, group: Ints) -> Floats:
    """Running maxima of non-negative `values` within each group (groups ascend)."""
    if not len(values):
        return values
    lift = group * (float(values.max()) + 1.0)
    return np.asarray(np.maximum.accumulate(values + lift) - lift, dtype=np.float32)


def events(corpus: Corpus, grams: Grams, owned: bool) -> Events:
    """Count the runs episode by episode, for each speaker (`owned`) or for the whole show."""
    place, size = grams.place, grams.size.astype(np.int64)
    run, rows = grams.run.astype(np.int64), np.arange(len(grams.run))
    owner = corpus.speaker[place].astype(np.int64) if owned else np.zeros(len(place), dtype=np.int64)
    if owned:
        rows = np.flatnonzero(owner >= 0)
        rows = rows[np.lexsort((rows, owner[rows], run[rows]))]
    run, owner, place, size = run[rows], owner[rows], place[rows], size[rows]
    episode = corpus.episode[place].astype(np.int64)
    wide = len(corpus.tallies) + 1
    people = max(len(corpus.speakers), 1)
    code = (run * people + owner) * wide + episode
    new = np.append(True, code[1:] != code[:-1]) if len(code) else np.zeros(0, bool)
    starts = np.flatnonzero(new)
    first, last = corpus.bounds[place], corpus.bounds[place + size - 1]
    whole = ((first & STARTS) > 0) & ((last & ENDS) > 0)
    clause = ((first & PAUSED) > 0) & ((last & PAUSES) > 0)
    scene = corpus.scene[place]
    moved = new.copy()
    moved[1:] |= scene[1:] != scene[:-1]
    ends = np.append(starts[1:], len(code)) - 1 if len(starts) else starts
    held = code[starts] // wide
    turned = np.append(True, held[1:] != held[:-1]) if len(held) else np.zeros(0, bool)

    def total(values: Flags) -> Floats:
        return np.add.reduceat(values.astype(np.float32), starts) if len(starts) else np.zeros(0, np.float32)

    return Events(
        run=(held // people).astype(np.int32),
        owner=(held % people).astype(np.int32),
        episode=(code[starts] % wide).astype(np.int32),
        code=code[starts],
        count=total(np.ones(len(code), dtype=bool)),
        whole=total(whole),
        clause=total(clause),
        led=total((first & PAUSED) > 0),
        shouted=total((last & SHOUTED) > 0),
        scenes=total(moved),
        back=_far(corpus, place[starts], place[ends]).astype(np.float32),
        row=rows[starts].astype(np.int64),
        first=np.flatnonzero(turned).astype(np.int64),
        group=(np.cumsum(turned) - 1).astype(np.int32),
        people=people,
        wide=wide,
    )


def recurring(show: Events, table: Events) -> Flags:
    """Which events of `table` are of runs that, as of then, had come back anywhere in the show."""
    row, _ = show.find(table.run, 0, table.episode)
    return ((show.since() >= 2) | (show.most_so_far(show.back) > 0))[row]


def closed(grams: Grams, table: Events, back: Flags, count: Floats, keeps: float) -> Flags:
    """Which events are not swallowed by a run one word longer that keeps `keeps` of their count as of then.

    Longer runs that had not come `back` by then are not asked: whether they are known at all hangs on later episodes.
    """
    most = np.zeros(len(table.run), dtype=np.float32)
    place, size = grams.place[table.row], grams.size[table.row].astype(np.int32)
    for width in range(2, len(grams.at) + 1):
        rows = np.flatnonzero((size == width) & back)
        # Each longer run hands its count down to the shorter ones that start at its first and at its second word.
        for shift in (0, 1):
            below = grams.at[width - 2][place[rows] + shift]
            row, there = table.find(below, table.owner[rows], table.episode[rows])
            np.maximum.at(most, row[there], count[rows[there]])
    return np.asarray(table.most_so_far(most) < keeps * count)
