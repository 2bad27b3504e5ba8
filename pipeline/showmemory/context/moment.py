"""A show, its memory and the options -> the moment a context stands at: what holds, what is behind, what is ahead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from showmemory.fold.fold import Axis, as_of, closed, order
from showmemory.model.memory import Entry, EpisodeRecord, ShowMemory
from showmemory.model.show import Episode, Show


@dataclass(frozen=True)
class Moment:
    """Memory as of a moment. `order`: the remembered episodes up to it; `upto`: all the show has up to it.

    `writing` is the episode the context is for, itself left out.
    """

    memory: ShowMemory | None
    order: tuple[str, ...]
    upto: tuple[str, ...]
    records: Mapping[str, EpisodeRecord]
    writing: str | None
    axis: Axis

    @property
    def behind(self) -> tuple[str, ...]:
        """Episodes up to the moment that memory has not remembered (D8)."""
        held = frozenset(self.order)
        return tuple(e for e in self.upto if e not in held)

    @property
    def newest(self) -> str | None:
        """The newest remembered episode."""
        return self.order[-1] if self.order else None

    def came(self, entry: Entry) -> str | None:
        """The episode that first said an entry as it stands."""
        said = (e for e in self.order if e in entry.said and entry.said[e].text == entry.text)
        return next(said, entry.since)

    def label(self, episode: str) -> str:
        """`s03e16`, or the id of an episode nobody placed."""
        record = self.records.get(episode)
        return f"s{record.season:02d}e{record.number:02d}" if record else episode.removeprefix("ep.")

    def named(self, episode: str) -> str:
        """`s03e16 The Long Kettle`."""
        record = self.records.get(episode)
        return f"{self.label(episode)} {record.title}".rstrip() if record else self.label(episode)


def moment_of(
    show: Show,
    memory: ShowMemory | None,
    episode: str | None = None,
    until: str | None = None,
    axis: Axis = "broadcast",
) -> Moment:
    """The moment of a context for writing `episode` (as of the one before), or as of `until` included, or now."""
    records = _records(show, memory)
    if until is not None and until not in records:
        raise ValueError(f"no episode {until}: as_of names an episode of the show or of its memory")
    whole = order(records.values(), axis)
    upto = whole if until is None else whole[: whole.index(until) + 1]
    if episode in upto:
        upto = upto[: upto.index(episode)]
    held = frozenset(e.id for e in memory.episodes) if memory else frozenset()
    remembered = tuple(e for e in upto if e in held)
    return Moment(_folded(memory, remembered, axis), remembered, upto, records, episode, axis)


def _records(show: Show, memory: ShowMemory | None) -> dict[str, EpisodeRecord]:
    """Every episode anybody knows of; where memory has it, its place there holds."""
    listed = {e.id: _record(e) for e in show.episodes}
    return {**listed, **({e.id: _titled(e, listed.get(e.id)) for e in memory.episodes} if memory else {})}


def _record(episode: Episode) -> EpisodeRecord:
    return EpisodeRecord.model_construct(
        id=episode.id, season=episode.season, number=episode.number, story=episode.story, title=episode.title
    )


def _titled(held: EpisodeRecord, listed: EpisodeRecord | None) -> EpisodeRecord:
    return held if held.title or listed is None else held.model_copy(update={"title": listed.title})


def _folded(memory: ShowMemory | None, remembered: tuple[str, ...], axis: Axis) -> ShowMemory | None:
    if memory is None or (axis == "broadcast" and len(remembered) == len(memory.episodes)):
        return memory
    if remembered:
        return _as_of(memory, remembered, axis)
    standing = tuple(e for e in memory.entries if not e.said and e.since is None)
    return memory.model_copy(update={"entries": standing, "episodes": ()})


def _as_of(memory: ShowMemory, remembered: tuple[str, ...], axis: Axis) -> ShowMemory:
    """Memory as of the last of `remembered`. What no later episode speaks of is as it is, and is not folded again."""
    seen = frozenset(remembered)
    steady = [e for e in memory.entries if axis == "broadcast" and _steady(e, seen)]
    still = frozenset(e.id for e in steady)
    others = tuple(e for e in memory.entries if e.id not in still)
    made = as_of(memory.model_copy(update={"entries": others}), remembered[-1], axis)
    return made.model_copy(update={"entries": closed((*steady, *made.entries), remembered)})


def _steady(entry: Entry, seen: frozenset[str]) -> bool:
    return (
        bool(entry.said) and not entry.frozen and entry.said.keys() <= seen and seen.issuperset(entry.edited.values())
    )
