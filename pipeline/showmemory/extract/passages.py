"""A script cut into passages (a speech, a paragraph of action), and citations of the words in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from showmemory.model.memory import Source
from showmemory.model.reading import EpisodeRead
from showmemory.model.screenplay import SPOKEN, UNSEEN, Element, Scene, Screenplay

_OPENING = ".…\"“'‘(¿¡"
_CLOSING = ".!?…)\"”’'"


@dataclass(frozen=True, slots=True)
class Passage:
    """One speech, or one paragraph of action or heading: its elements, and their text joined by single spaces.

    `places` are the elements' places in the script, `scene` the place of their scene.
    """

    scene: int
    kind: str
    elements: tuple[Element, ...]
    places: tuple[int, ...]
    speakers: tuple[str, ...]
    text: str

    def holder(self, offset: int) -> tuple[int, int]:
        """Which element holds character `offset` of the text, and where in the text that element begins."""
        begins = 0
        for number, element in enumerate(self.elements):
            if offset < begins + len(element.text) + 1 or number == len(self.elements) - 1:
                break
            begins += len(element.text) + 1
        return number, begins

    def reach(self, number: int, begins: int) -> int:
        """Where in the text the lines end that continue element `number` without a break (a parenthetical breaks)."""
        end = begins + len(self.elements[number].text)
        for at in range(number + 1, len(self.elements)):
            if not self.elements[at].joins or self.places[at] != self.places[at - 1] + 1:
                break
            end += 1 + len(self.elements[at].text)
        return end


def passages(script: Screenplay) -> Iterator[Passage]:
    """Every passage of `script` that is seen or heard, in order; omitted scenes have none."""
    for number, scene in enumerate(script.scenes):
        if not scene.omitted:
            yield from of_scene(script, number)


def of_scene(script: Screenplay, number: int) -> Iterator[Passage]:
    """The passages of one scene, its heading first."""
    scene = script.scenes[number]
    held: list[int] = []
    cue: Element | None = None
    for place in range(scene.start, scene.end):
        element = script.elements[place]
        if element.kind in UNSEEN or element.kind == "paren":
            continue
        if held and not _continues(script.elements[held[-1]], element):
            yield _passage(script, number, held, cue)
            held = []
        if element.kind == "character":
            cue = element
            continue
        held.append(place)
    if held:
        yield _passage(script, number, held, cue)


def _continues(last: Element, element: Element) -> bool:
    if element.kind in SPOKEN:
        return last.kind in SPOKEN
    return element.kind == last.kind and element.joins


def _passage(script: Screenplay, scene: int, held: list[int], cue: Element | None) -> Passage:
    elements = tuple(script.elements[place] for place in held)
    spoken = elements[0].kind in SPOKEN and cue is not None
    speakers = (cue.speaker or (cue.name,)) if spoken and cue is not None else ()
    kind = "speech" if spoken else elements[0].kind
    return Passage(scene, kind, elements, tuple(held), speakers, " ".join(e.text for e in elements))


def cite(read: EpisodeRead, passage: Passage, start: int = 0, end: int | None = None) -> Source:
    """The source for characters `start` to `end` of a passage: the words as they stand at their own line.

    Words that run on past a parenthetical are cited up to it.
    """
    number, begins = passage.holder(start)
    reach = passage.reach(number, begins)
    end = min(reach, len(passage.text) if end is None else end)
    while start > begins and passage.text[start - 1] in _OPENING:
        start -= 1
    while end < reach and passage.text[end] in _CLOSING:
        end += 1
    element = passage.elements[number]
    return Source(
        episode=read.episode.id,
        scene=read.screenplay.scenes[passage.scene].id,
        line=element.line,
        words=passage.text[start:end].strip(),
        page=element.page,
        paragraph=element.paragraph,
        speaker=passage.speakers[0] if passage.speakers else "",
    )


def heading(read: EpisodeRead, scene: Scene) -> Source:
    """The source for a whole scene: its heading, else what it opens with."""
    shown = [e for e in read.screenplay.elements[scene.start : scene.end] if e.kind not in UNSEEN and e.text.strip()]
    if not shown:
        return Source(episode=read.episode.id, scene=scene.id)
    first = shown[0]
    place = {"line": first.line, "page": first.page, "paragraph": first.paragraph}
    return Source(episode=read.episode.id, scene=scene.id, words=first.text.strip(), **place)
