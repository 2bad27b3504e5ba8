"""Entries as a person or a program asks for them: by kind, character, episode, state or words, best first."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from showmemory.context.moment import moment_of
from showmemory.context.names import names_of
from showmemory.context.stamps import Stamps
from showmemory.flow import Run
from showmemory.fold.activation import Activation, activations
from showmemory.fold.fold import order, refold
from showmemory.fold.rest import Rest, rests
from showmemory.fold.shown import cut_of, shown
from showmemory.following import gone
from showmemory.look import find_episode, no_episode, nobody
from showmemory.model.ids import entry_id
from showmemory.model.memory import GROUP_OF, GROUPS, Entry, EpisodeRecord, ShowMemory
from showmemory.model.observation import Observation
from showmemory.model.span import Problem
from showmemory.sent import forms
from showmemory.timed import timed

KINDS = tuple(kind for kinds in GROUPS.values() for kind in kinds)
# What the show's context makes of an entry, and what a person did to it (C24); it has one form of verbatim to held.
FILTERS = {
    "all": "everything, also what is held back, let go or retired",
    "verbatim": "sent in the scripts' own words, or told in detail",
    "summary": "sent as a line",
    "held": "kept, and not sent",
    "let-go": "let go by you",
    "edited": "rewritten by you",
    "custom": "added by you",
    "deleted": "thrown out by you",
}
STATES = {
    "pinned": "in every context",
    "locked": "changed by no pass",
    "retired": "kept for history",
    "resting": "gags to leave alone",
    "open": "open threads",
    "resolved": "resolved threads",
    "stale": "citing words that are gone",
}


@dataclass(frozen=True)
class Wanted:
    """What is asked for; empty means any. `chip` is one of FILTERS, `state` one of STATES.

    `every`: all words of the query must be there, not only some.
    """

    kind: str = ""
    form: str = ""
    character: str = ""
    episode: str = ""
    state: str = ""
    query: str = ""
    candidates: bool = False
    every: bool = False
    chip: str = ""


@dataclass(frozen=True)
class Row:
    """One entry with what is computed for showing it. `held`: why it is not shown by itself; `form`: how it is sent.

    `when`: both readings of when in the story it was, where the clock is on (C43).
    """

    entry: Entry
    score: float | None = None
    held: str = ""
    rest: Rest | None = None
    rank: float = 0.0
    form: str = ""
    activation: Activation | None = None
    when: str = ""


@dataclass
class Found:
    """The rows, best first, and what is needed to print them. `recent`: episodes told in detail, under All (C26).

    `marked`: what is sent is told from what is kept (C27). `clock`: where the story stands, if the clock is on.
    """

    rows: list[Row] = field(default_factory=list)
    hidden: int = 0
    records: dict[str, EpisodeRecord] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    recent: frozenset[str] = frozenset()
    marked: bool = False
    clock: str = ""
    empty: bool = False


def find(root: Path, wanted: Wanted) -> Found:
    """Every entry that fits, best first. With `candidates` the whole ranking, read from the scripts."""
    run = Run(root)
    memory = run.book.memory
    if memory is None:
        run.close()
        return Found(problems=run.errors, empty=not run.book.broken)
    names = names_of(run.show, memory)
    aired = order(memory.episodes)
    made = Found(records={e.id: e for e in memory.episodes}, order=aired, names=dict(names.called))
    person = names.id_of(wanted.character) if wanted.character else ""
    episode = find_episode(memory.episodes, wanted.episode) if wanted.episode else ""
    if person is None:
        made.problems.append(nobody(names, wanted.character))
    if episode is None:
        made.problems.append(no_episode(memory.episodes, wanted.episode))
    if made.problems:
        run.close()
        return made
    entries = list(_forgotten(memory) if wanted.chip == "deleted" else memory.entries)
    if wanted.candidates:
        entries += _candidates(run, memory)
    if wanted.state == "stale":
        entries = _stale(run, memory)
    sent = forms(run, memory) if wanted.chip in ("all", "verbatim", "summary", "held") else {}
    stamps = _stamps(run, memory) if memory.settings.measured_clock else None
    run.close()
    resting = rests(entries, aired, memory.settings)
    cuts = {one.entry.id: one.held for one in shown(entries, aired, cut_of(run.rules)) if one.held}
    active = activations(entries, aired)
    rows = [_row(entry, aired, resting.get(entry.id), cuts.get(entry.id, "")) for entry in entries]
    rows = [replace(row, form=sent.get(row.entry.id, ""), activation=active[row.entry.id]) for row in rows]
    rows = [row for row in rows if _fits(row, wanted, person or "", episode or "")]
    rows = _searched(rows, wanted.query, every=wanted.every)
    if stamps is not None:
        made.clock = str(stamps.now)
        rows = [replace(row, when=stamps.when(row.entry)) for row in rows]
    visible = [row for row in rows if wanted.candidates or wanted.state or wanted.chip or not _hidden(row)]
    made.marked = wanted.chip == "all"
    latest = memory.settings.detailed_episodes
    if wanted.chip == "all" and not wanted.query and latest:
        made.recent = frozenset(aired[-latest:])
    made.hidden = len(rows) - len(visible)
    made.rows = sorted(visible, key=_best(aired))
    return made


def as_json(row: Row) -> dict[str, Any]:
    """One row as the contract of `show --json` has it."""
    entry = row.entry
    keys = ("episode", "scene", "line", "words", "speaker")
    more = ("page", "paragraph")
    uses = [
        {k: getattr(use, k) for k in keys} | {k: getattr(use, k) for k in more if getattr(use, k)} for use in entry.uses
    ]
    return {
        "id": entry.id,
        "kind": entry.kind,
        "form": entry.form,
        "title": entry.title,
        "text": entry.text,
        "about": list(entry.about),
        "holders": list(entry.holders),
        "episode": entry.since,
        "variants": list(entry.variants),
        "score": row.score,
        "shown": not _hidden(row),
        "heldBack": row.held or None,
        "status": entry.status,
        "by": entry.by,
        "resting": bool(row.rest and row.rest.resting),
        "lastPlayed": row.rest.last if row.rest else None,
        **({"when": row.when} if row.when else {}),
        **({"sent": row.form} if row.form else {}),
        **({"standing": row.activation.phrase} if row.activation else {}),
        "sources": [{k: getattr(source, k) for k in keys} for source in entry.sources],
        "uses": uses,
    }


def _stamps(run: Run, memory: ShowMemory) -> Stamps:
    """The story's clock, by the scripts that memory has read."""
    run.parse()
    scripts = timed(memory, run.artifacts, run.read, run.scripts, looking=True)
    return Stamps(moment_of(run.show, memory), memory.settings, scripts, measured=True)


