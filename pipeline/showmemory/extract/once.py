"""What one episode says several times of the same entry, said once."""

from __future__ import annotations

from collections.abc import Iterable

from showmemory.model.observation import Observation


def once(observations: Iterable[Observation]) -> list[Observation]:
    """One observation for each (kind, key), sorted: the last one's words, everybody's sources, subjects and holders."""
    held: dict[tuple[str, str], Observation] = {}
    for seen in observations:
        earlier = held.get((seen.kind, seen.key))
        held[seen.kind, seen.key] = _joined(earlier, seen) if earlier else seen
    return [held[identity] for identity in sorted(held)]


def _joined(earlier: Observation, later: Observation) -> Observation:
    names = ("sources", "stale", "about", "holders")
    both = {n: tuple(dict.fromkeys((*getattr(earlier.said, n), *getattr(later.said, n)))) for n in names}
    return later.model_copy(update={"said": later.said.model_copy(update=both), "about": both["about"] or later.about})
