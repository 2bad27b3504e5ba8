"""How an entry touches the scene at hand, as a weight and as the reason a receipt gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from showmemory.context.alike import Twins
from showmemory.context.piece import Piece
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.fold.relevance import by_links, by_words
from showmemory.model.memory import Entry


def touch(ready: Ready, scene: Scene, entry: Entry) -> tuple[float, str]:
    """Who and where first, words second."""
    weight = by_links(ready.links(entry), scene.wanted)
    told = f"about {_met(ready, scene, entry)}" if weight else ""
    if not scene.wanted.words:
        return weight, told
    lifted, words = by_words(ready.shared(entry, scene.wanted), scene.wanted)
    said = f"shares {', '.join(words)}" if words else ""
    return weight + lifted, "; ".join(filter(None, (told, said)))


def _met(ready: Ready, scene: Scene, entry: Entry) -> str:
    touched = ready.links(entry)
    met = sorted(
        (i for i in touched.own | touched.spoke if i in scene.wanted.ids), key=lambda i: (i not in touched.own, i)
    )
    met.sort(key=lambda i: -scene.wanted.ids[i])
    return ", ".join(met[:2])


def twins(ready: Ready) -> Callable[[Piece], str | None]:
    """Says of each piece, in turn, which one before it nearly says the same (D21)."""
    taken = Twins(ready.show.config.language)

    def twin(piece: Piece) -> str | None:
        entry = ready.by_id.get(piece.id)
        return taken.of(entry) if entry else None

    return twin


def newness(ready: Ready, entry: Entry) -> int:
    """How far into the story an entry last changed; what nobody dated is oldest."""
    return max((ready.place.get(e, -1) for e in (entry.changed, entry.since) if e), default=-1)


def piece(
    ready: Ready,
    entry: Entry,
    reason: str,
    place: Sequence[float | str],
    *,
    noun: str = "",
    group: str = "",
    who: str | None = None,
) -> Piece:
    """An entry as a piece."""
    called = noun or NOUNS[entry.kind]
    return Piece(entry.id, entry.kind, lambda: ready.told(entry, who), reason, entry.title, called, group, tuple(place))


NOUNS = {
    "synopsis": "episode",
    "summary": "season summary",
    "voice": "voice",
    "catchphrase": "catchphrase",
    "relationship": "relationship",
    "knowledge": "piece of knowledge",
    "gag": "gag",
    "tone": "tone",
    "never": "never",
    "style": "style",
    "fact": "fact",
    "thread": "thread",
}
