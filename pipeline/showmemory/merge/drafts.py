"""Observations of all rules and answers -> one draft an entry: its identity, and what is said of it by episode."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from showmemory.model.memory import RANK, Form, Kind, Said, Source, Use
from showmemory.model.observation import Observation

_WORDS = ("title", "text", "value", "canon", "when", "status", "move")


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry as the passes would have it: identity and `said`, nothing of the person's."""

    kind: Kind
    form: Form | None
    key: str
    name: str
    about: tuple[str, ...]
    field: str | None
    said: Mapping[str, Said]

    @property
    def earned(self) -> bool:
        """Whether any episode earned it."""
        return any(s.earned for s in self.said.values())


def drafts(
    observations: Iterable[Observation], order: Iterable[str], taken: Collection[tuple[str, str]] = ()
) -> dict[tuple[str, str], Draft]:
    """Group by (kind, key). Two rules that speak of one entry in one episode are joined, the higher rank's words first.

    What no episode earned is left out, but for what a person has `taken` up. The result does not depend on the order
    of `observations`.
    """
    place = {episode: at for at, episode in enumerate(order)}
    grouped: dict[tuple[str, str], list[Observation]] = {}
    for seen in observations:
        if seen.episode in place:
            grouped.setdefault((seen.kind, seen.key), []).append(seen)
    made = {identity: _draft(grouped[identity], place) for identity in sorted(grouped)}
    return {identity: draft for identity, draft in made.items() if draft.earned or identity in taken}


def _draft(seen: list[Observation], place: Mapping[str, int]) -> Draft:
    seen = sorted(seen, key=lambda o: (place[o.episode], -RANK[o.said.by], o.rule, o.form or ""))
    said: dict[str, Said] = {}
    for one in seen:
        step = one.said if one.said.rule else one.said.model_copy(update={"rule": one.rule})
        said[one.episode] = joined(said[one.episode], step) if one.episode in said else step
    first = next((o for o in seen if o.said.earned), seen[0])
    form = next((o.form for o in seen if o.form), None)
    return Draft(first.kind, form, first.key, first.name, first.about, first.field, said)


def joined(high: Said, low: Said) -> Said:
    """Two statements on one entry in one episode as one: `high`'s words, else `low`'s; the books of both."""
    made: dict[str, Any] = {}
    for name in _WORDS:
        if getattr(high, name) is None:
            made[name] = getattr(low, name)
    for name in ("about", "holders", "variants"):
        made[name] = tuple(dict.fromkeys((*getattr(high, name), *getattr(low, name))))
    for name in ("numbers", "tallies", "measures", "exemplars"):
        made[name] = getattr(high, name) or getattr(low, name)
    made["sources"] = _sources((*high.sources, *low.sources))
    made["uses"] = _uses((*high.uses, *low.uses))
    made["earned"] = high.earned or low.earned
    made["score"] = high.score if high.score is not None else low.score
    made["held"] = high.held if high.earned else low.held
    return high.model_copy(update=made)


def _sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    return tuple({(s.episode, s.page, s.line, s.words): s for s in sources}.values())


def _uses(uses: Iterable[Use]) -> tuple[Use, ...]:
    held: dict[tuple[str, int, int, str], Use] = {}
    for use in uses:
        at = (use.episode, use.page, use.line, use.words)
        old = held.get(at)
        how = tuple(sorted({*use.how, *(old.how if old else ())}))
        held[at] = use.model_copy(update={"how": how, "setup": use.setup or bool(old and old.setup)})
    return tuple(sorted(held.values(), key=lambda u: (u.page, u.line, u.words)))
