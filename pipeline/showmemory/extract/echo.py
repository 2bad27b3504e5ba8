"""Find echoes: two moments, episodes apart, that share words the show seldom says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
    """What each speech says, as stems: all of them in order, and which of them stand with a capital."""

    names: Names
    of_word: list[str]
    stems: list[tuple[str, ...]] = field(default_factory=list)
    raised: list[frozenset[str]] = field(default_factory=list)
    scene: list[int] = field(default_factory=list)
    episode: list[int] = field(default_factory=list)
    speaker: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)

    def window(self, speech: int, width: int) -> list[int]:
        """The speech and up to `width` - 1 before it in its scene, in order."""
        low = speech
        while low > 0 and speech - low < width - 1 and self.scene[low - 1] == self.scene[speech]:
            low -= 1
        return list(range(low, speech + 1))


def speeches(names: Names) -> Speeches:
    """Cut a show's words into speeches of stems; small words and footage shown again are left out."""
    stand = names.stand
    corpus = stand.corpus
    language = stand.rules.language
    stems = [stem(word, language) for word in corpus.vocab]
    made = Speeches(names, stems)
    starts = np.flatnonzero(np.diff(corpus.speech, prepend=-1)).tolist()
    for low, high in zip(starts, [*starts[1:], len(corpus.speech)][: len(starts)], strict=True):
        hidden = bool(stand.reuse.hidden[low])
        words = [] if hidden else corpus.word[low:high].tolist()
        bounds = corpus.bounds[low:high].tolist()
        told = [(stems[w], b) for w, b in zip(words, bounds, strict=False) if not stand.small[w]]
        made.stems.append(tuple(s for s, _ in told))
        made.raised.append(frozenset(s for s, b in told if b & CAPITAL))
        made.scene.append(int(corpus.scene[low]))
        made.episode.append(int(corpus.episode[low]))
        made.speaker.append(int(corpus.speaker[low]))
        made.first.append(low)
    return made


class Echoes:
    """Finds the echoes of each episode in turn; knows only the episodes before it."""

    def __init__(self, said: Speeches) -> None:
        self.said = said
        stand = said.names.stand
        self._values: dict[str, Any] = dict(stand.rules.rule("echo").values)
        self._bits: dict[str, float] = {}
        self._named: set[str] = set()
        self._known_from: dict[str, int] = {}
        for key, rare, since in zip(said.of_word, stand.corpus.rare.tolist(), said.names.since.tolist(), strict=True):
            self._bits[key] = min(self._bits.get(key, 99.0), rare * BITS)
            self._known_from[key] = min(self._known_from.get(key, since), since)
        self._where: dict[str, list[int]] = {}
        self._episodes: dict[str, int] = {}
        self._cuts = np.searchsorted(said.episode, np.arange(len(stand.corpus.tallies) + 1))

    def of(self, episode: int) -> list[Echo]:
        """The echoes that `episode` brings, best first, one for each rare stem."""
        here = range(int(self._cuts[episode]), int(self._cuts[episode + 1]))
        for held in {s for speech in here for s in self.said.stems[speech]}:
            self._episodes[held] = self._episodes.get(held, 0) + 1
        self._named |= {held for held, since in self._known_from.items() if since <= episode}
        best: dict[str, Echo] = {}
        for speech in here:
            for echo in self._back(speech, episode):
                for held in echo.stems:
                    if held not in best or _rank(echo) < _rank(best[held]):
                        best[held] = echo
        for speech in here:
            for held in sorted(set(self.said.stems[speech])):
                self._where.setdefault(held, []).append(speech)
        made = sorted(set(best.values()), key=_rank)
        return [echo for echo in made if all(best[held] == echo for held in echo.stems)]

    def _back(self, speech: int, episode: int) -> Iterator[Echo]:
        """What a speech takes up: earlier speeches that share one of its rare stems, with their windows."""
        need = self._values
        last = episode - need["gap"]
        rare = [held for held in sorted(set(self.said.stems[speech])) if self._rare(held, episode)]
        if not rare:
            return
        mine = self.said.window(speech, need["window"])
        told = {held for at in mine for held in self.said.stems[at]}
        seen: set[int] = set()
        for held in rare:
            for other in self._where.get(held, ()):
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
        before = {held for at in theirs for held in self.said.stems[at]}
        both = told & before
        rare = sorted(held for held in both if self._rare(held, episode))
        if len(rare) < need["shared"] or (len(both) == need["shared"] and self._adjacent(rare, mine, theirs)):
            return None
        raised = {held for at in (*mine, *theirs) for held in self.said.raised[at]}
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
            return any(
                {one, two} == pair
                for at in window
                for one, two in zip(self.said.stems[at], self.said.stems[at][1:], strict=False)
            )

        return beside(mine) and beside(theirs)

    def _in_order(self, mine: list[int], theirs: list[int], both: set[str]) -> int:
        """How many shared stems two windows have in the same order."""
        one = [held for at in mine for held in self.said.stems[at] if held in both][:40]
        two = [held for at in theirs for held in self.said.stems[at] if held in both][:40]
        row = [0] * (len(two) + 1)
        for first in one:
            before = row[:]
            for at, second in enumerate(two):
                row[at + 1] = before[at] + 1 if first == second else max(row[at], before[at + 1])
        return row[-1]


def _rank(echo: Echo) -> tuple[float, int, int]:
    return (-echo.value, echo.planted, echo.returned)
