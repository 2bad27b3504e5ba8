"""Citations that a person's entries lean on: they follow their words through a rewrite, and are stale without (G2).

What passes cite they cite anew by themselves. Here is what no pass looks after: an entry of the person's own, words
they rewrote where the pass no longer finds what they stand on, and entries frozen as they are. Those are not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from showmemory.fold.fold import order, refold
from showmemory.model.memory import Entry, Said, ShowMemory, Source
from showmemory.model.screenplay import Screenplay
from showmemory.text.standing import Standing


@dataclass(frozen=True, slots=True)
class Stale:
    """A citation whose words stand nowhere any more; the entry's own text is untouched."""

    entry: str
    title: str
    source: Source


class Scripts:
    """The scripts of the remembered episodes, read when something is looked for in them."""

    def __init__(self, play: Callable[[str], Screenplay | None], episodes: Sequence[str]) -> None:
        """`play` gives an episode's script, None when it is not the one that memory remembers."""
        self._play, self._episodes = play, episodes
        self._held: dict[str, Standing | None] = {}

    def follow(self, source: Source) -> Source | None:
        """The citation where its words stand now: nearest in its episode, else the one place in all the others.

        None when they are gone. What cannot be looked up (no words, no script) stays as it is.
        """
        here = self._of(source.episode)
        if not source.words.strip() or (here is None and source.episode in self._episodes):
            return source
        found = here.begin(source.words) if here else []
        if here and found:
            return _at(source, here, min(found, key=lambda place: _far(source, here, place)))
        others = [(e, each, at) for e, each in self._others(source) for at in each.begin(source.words)]
        if len(others) != 1:
            return None
        episode, there, place = others[0]
        return _at(source.model_copy(update={"episode": episode}), there, place)

    def _others(self, source: Source) -> Iterator[tuple[str, Standing]]:
        for episode in self._episodes:
            held = self._of(episode) if episode != source.episode else None
            if held is not None:
                yield episode, held

    def _of(self, episode: str) -> Standing | None:
        if episode not in self._held:
            play = self._play(episode) if episode in self._episodes else None
            self._held[episode] = Standing(play) if play else None
        return self._held[episode]


def followed(memory: ShowMemory, scripts: Scripts) -> ShowMemory:
    """Memory with every citation that only the person stands for where its words stand now."""
    aired = order(memory.episodes)
    entries = [_followed(e, scripts, aired) if _leans(e) and not e.frozen else e for e in memory.entries]
    if all(new is old for new, old in zip(entries, memory.entries, strict=True)):
        return memory
    return memory.model_copy(update={"entries": tuple(entries)})


def leaning(memory: ShowMemory) -> bool:
    """Whether any citation is the person's alone, so that scripts must be looked at for it."""
    return any(_leans(entry) for entry in memory.entries)


def stale(memory: ShowMemory, scripts: Scripts) -> tuple[Stale, ...]:
    """What is stale, entry by entry; computed when asked, and never stored (F13)."""
    return tuple(
        Stale(entry.id, entry.title or entry.text.split("\n")[0], source)
        for entry in memory.entries
        if _leans(entry) or entry.frozen
        for source in _cited(entry)
        if scripts.follow(source) is None
    )


def _leans(entry: Entry) -> bool:
    if not entry.said:
        return bool(entry.by == "person" and (entry.sources or entry.uses))
    return any(map(_theirs, entry.said.values()))


def _theirs(said: Said) -> bool:
    """Whether only the person stands for what is cited here: a pass has withdrawn it."""
    return said.by == "person" or (bool(said.stale) and said == Said(rule=said.rule, stale=said.stale))


def _cited(entry: Entry) -> Iterable[Source]:
    held = (source for said in entry.said.values() for source in said.stale)
    return dict.fromkeys((*entry.sources, *entry.uses, *held))


def _followed(entry: Entry, scripts: Scripts, aired: Sequence[str]) -> Entry:
    if not entry.said:
        moved = {n: tuple(scripts.follow(s) or s for s in getattr(entry, n)) for n in ("sources", "uses")}
        return entry.model_copy(update=moved) if any(moved[n] != getattr(entry, n) for n in moved) else entry
    said = dict(entry.said)
    for episode, one in entry.said.items():
        if _theirs(one):
            _settle(said, episode, one, scripts)
    if said == entry.said:
        return entry
    return refold(entry.model_copy(update={"said": said}), aired)


def _settle(said: dict[str, Said], episode: str, one: Said, scripts: Scripts) -> None:
    """What an episode no longer says by itself: what stands there still, what stands in another now, what is gone."""
    cited = dict.fromkeys((*one.sources, *map(_plain, one.stale)))
    now = {source: scripts.follow(source) for source in cited}
    stands = tuple(place for place in now.values() if place and place.episode == episode)
    gone = tuple(source for source, place in now.items() if place is None)
    for place in now.values():
        if place and place.episode not in said:
            said[place.episode] = Said(by="person", rule=one.rule, sources=(place,))
    if stands or gone:
        said[episode] = Said(by="person" if stands else one.by, rule=one.rule, sources=stands, stale=gone)
    else:
        del said[episode]


def _plain(source: Source) -> Source:
    """A use that is only cited any more as the citation it is."""
    return Source(**{name: getattr(source, name) for name in Source.model_fields})


def _far(source: Source, script: Standing, place: int) -> tuple[bool, int, int]:
    element = script.script.elements[place]
    return (script.scene_of(place) != source.scene, abs(element.page - source.page), abs(element.line - source.line))


def _at(source: Source, script: Standing, place: int) -> Source:
    element = script.script.elements[place]
    at = {"line": element.line, "page": element.page, "paragraph": element.paragraph, "scene": script.scene_of(place)}
    return source.model_copy(update=at)
