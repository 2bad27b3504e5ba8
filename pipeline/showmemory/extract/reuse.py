"""Find footage that is shown again (clip shows, recaps), so that its words are not counted twice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from showmemory.extract.corpus import Corpus, Flags, Ints
from showmemory.extract.grams import hashes, longer
from showmemory.model.rules import Rule

VERSION = 1


@dataclass(frozen=True, eq=False)
class Reused:
    """`hidden`: tokens of reused speeches; `share`: their part of each episode's; `clips`: which are clip shows."""

    hidden: Flags
    share: tuple[float, ...]
    clips: tuple[bool, ...]


def reused(corpus: Corpus, rule: Rule) -> Reused:
    """What each episode shows again of an earlier one; only earlier episodes count, so a later one changes nothing."""
    count = len(corpus.tallies)
    if not len(corpus.word):
        return Reused(np.zeros(0, bool), (0.0,) * count, (False,) * count)
    values = rule.values
    keyed = hashes(corpus.vocab)[corpus.word]
    firsts = np.flatnonzero(np.append(True, corpus.speech[1:] != corpus.speech[:-1])).astype(np.int32)
    episode = corpus.episode[firsts]
    paired = _paired(keyed, firsts, episode, int(values["pair_words"]))
    run = _runs_again(corpus, keyed, firsts, int(values["run_words"]))
    alone = run & ~paired
    near = _near(paired | run, episode, int(values["near"]), alone)
    marked = paired | (alone & near)
    said = np.bincount(episode, minlength=count)
    share = np.bincount(episode, weights=marked, minlength=count) / np.maximum(said, 1)
    # A long line of its own may be a catchphrase; within a clip show it is footage like the rest.
    floor = float(values["clip_share"])
    marked |= run & (share >= floor)[episode]
    lengths = np.diff(np.append(firsts, len(corpus.word)))
    return Reused(
        hidden=np.repeat(marked, lengths),
        share=tuple(round(float(s), 4) for s in share),
        clips=tuple(bool(s >= floor) for s in share),
    )


def _paired(keyed: NDArray[np.uint64], firsts: Ints, episode: Ints, least: int) -> Flags:
    """Speeches that stand word for word beside the same neighbour in an earlier episode."""
    ends = np.append(firsts[1:], len(keyed))
    mixed = keyed * (np.arange(len(keyed), dtype=np.uint64) - np.repeat(firsts, ends - firsts).astype(np.uint64) + 7919)
    whole = np.add.reduceat(mixed ^ (mixed >> np.uint64(31)), firsts)
    pair = whole[:-1] * np.uint64(0x9E3779B97F4A7C15) + whole[1:]
    long = (ends - firsts)[:-1] + (ends - firsts)[1:] >= least
    together = long & (episode[:-1] == episode[1:])
    again = _earlier(pair, episode[:-1], together)
    return np.asarray(np.append(again, False) | np.append(False, again))


def _runs_again(corpus: Corpus, keyed: NDArray[np.uint64], firsts: Ints, size: int) -> Flags:
    """Speeches that hold a long run which the same speaker said in an earlier episode."""
    key = np.zeros(len(keyed), dtype=np.uint64)
    for width in range(1, size + 1):
        key = longer(key, keyed, width)
    usable = (corpus.room >= size) & (corpus.speaker >= 0)
    key = key * np.uint64(31) + corpus.speaker.astype(np.uint64)
    again = _earlier(key, corpus.episode, usable)
    return np.asarray(np.add.reduceat(again.astype(np.int32), firsts) > 0)


def _earlier(keys: NDArray[np.uint64], episode: Ints, usable: Flags) -> Flags:
    """Which usable rows have a key that an earlier episode has too (rows are in story order)."""
    found = np.zeros(len(keys), dtype=bool)
    where = np.flatnonzero(usable)
    _, first, back = np.unique(keys[where], return_index=True, return_inverse=True)
    found[where] = episode[where] > episode[where[first]][back]
    return found


def _near(marked: Flags, episode: Ints, reach: int, of: Flags) -> Flags:
    """Which of the `of` rows have another marked row within `reach` rows in their episode."""
    near = np.zeros(len(marked), dtype=bool)
    for step in range(1, reach + 1):
        same = episode[step:] == episode[:-step]
        near[step:] |= marked[:-step] & same
        near[:-step] |= marked[step:] & same
    return near & of
