"""What a report is about: the memory, the show, what waits, what a context costs, and all that is computed of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from showmemory.fold.activation import Activation, activations
from showmemory.fold.fold import order
from showmemory.fold.rest import Rest, rests
from showmemory.model.memory import Entry, EpisodeRecord, ShowMemory, Source, Use
from showmemory.model.plan import Plan
from showmemory.model.show import Show

# A context holds these back because something better stands for them; a report does too.
_ASIDE = ("rank", "near-duplicate")


@dataclass(frozen=True, slots=True)
class Cost:
    """One row of a receipt: what an entry costs in the show's context, and whether and why it is in."""

    id: str
    kind: str
    tokens: int
    state: str
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """The show's context against its budget, counted by `encoding`."""

    tokens: int
    budget: int
    encoding: str
    rows: tuple[Cost, ...] = ()


@dataclass(frozen=True)
class Subject:
    """Everything a page tells. `base`: the way from the page to the show's folder, empty when it lies in it.

    `stale`: (entry's title, citation) whose words are gone; `behind`: what memory has not read; `later`: uses that
    frozen entries could not take up.
    """

    show: Show
    memory: ShowMemory | None
    plan: Plan = Plan()
    names: Mapping[str, str] = field(default_factory=dict)
    stale: tuple[tuple[str, Source], ...] = ()
    behind: tuple[str, ...] = ()
    budget: Budget | None = None
    later: Mapping[str, Sequence[Use]] = field(default_factory=dict)
    base: str = ""

    @property
    def title(self) -> str:
        """The show's title."""
        return self.show.config.title or self.show.id or "A show"

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every entry that is shown: what is held back for something better is counted in `aside` alone."""
        return tuple(e for e in (self.memory.entries if self.memory else ()) if e.id not in self.aside)

    @cached_property
    def aside(self) -> frozenset[str]:
        """Entries that a list leaves out by its rank, or since another tells the same; never what a person decided."""
        rows = self.budget.rows if self.budget else ()
        held = {row.id for row in rows if row.state == "held" and row.limit in _ASIDE}
        decided = (e.id for e in (self.memory.entries if self.memory else ()) if e.frozen or e.by == "person" or e.keep)
        return frozenset(held).difference(decided)

    @cached_property
    def episodes(self) -> tuple[EpisodeRecord, ...]:
        """The remembered episodes in story order."""
        held = {e.id: e for e in self.memory.episodes} if self.memory else {}
        return tuple(held[id_] for id_ in self.aired)

    @cached_property
    def aired(self) -> tuple[str, ...]:
        """The ids of the remembered episodes in story order."""
        return order(self.memory.episodes) if self.memory else ()

    @cached_property
    def records(self) -> Mapping[str, EpisodeRecord]:
        """The remembered episodes by id."""
        return {e.id: e for e in self.episodes}

    @cached_property
    def rests(self) -> Mapping[str, Rest]:
        """How worn each gag and catchphrase is, by entry id."""
        return rests(self.entries, self.aired, self.memory.settings, self.later) if self.memory else {}

    @cached_property
    def activations(self) -> Mapping[str, Activation]:
        """How much the show leans on each entry, by id."""
        return activations(self.entries, self.aired)

    @property
    def seasons(self) -> list[int]:
        """The seasons that have a remembered episode, the newest first."""
        return sorted({e.season for e in self.episodes}, reverse=True)

    def of(self, *kinds: str) -> list[Entry]:
        """The shown entries of these kinds."""
        return [e for e in self.entries if e.kind in kinds]

    def label(self, episode: str | None) -> str:
        """How an episode is called in short: s02e05; its id where memory does not place it."""
        record = self.records.get(episode or "")
        return f"s{record.season:02d}e{record.number:02d}" if record else (episode or "").removeprefix("ep.")

    def name(self, id_: str) -> str:
        """The name of somebody or something of the show."""
        return self.names.get(id_) or id_.partition(".")[2].replace("-", " ").title() or id_
