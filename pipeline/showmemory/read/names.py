"""Whose name it is: cue names looked up in the bible, with group cues, voices and titles taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from showmemory.model.ids import show_id, slug
from showmemory.model.show import Bible
from showmemory.read.cues import CueWords, fold

_LONG = 200


@dataclass(frozen=True, slots=True)
class Named:
    """Who a cue stands for. `everyone`: whoever is in the scene. `voice`: heard and not seen, as in KIT'S VOICE."""

    ids: tuple[str, ...]
    everyone: bool = False
    voice: bool = False


@dataclass(frozen=True, slots=True)
class Directory:
    """Folded names -> ids. `known` is the bible's; `parts` its single words that point at one person only."""

    known: dict[str, tuple[str, ...]]
    parts: dict[str, tuple[str, ...]]
    cues: frozenset[str]
    words: CueWords

    def has(self, name: str) -> bool:
        """Whether `name` is one the bible has, or a cue of its own in this script."""
        return bool(self._bible(name)) or key(name) in self.cues

    def who(self, name: str) -> Named:
        """Resolve one cue name; one that nothing is known of is a person of that name."""
        folded = fold(name)
        whole = self.known.get(key(name))
        if whole:
            return Named(whole)
        if folded in self.words.everyone:
            return Named((), everyone=True)
        spoken = self._voice(folded)
        if spoken:
            return Named(self.who(spoken).ids, voice=True)
        if folded.endswith("'S") and self.has(folded[:-2]):
            return Named(self.who(folded[:-2]).ids)
        several = self._group(folded)
        if several:
            return Named(tuple(dict.fromkeys(each for part in several for each in self.who(part).ids)))
        return Named(self._bible(name) or (made_id(name),))

    def _bible(self, name: str) -> tuple[str, ...]:
        """The bible's person of that name, also behind a title; or the only one with that first or last name."""
        whole = self.known.get(key(name))
        if whole:
            return whole
        words = [self.words.same_titles.get(word, word) for word in fold(name).split()]
        whole = self.known.get(key(" ".join(words)))
        # MRS. MARLOW may be anybody's wife: with such a title a last name alone points at nobody.
        close = bool(words) and words[0] in self.words.family_titles
        while words and words[0] in self.words.titles:
            words = words[1:]
        bare = key(" ".join(words)) if words else ""
        return whole or self.known.get(bare, ()) or (() if close or not bare else self.parts.get(bare, ()))

    def _voice(self, folded: str) -> str:
        for before, after in self.words.voices:
            if folded.startswith(before) and folded.endswith(after) and len(folded) > len(before) + len(after):
                base = folded[len(before) : len(folded) - len(after)].strip()
                # "COMPUTER COM VOICE" is a part of its own; "KIT'S VOICE" and "VOICE OF KIT" can only be Kit's.
                if before or "'" in after or self.has(base):
                    return base
        return ""

    def _group(self, folded: str) -> list[str]:
        """The names in a cue for several; empty where it is one name after all."""
        parts = [part for part in _joints(self.words.joiners).split(folded) if part]
        if len(parts) < 2:
            return []
        known = [part for part in parts if self.has(part)]
        if "/" in folded and "&" not in folded:
            # MORROW/GHOST is one body with two names, unless both speak for themselves.
            return known
        joined = len([part for part in _joints(()).split(folded) if part]) < len(parts)
        return parts if known and (joined or len(known) == len(parts)) else []


@lru_cache(maxsize=16)
def _joints(joiners: tuple[str, ...]) -> re.Pattern[str]:
    """Where a group cue comes apart: at commas, and at the language's joining words."""
    marks = [re.escape(word) if not word.isalnum() else rf"(?<=\s){word}(?=\s)" for word in joiners]
    return re.compile(rf"\s?(?:{'|'.join([',', *marks])})\s?")


def directory(bible: Bible, cue_names: Iterable[str], words: CueWords) -> Directory:
    """Lay the bible's names, aliases and groups beside the cues of one script."""
    known: dict[str, tuple[str, ...]] = {}
    parts: dict[str, set[str]] = {}
    for character in bible.characters:
        for name in (character.name, character.id.removeprefix("character."), *character.aliases):
            known.setdefault(key(name), (character.id,))
            for way in _ways(name, words):
                known.setdefault(way, (character.id,))
        for part in _single(character.name, words):
            parts.setdefault(part, set()).add(character.id)
    for group in bible.groups:
        known.setdefault(key(group.name), tuple(show_id("character", member) for member in group.members))
    known = {name: ids for name, ids in known.items() if ids}
    alone = {part: tuple(ids) for part, ids in parts.items() if len(ids) == 1 and part not in known}
    cues = frozenset(key(name) for name in cue_names if not _joints(words.joiners).search(fold(name)))
    return Directory(known, alone, cues, words)


def _ways(name: str, words: CueWords) -> Iterator[str]:
    """A name with its title in every spelling: Dr. Quill is DOCTOR QUILL too."""
    held = fold(name).split()
    if held and held[0] in words.titles:
        yield key(" ".join((words.same_titles.get(held[0], held[0]), *held[1:])))


def _single(name: str, words: CueWords) -> Iterator[str]:
    """First and last name of a full name, or the name behind a title."""
    held = [word for word in fold(name).split() if word not in words.titles]
    if held and len(fold(name).split()) > 1:
        yield from {key(held[0]), key(held[-1])}


def key(name: str) -> str:
    """What two spellings of one name share: case, accents, quotes and punctuation are folded away."""
    return slug(name, _LONG)


def made_id(name: str) -> str:
    """The id of somebody the bible does not have."""
    return show_id("character", name) if not name.startswith("character.") else f"character.{slug(name)}"
