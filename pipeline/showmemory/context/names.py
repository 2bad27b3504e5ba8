"""Who and what a text names: people, groups, places, gags and threads, by any name they go by (D23)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from showmemory.model.memory import ShowMemory
from showmemory.model.show import Show
from showmemory.text.brief import titled
from showmemory.text.fold import bare
from showmemory.text.frequency import common

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_HEADING = re.compile(r"^\s*(?:\.(?=[^.\s])|(?:int\.?/ext|ext\.?/int|i\.?/e|int|ext|est)(?:\.|\s)\s*)", re.IGNORECASE)
# Where a sentence follows a heading on the same line: "INT. GALLEY - NIGHT. Figgis waits."
_RUNS_ON = re.compile(r"\.\s+(?=[^\W\d_]?[^\W\dA-Z_])")
_TIME = re.compile(r"\s+[-–—]+\s+[^-–—]*$")
# A first or last word of a name that names nobody by itself.
_NOBODY = frozenset(
    {"the", "a", "an", "of", "mr", "mrs", "ms", "miss", "dr", "sir", "lady", "old", "young", "von", "de"}
)

_ARTICLES = frozenset({"the", "a", "an", "this", "that"})
_STOP = re.compile(r"[.!?…:\"“”]|--|—")
# From here on (Zipf) a single word is as likely the word itself as a name: no, will, may.
COMMON = 5.5

_Key = tuple[str, ...]


class _Word(NamedTuple):
    bare: str
    capital: bool
    opens: bool


@dataclass(frozen=True)
class Names:
    """Every name of the show's people, groups, places, gags and threads. `called`: id -> the name to print.

    `nouns`: names that are a noun with its article, as "the gull", and may come with another one.
    """

    called: Mapping[str, str]
    keys: Mapping[_Key, str]
    widest: int
    nouns: frozenset[str] = frozenset()

    def name(self, id_: str) -> str:
        """How to print an id: its name, else the id without its prefix, in words."""
        return self.called.get(id_) or titled(id_.partition(".")[2].replace("-", " ").upper()) or id_

    def id_of(self, name: str) -> str | None:
        """The id that somebody who writes `name` means: an id, a name, an alias."""
        if name in self.called:
            return name
        return self.keys.get(_key(name))

    def ids(self, written: Iterable[str]) -> tuple[str, ...]:
        """The ids meant by what a person wrote, each once; an unknown one stays as written."""
        return tuple(dict.fromkeys(self.id_of(name) or name for name in written))

    def found(self, text: str) -> tuple[str, ...]:
        """The ids a text names, those named most often first."""
        seen: Counter[str] = Counter()
        plain = not any(c.isupper() for c in text)
        for row in text.splitlines():
            words = _words(row, plain)
            at = 0
            while at < len(words):
                width, id_ = self._at(words, at)
                if id_:
                    seen[id_] += 1
                at += width or 1
        return tuple(id_ for id_, _ in seen.most_common())

    def _at(self, words: Sequence[_Word], at: int) -> tuple[int, str | None]:
        """The longest name that begins at a word."""
        for width in range(min(self.widest, len(words) - at), 0, -1):
            id_ = self.keys.get(tuple(word.bare for word in words[at : at + width]))
            if id_ and (width > 1 or _names(words, at, self.nouns)):
                return width, id_
        return 0, None


def _words(row: str, plain: bool) -> list[_Word]:
    """The words of a line. A word opens a sentence when nothing stands before it but the end of another."""
    made: list[_Word] = []
    end = 0
    for match in _WORD.finditer(row):
        gap = row[end : match.start()]
        opens = not made or bool(_STOP.search(gap))
        made.append(_Word(_bare(match.group()), match.group()[0].isupper() or plain, opens))
        end = match.end()
    return made


def _names(words: Sequence[_Word], at: int, nouns: frozenset[str]) -> bool:
    """Whether a single word is somebody's name: it has its capital, or an article; a common word needs proof.

    "Will goes" may be a will that goes; "and Will goes" and the cue WILL are not. "the captain" is the Captain.
    """
    word = words[at]
    if common(word.bare) >= COMMON:
        return word.capital and (not word.opens or len(words) == 1)
    before = words[at - 1].bare if at else ""
    return word.capital or before == "the" or (word.bare in nouns and before in _ARTICLES)


def names_of(show: Show, memory: ShowMemory | None) -> Names:
    """The names in the bible, and of everybody who has spoken."""
    bible = show.bible
    whole: dict[_Key, str] = {}
    called: dict[str, str] = {}
    nouns: set[str] = set()
    members = (bible.characters, bible.groups, bible.places, bible.gags, bible.threads)
    for one in (item for group in members for item in group):
        called.setdefault(one.id, one.name)
        for name in (one.name, *getattr(one, "aliases", ()), one.id.partition(".")[2].replace("_", " ")):
            key = _key(name)
            whole.setdefault(key, one.id)
            if len(key) == 2 and key[0] == "the" and whole.setdefault(key[1:], one.id) == one.id:
                nouns.add(key[1])
    for id_ in sorted({who for e in memory.episodes for who in e.spoke} if memory else ()):
        name = id_.partition(".")[2].replace("-", " ")
        called.setdefault(id_, titled(name.upper()))
        whole.setdefault(_key(name), id_)
    whole.pop((), None)
    people = [(key, id_) for key, id_ in whole.items() if id_.startswith("character.")]
    keys = {**_parts(people), **whole}
    return Names(called, keys, max(map(len, keys), default=1), frozenset(nouns))


def is_heading(row: str) -> bool:
    """Whether a line looks like a scene heading."""
    return bool(_HEADING.match(row))


def headed(text: str) -> str:
    """A brief with its heading on a line of its own, where it stands in capitals before the first sentence."""
    first, _, rest = text.partition("\n")
    ends = next((m for m in _RUNS_ON.finditer(first) if not any(c.islower() for c in first[: m.start()])), None)
    if ends is None or not is_heading(first):
        return text
    return "\n".join(filter(None, (first[: ends.start()], first[ends.end() :], rest)))


def place_words(heading: str) -> str:
    """A heading without INT./EXT. and without its time of day."""
    return _TIME.sub("", _HEADING.sub("", heading)).strip(" .")


def _parts(people: Iterable[tuple[_Key, str]]) -> dict[_Key, str]:
    """First and last words of names, where only one person answers to them."""
    owners: dict[_Key, set[str]] = {}
    for key, id_ in people:
        for word in {key[0], key[-1]} if len(key) > 1 else ():
            if word not in _NOBODY and len(word) > 1:
                owners.setdefault((word,), set()).add(id_)
    return {key: next(iter(ids)) for key, ids in owners.items() if len(ids) == 1}


def _key(name: str) -> _Key:
    return tuple(_bare(word) for word in _WORD.findall(name))


def _bare(word: str) -> str:
    plain = bare(word)
    return plain.removesuffix("'s")
