"""What each episode says of each recurring run, for the whole show or for each speaker, and the sums up to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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

    def since(self, rows: Longs | None = None) -> Ints:
        """How many episodes have said the run, this one counted; of some `rows`, or of all."""
        at = np.arange(len(self.run)) if rows is None else rows
        return np.asarray(at - self.first[self.group[at]] + 1, dtype=np.int32)

    def so_far(self, values: Floats, rows: Longs | None = None) -> Floats:
        """Running sums of a column within each (run, owner); of some `rows`, or of all."""
        if rows is not None:
            part, at, starts = self._part(values, rows)
            total = np.append(0.0, np.cumsum(part, dtype=np.float64))
            return np.asarray(total[at + 1] - total[starts], dtype=np.float32)
        total = np.cumsum(values, dtype=np.float64)
        before = np.append(0.0, total)[self.first]
        return np.asarray(total - before[self.group], dtype=np.float32)

    def most_so_far(self, values: Floats, rows: Longs | None = None) -> Floats:
        """Running maxima of a column of counts within each (run, owner); of some `rows`, or of all."""
        if not len(values):
            return np.zeros(0, np.float32)
        part, at, group = values, np.arange(len(values)), self.group
        if rows is not None:
            part, at, _ = self._part(values, rows)
            low = rows[0] - at[0] if len(rows) else 0
            group = self.group[low : low + len(part)] - self.group[low : low + 1]
        lift = group * (float(values.max()) + 1.0)
        return np.asarray((np.maximum.accumulate(part + lift) - lift)[at], dtype=np.float32)

    def _part(self, values: Floats, rows: Longs) -> tuple[Floats, Longs, Longs]:
        """The part of a column that some rows are summed over, where in it they stand, and where their groups begin.

        Scoring goes over the table in parts; summing all of it for each would take the square of its length.
        """
        starts = self.first[self.group[rows]]
        low = int(starts.min()) if len(rows) else 0
        high = int(rows.max()) + 1 if len(rows) else 0
        return values[low:high], np.asarray(rows - low), np.asarray(starts - low)


def show_events(corpus: Corpus, grams: Grams) -> Events:
    """What each episode says of each run, whoever says it."""
    parts = [_counted(corpus, grams, rows, np.zeros(len(rows), np.int32), 1) for rows in _slices(grams)]
    return _table(parts, 1, len(corpus.tallies) + 1)


def own_events(corpus: Corpus, grams: Grams) -> tuple[Events, Longs]:
    """What each episode says of each run, speaker by speaker, and who has begun to say it when.

    Speakers who say a run in one episode only are left out of the table: alone they recur nowhere. All of them, those
    included, are in the second part, as sorted codes (run * width of the table + first episode).
    """
    people, wide = max(len(corpus.speakers), 1), len(corpus.tallies) + 1
    parts, begun = [], [np.zeros(0, np.int64)]
    for rows in _slices(grams):
        owner = corpus.speaker[grams.place[rows]]
        rows, owner = rows[owner >= 0], owner[owner >= 0]
        pair = grams.run[rows].astype(np.int64) * people + owner
        order = np.argsort(pair, kind="stable")
        pair, rows, owner = pair[order], rows[order], owner[order]
        new = np.diff(pair, prepend=-1) != 0
        begun.append(np.sort(pair[new] // people * wide + corpus.episode[grams.place[rows[new]]]))
        often = ~(new & np.append(new[1:], True))
        parts.append(_often(_counted(corpus, grams, rows[often], owner[often], people), wide))
    return _table(parts, people, wide), np.concatenate(begun)


_Columns = dict[str, NDArray[Any]]


def _slices(grams: Grams, most: int = 150_000) -> Iterator[Ints]:
    """The rows of the grams in slices that cut no run, so that counting them takes little room."""
    low = 0
    while low < len(grams.run):
        last = min(low + most, len(grams.run)) - 1
        high = int(grams.first[int(grams.run[last]) + 1])
        yield np.arange(low, high, dtype=np.int32)
        low = high


def _counted(corpus: Corpus, grams: Grams, rows: Ints, owner: Ints, people: int) -> _Columns:
    """Count rows of the grams that are sorted by run and owner, then by place."""
    place = grams.place[rows]
    last = place + grams.size[rows] - 1
    wide = len(corpus.tallies) + 1
    code = (grams.run[rows].astype(np.int64) * people + owner) * wide + corpus.episode[place]
    new = np.diff(code, prepend=-1) != 0
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(code))[: len(starts)] - 1

    def total(values: Flags) -> Counts:
        summed = np.add.reduceat(values.astype(np.int32), starts) if len(starts) else np.zeros(0)
        return np.minimum(summed, 65535).astype(np.uint16)

    opening, closing = corpus.bounds[place], corpus.bounds[last]
    scene = corpus.scene[place]
    return {
        "code": code[starts],
        "count": total(np.ones(len(code), dtype=bool)),
        "whole": total(((opening & STARTS) > 0) & ((closing & ENDS) > 0)),
        "clause": total(((opening & PAUSED) > 0) & ((closing & PAUSES) > 0)),
        "led": total((opening & PAUSED) > 0),
        "shouted": total((closing & SHOUTED) > 0),
        "scenes": total(new | (np.diff(scene, prepend=-1) != 0)),
        "back": far(corpus, place[starts], place[ends]),
        "row": rows[starts],
    }


def _often(columns: _Columns, wide: int) -> _Columns:
    """Without what stands in one episode only."""
    held = columns["code"] // wide
    new = np.diff(held, prepend=-1) != 0
    kept = ~(new & np.append(new[1:], True)) if len(new) else new
    return {name: column[kept] for name, column in columns.items()}


def _table(parts: list[_Columns], people: int, wide: int) -> Events:
    """The columns of all slices put together."""
    joined = {name: np.concatenate([part.pop(name) for part in parts]) for name in list(parts[0])} if parts else _none()
    held = joined["code"] // wide
    turned = np.diff(held, prepend=-1) != 0
    return Events(
        **joined,
        run=(held // people).astype(np.int32),
        owner=(held % people).astype(np.int32),
        episode=(joined["code"] % wide).astype(np.int32),
        first=np.flatnonzero(turned).astype(np.int32),
        group=(np.cumsum(turned) - 1).astype(np.int32),
        people=people,
        wide=wide,
    )


def _none() -> _Columns:
    counts = ("count", "whole", "clause", "led", "shouted", "scenes")
    empty: _Columns = {name: np.zeros(0, np.uint16) for name in counts}
    return empty | {"code": np.zeros(0, np.int64), "back": np.zeros(0, bool), "row": np.zeros(0, np.int32)}


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
