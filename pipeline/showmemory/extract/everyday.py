"""Tell everyday phrases, that everybody says, by the lexicon of formulas."""

from __future__ import annotations

from showmemory.extract.names import NAME, SELF, Names
from showmemory.text.patterns import Patterns


class Everyday:
    """Whether a phrase is one that everybody says, alone or between fillers and names."""

    def __init__(self, names: Names) -> None:
        self._names = names
        rules = names.stand.rules
        held = rules.lexicons.get("formulas")
        self._patterns = Patterns([line for lines in held.lists.values() for line in lines] if held else [])
        self._fillers = set(rules.words("function", "fillers"))
        self._seen: dict[tuple[str, ...], bool] = {}

    def __call__(self, words: tuple[str, ...], owner: int, episode: int) -> bool:
        """Whether `words`, said without a stutter and with the names known as of `episode`, are everyday."""
        plain = tuple(word for word, before in zip(words, (None, *words), strict=False) if word != before)
        return self._known(words) or self._known(plain) or self._known(self._bared(plain, owner, episode))

    def _known(self, words: tuple[str, ...]) -> bool:
        if words not in self._seen:
            self._seen[words] = self._patterns.match(words)
        return self._seen[words]

    def _bared(self, words: tuple[str, ...], owner: int, episode: int) -> tuple[str, ...]:
        """The phrase without fillers and names at its edges; never less than one word."""
        signs = [self._names.skeleton((word,), owner, episode)[0] for word in words]
        loose = [sign in (NAME, SELF) or word in self._fillers for word, sign in zip(words, signs, strict=True)]
        low, high = 0, len(words)
        while high - low > 1 and loose[low]:
            low += 1
        while high - low > 1 and loose[high - 1]:
            high -= 1
        return words[low:high]
