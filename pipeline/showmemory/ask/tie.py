"""A cite and a script -> the source its words are, or nothing when they do not stand there."""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape

from showmemory.ask.draft import Cite
from showmemory.ask.numbered import Numbered, Passage
from showmemory.model.memory import Source
from showmemory.text.fold import Folding
from showmemory.text.tokens import tokens, words

_OPENING = ".…\"“'‘(¿¡"
_CLOSING = ".!?…)\"”’'"


def tied(cite: Cite, script: Numbered, episode: str, folding: Folding) -> Source | None:
    """The source for words at the line they are cited at; a cue's line leads to its speech (A74)."""
    return _first(script.passages.get(cite.line, ()), cite, script, episode, folding)


def followed(cite: Cite, script: Numbered, episode: str, folding: Folding) -> Source | None:
    """The source for words that stood in an earlier draft: the nearest place where they stand now."""
    near = sorted(script.all(), key=lambda at: (abs(at[0] - cite.line), at[0]))
    return _first((passage for _, passage in near), cite, script, episode, folding)


def _first(passages: Iterable[Passage], cite: Cite, script: Numbered, episode: str, folding: Folding) -> Source | None:
    wanted = words(unescape(cite.words), folding)
    for passage in passages if wanted else ():
        held = tokens(passage.text, folding)
        at = _run(wanted, [token.word for token in held])
        if at >= 0:
            return _source(passage, held[at].start, held[at + len(wanted) - 1].end, script, episode)
    return None


def _run(wanted: tuple[str, ...], held: list[str]) -> int:
    for at in range(len(held) - len(wanted) + 1):
        if held[at] == wanted[0] and tuple(held[at : at + len(wanted)]) == wanted:
            return at
    return -1


def _source(passage: Passage, start: int, end: int, script: Numbered, episode: str) -> Source:
    text, elements = passage.text, script.script.elements
    place = passage.place(start, elements)
    begins = len(" ".join(_before(passage, place, script)))
    begins += 1 if begins else 0
    while start > begins and text[start - 1] in _OPENING:
        start -= 1
    while end < len(text) and text[end] in _CLOSING:
        end += 1
    element = elements[place]
    return Source(
        episode=episode,
        scene=passage.scene,
        line=element.line,
        words=text[start:end].strip(),
        page=element.page,
        paragraph=element.paragraph,
        speaker=passage.speaker,
    )


def _before(passage: Passage, place: int, script: Numbered) -> list[str]:
    elements = script.script.elements
    return [" ".join(elements[p].text.split()) for p in passage.places[: passage.places.index(place)]]
