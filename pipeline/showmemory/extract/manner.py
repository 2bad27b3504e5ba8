"""Tell kinds of catchphrase apart: how somebody is addressed, how one gives one's name, an oath, or just a phrase."""

from __future__ import annotations

from showmemory.extract.names import NAME, SELF, Names
from showmemory.model.memory import Form
from showmemory.text.tokens import phrase


class Manner:
    """The lexicons and names that decide a phrase's form."""

    def __init__(self, names: Names) -> None:
        self._names = names
        rules, folding = names.stand.rules, names.stand.folding
        self._oaths = {phrase(text, folding) for text in rules.words("oaths", "oaths")}
        self._titles = {word for text in rules.words("function", "titles") for word in text.split()}

    def form(self, words: tuple[str, ...], owner: int, episode: int) -> Form:
        """The form of a phrase of speaker `owner`, by the names known as of `episode`."""
        if " ".join(words) in self._oaths:
            return "oath"
        stand = self._names.stand
        if any(word not in stand.index for word in words):
            return "phrase"
        signs = [self._names.skeleton((word,), owner, episode)[0] for word in words]
        if SELF in signs:
            return "introduction"
        named = [s == NAME or w in self._titles for s, w in zip(signs, words, strict=True)]
        rest = [w for w, n in zip(words, named, strict=True) if not n and not stand.small[stand.index[w]]]
        return "address" if NAME in signs and not rest else "phrase"
