"""Who witnesses a scene (F9): whoever speaks in it, is named in its action, or was directed into it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from showmemory.model.ids import show_id
from showmemory.model.screenplay import Element, Scene, Screenplay
from showmemory.model.show import Bible, SideFiles
from showmemory.read.action_names import ActionNames, PresenceWords
from showmemory.read.clock import placed
from showmemory.read.cues import fold
from showmemory.read.names import Directory, Named, key

_CUT_EXTENSION = re.compile(r"[/,;]")


def with_directed(screenplay: Screenplay, side: SideFiles, bible: Bible) -> Screenplay:
    """Add to each scene the cast that was directed into it (by id, name or the script's own cue), and its time."""
    on_set = {scene.scene: scene.cast for scene in side.directed.scenes} if side.directed else {}
    if not side.directed or not on_set:
        return screenplay
    when = {scene.scene: scene.when for scene in side.directed.scenes if scene.when}
    ids = {key(e.name): e.speaker for e in screenplay.elements if e.kind == "character" and len(e.speaker) == 1}
    for person in bible.characters:
        ids |= {key(name): (person.id,) for name in (*person.aliases, person.name)}
    scenes = [_staged(scene, on_set.get(scene.id, ()), ids) for scene in screenplay.scenes]
    return replace(screenplay, scenes=placed(scenes, when))


def _staged(scene: Scene, cast: Sequence[str], ids: Mapping[str, tuple[str, ...]]) -> Scene:
    named = [ids.get(key(name.removeprefix("character.")), (show_id("character", name),)) for name in cast]
    present = tuple(dict.fromkeys([*scene.present, *(each for found in named for each in found)]))
    return replace(scene, present=present, heard=tuple(each for each in scene.heard if each not in present))


class Presence:
    """Reads who is there off the elements of one scene after another."""

    def __init__(
        self, book: Directory, who: Mapping[str, Named], words: PresenceWords, ordinary: frozenset[str]
    ) -> None:
        self.book, self.who = book, who
        self.names = ActionNames(_ways(book, who), words, ordinary)
        self.intercut = words.intercut

    def of(self, scene: Scene, elements: Sequence[Element]) -> Scene:
        """The scene with who is present, who only hears, and who comes late or leaves early."""
        stays: dict[str, list[int]] = {}
        heard: dict[str, None] = {}
        for element in elements:
            if element.kind == "character":
                manner = self._manner(element)
                if manner == "here":
                    for who in element.speaker:
                        _seen(stays, who, element.line)
                elif manner:
                    heard.update(dict.fromkeys(element.speaker))
            elif element.kind == "action":
                low = element.text.lower()
                cut = any(word in low for word in self.intercut)
                for seen in self.names.found(element.text):
                    if cut:
                        heard[seen.who] = None
                    else:
                        _seen(stays, seen.who, element.line, seen.going)
        moves = tuple((who, span[0], span[1]) for who, span in stays.items() if any(span))
        return replace(scene, present=tuple(stays), heard=tuple(who for who in heard if who not in stays), moves=moves)

    def _manner(self, cue: Element) -> str:
        """How a speaker takes part: here, heard, or, for a voice laid over the scene, not at all."""
        voice = self.who[cue.name].voice
        if not cue.extensions and not voice:
            return "here"
        lexicon = self.book.words
        said = [fold(part) for extension in cue.extensions for part in _CUT_EXTENSION.split(extension)]
        if voice or any(_among(part, lexicon.heard) for part in said):
            return "heard"
        return "" if any(_among(part, lexicon.voice_over) for part in said) else "here"


def _seen(stays: dict[str, list[int]], who: str, line: int, going: str = "") -> None:
    """Note that somebody is there: from here when they come in, till here when they go and are not seen again."""
    span = stays.setdefault(who, [line if going == "in" else 0, 0])
    span[1] = line if going == "out" else 0


def _ways(book: Directory, who: Mapping[str, Named]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Every way of naming somebody in action -> who that is, by folded words."""
    ways: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name, ids in (*book.known.items(), *book.parts.items()):
        ways.setdefault(tuple(name.split("-")), ids)
    for name, named in who.items():
        if named.ids and not named.voice and (len(named.ids) == 1 or key(name) in book.known):
            ways.setdefault(tuple(key(name).split("-")), named.ids)
    return ways


def _among(part: str, phrases: frozenset[str]) -> bool:
    """Whether an extension is one of `phrases`, or one with more words after it: ON PHONE WITH BO."""
    if part in phrases:
        return True
    words = part.split()
    return any(" ".join(words[:length]) in phrases for length in range(1, min(len(words), 4)))
