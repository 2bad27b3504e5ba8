"""Relationships that changed for good, as the continuity log tells it; the latest words hold."""

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

VERSION = 1
READS = ("script", *PARTS, "continuity")


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation a pair: an entry is the pair's, in whichever order a log names them."""
    changes = read.side.continuity.changes if read.side.continuity else ()
    if not changes:
        return []
    ids, folding = show_ids(read, bible, *PARTS), Folding.of(rules)
    return once(_observation(read, ids, c, folding) for c in changes if c.kind == "relationship" and c.text.strip())


def _observation(read: EpisodeRead, ids: ShowIds, change: LogChange, folding: Folding) -> Observation:
    pair = tuple(sorted(ids.ids((*change.about, *change.who), "character")))
    found = evidence(read, change.scene, change.words, folding)
    said = Said(
        rule="relationship",
        title=ids.listed(pair),
        text=change.text.strip(),
        about=pair,
        sources=found.sources,
        stale=found.missing,
    )
    return Observation(
        rule="relationship",
        episode=read.episode.id,
        kind="relationship",
        key="|".join(pair) or change.text.strip(),
        name=" ".join(one.partition(".")[2] or one for one in pair) or change.text,
        about=pair,
        said=said,
    )
