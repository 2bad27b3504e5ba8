"""Echoes across episodes, taken through the episodes in order: planted here, returned there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import Any

from showmemory.extract.echo import Echo, Echoes, Speeches, speeches
from showmemory.extract.entries import Identity, observations
from showmemory.extract.names import Names
from showmemory.extract.tally import OPENS
from showmemory.extract.uses import use
from showmemory.model.memory import Said, Use
from showmemory.model.observation import Observation
from showmemory.text.tokens import ENDS, STARTS

_LONGEST = 40


@dataclass
class _Held:
    """An echo that was earned: where it was planted, what it shares, and its identity."""

    planted: int
    stems: frozenset[str]
    identity: Identity
    score: float
    episodes: set[int] = field(default_factory=set)


class Returns:
    """Moments that take up an earlier one, each waiting for a person's yes."""

    def __init__(self, names: Names) -> None:
        self.names, self.stand = names, names.stand
        self.values = self.stand.rules.rule("echo").values
        self._stems: list[str] = []
        self._earned: list[_Held] = []
        self._held: dict[str, list[_Held]] = {}
        self._below: list[tuple[int, Echo]] = []

    @cached_property
    def said(self) -> Speeches:
        """All speeches of the show."""
        return speeches(self.names, self._stems)

    @cached_property
    def _echoes(self) -> Echoes:
        return Echoes(self.said)

    def episode(self, number: int) -> Iterator[Observation]:
        """Take in one episode, in order."""
        found = 0
        for echo in self._echoes.of(number):
            held = self._same(echo)
            if held is not None:
                if number not in held.episodes:
                    yield from self._again(held, echo, number)
            elif echo.value >= self.values["bar"] and found < self.values["most"]:
                found += 1
                yield from self._first(echo, number)
            else:
                self._below.append((number, echo))

    def held(self) -> Any:
        """What a pass needs to go on from here."""
        rows = [[h.planted, sorted(h.stems), astuple(h.identity), h.score, sorted(h.episodes)] for h in self._earned]
        return {"held": rows, "stems": self.said.of_word}

    def take(self, held: Any) -> None:
        """Go on from there."""
        self._stems = held["stems"][: self.stand.corpus.known[self.stand.start - 1]]
        self._echoes.skip(self.stand.start)
        for planted, stems, (rule, kind, form, key, name, about), score, episodes in held["held"]:
            identity = Identity(rule, kind, form, key, name, tuple(about))
            self._keep(_Held(planted, frozenset(stems), identity, score, set(episodes)))

    def _keep(self, held: _Held) -> None:
        self._earned.append(held)
        for stem in held.stems:
            self._held.setdefault(stem, []).append(held)

    def rest(self) -> Iterator[Observation]:
        """What shares rare words, but too few of them."""
        ranked = sorted(self._below, key=lambda pair: (-pair[1].value, pair[0]))
        told: set[str] = set()
        for number, echo in ranked[: self.values["rest"]]:
            held = f"scores {echo.value:.1f}, and {self.values['bar']:.1f} is needed"
            if echo.value >= self.values["bar"]:
                held = "its episode has better ones"
            identity = self._identity(echo)
            if identity.key not in told:
                told.add(identity.key)
                planted, returned = self._quoted(echo)
                said = self._said(planted, returned, echo).model_copy(update={"earned": False, "held": held})
                yield from observations(self.stand, identity, {number: said})

    def _first(self, echo: Echo, number: int) -> Iterator[Observation]:
        held = _Held(echo.planted, frozenset(echo.stems), self._identity(echo), echo.value, {number})
        self._keep(held)
        planted, returned = self._quoted(echo)
        before = Said(rule="echo", earned=False, uses=(planted.model_copy(update={"setup": True}),))
        said = {self.said.episode[echo.planted]: before, number: self._said(planted, returned, echo)}
        yield from observations(self.stand, held.identity, said)

    def _again(self, held: _Held, echo: Echo, number: int) -> Iterator[Observation]:
        """A later moment that takes up the same planted one."""
        held.episodes.add(number)
        held.score = max(held.score, echo.value)
        _, returned = self._quoted(echo)
        said = Said(rule="echo", score=held.score, uses=(returned,), canon="provisional")
        yield from observations(self.stand, held.identity, {number: said})

    def _same(self, echo: Echo) -> _Held | None:
        """The earned echo that was planted at the same moment and shares two of its stems."""
        near = {id(held): held for stem in echo.stems for held in self._held.get(stem, ())}
        for held in near.values():
            if abs(held.planted - echo.planted) < self.values["window"] and len(held.stems & set(echo.stems)) >= 2:
                return held
        return None

    def _identity(self, echo: Echo) -> Identity:
        planted = self.stand.corpus.tallies[self.said.episode[echo.planted]].episode
        words = " ".join(echo.stems[:3])
        return Identity("echo", "gag", "echo", f"echo|{planted}|{words}", f"echo {words}")

    def _said(self, planted: Use, returned: Use, echo: Echo) -> Said:
        text = f"planted {self._by(planted)}: “{planted.words}”; returned {self._by(returned)}: “{returned.words}”"
        return Said(
            rule="echo", title=returned.words, text=text, score=echo.value, uses=(returned,), canon="provisional"
        )

    def _by(self, use_: Use) -> str:
        tally = next(t for t in self.stand.corpus.tallies if t.episode == use_.episode)
        named = dict(zip(tally.speakers, tally.names, strict=True))
        return f"by {named.get(use_.speaker) or 'several'} in {use_.episode}"

    def _quoted(self, echo: Echo) -> tuple[Use, Use]:
        width = self.values["window"]
        mine, theirs = self.said.window(echo.returned, width), self.said.window(echo.planted, width)
        both = set(self.said.stems(mine[0], mine[-1])) & set(self.said.stems(theirs[0], theirs[-1]))
        rare = set(echo.stems)
        return self._quote(theirs, both, rare), self._quote(mine, both, rare)

    def _quote(self, window: list[int], both: set[str], rare: set[str]) -> Use:
        """The sentences of the speech that shares most, from the first shared word to the last, within a run."""
        told = {at: set(self.said.stems(at)) for at in window}
        speech = max(window, key=lambda at: (len(rare & told[at]), len(both & told[at]), at))
        low, high = self._run(speech, rare)
        bounds = self.stand.corpus.bounds
        shared = [at for at in range(low, high) if self._stem(at) in both]
        first, last = (shared[0], shared[-1]) if shared else (low, high - 1)
        while first > low and not bounds[first] & STARTS and last - first < _LONGEST:
            first -= 1
        while last < high - 1 and not bounds[last] & ENDS and last - first < _LONGEST:
            last += 1
        return use(self.stand.corpus, first, min(last, first + _LONGEST) - first + 1)

    def _run(self, speech: int, rare: set[str]) -> tuple[int, int]:
        """The unbroken run of the speech that holds most rare shared words."""
        start = self.said.first[speech]
        end = self.said.first[speech + 1] if speech + 1 < len(self.said.first) else len(self.stand.corpus.word)
        opens = [at for at in range(start, end) if self.stand.corpus.bounds[at] & OPENS]
        runs = list(zip(opens, [*opens[1:], end], strict=True))
        return max(runs, key=lambda run: (len({self._stem(at) for at in range(*run)} & rare), -run[0]))

    def _stem(self, token: int) -> str:
        return self.said.of_word[int(self.stand.corpus.word[token])]
