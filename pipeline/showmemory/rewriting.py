"""Asking a model again, because somebody said so: one entry's words, or a whole episode; the rest is a run as ever."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from showmemory import spending
from showmemory.ask.price import budget_of, priced_on
from showmemory.flow import Options, Run, remember
from showmemory.look import find_episode
from showmemory.model.memory import Entry
from showmemory.model.span import Problem, Span
from showmemory.text.counted import counted

WHERE = Span("bible/memory.json")


@dataclass
class Asked:
    """What came of it: the stage's line, what waits now, what was wrong."""

    lines: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def write_again(root: Path, target: str, *, dry: bool = False) -> Asked:
    """Ask for an entry's words again (C18), or about an episode though it was asked before."""
    run = Run(root)
    memory = run.book.memory
    run.close()
    entry = next((e for e in memory.entries if e.id == target), None) if memory else None
    episode = find_episode(run.show.episodes, target) if entry is None else None
    if entry is None and episode is None:
        return Asked(problems=[Problem(WHERE, "error", f"expected an entry or an episode, found {target}")])
    if entry is not None and (refused := _fixed(entry)):
        return Asked(problems=[refused])
    wanted = Options(rewrite=target, dry_run=dry) if entry else Options(episode=episode, again=True, dry_run=dry)
    lines: dict[str, str] = {}
    made = remember(root, wanted, lines.__setitem__)
    return _told(made, entry, lines.get("ask", ""), dry=dry)


def _fixed(entry: Entry) -> Problem | None:
    if not entry.frozen:
        return None
    state = "locked" if entry.locked else "retired" if entry.retired else "pinned"
    undone = {"locked": "unlock", "retired": "restore", "pinned": "unpin"}[state]
    message = f"expected an entry that may change, found {entry.id}, which is {state}"
    return Problem(WHERE, "error", message, f"showmemory {undone} {entry.id}")


def _told(run: Run, entry: Entry | None, line: str, *, dry: bool) -> Asked:
    failed = [f"{id_}: {why}" for id_, why in (run.asking.told if run.asking else []) if why.startswith("no ")]
    if line.startswith("off") or (failed and not dry):
        hint = "docs/model.md tells how a model is set up" if line.startswith("off") else "nothing was changed"
        return Asked(problems=[*run.errors, Problem(Span("show.toml"), "error", failed[0] if failed else line, hint)])
    lines = [line, *run.plan.dropped]
    if entry is not None and "text" in entry.edited and not dry:
        lines.append(f"your own words stand over it; showmemory revert {entry.id} takes the new ones")
    if run.plan.waiting:
        lines.append(f"{counted(len(run.plan.changes), 'change')} for you to decide: showmemory review")
    return Asked(lines, run.errors)


@dataclass(frozen=True)
class Spent:
    """What passes cost: by month, by session, by model; `left` of this month's `budget`."""

    months: dict[str, float]
    sessions: dict[str, float]
    models: dict[str, float]
    calls: int
    unknown: int
    budget: float
    left: float
    priced: str

    @property
    def usd(self) -> float:
        """All of it."""
        return sum(self.months.values())


def spent(root: Path, month: str = "") -> Spent:
    """Sum what stands under spend/."""
    run = Run(root)
    run.close()
    rows = spending.calls(root, month)
    sums: dict[str, dict[str, float]] = {"month": {}, "session": {}, "model": {}}
    for row in rows:
        for name, held in sums.items():
            key = str(row.get(name, ""))
            held[key] = held.get(key, 0.0) + float(row["usd"])
    budget = budget_of(run.show.config.model)
    left = max(0.0, budget - spending.spent(root, spending.this_month()))
    months, sessions, models = ({key: held[key] for key in sorted(held)} for held in sums.values())
    unknown = sum(bool(row.get("unknown")) for row in rows)
    return Spent(months, sessions, models, len(rows), unknown, budget, left, priced_on())
