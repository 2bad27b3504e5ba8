"""Where a show stands at each episode: its runs and its words, as of every episode that says them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from showmemory.extract.corpus import Corpus, Flags, Floats, Ints, Longs, lay_out
from showmemory.extract.events import Events, own_events, show_events
from showmemory.extract.grams import Grams, grams
from showmemory.extract.reuse import Reused, reused
from showmemory.extract.tally import Tally
from showmemory.model.rules import Rules
from showmemory.model.show import Bible
from showmemory.text.fold import Folding
from showmemory.text.tokens import CAPITAL, STARTS

BITS = float(np.log2(10) / 100)
_SMALL = ("articles", "pronouns", "prepositions", "conjunctions", "auxiliaries", "adverbs", "interjections")


@dataclass(eq=False)
class Standing:
    """All counts that the ranked rules share. Rows of `show` and `own` are events: what one episode says of a run.

    `begun` says who has begun to say a run when. Only what episodes from `start` on say is to be scored.
    """

    corpus: Corpus
    rules: Rules
    bible: Bible
    folding: Folding
    reuse: Reused
    grams: Grams
    show: Events
    own: Events
    begun: Longs
    start: int = 0
    _lexicons: dict[tuple[str, ...], Flags] = field(default_factory=dict, repr=False)

    def release(self) -> None:
        """Let go of what only scoring needs; places, counts and who said what remain."""
        self.grams.at.clear()
        for table in (self.show, self.own):
            table.release()
        for name in ("capitals", "spoken", "spoken_by", "unit"):
            self.__dict__.pop(name, None)

    def lexicon(self, *lists: str, of: str = "function") -> Flags:
        """Which words of the show's vocabulary stand in the lists of a lexicon."""
        key = (of, *lists)
        if key not in self._lexicons:
            held = {word for name in lists for word in self.rules.words(of, name)}
            self._lexicons[key] = np.asarray([word in held for word in self.corpus.vocab], dtype=bool)
        return self._lexicons[key]

    @cached_property
    def small(self) -> Flags:
        """Function words, numbers written in figures included."""
        figures = np.asarray([word.isdigit() and len(word) < 3 for word in self.corpus.vocab], dtype=bool)
        return np.asarray(self.lexicon(*_SMALL) | figures)

    @cached_property
    def unit(self) -> Ints:
        """The run that each word of the vocabulary makes alone, or -1."""
        found = np.full(len(self.corpus.vocab), -1, dtype=np.int32)
        places = self.grams.place[self.grams.size == 1]
        found[self.corpus.word[places]] = self.grams.run[: len(places)]
        return found

    @cached_property
    def show_count(self) -> Floats:
        """How often each run was said up to each event of the show."""
        return self.show.so_far(self.show.count)

    @cached_property
    def spoken(self) -> Floats:
        """Words the show has said up to each episode."""
        count = np.bincount(self.corpus.episode, minlength=len(self.corpus.tallies))
        return np.cumsum(count).astype(np.float64)

    @cached_property
    def spoken_by(self) -> Floats:
        """Words each speaker has said up to each episode."""
        people, wide = len(self.corpus.speakers), len(self.corpus.tallies)
        mine = self.corpus.speaker >= 0
        code = self.corpus.speaker[mine].astype(np.int64) * wide + self.corpus.episode[mine]
        count = np.bincount(code, minlength=people * wide).reshape(people, wide)
        return np.cumsum(count, axis=1).astype(np.float64)

    @cached_property
    def capitals(self) -> tuple[Floats, Floats]:
        """For each event of a single word: how often it stood inside a sentence so far, and with a capital."""
        places = self.grams.place[self.grams.size == 1]
        bounds = self.corpus.bounds[places]
        inside = (bounds & STARTS) == 0
        rows, _ = self.show.find(self.grams.run[: len(places)], 0, self.corpus.episode[places])
        size = len(self.show.run)
        within = np.bincount(rows, weights=inside, minlength=size).astype(np.float32)
        raised = np.bincount(rows, weights=inside & ((bounds & CAPITAL) > 0), minlength=size).astype(np.float32)
        return self.show.so_far(within), self.show.so_far(raised)

    @cached_property
    def index(self) -> dict[str, int]:
        """Where each word stands in the vocabulary."""
        return {word: number for number, word in enumerate(self.corpus.vocab)}


def stand(tallies: tuple[Tally, ...], bible: Bible, rules: Rules, widest: int, start: int = 0) -> Standing:
    """Count everything once; `start`: what earlier episodes say has been scored before."""
    corpus = lay_out(tallies)
    reuse = reused(corpus, rules.rule("reuse"))
    found = grams(corpus, reuse.hidden, widest)
    own, begun = own_events(corpus, found)
    return Standing(
        corpus, rules, bible, Folding.of(rules), reuse, found, show_events(corpus, found), own, begun, start
    )
