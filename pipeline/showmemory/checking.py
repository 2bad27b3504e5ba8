"""Checking a show and its memory against each other, always by content: sound, up to date, and every citation true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from showmemory import notebook
from showmemory.cast import plays
from showmemory.check.citations import check_citations
from showmemory.check.memory import check_memory
from showmemory.check.readings import missing_entries, wrong_lines
from showmemory.checkpointing import check_checkpoint
from showmemory.flow import Run
from showmemory.look import State, state
from showmemory.model.memory import Entry, ShowMemory, Source
from showmemory.model.span import Problem, Span
from showmemory.read.readings import STEM, placed

_MANY = 12
_BRING = "run doit remember and commit bible/memory.json"


@dataclass
class Checked:
    """What was found. `late`: each reason why memory is not as the scripts are, and `behind` the same in one line."""

    problems: list[Problem] = field(default_factory=list)
    late: list[Problem] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    cited: int = 0
    waiting: int = 0


def check(root: Path, *, citations: bool = False, strict: bool = False) -> Checked:
    """Check the show at `root`. `strict`: a waiting review, or no memory at all, is behind too."""
    now = state(root)
    made = Checked(problems=list(now.problems), waiting=now.waiting)
    if now.memory is not None:
        text = (root / notebook.MEMORY).read_text(encoding="utf-8")
        run = Run(root)
        made.problems += [*check_memory(text, run.show), *check_checkpoint(run)]
        made.problems += [_of_reading(run, *wrong) for wrong in missing_entries(run.show.readings, now.memory)]
        if citations:
            made.cited, wrong = _citations(run, now.memory, now)
            made.problems += wrong
        run.close()
    made.problems = sorted(dict.fromkeys(made.problems), key=lambda p: (p.severity != "error", p.span, p.message))
    made.late = _late(now, strict=strict)
    made.behind = [f"{problem.span} {problem.message}".strip() for problem in made.late]
    made.lines = [*_some(made.behind), *_told(now, made, citations)]
    return made


def cited(memory: ShowMemory) -> Iterator[tuple[Entry, Source]]:
    """Every citation of a memory."""
    for entry in memory.entries:
        for source in (*entry.sources, *entry.uses):
            yield entry, source


def _citations(run: Run, memory: ShowMemory, now: State) -> tuple[int, list[Problem]]:
    changed = {episode.id for episode in now.changed}
    scripts = {episode.id: play for episode, play in plays(run) if episode.id not in changed}
    count = sum(source.episode in scripts for _, source in cited(memory))
    read = [s for one in run.show.readings.readings for reason in one.reasons for s in reason.sources]
    count += sum(source.episode in scripts for source in read)
    wrong = [_of_reading(run, *wrong) for wrong in wrong_lines(run.show.readings, scripts)]
    return count, [*check_citations(memory, scripts), *wrong]


def _of_reading(run: Run, loc: tuple[str | int, ...], message: str, hint: str) -> Problem:
    """A reading is a person's: what it rests on may go, and that is a warning."""
    return placed(STEM, run.root, loc, "warning", message, hint)


def _late(now: State, *, strict: bool) -> list[Problem]:
    if now.memory is None:
        return [_as_late("", "nothing is remembered yet")] if strict and not now.broken else []
    said = []
    if now.behind:
        said += [_as_late(episode.script, "changed after memory read it") for episode in now.changed]
        said += [_as_late(episode.script, "is not remembered") for episode in now.new]
        said += [_as_late(record.screenplay, "is remembered and no longer in the show") for record in now.gone]
    if strict and now.waiting:
        waits = f"{now.waiting} change{'' if now.waiting == 1 else 's'} wait for a decision (showmemory review)"
        said.append(_as_late("", waits))
    return said


def _as_late(path: str, message: str) -> Problem:
    return Problem(Span(path), "error", message, _BRING)


def _some(behind: list[str]) -> list[str]:
    rows = behind[:_MANY]
    if len(behind) > _MANY:
        rows.append(f"and {len(behind) - _MANY} more")
    if behind:
        rows.append(_BRING)
    return rows


def _told(now: State, made: Checked, citations: bool) -> list[str]:
    rows = []
    if now.memory is None and not now.broken and not made.behind:
        rows.append("nothing is remembered yet: doit remember makes a memory from the scripts")
    if citations:
        wrong = sum("cites" in problem.message for problem in made.problems)
        rows.append(f"{made.cited} citations held against their lines, {wrong} wrong")
    if now.waiting and not made.behind:
        rows.append(f"{now.waiting} change{'' if now.waiting == 1 else 's'} wait: showmemory review")
    errors = sum(problem.severity == "error" for problem in made.problems)
    warnings = sum(problem.severity == "warning" for problem in made.problems)
    if not made.behind and now.memory is not None and not errors:
        rows.append("fine" + (f", {warnings} warning{'' if warnings == 1 else 's'}" if warnings else ""))
    return rows
