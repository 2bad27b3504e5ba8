"""The scripts up to a moment, cut into sentences that can be searched: who says each, where, and in which scene."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from showmemory.context.quote import line
from showmemory.fold.relevance import telling_stems
from showmemory.model.screenplay import SPOKEN, UNSEEN, Element, Scene, Screenplay
from showmemory.text.brief import sentences, titled
from showmemory.text.fold import bare


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a script. `turn` counts the speeches and paragraphs of its scene; `who` is empty for action."""

    text: str
    turn: int
    cue: str
    who: tuple[str, ...]
    stems: frozenset[str]


@dataclass(frozen=True)
class Spoken:
    """A scene of a remembered episode. Its sentences are cut when somebody asks for them."""

    episode: str
    scene: Scene
    play: Screenplay
    language: str = "en"

    @property
    def elements(self) -> Iterator[Element]:
        """What is seen and heard in it, its heading aside."""
        held = self.play.elements[self.scene.start : self.scene.end]
        return (e for e in held if e.kind not in UNSEEN and e.kind not in ("heading", "paren", "transition"))

    @cached_property
    def bare(self) -> str:
        """All its words, folded, cues among them."""
        return bare(" ".join((self.scene.place, *(e.text for e in self.elements))))

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence, in order."""
        made: list[Sentence] = []
        for turn, (cue, text) in enumerate(self._turns()):
            name = titled(cue.name) if cue else ""
            who = (cue.speaker or (cue.name,)) if cue else ()
            made += [Sentence(s, turn, name, who, frozenset(telling_stems(s, self.language))) for s in sentences(text)]
        return tuple(made)

    def _turns(self) -> Iterator[tuple[Element | None, str]]:
        """Speeches and paragraphs of action: the cue, if somebody speaks, and the words."""
        cue: Element | None = None
        spoke: Element | None = None
        held: list[str] = []
        for element in self.elements:
            said = element.kind in SPOKEN
            goes_on = said if spoke is not None else element.joins
            if element.kind == "character" or not goes_on:
                if held:
                    yield spoke, line(" ".join(held))
                held, spoke = [], None
            if element.kind == "character":
                cue = element
            else:
                spoke = cue if said else None
                held.append(element.text)
        if held:
            yield spoke, line(" ".join(held))


def spoken(
    scripts: Mapping[str, Screenplay], order: tuple[str, ...], seen: frozenset[tuple[str, str]] | None, language: str
) -> tuple[Spoken, ...]:
    """Every scene of the episodes in `order` whose scripts are at hand; of a witness those they saw or heard."""
    return tuple(
        Spoken(episode, scene, scripts[episode], language)
        for episode in order
        if episode in scripts
        for scene in scripts[episode].scenes
        if not scene.omitted and (seen is None or (episode, scene.id) in seen)
    )
