"""Tallies laid end to end in story order: one set of arrays over all words a show has said so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from showmemory.extract.tally import NOBODY, OPENS, Tally

Ints = NDArray[np.integer[Any]]
Longs = NDArray[np.int64]
Flags = NDArray[np.bool_]
# Numbers of any sort: counts are kept small, scores are not.
Floats = NDArray[Any]


@dataclass(eq=False)
class Corpus:
    """All tokens of a show in story order. `room`: how many words the run still holds from this one on.

    `word` indexes `vocab`; `speech`, `scene` and `speaker` are numbers over the whole show; `base` is where each
    episode's tokens begin; `known` how many words of `vocab` the episodes up to each have. Numbers depend on what was
    read, so nothing that leaves this package is ordered by them.
    """

    tallies: tuple[Tally, ...]
    vocab: tuple[str, ...]
    rare: Ints
    word: Ints
    episode: Ints
    scene: Ints
    speech: Ints
    speaker: Ints
    bounds: Ints
    room: Ints
    base: Longs
    speakers: tuple[str, ...]
    names: tuple[frozenset[str], ...]
    known: tuple[int, ...]

    def words(self, at: int, size: int) -> tuple[str, ...]:
        """The folded words of the run of `size` at token `at`."""
        return tuple(self.vocab[w] for w in self.word[at : at + size])


def in_parts(rows: Longs, most: int = 40_000) -> Iterator[Longs]:
    """Rows in parts of at most `most`, so that scoring many takes no more room than scoring a few."""
    yield from (rows[at : at + most] for at in range(0, len(rows), most))


def lay_out(tallies: Sequence[Tally]) -> Corpus:
    """The tallies, already in story order, as one corpus."""
    vocab: dict[str, int] = {}
    rare: list[int] = []
    speakers: dict[str, int] = {}
    names: list[set[str]] = []
    parts: dict[str, list[Ints]] = {k: [] for k in ("word", "episode", "scene", "speech", "speaker", "bounds")}
    scene = speech = 0
    known: list[int] = []
    for number, tally in enumerate(tallies):
        into = _into(vocab, tally.vocab, rare, tally.rare)
        known.append(len(vocab))
        whose = np.asarray([*_places(speakers, tally, names), NOBODY], dtype=np.int32)
        parts["word"].append(into[tally.word])
        parts["episode"].append(np.full(len(tally.word), number, dtype=np.int16))
        parts["scene"].append(tally.scene[tally.speech] + np.int32(scene))
        parts["speech"].append(tally.speech + np.int32(speech))
        parts["speaker"].append(whose[tally.speaker[tally.speech]])
        parts["bounds"].append(tally.bounds.astype(np.uint8))
        scene += len(tally.scenes)
        speech += len(tally.speaker)
    made = {name: np.concatenate(found) if found else np.zeros(0, np.int32) for name, found in parts.items()}
    base = np.cumsum([0, *(len(t.word) for t in tallies)]).astype(np.int64)
    return Corpus(
        tallies=tuple(tallies),
        vocab=tuple(vocab),
        rare=np.asarray(rare, dtype=np.int32),
        room=_room(made["bounds"]),
        base=base,
        speakers=tuple(speakers),
        names=tuple(frozenset(n) for n in names),
        known=tuple(known),
        **made,
    )


def _into(vocab: dict[str, int], words: tuple[str, ...], rare: list[int], levels: Ints) -> Ints:
    """Where a tally's words stand in the show's vocabulary, which grows as needed."""
    for word, level in zip(words, levels.tolist(), strict=True):
        if word not in vocab:
            vocab[word] = len(vocab)
            rare.append(level)
    return np.asarray([vocab[word] for word in words], dtype=np.int32)


def _places(speakers: dict[str, int], tally: Tally, names: list[set[str]]) -> list[int]:
    found = []
    for speaker, name in zip(tally.speakers, tally.names, strict=True):
        if speaker not in speakers:
            speakers[speaker] = len(speakers)
            names.append(set())
        names[speakers[speaker]].add(name)
        found.append(speakers[speaker])
    return found


def _room(bounds: Ints) -> Ints:
    """For each token the number of tokens from it to the end of its run."""
    opens = np.flatnonzero(bounds & OPENS)
    ends = np.append(opens[1:], len(bounds))
    lengths = ends - opens
    return (np.repeat(ends, lengths) - np.arange(len(bounds))).astype(np.int32)
