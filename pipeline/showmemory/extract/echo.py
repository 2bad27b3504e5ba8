"""Find echoes: two moments, episodes apart, that share words the show seldom says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from showmemory.extract.corpus import Flags, Ints
from showmemory.extract.names import Names
from showmemory.extract.standing import BITS
from showmemory.text.stems import stem
from showmemory.text.tokens import CAPITAL

VERSION = 1


@dataclass(frozen=True, slots=True)
class Echo:
    """A moment and the one it takes up: speeches (numbers over the show), the stems they share, what it is worth."""

    planted: int
    returned: int
    stems: tuple[str, ...]
    value: float


@dataclass(eq=False)
class Speeches:
    """What each speech says, as stems: `told` all telling ones end to end, `cut` where each speech begins in them.

    `raised` is set where a stem stands with a capital; `first` is the first token of a speech.
    """

    names: Names
    of_word: list[str]
    told: Ints
    raised: Flags
    cut: list[int]
    scene: list[int]
    episode: list[int]
    speaker: list[int]
    first: list[int]

    def window(self, speech: int, width: int) -> list[int]:
        """The speech and up to `width` - 1 before it in its scene, in order."""
        low = speech
        while low > 0 and speech - low < width - 1 and self.scene[low - 1] == self.scene[speech]:
            low -= 1
        return list(range(low, speech + 1))

    def stems(self, speech: int, last: int | None = None) -> list[str]:
        """The stems of a speech, or of all speeches up to `last`, in order."""
        words = self.told[self.cut[speech] : self.cut[(speech if last is None else last) + 1]]
        return [self.of_word[word] for word in words.tolist()]

    def capitals(self, window: list[int]) -> set[str]:
        """The stems that stand with a capital in a window."""
        low, high = self.cut[window[0]], self.cut[window[-1] + 1]
        return {self.of_word[word] for word in self.told[low:high][self.raised[low:high]].tolist()}


def speeches(names: Names, stems: Sequence[str] = ()) -> Speeches:
    """Cut a show's words into speeches of stems; small words and footage shown again are left out.

    `stems`: those of the first words of the vocabulary, where they are known.
    """
    stand = names.stand
    corpus = stand.corpus
    kept = np.flatnonzero(~stand.small[corpus.word] & ~stand.reuse.hidden)
    first = np.flatnonzero(np.diff(corpus.speech, prepend=-1))
    return Speeches(
        names=names,
        of_word=[*stems, *(stem(word, stand.rules.language) for word in corpus.vocab[len(stems) :])],
        told=corpus.word[kept],
        raised=(corpus.bounds[kept] & CAPITAL) > 0,
        cut=np.searchsorted(kept, np.append(first, len(corpus.word))).tolist(),
        scene=corpus.scene[first].tolist(),
        episode=corpus.episode[first].tolist(),
        speaker=corpus.speaker[first].tolist(),
        first=first.tolist(),
    )


class Echoes:
    """Finds the echoes of each episode in turn; knows only the episodes before it."""

    def __init__(self, said: Speeches) -> None:
        self.said = said
        self._values: dict[str, Any] = dict(said.names.stand.rules.rule("echo").values)
        self._bits: dict[str, float] = {}
        self._named: set[str] = set()
        self._where: dict[str, list[int]] = {}
        self._episodes: dict[str, int] = {}
        self._cuts = np.searchsorted(said.episode, np.arange(len(said.names.stand.corpus.tallies) + 1))
        self._before: dict[str, Ints] = {}

    def skip(self, start: int) -> None:
        """Know at once what episodes before `start` say."""
        stand, of_word = self.said.names.stand, self.said.of_word
        corpus = stand.corpus
        number: dict[str, int] = {}
        known = corpus.known[start - 1]
        into = np.asarray([number.setdefault(held, len(number)) for held in of_word[:known]], np.int64)
        for held, rare in zip(of_word, corpus.rare[:known].tolist(), strict=False):
            self._bits[held] = min(self._bits.get(held, 99.0), rare * BITS)
        upto = int(corpus.base[start])
        pairs = np.unique(into[corpus.word[:upto]] * start + corpus.episode[:upto])
        counts = np.bincount(pairs // start, minlength=len(number)).tolist()
        self._episodes = {held: count for held, count in zip(number, counts, strict=True) if count}
        self._named = {of_word[word] for word in np.flatnonzero(self.said.names.since < start).tolist()}
        self._before = self._said_before(int(self._cuts[start]), number, into)

    def _said_before(self, speeches_: int, number: dict[str, int], into: Ints) -> dict[str, Ints]:
        """The speeches, in order, that hold each stem, as far as they stand before a speech."""
        cut = np.asarray(self.said.cut[: speeches_ + 1])
        held = into[self.said.told[: cut[-1]]] * speeches_ + np.repeat(np.arange(speeches_), np.diff(cut))
        held = np.unique(held)
        ends = np.searchsorted(held, np.arange(len(number) + 1) * speeches_)
        return {
            word: held[ends[at] : ends[at + 1]] % speeches_ for word, at in number.items() if ends[at] < ends[at + 1]
        }

    def _spoken(self, held: str) -> list[int]:
        """The speeches before this episode that hold a stem."""
        if held in self._before:
            self._where[held] = [*self._before.pop(held).tolist(), *self._where.get(held, ())]
        return self._where.get(held, [])

    def _learn(self, episode: int) -> None:
        """Take in which stems an episode says, how rare its words are in the language, and which are names by now."""
        stand, of_word = self.said.names.stand, self.said.of_word
        tally = stand.corpus.tallies[episode]
        for word, rare in zip(tally.vocab, tally.rare.tolist(), strict=True):
            held = of_word[stand.index[word]]
            self._bits[held] = min(self._bits.get(held, 99.0), rare * BITS)
        for held in {of_word[stand.index[tally.vocab[word]]] for word in np.unique(tally.word).tolist()}:
            self._episodes[held] = self._episodes.get(held, 0) + 1
        self._named |= {of_word[word] for word in np.flatnonzero(self.said.names.since == episode).tolist()}

    def of(self, episode: int) -> list[Echo]:
        """The echoes that `episode` brings, best first, one for each rare stem."""
        here = range(int(self._cuts[episode]), int(self._cuts[episode + 1]))
        self._learn(episode)
        best: dict[str, Echo] = {}
        for speech in here:
            for echo in self._back(speech, episode):
                for held in echo.stems:
                    if held not in best or _rank(echo) < _rank(best[held]):
                        best[held] = echo
        for speech in here:
            for held in set(self.said.stems(speech)):
                self._where.setdefault(held, []).append(speech)
        made = sorted(set(best.values()), key=_rank)
        return [echo for echo in made if all(best[held] == echo for held in echo.stems)]

    def _back(self, speech: int, episode: int) -> Iterator[Echo]:
        """What a speech takes up: earlier speeches that share one of its rare stems, with their windows."""
        need = self._values
        last = episode - need["gap"]
        rare = [held for held in sorted(set(self.said.stems(speech))) if self._rare(held, episode)]
        if not rare:
            return
        mine = self.said.window(speech, need["window"])
        told = set(self.said.stems(mine[0], mine[-1]))
        seen: set[int] = set()
        for held in rare:
            for other in self._spoken(held):
                if other not in seen and self.said.episode[other] <= last:
                    seen.add(other)
                    echo = self._echo(speech, other, mine, told, episode)
                    if echo is not None:
                        yield echo

    def _rare(self, held: str, episode: int) -> bool:
        rare = self._values["rare"]
        most = max(rare["episodes"], rare["share"] * (episode + 1))
        telling = self._bits[held] >= (900 - 100 * rare["zipf"]) * BITS
        return telling and 2 <= self._episodes[held] <= most and held not in self._named

    def _echo(self, speech: int, other: int, mine: list[int], told: set[str], episode: int) -> Echo | None:
        need = self._values
        theirs = self.said.window(other, need["window"])
        before = set(self.said.stems(theirs[0], theirs[-1]))
        both = told & before
        rare = sorted(held for held in both if self._rare(held, episode))
        if len(rare) < need["shared"] or (len(both) == need["shared"] and self._adjacent(rare, mine, theirs)):
            return None
        raised = self.said.capitals(mine) | self.said.capitals(theirs)
        low = sum(held not in raised for held in both)
        if not low:
            return None
        weights = [weight for held in sorted(both) if (weight := self._weight(held, episode)) > need["weight"]["least"]]
        most = need["length_most"]
        value = sum(weights) - need["length"] * float(np.sqrt(min(len(told), most) * min(len(before), most)))
        value *= 1 + need["order"] * max(0, self._in_order(mine, theirs, both) - 2)
        few = need["few"]
        value *= few["factor"] + (1 - few["factor"]) * min(1.0, len(weights) / few["enough"])
        value *= need["same_mouth"] if self.said.speaker[speech] == self.said.speaker[other] else 1.0
        value *= need["capitals"] if low < 2 else 1.0
        return Echo(other, speech, tuple(rare), round(value, 3)) if value > 0 else None

    def _weight(self, held: str, episode: int) -> float:
        """What a stem tells: its rarity in the show so far and in the language, half and half."""
        need = self._values["weight"]
        if held in self._named:
            return 0.0
        show = np.log2((episode + 1) / self._episodes[held])
        language = (self._bits[held] - need["bits"]) / 2
        return float(min(need["most"], max(0.0, (show + language) / 2)))

    def _adjacent(self, rare: list[str], mine: list[int], theirs: list[int]) -> bool:
        """Whether the only two shared stems stand side by side on both sides: a fixed expression, not an echo."""
        pair = set(rare[:2])

        def beside(window: list[int]) -> bool:
            return any({one, two} == pair for at in window for one, two in pairwise(self.said.stems(at)))

        return beside(mine) and beside(theirs)

    def _in_order(self, mine: list[int], theirs: list[int], both: set[str]) -> int:
        """How many shared stems two windows have in the same order."""
        one = [held for held in self.said.stems(mine[0], mine[-1]) if held in both][:40]
        two = [held for held in self.said.stems(theirs[0], theirs[-1]) if held in both][:40]
        row = [0] * (len(two) + 1)
        for first in one:
            before = row[:]
            for at, second in enumerate(two):
                row[at + 1] = before[at] + 1 if first == second else max(row[at], before[at + 1])
        return row[-1]


def _rank(echo: Echo) -> tuple[float, int, int]:
    return (-echo.value, echo.planted, echo.returned)
