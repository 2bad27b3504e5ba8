"""Names in action lines, where they mean that somebody is there: "Kit sits", not "a photo of Kit" or "Kit's car"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from showmemory.model.rules import Lexicon, Rules
from showmemory.read.names import key

_TOKEN = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_SMALL = re.compile(r"\b[^\W\d_]+\b")
_LONGEST = 5  # words in a name
_BEFORE = 40  # characters before a name that may tell it is not there
_SENTENCE_END = (".", "!", "?", ":", "-", "–", "—", "(", '"', "“")


@dataclass(frozen=True, slots=True)
class PresenceWords:
    """A language's words about being there or not, in lower case; phrases with a space before them."""

    absent_before: tuple[str, ...]
    body: frozenset[str]
    after_name: frozenset[str]
    intercut: tuple[str, ...]


def presence_words(rules: Rules) -> PresenceWords:
    """The presence lexicon of the show's language; without one every name in action counts."""
    held = rules.lexicons.get("presence") or Lexicon("presence", {})
    return _ready(tuple(sorted((name, words) for name, words in held.lists.items())))


@lru_cache(maxsize=16)
def _ready(lists: tuple[tuple[str, tuple[str, ...]], ...]) -> PresenceWords:
    held = dict(lists)
    return PresenceWords(
        tuple(f" {phrase.lower()}" for phrase in held.get("absent_before", ())),
        frozenset(word.lower() for word in held.get("body", ())),
        frozenset(word.lower() for word in held.get("after_name", ())),
        tuple(word.lower() for word in held.get("intercut", ("intercut",))),
    )


def ordinary_words(texts: Iterable[str]) -> frozenset[str]:
    """The words that a script writes small somewhere."""
    return frozenset(word for text in texts for word in _SMALL.findall(text) if word.islower())


class ActionNames:
    """Finds names in lines of action. `ways`: folded words of a name -> ids; `ordinary`: words also written small."""

    def __init__(
        self, ways: Mapping[tuple[str, ...], tuple[str, ...]], words: PresenceWords, ordinary: frozenset[str]
    ) -> None:
        self.ways = {name: ids for name, ids in ways.items() if len(name) <= _LONGEST}
        self.first = frozenset(name[0] for name in self.ways)
        self.words = words
        self.ordinary = ordinary
        self.folded: dict[str, tuple[tuple[str, ...], bool]] = {}

    def found(self, text: str) -> Iterator[str]:
        """Ids of those whose names stand in `text`, with a capital, and mean that they are there."""
        tokens = list(_TOKEN.finditer(text))
        at = 0
        while at < len(tokens):
            length, ids, owns = self._name_at(tokens, at)
            if length and self._there(text, tokens, at, length, owns):
                yield from ids
            at += length or 1

    def _name_at(self, tokens: list[re.Match[str]], at: int) -> tuple[int, tuple[str, ...], bool]:
        """The longest name that begins at token `at`: its length in tokens, whose it is, and if it ends in 's."""
        if tokens[at].group()[0].islower():
            return 0, (), False
        folded: tuple[str, ...] = ()
        best: tuple[int, tuple[str, ...], bool] = (0, (), False)
        for number, token in enumerate(tokens[at : at + _LONGEST], start=1):
            word = token.group()
            if word[0].islower():
                break
            parts, owns = self._fold(word)
            if number == 1 and parts[0] not in self.first:
                break
            folded += parts
            ids = self.ways.get(folded)
            if ids:
                best = (number, ids, owns)
            if owns:
                break
        return best

    def _fold(self, word: str) -> tuple[tuple[str, ...], bool]:
        held = self.folded.get(word)
        if held is None:
            owns = word.endswith(("'s", "’s", "'S", "’S"))
            held = self.folded[word] = (tuple(key(word[:-2] if owns else word).split("-")), owns)
        return held

    def _there(self, text: str, tokens: list[re.Match[str]], at: int, length: int, owns: bool) -> bool:
        after = tokens[at + length] if at + length < len(tokens) else None
        if owns:
            # A thing of theirs may be anywhere, a part of them may not.
            return after is not None and after.group().lower() in self.words.body
        before = f" {text[max(0, tokens[at].start() - _BEFORE) : tokens[at].start()].rstrip()}".lower()
        if before.endswith(self.words.absent_before):
            return False
        return length > 1 or self._is_name(text, tokens[at], after, before)

    def _is_name(self, text: str, token: re.Match[str], after: re.Match[str] | None, before: str) -> bool:
        """Whether a single word is a name here, and not the ordinary word that begins a sentence: "No lights"."""
        word = token.group()
        if word.lower() not in self.ordinary or not self.words.after_name:
            return True
        if word.isupper() and len(word) > 1:
            # NO alone in capitals is somebody who enters; in NO SMOKING it is on a sign.
            return after is None or not after.group().isupper() or text[token.end() : after.start()] != " "
        if before.strip() and not before.endswith(_SENTENCE_END):
            return True
        if after is None:
            return False
        between = text[token.end() : after.start()]
        if between == " ":
            return after.group().lower() in self.words.after_name
        return between.startswith(",")
