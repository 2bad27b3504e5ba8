"""Who and what a text names: people, groups, places, gags and threads, by any name they go by (D23)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from showmemory.model.memory import ShowMemory
from showmemory.model.show import Show
from showmemory.text.fold import bare

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_HEADING = re.compile(r"^\s*(?:\.(?=[^.\s])|(?:int|ext|est|i/e|int\.?/ext|ext\.?/int)[.\s])", re.IGNORECASE)
_TIME = re.compile(r"\s+[-–—]+\s+[^-–—]*$")
# A first or last word of a name that names nobody by itself.
_NOBODY = frozenset(
    {"the", "a", "an", "of", "mr", "mrs", "ms", "miss", "dr", "sir", "lady", "old", "young", "von", "de"}
)

_Key = tuple[str, ...]


@dataclass(frozen=True)
class Names:
    """Every name of the show's people, groups, places, gags and threads. `called`: id -> the name to print."""

    called: Mapping[str, str]
    keys: Mapping[_Key, str]
    widest: int

    def name(self, id_: str) -> str:
        """How to print an id: its name, else the id without its prefix, in words."""
        return self.called.get(id_) or id_.partition(".")[2].replace("-", " ").title() or id_

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
        words = [(m.group(), _bare(m.group())) for m in _WORD.finditer(text)]
        plain = not any(c.isupper() for c in text)
        seen: Counter[str] = Counter()
        at = 0
        while at < len(words):
            width, id_ = self._at(words, at, plain)
            if id_:
                seen[id_] += 1
            at += width or 1
        return tuple(id_ for id_, _ in seen.most_common())

    def _at(self, words: list[tuple[str, str]], at: int, plain: bool) -> tuple[int, str | None]:
        """The longest name that begins at a word. A name of one word needs its capital: Will goes, will go."""
        for width in range(min(self.widest, len(words) - at), 0, -1):
            id_ = self.keys.get(tuple(word for _, word in words[at : at + width]))
            if id_ and (width > 1 or plain or words[at][0][0].isupper() or words[at][0][0].isdigit()):
                return width, id_
        return 0, None


def names_of(show: Show, memory: ShowMemory | None) -> Names:
    """The names in the bible, and of everybody who has spoken."""
    bible = show.bible
    whole: dict[_Key, str] = {}
    called: dict[str, str] = {}
    members = (bible.characters, bible.groups, bible.places, bible.gags, bible.threads)
    for one in (item for group in members for item in group):
        called.setdefault(one.id, one.name)
        for name in (one.name, *getattr(one, "aliases", ()), one.id.partition(".")[2].replace("_", " ")):
            whole.setdefault(_key(name), one.id)
    for id_ in sorted({who for e in memory.episodes for who in e.spoke} if memory else ()):
        name = id_.partition(".")[2].replace("-", " ")
        called.setdefault(id_, name.title())
        whole.setdefault(_key(name), id_)
    whole.pop((), None)
    people = [(key, id_) for key, id_ in whole.items() if id_.startswith("character.")]
    keys = {**_parts(people), **whole}
    return Names(called, keys, max(map(len, keys), default=1))


def is_heading(row: str) -> bool:
    """Whether a line looks like a scene heading."""
    return bool(_HEADING.match(row))


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
