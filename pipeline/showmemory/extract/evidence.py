"""The words that a log or a bible quotes, found again in the script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from showmemory.extract.passages import Passage, cite, heading, of_scene, passages
from showmemory.model.memory import Source
from showmemory.model.reading import EpisodeRead
from showmemory.model.screenplay import scene_called
from showmemory.text.fold import Folding
from showmemory.text.tokens import Token, tokens, words

_GAP = re.compile(r"\.{3,}|…")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a log's statement stands: `source`, or, where its words are not in the script, `stale` as well."""

    source: Source
    stale: Source | None = None
    passage: Passage | None = None

    @property
    def sources(self) -> tuple[Source, ...]:
        """The source alone."""
        return (self.source,)

    @property
    def missing(self) -> tuple[Source, ...]:
        """The words that were not found, if any."""
        return (self.stale,) if self.stale else ()


def evidence(read: EpisodeRead, scene: str, quoted: str, folding: Folding) -> Evidence:
    """Tie `quoted` to its line: in its scene, else anywhere in the script, else to the scene alone, marked stale."""
    number = scene_called(read.screenplay, scene) if scene else None
    if words(quoted, folding):
        near = of_scene(read.screenplay, number) if number is not None else ()
        for part in (near, passages(read.screenplay)):
            found = next(_quoted_in(part, quoted, folding), None)
            if found:
                passage, start, end = found
                return Evidence(cite(read, passage, start, end), passage=passage)
    where = Source(episode=read.episode.id, scene="" if number is None else read.screenplay.scenes[number].id)
    if quoted.strip():
        return Evidence(where, where.model_copy(update={"scene": where.scene or scene, "words": quoted.strip()}))
    return Evidence(where if number is None else heading(read, read.screenplay.scenes[number]))


def _quoted_in(where: Iterable[Passage], quoted: str, folding: Folding) -> Iterator[tuple[Passage, int, int]]:
    pieces = [p for p in (words(part, folding) for part in _GAP.split(quoted)) if p]
    for passage in where:
        span = quoted_at(pieces, tokens(passage.text, folding))
        if span:
            yield passage, *span


def quoted_at(pieces: list[tuple[str, ...]], held: list[Token]) -> tuple[int, int] | None:
    """From where to where the pieces of a quotation stand in `held`, one after the other; a gap is an ellipsis."""
    first = at = run_at(pieces[0], held) if pieces else -1
    if at < 0:
        return None
    end = at + len(pieces[0])
    for piece in pieces[1:]:
        at = run_at(piece, held, end)
        if at < 0:
            return None
        end = at + len(piece)
    return held[first].start, held[end - 1].end


def run_at(run: tuple[str, ...], held: list[Token], start: int = 0) -> int:
    """Where the words of `run` stand one after the other in `held`, from `start` on, or -1."""
    for at in range(start, len(held) - len(run) + 1):
        if held[at].word == run[0] and all(held[at + more].word == word for more, word in enumerate(run)):
            return at
    return -1
