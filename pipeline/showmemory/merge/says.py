"""A target as a plan a person can read: one line for each decision, the words before and after, and the notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from showmemory.fold.fold import order, refold
from showmemory.merge.apply import decision
from showmemory.merge.plan import Delta, Note, Target
from showmemory.model.memory import Entry, Said, Source, Use
from showmemory.model.plan import Change, Plan
from showmemory.text.counted import counted

_CITED = 3
_SHOWN = 90
_ENDS = re.compile(r"(?<=[.!?…”\"]) +(?=[^a-z])")


def plan_of(target: Target, memory: str, scripts: Mapping[str, str], taken: Collection[str] = ()) -> Plan:
    """The decisions that are not taken yet, and the notes: recomputed each time, one for each (entry, episode)."""
    labels = {id_: f"s{r.season:02d}e{r.number:02d}" for id_, r in target.records.items()}
    labels |= {e.id: f"s{e.season:02d}e{e.number:02d}" for e in target.memory.episodes if e.id not in labels}
    aired = list(target.records) or list(order(target.memory.episodes))
    waiting = [d for d in target.deltas if decision(d) not in taken and not d.quiet]
    changes = sorted((_change(d, target, aired, labels) for d in waiting), key=_place(aired))
    notes = sorted((_note(n, labels) for n in target.notes), key=_place(aired))
    return Plan(memory=memory, scripts=dict(sorted(scripts.items())), changes=tuple(changes), notes=tuple(notes))


def later_uses(target: Target) -> dict[str, tuple[Use, ...]]:
    """Uses that protected entries could not take up: entry id -> uses, for rest to count (F13)."""
    found: dict[str, list[Use]] = {}
    for note in target.notes:
        found.setdefault(note.entry.id, []).extend(note.wanted.uses if note.wanted else ())
    return {id_: tuple(uses) for id_, uses in found.items() if uses}


def _place(aired: list[str]) -> Any:
    at = {episode: number for number, episode in enumerate(aired)}
    return lambda c: (at.get(c.episode, -1), c.kind, c.entry)


def _change(delta: Delta, target: Target, aired: list[str], labels: Mapping[str, str]) -> Change:
    if delta.op == "gone":
        record = next(e for e in target.memory.episodes if e.id == delta.episode)
        says = f"{labels[delta.episode]} {record.title or record.id} is no longer in the show: what it said goes"
        return Change(
            op="forgotten", entry=delta.id, episode=delta.episode, kind="synopsis", title=record.title, says=says
        )
    before, after = delta.before, _after(delta, aired)
    old, new = before.text if before else "", after.text if after else ""
    shown = after or before
    assert shown is not None, "a decision is about an entry"
    said = delta.draft.said.get(delta.episode) if delta.draft else None
    return Change(
        op=delta.op,
        entry=delta.id,
        episode=delta.episode,
        kind=shown.kind,
        form=shown.form,
        title=shown.title or shown.text.split("\n")[0][:80],
        before=old if old != new else "",
        after=new if old != new else "",
        says=_says(delta, before, after, labels),
        by=said.by if said else "deterministic",
        sources=_sources(delta, said),
    )


def _after(delta: Delta, aired: list[str]) -> Entry | None:
    draft = delta.draft
    if draft is None or delta.op == "forgotten":
        return None
    base = delta.before or Entry(
        id=delta.id, kind=draft.kind, form=draft.form, key=draft.key, about=draft.about, field=draft.field
    )
    said = {e: s for e, s in base.said.items() if e not in delta.episodes}
    said |= {e: draft.said[e] for e in delta.episodes if e in draft.said}
    return refold(base.model_copy(update={"said": said}), aired)


def _says(delta: Delta, before: Entry | None, after: Entry | None, labels: Mapping[str, str]) -> str:
    where = labels.get(delta.episode, delta.episode)
    if after is None:
        return f"no longer in {where}"
    gained = len(after.uses) - (len(before.uses) if before else 0)
    if after.kind in ("gag", "catchphrase"):
        if gained < 0:
            return f"{counted(-gained, 'use')} no longer in {where}"
        if before is None:
            return f"{counted(len(after.uses), 'time')} so far, {where}"
        return f"{_ordinal(len(after.uses))} time, {where}" if gained else f"books changed, {where}"
    if after.kind == "voice":
        more = after.numbers.get("lines", 0) - (before.numbers.get("lines", 0) if before else 0)
        return f"{counted(int(more), 'new line')}, {where}" if more else f"measures changed, {where}"
    if after.kind == "thread":
        move = delta.draft.said[delta.episode].move if delta.draft and delta.episode in delta.draft.said else None
        return f"{move or 'changed'}, {where}"
    if before is None:
        return where
    return f"{where}{_called(before, after) or _moved(before.text, after.text) or ', by its counts alone'}"


def _called(before: Entry, after: Entry) -> str:
    return f", called {after.title}, was {before.title}" if before.title and before.title != after.title else ""


def _moved(old: str, new: str) -> str:
    """The first thing that is said now and was not, else the first that is said no more."""
    for name, one, other in (("now", new, old), ("no longer", old, new)):
        there = set(_sentences(other))
        found = next((part for part in _sentences(one) if part not in there), "")
        if found:
            return f", {name}: {found if len(found) <= _SHOWN else found[: _SHOWN - 1].rstrip() + '…'}"
    return ""


def _sentences(text: str) -> list[str]:
    return [part for line in text.splitlines() for part in _ENDS.split(line.removeprefix("- "))]


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _sources(delta: Delta, said: Said | None) -> tuple[Source, ...]:
    """Where the scripts say it; of what is said no more, where they said it."""
    held = delta.before.said.get(delta.episode) if delta.before else None
    if said is None:
        return tuple((*held.uses, *held.sources)[:_CITED]) if held else ()
    if held and len(said.uses) < len(held.uses):
        left = Counter(use.words for use in said.uses)
        return tuple(use for use in held.uses if left.subtract([use.words]) or left[use.words] < 0)[:_CITED]
    return tuple((*said.uses, *said.sources)[:_CITED])


def _note(note: Note, labels: Mapping[str, str]) -> Change:
    entry = note.entry
    state = "locked" if entry.locked else "retired" if entry.retired else "pinned"
    held = entry.said.get(note.episode)
    where = labels.get(note.episode, note.episode)
    new = len(note.wanted.uses) - (len(held.uses) if held else 0) if note.wanted else 0
    if note.wanted is None:
        wanted = f"that it is no longer in {where} is not recorded"
    elif new > 0:
        wanted = f"{counted(new, 'use')} in {where} not recorded"
    else:
        wanted = f"a change in {where} not recorded"
    return Change(
        op="note",
        entry=entry.id,
        episode=note.episode,
        kind=entry.kind,
        form=entry.form,
        title=entry.title,
        says=f"{entry.title or entry.id} is {state}, so {wanted}",
    )
