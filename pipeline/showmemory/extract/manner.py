"""Tell kinds of catchphrase apart: how somebody is addressed, how one gives one's name, an oath, or just a phrase."""

from __future__ import annotations

from showmemory.extract.standing import Standing
from showmemory.model.memory import Form
from showmemory.text.tokens import phrase


class Manner:
    """The lexicons and names that decide a phrase's form."""

    def __init__(self, stand: Standing) -> None:
        self._stand = stand
        words = stand.rules.words
        self._oaths = {tuple(phrase(text, stand.folding).split()) for text in words("oaths", "oaths")}
        self._titles = {w for text in words("oaths", "titles") for w in phrase(text, stand.folding).split()}
        self._self = {tuple(phrase(text, stand.folding).split()) for text in words("oaths", "introductions")}

    def form(self, words: tuple[str, ...], owner: int, episode: int) -> Form:
        """The form of a phrase of speaker `owner`, by the names known as of `episode`."""
        if words in self._oaths:
            return "oath"
        own = self._own(owner)
        if own & set(words):
            return "introduction"
        stand = self._stand
        named = [w for w in words if stand.named_since[stand.index[w]] <= episode or w in self._titles]
        small = [w for w in words if stand.small[stand.index[w]]]
        if named and len(set(named) | set(small)) >= len(set(words)):
            return "address"
        return "phrase"

    def _own(self, owner: int) -> set[str]:
        if owner < 0:
            return set()
        found: set[str] = set()
        for name in self._stand.corpus.names[owner]:
            found |= {w for w in phrase(name, self._stand.folding).split() if w not in self._titles}
        return found
