"""doit's tasks for one show: parse, extract, ask, merge, validate, emit, and the group remember.

Loading this reads no script, asks no model and imports nothing heavy: whether there is work to do is asked of
`uptodate`, and only then is `flow` imported. The one state is the show's own; doit's database stays in memory.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from doit.exceptions import BaseFail, TaskError, TaskFailed
from doit.reporter import ConsoleReporter

from showmemory import uptodate
from showmemory.text.visible import visible

if TYPE_CHECKING:
    from showmemory.flow import Run

STAGES = ("parse", "extract", "ask", "merge", "validate", "emit")
_HELP = {
    "parse": "read every script that changed",
    "extract": "say what each episode shows, by rules",
    "ask": "let a model read the newest episode, where the show asks for it",
    "merge": "lay what was found beside what the person wrote",
    "validate": "check the memory before it is written",
    "emit": "write memory.json, the waiting proposal and the context files",
}
TRACEBACK = "SHOWMEMORY_TRACEBACK"
_SHOWN = 6


class Reporter(ConsoleReporter):  # type: ignore[misc]
    """doit's reporter for our tasks: each stage prints its own line, and nothing is printed twice."""

    desc = "one line a stage"

    def __init__(self, outstream: Any, options: Any) -> None:
        """Start the clock of the run."""
        super().__init__(outstream, options)
        self._began = time.monotonic()
        self._ran = False
        self._skipped = False

    def execute_task(self, task: Any) -> None:
        """A stage prints its line when it is done, not when it begins."""
        self._ran = self._ran or bool(task.actions)

    def skip_uptodate(self, task: Any) -> None:
        """One line for all of them, at the end."""
        self._skipped = True

    def complete_run(self) -> None:
        """Say that nothing had to be done, when that is so."""
        super().complete_run()
        if self._skipped and not self._ran:
            self.write(f"-- everything is up to date ({time.monotonic() - self._began:.1f} s)\n")


class Session:
    """One doit process over one show: the run that its stages share, made when the first stage has work."""

    def __init__(self, root: Path, options: Mapping[str, Any]) -> None:
        """Nothing is opened yet."""
        self.root = root
        self.options = dict(options)
        self._run: Run | None = None
        self._current: bool | None = None
        self._held = ExitStack()

    def is_up_to_date(self) -> bool:
        """Asked once a process: whether the last run left everything as it is now."""
        if self.options.keys() - {"workers"}:
            return False
        if self._current is None:
            self._current = self.root.is_dir() and uptodate.is_up_to_date(self.root)
        return self._current

    def stage(self, name: str) -> bool | BaseFail:
        """Run one stage, print its line, and at the end what was wrong. A bug of ours is told in two lines."""
        try:
            return self._stage(name)
        except Exception as error:
            if os.environ.get(TRACEBACK) == "1":
                raise
            _broke_off(name, error)
            return TaskError(f"{name} broke off", report=False)

    def _stage(self, name: str) -> bool | TaskFailed:
        from showmemory.flow import begin
        from showmemory.summary import end_lines

        if self._run is None:
            self._run = begin(self.root, self.options, _progress(), self._held)
        if self._run.busy:
            return _failed(self._run) if name == STAGES[-1] else True
        line = self._run.stage(name)
        print(visible(f"{'-' if line.startswith('off') else '.'}  {name:<10} {line}"))
        if name != STAGES[-1]:
            return True
        for row in end_lines(self._run):
            print(visible(row))
        self._run.close()
        self._held.close()
        return _failed(self._run)


def tasks_for(root: str | Path, **options: Any) -> dict[str, Any]:
    """The names a show's dodo.py needs: `globals().update(tasks_for("."))`."""
    session = Session(Path(root), options)
    made: dict[str, Any] = {
        "DOIT_CONFIG": {
            "default_tasks": ["remember"],
            "backend": "sqlite3",
            "dep_file": ":memory:",
            "reporter": Reporter,
            "verbosity": 2,
        }
    }
    before: list[str] = []
    for name in STAGES:
        made[f"task_{name}"] = _task(session, name, tuple(before[-1:]))
        before.append(name)
    made["task_remember"] = _group
    return made


def _task(session: Session, name: str, after: tuple[str, ...]) -> Callable[[], dict[str, Any]]:
    def task() -> dict[str, Any]:
        return {
            "actions": [(session.stage, (name,))],
            "uptodate": [session.is_up_to_date],
            "task_dep": list(after),
            "doc": _HELP[name],
        }

    return task


def _group() -> dict[str, Any]:
    return {"actions": None, "task_dep": list(STAGES), "doc": "bring the show's memory up to date"}


def _failed(run: Run) -> bool | TaskFailed:
    for problem in run.errors[:_SHOWN]:
        print(visible(str(problem)))
    if len(run.errors) > _SHOWN:
        print(f"and {len(run.errors) - _SHOWN} more errors: showmemory status")
    return TaskFailed(f"{len(run.errors)} problems", report=False) if run.errors else True


def _broke_off(name: str, error: Exception) -> None:
    said = f"a fault of ours in {name}: {type(error).__name__}: {error}"
    hint = f"nothing is lost; {TRACEBACK}=1 shows where, for a report"
    if isinstance(error, OSError):
        # No room, or no leave to write: the machine's, and nothing that we could mend.
        said = f"{name}: {error.strerror or error}: {error.filename or ''}".rstrip(": ")
        hint = "nothing is lost or half written; once that is mended run this again"
    print(visible(f"showmemory: {said}\n    {hint}"), file=sys.stderr)


def _progress() -> Callable[[str, int, int], None] | None:
    if not sys.stdout.isatty():
        return None

    def say(stage: str, done: int, of: int) -> None:
        ending = "\r" if done < of else "\r\033[K"
        sys.stdout.write(f"   {stage:<10} {done} of {of}{ending}")
        sys.stdout.flush()

    return say
