"""What a run prints at its end: what was remembered or what waits, in plain words, and where to look next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from showmemory.context.quote import line
from showmemory.flow import Run
from showmemory.model.memory import ShowMemory
from showmemory.model.plan import Change
from showmemory.model.show import Episode
from showmemory.model.span import Problem
from showmemory.text.counted import counted

_WAITING = 12
_GROUPS = 6
_SIGN = {"added": "+", "changed": "~", "forgotten": "-", "note": "="}


def end_lines(run: Run) -> list[str]:
    """The lines under the six stages."""
    if run.stopped or run.memory is None:
        return notices(run.problems)
    rows = waiting(run.plan.changes)
    rows += [f"     = note       {note.says}" for note in run.plan.notes[:_WAITING]]
    rows += [f"     ! {line}" for line in run.plan.dropped[:_WAITING]]
    rows += [f"yours: {line}" for line in run.hand[:_WAITING]]
    rows += [f"and {len(run.hand) - _WAITING} more of yours"] if len(run.hand) > _WAITING else []
    rows += notices(run.problems)
    if run.first and run.applied:
        rows += [remembered(run.memory), "Read it:  showmemory show     showmemory status     context/show.md"]
    if pause := _pause(run):
        rows.append(f"{pause}: showmemory checkpoint says where it stands, for whoever goes on")
    if run.plan.waiting:
        rows.append("Decide:  showmemory review     or let it stand: showmemory review --all")
    return rows


def _pause(run: Run) -> str:
    """Why this is a moment for a checkpoint, if it is: a season is over, the work is at another stage (E1, E2)."""
    newest = run.read[-1] if run.read else None
    taken_up = newest is not None and newest.id not in run.book.known and not run.first
    if newest and taken_up and (season := season_over(run.show.episodes, newest)):
        return f"Season {season} is over"
    before, stage = run.book.stage, line(run.show.bible.stage)
    return f"The stage is {stage} now, and was {before}" if before and stage and before != stage else ""


def season_over(episodes: Sequence[Episode], newest: Episode) -> int:
    """The season that has ended once its newest episode is there, as far as the list of episodes tells; else 0.

    It has when it is the last of its season and a later season is planned, or as many stand in the season before; and
    when the first of a new season is there.
    """
    held = Counter(e.season for e in episodes)
    last = max((e.number for e in episodes if e.season == newest.season), default=0) == newest.number
    before = held[newest.season - 1]
    if last and (max(held) > newest.season or held[newest.season] == before):
        return newest.season
    return newest.season - 1 if before and held[newest.season] == 1 else 0


def waiting(changes: Iterable[Change]) -> list[str]:
    """One line a change, the first dozen; the rest are counted."""
    held = list(changes)
    rows = [f"     {_SIGN[c.op]} {c.what:<10} {_line(c)}" for c in held[:_WAITING]]
    if len(held) > _WAITING:
        rows.append(f"     and {len(held) - _WAITING} more: showmemory plan")
    return rows


def remembered(memory: ShowMemory) -> str:
    """One sentence on what a memory holds."""
    kinds = Counter(e.kind for e in memory.entries)
    forms = Counter(e.form for e in memory.entries if e.kind == "gag")
    threads = sum(e.kind == "thread" and e.status != "resolved" for e in memory.entries)
    gags = counted(forms["bible"] + forms["running"], "gag")
    callbacks = counted(forms["callback"] + forms["echo"], "callback")
    rest = [counted(kinds[kind], kind) for kind in ("catchphrase", "voice", "fact")]
    told = ", ".join([f"{gags} and {callbacks}", *rest, counted(threads, "open thread")])
    return f"Remembered {counted(len(memory.episodes), 'episode')}: {told}."


def notices(problems: Iterable[Problem]) -> list[str]:
    """Warnings and notices grouped by what they are, one line a group; errors are printed elsewhere."""
    held = [p for p in problems if p.severity != "error"]
    groups: dict[str, list[Problem]] = {}
    for problem in held:
        groups.setdefault(problem.group or problem.message, []).append(problem)
    rows = []
    for members in list(groups.values())[:_GROUPS]:
        first = members[0]
        more = f"  (and {len(members) - 1} like it)" if len(members) > 1 else ""
        rows.append(f"{first.span}: {first.severity}: {first.message}{more}")
    if len(groups) > _GROUPS:
        rows.append(f"and {len(groups) - _GROUPS} other kinds of notices")
    return [*rows, "all of them: showmemory status"] if rows and len(held) > len(rows) else rows


def _line(change: Change) -> str:
    said = f": {change.says}" if change.says else ""
    return f"{change.title or change.entry}{said}"
