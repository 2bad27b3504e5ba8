"""Names in action lines, where they mean that somebody is there: "Kit sits", not "a photo of Kit" or "Kit's car"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from showmemory.model.rules import Lexicon, Rules
from showmemory.read.names import key

_TOKEN = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
# A word that does not begin with a small letter; others of other alphabets are sorted out later.
_CAPITAL = re.compile(r"(?<![^\W_])(?<![^\W_]['’.\-])[^\W_a-zß-öø-ÿ][^\W_]*(?:['’.\-][^\W_]+)*")
_SMALL = re.compile(r"\b[^\W\d_]+\b")
_LONGEST = 5  # words in a name
_BETWEEN = ' ."“”'  # what may stand between two of them
_BEFORE = 40  # characters before a name that may tell it is not there
_AFTER = 80  # characters after it that may say that they come or go
_SENTENCE_END = (".", "!", "?", ":", "-", "–", "—", "(", '"', "“")


@dataclass(frozen=True, slots=True)
class PresenceWords:
    """A language's words about being there or not, in lower case; phrases with a space before them."""

    absent_before: tuple[str, ...]
    body: frozenset[str]
    after_name: frozenset[str]
    intercut: tuple[str, ...]
    going: re.Pattern[str]
    enters: frozenset[str]


@dataclass(frozen=True, slots=True)
class Seen:
    """Somebody named in action. `going`: in or out, where the words after the name say so."""

    who: str
    going: str = ""


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
        _going((*held.get("enters", ()), *held.get("exits", ()))),
        frozenset(word.lower() for word in held.get("enters", ())),
    )


def _going(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """What follows a name and says that they come or go: other names, "and", an adverb, then one of `phrases`."""
    longest = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))
    row = r"(?:,? (?:and|&|with|et|und|y|e|[A-Z][\w'’]{0,20}))"
    return re.compile(rf"{row}{{0,6}},?(?: \w{{2,12}}ly)? ((?i:{longest or '(?!)'}))\b")


def ordinary_words(texts: Iterable[str]) -> frozenset[str]:
    """The words that a script writes small somewhere."""
    return frozenset(word for word in set(_SMALL.findall("\n".join(texts))) if word.islower())


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

    def found(self, text: str) -> Iterator[Seen]:
        """Those whose names stand in `text`, with a capital, and mean that they are there."""
        tokens = list(_CAPITAL.finditer(text))
        at = 0
        while at < len(tokens):
            length, ids, owns = self._name_at(text, tokens, at)
            end = tokens[at + length - 1].end() if length else 0
            if length and self._there(text, tokens[at], end, length, owns):
                going = "" if owns else self._going(text, end)
                yield from (Seen(who, going) for who in ids)
            at += length or 1

    def _going(self, text: str, end: int) -> str:
        found = self.words.going.match(text, end, end + _AFTER)
        return "" if not found else "in" if found.group(1).lower() in self.words.enters else "out"

    def _name_at(self, text: str, tokens: list[re.Match[str]], at: int) -> tuple[int, tuple[str, ...], bool]:
        """The longest name that begins at token `at`: its length in tokens, whose it is, and if it ends in 's."""
        folded, owns = self._fold(tokens[at].group())
        if folded[0] not in self.first:
            return 0, (), False
        ids = self.ways.get(folded)
        best = (1, ids, owns) if ids else (0, (), False)
        for number in range(at + 1, min(at + _LONGEST, len(tokens))):
            if owns or text[tokens[number - 1].end() : tokens[number].start()].strip(_BETWEEN):
                break
            parts, owns = self._fold(tokens[number].group())
            folded += parts
            ids = self.ways.get(folded)
            if ids:
                best = (number - at + 1, ids, owns)
        return best

    def _fold(self, word: str) -> tuple[tuple[str, ...], bool]:
        held = self.folded.get(word)
        if held is None:
            owns = word.endswith(("'s", "’s", "'S", "’S"))
            parts = ("",) if word[0].islower() else tuple(key(word[:-2] if owns else word).split("-"))
            held = self.folded[word] = (parts, owns)
        return held

    def _there(self, text: str, token: re.Match[str], end: int, length: int, owns: bool) -> bool:
        if owns:
            # A thing of theirs may be anywhere, a part of them may not.
            after = _TOKEN.search(text, end)
            return after is not None and after.group().lower() in self.words.body
        before = f" {text[max(0, token.start() - _BEFORE) : token.start()].rstrip()}".lower()
        if before.endswith(self.words.absent_before):
            return False
        if length > 1 or token.group().lower() not in self.ordinary or not self.words.after_name:
            return True
        return self._is_name(text, token, before)

    def _is_name(self, text: str, token: re.Match[str], before: str) -> bool:
        """Whether an ordinary word is a name here, and not what begins a sentence: "No lights"."""
        word, after = token.group(), _TOKEN.search(text, token.end())
        if word.isupper() and len(word) > 1:
            # NO alone in capitals is somebody who enters; in NO SMOKING it is on a sign.
            return after is None or not after.group().isupper() or text[token.end() : after.start()] != " "
        if before.strip() and not before.endswith(_SENTENCE_END):
            return True
        if after is None:
            return False
        between = text[token.end() : after.start()]
        return after.group().lower() in self.words.after_name if between == " " else between.startswith(",")
