"""The facts that the continuity log holds, each tied to its line."""

from __future__ import annotations

from showmemory.extract.evidence import evidence
from showmemory.extract.once import once
from showmemory.extract.showids import PARTS, ShowIds, show_ids
from showmemory.model.ids import slug
from showmemory.model.memory import Said
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, LogFact
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

VERSION = 1
READS = ("script", *PARTS, "continuity")


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation a fact. A fact with a field is known by subject, field and value; another by its folded words."""
    facts = read.side.continuity.facts if read.side.continuity else ()
    if not facts:
        return []
    ids, folding = show_ids(read, bible, *PARTS), Folding.of(rules)
    return once(_observation(read, ids, fact, folding) for fact in facts if fact.text.strip())


def _observation(read: EpisodeRead, ids: ShowIds, fact: LogFact, folding: Folding) -> Observation:
    about = ids.ids(fact.about)
    field = fact.field.strip() if fact.field and fact.field.strip() else None
    found = evidence(read, fact.scene, fact.words, folding)
    said = Said(
        rule="fact",
        title=f"{ids.name(about[0])}: {field}" if field and about else field,
        text=fact.text.strip(),
        about=about,
        value=fact.value,
        canon=fact.canon or "established",
        when=fact.when,
        sources=found.sources,
        stale=found.missing,
    )
    key, name = _identity(fact, about, field, folding)
    return Observation(
        rule="fact",
        episode=read.episode.id,
        kind="fact",
        form="fact",
        key=key,
        name=name,
        about=about,
        field=field,
        said=said,
    )


def _identity(fact: LogFact, about: tuple[str, ...], field: str | None, folding: Folding) -> tuple[str, str]:
    words = phrase(fact.text, folding) or fact.text.strip()
    if field is None:
        return words, words
    value = phrase(fact.value, folding) if fact.value else words
    subject = about[0] if about else ""
    return f"{subject}|{slug(field)}|{value}", f"{subject.partition('.')[2]} {field} {value}".strip()
