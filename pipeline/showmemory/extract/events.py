"""What each episode says of each recurring run, for the whole show or for each speaker, and the sums up to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from showmemory.extract.corpus import Corpus, Flags, Floats, Ints, Longs
from showmemory.extract.grams import Grams, far
from showmemory.text.tokens import ENDS, PAUSED, PAUSES, SHOUTED, STARTS

Counts = NDArray[np.uint16]


@dataclass(eq=False)
class Events:
    """One row for each (run, owner, episode), in this order. The owner is a speaker or, for the whole show, always 0.

    `count` and so on are this episode's: `whole` as a sentence, `clause` between pauses, `led` after one; `back` is set
    where it takes the run up again after a while. The `so_far` forms sum over this and the earlier episodes. `row` is
    a row of the grams; `first` the first event of each (run, owner), `group` which of these an event belongs to.
    """

    run: Ints
    owner: Ints
    episode: Ints
    count: Counts
    whole: Counts
    clause: Counts
    led: Counts
    shouted: Counts
    scenes: Counts
    back: Flags
    row: Ints
    first: Ints
    group: Ints
    people: int
    wide: int
    code: Longs

    def release(self) -> None:
        """Let go of the columns that only scoring reads."""
        for name in ("whole", "clause", "led", "shouted", "scenes", "code"):
            setattr(self, name, getattr(self, name)[:0].copy())

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
        """Running maxima of a column of counts within each (run, owner)."""
        if not len(values):
            return np.zeros(0, np.float32)
        lift = self.group * (float(values.max()) + 1.0)
        return np.asarray(np.maximum.accumulate(values + lift) - lift, dtype=np.float32)


def show_events(corpus: Corpus, grams: Grams) -> Events:
    """What each episode says of each run, whoever says it."""
    rows = np.arange(len(grams.run), dtype=np.int32)
    return _events(corpus, grams, rows, np.zeros(len(rows), np.int32), 1)


def own_events(corpus: Corpus, grams: Grams) -> tuple[Events, Longs]:
    """What each episode says of each run, speaker by speaker, and who has begun to say it when.

    Speakers who say a run in one episode only are left out of the table: alone they recur nowhere. All of them, those
    included, are in the second part, as sorted codes (run * width of the table + first episode).
    """
    people, wide = max(len(corpus.speakers), 1), len(corpus.tallies) + 1
    owner = corpus.speaker[grams.place]
    rows = np.flatnonzero(owner >= 0).astype(np.int32)
    pair = grams.run[rows].astype(np.int64) * people + owner[rows]
    order = np.argsort(pair, kind="stable")
    pair, rows = pair[order], rows[order]
    new = np.diff(pair, prepend=-1) != 0
    begun = np.sort(pair[new] // people * wide + corpus.episode[grams.place[rows[new]]])
    often = ~(new & np.append(new[1:], True))
    rows = rows[often]
    del pair, order
    whole = _events(corpus, grams, rows, owner[rows], people)
    sizes = np.diff(np.append(whole.first, len(whole.run)))
    return _kept(whole, (sizes >= 2)[whole.group]), begun


def _events(corpus: Corpus, grams: Grams, rows: Ints, owner: Ints, people: int) -> Events:
    """Count rows of the grams that are sorted by run and owner, then by place."""
    run, place = grams.run[rows], grams.place[rows]
    last = place + grams.size[rows] - 1
    wide = len(corpus.tallies) + 1
    code = (run.astype(np.int64) * people + owner) * wide + corpus.episode[place]
    new = np.append(True, code[1:] != code[:-1]) if len(code) else np.zeros(0, bool)
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(code))[: len(starts)] - 1

    def total(values: Flags) -> Counts:
        summed = np.add.reduceat(values.astype(np.int32), starts) if len(starts) else np.zeros(0)
        return np.minimum(summed, 65535).astype(np.uint16)

    opening, closing = corpus.bounds[place], corpus.bounds[last]
    scene = corpus.scene[place]
    moved = new.copy()
    moved[1:] |= scene[1:] != scene[:-1]
    held = code[starts] // wide
    turned = np.append(True, held[1:] != held[:-1]) if len(held) else np.zeros(0, bool)
    return Events(
        run=(held // people).astype(np.int32),
        owner=(held % people).astype(np.int32),
        episode=(code[starts] % wide).astype(np.int32),
        count=total(np.ones(len(code), dtype=bool)),
        whole=total(((opening & STARTS) > 0) & ((closing & ENDS) > 0)),
        clause=total(((opening & PAUSED) > 0) & ((closing & PAUSES) > 0)),
        led=total((opening & PAUSED) > 0),
        shouted=total((closing & SHOUTED) > 0),
        scenes=total(moved),
        back=far(corpus, place[starts], place[ends]),
        row=rows[starts],
        first=np.flatnonzero(turned).astype(np.int32),
        group=(np.cumsum(turned) - 1).astype(np.int32),
        people=people,
        wide=wide,
        code=code[starts],
    )


def _kept(table: Events, keep: Flags) -> Events:
    """The table without some of its groups."""
    columns = ("run", "owner", "episode", "count", "whole", "clause", "led", "shouted", "scenes", "back", "row", "code")
    made = {name: getattr(table, name)[keep] for name in columns}
    group = table.group[keep]
    turned = np.append(True, group[1:] != group[:-1]) if len(group) else np.zeros(0, bool)
    return Events(
        **made,
        first=np.flatnonzero(turned).astype(np.int32),
        group=(np.cumsum(turned) - 1).astype(np.int32),
        people=table.people,
        wide=table.wide,
    )


def recurring(show: Events) -> Flags:
    """Which events of the whole show are of runs that had come back by then."""
    return np.asarray((show.since() >= 2) | (show.most_so_far(show.back) > 0))


def closed(grams: Grams, table: Events, back: Flags, count: Floats, keeps: float) -> Flags:
    """Which events are not swallowed by a run one word longer that keeps `keeps` of their count as of then.

    Longer runs that had not come `back` by then are not asked: whether they are known at all hangs on later episodes.
    """
    most = np.zeros(len(table.run), dtype=np.float32)
    place, size = grams.place[table.row], grams.size[table.row]
    for width in range(2, len(grams.at) + 1):
        rows = np.flatnonzero((size == width) & back)
        # Each longer run hands its count down to the shorter ones that start at its first and at its second word.
        for shift in (0, 1):
            below = grams.at[width - 2][place[rows] + shift]
            row, there = table.find(below, table.owner[rows], table.episode[rows])
            np.maximum.at(most, row[there], count[rows[there]])
    return np.asarray(table.most_so_far(most) < keeps * count)
