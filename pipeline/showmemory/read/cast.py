"""Screenplay + bible -> the same screenplay with every cue resolved to characters, and who is in each scene."""

from __future__ import annotations

from dataclasses import replace

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, Scene, Screenplay
from showmemory.model.show import Bible
from showmemory.read.action_names import ordinary_words, presence_words
from showmemory.read.cues import cue_words
from showmemory.read.names import Named, directory
from showmemory.read.near_names import NearName, near_names, near_note
from showmemory.read.presence import Presence

__all__ = ["NearName", "near_names", "near_note", "resolve"]


def resolve(screenplay: Screenplay, bible: Bible, rules: Rules) -> Screenplay:
    """Set `speaker` on cues, and `present` and `heard` on scenes (F9)."""
    names = dict.fromkeys(e.name for e in screenplay.elements if e.kind == "character")
    book = directory(bible, names, cue_words(rules))
    who = {name: book.who(name) for name in names}
    ordinary = ordinary_words(e.text for e in screenplay.elements if e.kind in ("action", "dialogue"))
    presence = Presence(book, who, presence_words(rules), ordinary)
    elements = list(screenplay.elements)
    scenes: list[Scene] = []
    for scene in screenplay.scenes:
        _name_cues(elements, scene, who)
        scenes.append(presence.of(scene, elements[scene.start : scene.end]))
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
