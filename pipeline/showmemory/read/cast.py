"""Screenplay + bible -> the same screenplay with every cue resolved to characters, and who is in each scene."""

from __future__ import annotations

from dataclasses import replace

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, Scene, Screenplay
from showmemory.model.show import Bible, Directed
from showmemory.read.cues import cue_words
from showmemory.read.names import Directory, Named, directory
from showmemory.read.presence import Presence, presence_words


def resolve(screenplay: Screenplay, bible: Bible, rules: Rules, directed: Directed | None = None) -> Screenplay:
    """Set `speaker` on cues, and `present` and `heard` on scenes (F9); `directed` adds the cast that was on set."""
    names = dict.fromkeys(e.name for e in screenplay.elements if e.kind == "character")
    book = directory(bible, names, cue_words(rules))
    who = {name: book.who(name) for name in names}
    presence = Presence(book, who, presence_words(rules))
    on_set = _on_set(directed, book)
    elements = list(screenplay.elements)
    scenes: list[Scene] = []
    for scene in screenplay.scenes:
        _name_cues(elements, scene, who)
        present, heard = presence.of(elements[scene.start : scene.end], on_set.get(scene.id, ()))
        scenes.append(replace(scene, present=present, heard=heard))
    return replace(screenplay, elements=tuple(elements), scenes=tuple(scenes))


def _name_cues(elements: list[Element], scene: Scene, who: dict[str, Named]) -> None:
    """Resolve the cues of one scene; ALL are those who have a cue of their own in it."""
    cues = [index for index in range(scene.start, scene.end) if elements[index].kind == "character"]
    alone = tuple(dict.fromkeys(each for index in cues for each in who[elements[index].name].ids))
    for index in cues:
        cue = elements[index]
        named = who[cue.name]
        speaker = (alone or (f"character.{cue.name.casefold()}",)) if named.everyone else named.ids
        elements[index] = Element(
            cue.kind,
            cue.text,
            cue.line,
            cue.joins,
            cue.dual,
            cue.name,
            cue.extensions,
            cue.key,
            cue.page,
            cue.paragraph,
            speaker,
        )


def _on_set(directed: Directed | None, book: Directory) -> dict[str, tuple[str, ...]]:
    if directed is None:
        return {}
    return {
        scene.scene: tuple(dict.fromkeys(each for name in scene.cast for each in book.who(_bare(name)).ids))
        for scene in directed.scenes
    }


def _bare(name: str) -> str:
    return name.removeprefix("character.")