def _row(entry: Entry, aired: Sequence[str], rest: Rest | None, cut: str) -> Row:
    said = [entry.said[e] for e in aired if e in entry.said]
    score = next((s.score for s in reversed(said) if s.score is not None), None)
    held = said[-1].held if said and entry.by != "person" else None
    if said and not held and not any(step.earned for step in said):
        held = "not over the bar"
    return Row(entry, score, held or cut, rest)


def _hidden(row: Row) -> bool:
    return bool(row.held) or row.entry.retired or row.entry.keep == "drop"


def _fits(row: Row, wanted: Wanted, person: str, episode: str) -> bool:
    entry = row.entry
    if wanted.kind and wanted.kind not in (entry.kind, GROUP_OF[entry.kind]):
        return False
    if wanted.form and entry.form != wanted.form:
        return False
    if person and person not in (*entry.about, *entry.holders) and all(u.speaker != person for u in entry.uses):
        return False
    if episode and episode not in entry.said and all(u.episode != episode for u in (*entry.uses, *entry.sources)):
        return False
    return _under(row, wanted.chip) and _in_state(row, wanted.state)


def _under(row: Row, chip: str) -> bool:
    entry = row.entry
    let_go = entry.keep == "drop"
    return {
        "verbatim": row.form == "verbatim" and not let_go,
        "summary": row.form == "summary" and not let_go,
        "held": row.form == "held" and not let_go,
        "let-go": let_go,
        "edited": bool(entry.edited),
        "custom": entry.by == "person" and not entry.original,
    }.get(chip, True)


