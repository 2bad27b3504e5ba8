"""Who witnesses a scene (F9): whoever speaks in it, is named in its action, or was directed into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from showmemory.model.ids import show_id
from showmemory.model.rules import Lexicon, Rules
from showmemory.model.screenplay import Element, Scene, Screenplay
from showmemory.model.show import Bible, SideFiles
from showmemory.read.cues import fold
from showmemory.read.names import Directory, Named, key

_TOKEN = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_CUT_EXTENSION = re.compile(r"[/,;]")
_LONGEST = 5  # words in a name
_BEFORE = 40  # characters before a name that may tell it is not there


@dataclass(frozen=True, slots=True)
class PresenceWords:
    """A language's words about being there or not, each with a space before it, in lower case."""

    absent_before: tuple[str, ...]
    body: frozenset[str]
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
        tuple(word.lower() for word in held.get("intercut", ("intercut",))),
    )


def with_directed(screenplay: Screenplay, side: SideFiles, bible: Bible) -> Screenplay:
    """Add to each scene the cast that was directed into it, given by id, by name or as the script's own cue."""
    on_set = {scene.scene: scene.cast for scene in side.directed.scenes} if side.directed else {}
    if not on_set:
        return screenplay
    ids = {key(e.name): e.speaker for e in screenplay.elements if e.kind == "character" and len(e.speaker) == 1}
    for person in bible.characters:
        ids |= {key(name): (person.id,) for name in (*person.aliases, person.name)}
    scenes = [_staged(scene, on_set.get(scene.id, ()), ids) for scene in screenplay.scenes]
    return replace(screenplay, scenes=tuple(scenes))


def _staged(scene: Scene, cast: Sequence[str], ids: Mapping[str, tuple[str, ...]]) -> Scene:
    named = [ids.get(key(name.removeprefix("character.")), (show_id("character", name),)) for name in cast]
    present = tuple(dict.fromkeys([*scene.present, *(each for found in named for each in found)]))
    return replace(scene, present=present, heard=tuple(each for each in scene.heard if each not in present))


class Presence:
    """Reads who is there off the elements of one scene after another."""

    def __init__(self, book: Directory, who: dict[str, Named], words: PresenceWords) -> None:
        self.book, self.who, self.words = book, who, words
        self.names = self._names()
        self.first = frozenset(name[0] for name in self.names)

    def of(self, elements: Sequence[Element]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return who is present and who only hears, each in order of appearance."""
        present: dict[str, None] = {}
        heard: dict[str, None] = {}
        for element in elements:
            if element.kind == "character":
                manner = self._manner(element)
                if manner:
                    (present if manner == "here" else heard).update(dict.fromkeys(element.speaker))
            elif element.kind == "action":
                cut = any(word in element.text.lower() for word in self.words.intercut)
                (heard if cut else present).update(dict.fromkeys(self._named(element.text)))
        return tuple(present), tuple(each for each in heard if each not in present)

    def _manner(self, cue: Element) -> str:
        """How a speaker takes part: here, heard, or, for a voice laid over the scene, not at all."""
        lexicon = self.book.words
        said = [fold(part) for extension in cue.extensions for part in _CUT_EXTENSION.split(extension)]
        if any(_among(part, lexicon.heard) for part in said) or self.who[cue.name].voice:
            return "heard"
        return "" if any(_among(part, lexicon.voice_over) for part in said) else "here"

    def _names(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Every way of naming somebody in action -> who that is, by folded words."""
        names: dict[tuple[str, ...], tuple[str, ...]] = {}
        for name, ids in (*self.book.known.items(), *self.book.parts.items()):
            names.setdefault(tuple(name.split("-")), ids)
        for name, named in self.who.items():
            if named.ids and not named.voice and (len(named.ids) == 1 or key(name) in self.book.known):
                names.setdefault(tuple(key(name).split("-")), named.ids)
        return {name: ids for name, ids in names.items() if len(name) <= _LONGEST}

    def _named(self, text: str) -> Iterator[str]:
        """Ids of those whose names stand, with a capital, in a line of action and mean that they are there."""
        tokens = list(_TOKEN.finditer(text))
        at = 0
        while at < len(tokens):
            length, ids, owns = self._name_at(tokens, at)
            if length and not self._elsewhere(text, tokens, at, length, owns):
                yield from ids
            at += length or 1

    def _name_at(self, tokens: list[re.Match[str]], at: int) -> tuple[int, tuple[str, ...], bool]:
        """The longest name that begins at token `at`: its length in tokens, whose it is, and if it ends in 's."""
        if not tokens[at].group()[0].isupper():
            return 0, (), False
        folded: list[str] = []
        best: tuple[int, tuple[str, ...], bool] = (0, (), False)
        for number, token in enumerate(tokens[at : at + _LONGEST], start=1):
            word = token.group()
            if not (word[0].isupper() or word[0].isdigit()):
                break
            bare, owns = _possessive(word)
            if number == 1 and key(bare).split("-")[0] not in self.first:
                break
            ids = self.names.get((*folded, *key(bare).split("-")))
            if ids:
                best = (number, ids, owns)
            if owns:
                break
            folded += key(word).split("-")
        return best

    def _elsewhere(self, text: str, tokens: list[re.Match[str]], at: int, length: int, owns: bool) -> bool:
        if owns:
            after = tokens[at + length].group().lower() if at + length < len(tokens) else ""
            if after not in self.words.body:
                return True
        start = tokens[at].start()
        before = f" {text[max(0, start - _BEFORE) : start].lower().rstrip()}"
        return before.endswith(self.words.absent_before)


def _possessive(word: str) -> tuple[str, bool]:
    for ending in ("'s", "’s", "'S", "’S"):
        if word.endswith(ending):
            return word[:-2], True
    return word, False


def _among(part: str, phrases: frozenset[str]) -> bool:
    """Whether an extension is one of `phrases`, or one with more words after it: ON PHONE WITH BO."""
    if part in phrases:
        return True
    words = part.split()
    return any(" ".join(words[:length]) in phrases for length in range(1, min(len(words), 4)))
