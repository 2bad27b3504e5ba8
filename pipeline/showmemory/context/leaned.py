"""What the show leans on: who, what and where its scenes use, how lately, and what each is tied to (B22 to B27)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from showmemory.context.quote import sentence
from showmemory.context.ready import Ready

TIERS = ("hot", "warm", "cold", "fresh")
BRIDGE = "bridge"
_KINDS = frozenset({"fact", "thread", "gag", "relationship", "knowledge"})
# The four cohorts: people, places, what recurs, what is open. The theme has no node of its own, and gets none (B23).
_NODES = frozenset({"character", "group", "place", "gag", "thread"})


@dataclass(frozen=True)
class Node:
    """Somebody or something scenes lean on: in how many episodes, how lately, tied to how many others."""

    id: str
    episodes: int
    tier: str
    shape: str


def leaned(ready: Ready) -> tuple[Node, ...]:
    """Every node that some scene leans on, most leaned on first.

    A scene leans on what it changes, plays or moves, as memory's citations have it. Fresh is what only the latest of
    several episodes uses; of the others a third each is hot (twice at least), warm and cold.
    """
    scenes = _scenes(ready)
    used: dict[str, set[str]] = {}
    tied: dict[str, set[str]] = {}
    for (episode, _), nodes in scenes.items():
        for node in nodes:
            used.setdefault(node, set()).add(episode)
            tied.setdefault(node, set())
        for one, other in combinations(sorted(nodes), 2):
            tied[one].add(other)
            tied[other].add(one)
    newest = {ready.moment.newest or ""} if len(ready.moment.order) > 1 else set()
    rest = sorted((node for node in used if used[node] != newest), key=lambda n: (-len(used[n]), n))
    tier = {node: _tier(at, len(rest), len(used[node])) for at, node in enumerate(rest)}
    ranked = sorted(used, key=lambda n: (-len(used[n]), n))
    return tuple(Node(n, len(used[n]), tier.get(n, "fresh"), _shape(n, tied[n])) for n in ranked)


def rows(ready: Ready) -> tuple[str, ...]:
    """A line a tier: names, each with its shape; most are bridges, and that is not said."""
    nodes = leaned(ready)
    made = []
    for tier in TIERS:
        held = [n for n in nodes if n.tier == tier]
        if held:
            names = "; ".join(ready.names.name(n.id) + ("" if n.shape == BRIDGE else f" ({n.shape})") for n in held)
            made.append(sentence(f"{tier.capitalize()}: {names}"))
    return tuple(made)


def _scenes(ready: Ready) -> Mapping[tuple[str, str], set[str]]:
    """What each scene leans on."""
    made: dict[tuple[str, str], set[str]] = {}
    for entry in ready.entries:
        if entry.kind not in _KINDS or entry.retired or entry.keep == "drop":
            continue
        own = _nodes((*entry.about, *entry.holders))
        for episode, step in entry.said.items():
            for source in (*step.sources, *step.uses):
                nodes = {*own, *_nodes((source.speaker,))}
                if nodes:
                    made.setdefault((episode, source.scene), set()).update(nodes)
    return made


def _nodes(ids: Iterable[str]) -> set[str]:
    return {i for i in ids if i.partition(".")[0] in _NODES}


def _tier(at: int, count: int, episodes: int) -> str:
    third = 3 * at // max(1, count)
    if third == 0 and episodes >= 2:
        return "hot"
    return "warm" if third <= 1 else "cold"


def _shape(node: str, tied: set[str]) -> str:
    """Isolated, a leaf of one other, a bridge to two cohorts or more, else a hub within one."""
    if not tied:
        return "isolated"
    if len(tied) == 1:
        return "leaf"
    return BRIDGE if len({i.partition(".")[0] for i in tied}) >= 2 else "hub"