def _in_state(row: Row, state: str) -> bool:
    entry = row.entry
    return {
        "pinned": entry.pinned,
        "locked": entry.locked,
        "retired": entry.retired,
        "resting": bool(row.rest and row.rest.resting),
        "open": entry.status == "open",
        "resolved": entry.status == "resolved",
    }.get(state, True)


def _best(aired: Sequence[str]) -> Callable[[Row], tuple[Any, ...]]:
    """What fits the words first, then by kind; in a kind what the bible means, what scores best, what plays most.

    Episodes stand in story order, and of what is not ranked the newest comes first, open threads before resolved ones.
    """
    place = {episode: at for at, episode in enumerate(aired)}

    def key(row: Row) -> tuple[Any, ...]:
        entry = row.entry
        scored = row.score if row.score is not None else float("inf") if entry.form == "bible" else 0.0
        played: float = len(entry.uses) or sum(entry.numbers.values())
        late = place.get(entry.changed or entry.since or "", -1)
        told = late if entry.kind in ("synopsis", "summary") else -late
        first = (-row.rank, KINDS.index(entry.kind), _hidden(row), entry.status == "resolved")
        return (*first, -scored, -played, told, entry.id)

    return key


def _forgotten(memory: ShowMemory) -> Iterable[Entry]:
    return (tomb.entry for tomb in memory.forgotten if tomb.entry is not None)


def _stale(run: Run, memory: ShowMemory) -> list[Entry]:
    """Entries with a citation whose words are gone, as the passes say or as the scripts now show (G2, F13)."""
    run.parse()
    lost = {one.entry for one in gone(memory, run.artifacts, run.read, run.scripts)}
    return [e for e in memory.entries if e.id in lost or any(said.stale for said in e.said.values())]


def _candidates(run: Run, memory: ShowMemory) -> list[Entry]:
    """What the rules saw and did not report: below the bar, with the reason each is held back."""
    run.parse()
    run.extract()
    aired = [e.id for e in run.read]
    known = {(e.kind, e.key) for e in memory.entries}
    seen: dict[tuple[str, str], list[Observation]] = {}
    for one in run.observed:
        if (one.kind, one.key) not in known:
            seen.setdefault((one.kind, one.key), []).append(one)
    return [_entry(seen[identity], aired) for identity in sorted(seen)]


def _entry(seen: Sequence[Observation], aired: Sequence[str]) -> Entry:
    first = seen[0]
    made = Entry(
        id=entry_id(first.kind, first.name),
        kind=first.kind,
        form=next((one.form for one in seen if one.form), None),
        key=first.key,
        about=first.about,
        field=first.field,
        said={one.episode: one.said for one in seen},
    )
    return refold(made, aired)


def _searched(rows: list[Row], query: str, *, every: bool = False) -> list[Row]:
    """The rows that hold the query's words, ranked; those with all of them, else those with any."""
    words = re.findall(r"[^\W_]+", query)
    if not words:
        return rows
    index = sqlite3.connect(":memory:")
    index.execute(
        "create virtual table found using fts5(title, words, tokenize='porter unicode61 remove_diacritics 2')"
    )
    index.executemany("insert into found(rowid, title, words) values (?, ?, ?)", _documents(rows))
    for joined in (" AND ",) if every else (" AND ", " OR "):
        match = joined.join(f'"{word}"' for word in words)
        ranked = index.execute(
            "select rowid, bm25(found, 4.0, 1.0) from found where found match ?", (match,)
        ).fetchall()
        if ranked:
            return [replace(rows[at], rank=round(-score, 6)) for at, score in ranked]
    index.close()
    return []


def _documents(rows: Sequence[Row]) -> Iterable[tuple[int, str, str]]:
    for at, row in enumerate(rows):
        entry = row.entry
        cited = (source.words for source in (*entry.uses, *entry.sources))
        yield (
            at,
            entry.title,
            " ".join((entry.id, entry.text, entry.value or "", *entry.variants, *entry.about, *cited)),
        )
