"""Logs of episodes memory has not remembered -> entries marked so: they reach a writer all the same (A48)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from showmemory.context.moment import Moment
from showmemory.context.names import Names
from showmemory.fold.presence_view import Vantage
from showmemory.model.ids import slug
from showmemory.model.memory import Entry, Kind, Source, Use
from showmemory.model.show import ContinuityLog, LogChange, LogFact, SideFiles


class Move(NamedTuple):
    """A thread opened, moved or resolved, as a log has it."""

    episode: str
    step: str
    scene: str


@dataclass(frozen=True)
class Unread:
    """What the logs behind memory say: entries, uses of bible gags by gag id, moves of bible threads by thread id."""

    entries: tuple[Entry, ...] = ()
    uses: Mapping[str, tuple[Use, ...]] = field(default_factory=dict)
    moves: Mapping[str, tuple[Move, ...]] = field(default_factory=dict)
    heard: tuple[str, ...] = ()


def unread(moment: Moment, logs: Mapping[str, SideFiles], names: Names) -> Unread:
    """Read the logs of the episodes up to the moment that memory has not remembered."""
    entries: list[Entry] = []
    uses: dict[str, tuple[Use, ...]] = {}
    moves: dict[str, tuple[Move, ...]] = {}
    heard: list[str] = []
    for episode in moment.behind:
        side = logs.get(episode)
        if side is None or side.continuity is None:
            continue
        heard.append(episode)
        entries += _entries(episode, side.continuity, names)
        for paid in side.continuity.payoffs:
            use = Use(episode=episode, scene=paid.scene, words=paid.words, how=("log",))
            gag = names.id_of(paid.gag) or paid.gag
            uses[gag] = (*uses.get(gag, ()), use)
        for moved in side.continuity.threads:
            thread = names.id_of(moved.thread) or moved.thread
            moves[thread] = (*moves.get(thread, ()), Move(episode, moved.move, moved.scene))
    return Unread(tuple(entries), uses, moves, tuple(heard))


def witnessed(read: Unread, view: Vantage) -> Unread:
    """What of the logs one character or group saw or was told."""
    uses = {gag: tuple(u for u in played if view.witnessed(u)) for gag, played in read.uses.items()}
    moves = {t: tuple(m for m in made if (m.episode, m.scene) in view.seen) for t, made in read.moves.items()}
    entries = tuple(e for e in read.entries if _reached(e, view))
    return Unread(entries, {g: u for g, u in uses.items() if u}, {t: m for t, m in moves.items() if m}, read.heard)


def _reached(entry: Entry, view: Vantage) -> bool:
    if entry.kind == "knowledge":
        return bool(view.holders.intersection(entry.holders))
    return bool(entry.sources) and all(view.witnessed(source) for source in entry.sources)


def _entries(episode: str, log: ContinuityLog, names: Names) -> list[Entry]:
    made = [_fact(episode, number, fact, names) for number, fact in enumerate(log.facts, 1)]
    return made + [_change(episode, number, change, names) for number, change in enumerate(log.changes, 1)]


def _fact(episode: str, number: int, fact: LogFact, names: Names) -> Entry:
    return Entry(
        id=_id("fact", episode, number),
        kind="fact",
        form="fact",
        title=fact.text,
        text=fact.text,
        about=names.ids(fact.about),
        field=fact.field,
        value=fact.value,
        canon=fact.canon,
        since=episode,
        sources=_cited(episode, fact.scene, fact.words),
    )


def _change(episode: str, number: int, change: LogChange, names: Names) -> Entry:
    kind: Kind = change.kind if change.kind != "state" else "fact"
    knows = kind == "knowledge"
    return Entry(
        id=_id(kind, episode, number),
        kind=kind,
        title=change.text,
        text=change.text,
        about=names.ids(change.about if knows else (*change.who, *change.about)),
        holders=names.ids(change.who) if knows else (),
        since=episode,
        sources=_cited(episode, change.scene, change.words),
    )


def _cited(episode: str, scene: str, words: str) -> tuple[Source, ...]:
    return (Source(episode=episode, scene=scene, words=words),) if words or scene else ()


def _id(kind: str, episode: str, number: int) -> str:
    return f"mem.{kind}.log-{slug(episode)}-{number}"
