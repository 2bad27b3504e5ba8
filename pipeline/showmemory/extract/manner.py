"""Tell forms of catchphrase apart: an address, one's own name, an oath, an open phrase, or just a phrase."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from showmemory.extract.names import NAME, SELF, Names
from showmemory.model.memory import Form
from showmemory.text.tokens import ENDS, PAUSED, SHOUTED, STARTS, phrase

OPEN = "___"


class Manner:
    """The lexicons, names and places that decide a phrase's form, as of an episode."""

    def __init__(self, names: Names) -> None:
        self._names, self._stand = names, names.stand
        rules, folding = names.stand.rules, names.stand.folding
        self._values: dict[str, Any] = dict(rules.rule("catchphrase").values["forms"])
        self._oaths = {phrase(text, folding) for text in rules.words("oaths", "oaths")}
        made = (re.escape(text).replace(r"\*", r"\S+( \S+)?") for text in rules.words("oaths", "patterns"))
        self._cries = re.compile("|".join(made) or r"(?!)")
        self._titles = {word for text in rules.words("function", "titles") for word in text.split()}

    def form(self, words: tuple[str, ...], owner: int, episode: int, places: Sequence[int]) -> Form:
        """The form of a phrase of speaker `owner` that stands at `places`, by what is known as of `episode`."""
        text = " ".join(words)
        if text in self._oaths or (self._cries.fullmatch(text) and self._share(places, len(words), SHOUTED) >= 0.5):
            return "oath"
        if any(word not in self._stand.index for word in words):
            return "phrase"
        signs = [self._names.skeleton((word,), owner, episode)[0] for word in words]
        if SELF in signs:
            return "introduction"
        if self._calls(words, signs) or self._called(words, places):
            return "address"
        fills = self._fills(words, places)
        if fills and self._named(fills, owner, episode) >= self._values["names"]:
            return "address"
        return "template" if fills else "phrase"

    def open_at_end(self, words: tuple[str, ...], places: Sequence[int]) -> bool:
        """Whether something always follows the phrase, and never the same."""
        return bool(self._fills(words, places))

    def _calls(self, words: tuple[str, ...], signs: list[str]) -> bool:
        """Whether it is names and titles, with nothing beside them but small words."""
        named = [s == NAME or w in self._titles for s, w in zip(signs, words, strict=True)]
        rest = [w for w, n in zip(words, named, strict=True) if not n and not self._stand.small[self._stand.index[w]]]
        return NAME in signs and not rest

    def _called(self, words: tuple[str, ...], places: Sequence[int]) -> bool:
        """Whether a word or two stand after a pause at the end, as when somebody is called something."""
        if len(words) > 2 or words[-1].endswith("ly"):
            return False
        bounds = self._stand.corpus.bounds
        ends = [bounds[at + len(words) - 1] & ENDS and bounds[at] & PAUSED and not bounds[at] & STARTS for at in places]
        return bool(sum(map(bool, ends)) >= self._values["called"] * max(len(ends), 1))

    def _fills(self, words: tuple[str, ...], places: Sequence[int]) -> list[int]:
        """The words that follow an open phrase, where a few words end its sentence and differ enough; else nothing."""
        corpus, need = self._stand.corpus, self._values
        last = [at + len(words) - 1 for at in places]
        starts = sum(bool(corpus.bounds[at] & STARTS) for at in places)
        fills = [int(corpus.word[at + 1]) for at in last if self._goes_on(at, need["slot"])]
        most = max((fills.count(fill) for fill in set(fills)), default=0)
        if starts < need["starts"] * len(places) or len(fills) < need["filled"] * len(places):
            return []
        return fills if len(set(fills)) >= need["fillers"] and most <= need["most"] * len(fills) else []

    def _goes_on(self, last: int, slot: int) -> bool:
        """Whether the sentence goes on after token `last`, and ends within `slot` words."""
        corpus = self._stand.corpus
        reach = min(slot, int(corpus.room[last]) - 1)
        ends = [bool(corpus.bounds[last + step] & ENDS) for step in range(reach + 1)]
        return not ends[0] and any(ends)

    def _named(self, fills: list[int], owner: int, episode: int) -> float:
        """The part of the fillers that are names or names of their kind."""
        del owner
        return sum(bool(self._names.since[fill] <= episode) for fill in fills) / len(fills)

    def _share(self, places: Sequence[int], size: int, bit: int) -> float:
        bounds = self._stand.corpus.bounds
        return sum(bool(bounds[at + size - 1] & bit) for at in places) / max(len(places), 1)
