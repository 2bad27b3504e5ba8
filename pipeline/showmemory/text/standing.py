"""Where words stand in a script: the elements on which they begin, across the lines of one speech or paragraph."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from showmemory.model.screenplay import SPOKEN, Element, Screenplay

# These stand between two lines of one speech or paragraph without ending it.
_BETWEEN = frozenset({"note", "boneyard", "pagebreak"})


class Standing:
    """A script as the texts that go on across its lines, for words to be found in."""

    def __init__(self, script: Screenplay) -> None:
        """Join what belongs together once."""
        self.script = script
        self._runs = [_joined(script, run) for run in _runs(script.elements)]

    def begin(self, words: str) -> list[int]:
        """The places of the elements on which `words` begin, in order; blanks count as one."""
        wanted = " ".join(words.split())
        found: list[int] = []
        for text, offsets, places in self._runs if wanted else ():
            at = text.find(wanted)
            while at >= 0:
                found.append(places[bisect_right(offsets, at) - 1])
                at = text.find(wanted, at + len(wanted))
        return found

    def scene_of(self, place: int) -> str:
        """The id of the scene an element stands in."""
        return next((s.id for s in self.script.scenes if s.start <= place < s.end), "")


def _runs(elements: tuple[Element, ...]) -> Iterator[list[int]]:
    """The places of elements whose text goes on from one to the next."""
    run: list[int] = []
    for place, element in enumerate(elements):
        if element.kind in _BETWEEN or (run and element.kind == "paren" and elements[run[0]].kind in SPOKEN):
            continue
        if run and not _goes_on(elements[run[0]], element):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


def _goes_on(first: Element, element: Element) -> bool:
    if first.kind in SPOKEN:
        return element.kind in SPOKEN
    return element.joins and element.kind == first.kind


def _joined(script: Screenplay, run: list[int]) -> tuple[str, list[int], list[int]]:
    texts = [" ".join(script.elements[place].text.split()) for place in run]
    offsets, at = [], 0
    for text in texts:
        offsets.append(at)
        at += len(text) + 1
    return " ".join(texts), offsets, run
