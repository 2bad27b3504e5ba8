"""The report of a show: everything that a page tells is brought together here, and the page is written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from showmemory.context.context import Context
from showmemory.context.names import names_of
from showmemory.flow import Run
from showmemory.fold.fold import as_of
from showmemory.following import gone
from showmemory.look import find_episode, label, no_episode
from showmemory.merge.says import later_uses
from showmemory.model.memory import ShowMemory
from showmemory.model.plan import Plan
from showmemory.model.span import Problem, Span
from showmemory.report.page import page
from showmemory.report.subject import Budget, Cost, Subject
from showmemory.sent import show_context
from showmemory.store.files import write_text

NAME = "report.html"
_SOME = 12


def write_report(root: Path, to: Path | None = None, moment: str = "") -> tuple[Path | None, list[Problem]]:
    """Write the page, by default into the show's folder; `moment`: an episode as of which it is made."""
    run = Run(root, deciding=True)
    path = to or root / NAME
    try:
        episodes = run.book.memory.episodes if run.book.memory else ()
        episode = find_episode(episodes, moment) if moment else None
        if moment and episode is None:
            return None, [no_episode(episodes, moment)]
        run.refresh()
        if run.book.broken or run.unsound:
            return None, run.errors
        made = page(subject_of(run, _way(path, run.root), episode))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, made)
    except OSError as error:
        return None, [Problem(Span(str(path)), "error", f"expected a file that can be written, found {error.strerror}")]
    finally:
        run.close()
    return path, []


def subject_of(run: Run, base: str = "", moment: str | None = None) -> Subject:
    """What a page tells of a run whose plan is made. As of an earlier episode nothing waits."""
    memory = run.book.memory
    now = as_of(memory, moment) if memory and moment else memory
    later = later_uses(run.target) if run.target and not moment else {}
    context = show_context(run, memory, moment, later) if memory else None
    cited = gone(now, run.artifacts, run.read, run.scripts) if now else ()
    return Subject(
        show=run.show,
        memory=now,
        plan=Plan() if moment else run.plan,
        names=names_of(run.show, memory).called,
        stale=tuple((one.title, one.source) for one in cited),
        behind=() if moment or memory is None else tuple(_behind(run, memory)),
        budget=_budget(context) if context else None,
        later=later,
        base=base,
    )


def _budget(context: Context) -> Budget:
    held = context.receipt
    rows = (Cost(row.id, row.kind, row.tokens, row.state, row.limit) for row in held.rows)
    return Budget(held.tokens, held.budget, held.encoding, tuple(rows))


def _behind(run: Run, memory: ShowMemory) -> Iterator[str]:
    """Episodes that memory has not read, or read otherwise (A36)."""
    known = {record.id: record.hash for record in memory.episodes}
    new = [label(e) for e in run.read if e.id not in known]
    changed = [label(e) for e in run.read if known.get(e.id, run.scripts[e.id]) != run.scripts[e.id]]
    for told, held in (("not remembered yet", new), ("changed since it was remembered", changed)):
        if held:
            more = f" and {len(held) - _SOME} more" if len(held) > _SOME else ""
            yield f"{', '.join(held[:_SOME])}{more}: {told}. doit remember reads what changed."


def _way(path: Path, root: Path) -> str:
    """The way from the page to the show's folder, as links have it."""
    way = Path(os.path.relpath(root, path.resolve().parent)).as_posix()
    return "" if way == "." else way
