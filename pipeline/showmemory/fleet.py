"""Many shows brought up to date one after the other, by the same workers and over the same shared cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from showmemory import uptodate
from showmemory.crew import Crew
from showmemory.flow import STAGES, Run, begin
from showmemory.model.span import Problem, Span
from showmemory.text.counted import counted

State = Literal["rebuilt", "up to date", "problems", "fault"]
FINE, PROBLEMS, FAULT = 0, 1, 3
_NO_SCRIPT = Problem(
    Span("episodes"), "error", "expected scripts, found none", "name the folder of a show, or of its scripts"
)


@dataclass(frozen=True)
class Rebuilt:
    """How it went with one show: what is said of it in a line, its exit code, and what was wrong."""

    show: str
    state: State
    says: str = ""
    problems: list[Problem] = field(default_factory=list)
    read: int = 0
    episodes: int = 0
    entries: int = 0
    waiting: int = 0

    @property
    def code(self) -> int:
        """The exit code of this show alone."""
        return {"problems": PROBLEMS, "fault": FAULT}.get(self.state, FINE)


def rebuild(shows: Sequence[str], workers: int | str = "", cache: str = "") -> Iterator[Rebuilt]:
    """Each show in turn, each folder once; whatever is wrong with one, the next is begun."""
    crew = Crew(workers, kept=True)
    folders: dict[Path, str] = {}
    for name in shows:
        folders.setdefault(Path(name).resolve(), name)
    try:
        for root, name in folders.items():
            yield _rebuilt(name, root, crew, cache)
    finally:
        crew.dismiss()


def _rebuilt(name: str, root: Path, crew: Crew, cache: str) -> Rebuilt:
    if not root.is_dir():
        wrong = Problem(Span(name), "error", "expected a folder of scripts, found none")
        return Rebuilt(name, "problems", _first([wrong]), [wrong])
    try:
        if uptodate.is_up_to_date(root):
            return Rebuilt(name, "up to date", "up to date")
        return _run(name, root, crew, cache)
    except OSError as error:
        return Rebuilt(name, "fault", f"{(error.strerror or str(error)).lower()}: {error.filename or name}")
    except Exception as error:  # a fault of ours in one show is no reason to leave the others undone
        return Rebuilt(name, "fault", f"a fault of ours: {type(error).__name__}: {error}")


def _run(name: str, root: Path, crew: Crew, cache: str) -> Rebuilt:
    with ExitStack() as held:
        run = begin(root, {"workers": crew, "cache": cache}, held=held)
        held.callback(run.close)
        if not run.busy and not run.show.episodes and run.book.memory is None and not run.errors:
            return Rebuilt(name, "problems", _first([_NO_SCRIPT]), [_NO_SCRIPT])
        for stage in STAGES if not run.busy else ():
            run.stage(stage)
        return _told(name, run)


def _told(name: str, run: Run) -> Rebuilt:
    memory = run.book.memory
    return Rebuilt(
        show=name,
        state="problems" if run.errors else "rebuilt",
        says=_first(run.errors) if run.errors else _line(run),
        problems=list(run.problems),
        read=run.artifacts.made.get("parse", 0),
        episodes=len(memory.episodes) if memory else 0,
        entries=len(memory.entries) if memory else 0,
        waiting=len(run.plan.changes),
    )


def _line(run: Run) -> str:
    read = run.artifacts.made.get("parse", 0)
    of = len(run.show.episodes)
    entries = len(run.book.memory.entries) if run.book.memory else 0
    said = [f"{read} of {of} read", f"{entries} entries"]
    if run.first and run.applied:
        said.append("first memory")
    elif run.applied:
        said.append(f"{counted(run.applied, 'change')} applied")
    if run.plan.changes:
        said.append(f"{counted(len(run.plan.changes), 'change')} to decide")
    return ", ".join(said)


def _first(problems: Sequence[Problem]) -> str:
    """The first problem in one line, and how many more there are."""
    more = f" (and {len(problems) - 1} more: showmemory status)" if len(problems) > 1 else ""
    return f"{problems[0].span}: {problems[0].message}{more}"
