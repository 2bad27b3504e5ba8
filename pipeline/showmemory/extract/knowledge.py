"""What someone learned, as the continuity log tells it."""

from __future__ import annotations

from showmemory.extract.evidence import evidence
from showmemory.extract.once import once
from showmemory.extract.showids import PARTS, ShowIds, show_ids
from showmemory.model.memory import Said
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, LogChange
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

VERSION = 1
READS = ("script", *PARTS, "continuity")


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation for each thing learned: `holders` are who know it now, `about` is whom or what it concerns."""
    changes = read.side.continuity.changes if read.side.continuity else ()
    if not changes:
        return []
    ids, folding = show_ids(read, bible, *PARTS), Folding.of(rules)
    return once(_observation(read, ids, c, folding) for c in changes if c.kind == "knowledge" and c.text.strip())


def _observation(read: EpisodeRead, ids: ShowIds, change: LogChange, folding: Folding) -> Observation:
    found = evidence(read, change.scene, change.words, folding)
    about, text = ids.ids(change.about), change.text.strip()
    said = Said(
        rule="knowledge",
        text=text,
        about=about,
        holders=ids.ids(change.who, "character"),
        sources=found.sources,
        stale=found.missing,
    )
    key = phrase(text, folding) or text
    return Observation(
        rule="knowledge", episode=read.episode.id, kind="knowledge", key=key, name=key, about=about, said=said
    )
