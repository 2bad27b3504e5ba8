"""`plan`, `undo`, `redo` and `log`: what waits for a person, and what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from showmemory.commands.changes import planned, told
from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words

if TYPE_CHECKING:
    from showmemory.desk import Done


class Plan(ShowCommand):
    """What waits."""

    name = "plan"
    part = "Decide"
    doc_purpose = "what waits for you: every change, and the notes on what is protected"

    def go(self, call: Call) -> int:
        """Make the plan anew and print it whole."""
        from showmemory.model.canonical import plain

        words(call)
        run = planned(call.root)
        run.close()
        call.screen.json(plain(run.plan) | {"problems": [str(p) for p in run.errors]})
        call.screen.problems(run.errors)
        for change in run.plan.changes:
            call.screen.lines(told(change, run))
        call.screen.lines(f"= note  {note.says}" for note in run.plan.notes)
        call.screen.lines(f"! {line}" for line in run.plan.dropped)
        if run.plan.waiting:
            call.screen.line("Decide:  showmemory review     or let it stand: showmemory review --all")
        elif not run.errors:
            call.screen.line("Nothing waits.")
        return PROBLEMS if run.errors else FINE


class Undo(ShowCommand):
    """Take back."""

    name = "undo"
    part = "Decide"
    doc_purpose = "take back the newest change that still stands"

    def go(self, call: Call) -> int:
        """Undo one change."""
        from showmemory.desk import undo

        words(call)
        return finished(call, undo(call.root))


class Redo(ShowCommand):
    """Make again."""

    name = "redo"
    part = "Decide"
    doc_purpose = "make again the newest change that was taken back"

    def go(self, call: Call) -> int:
        """Redo one change."""
        from showmemory.desk import redo

        words(call)
        return finished(call, redo(call.root))


class Log(ShowCommand):
    """What was done."""

    name = "log"
    part = "Decide"
    doc_purpose = "every change of memory, newest first: when, by whom, and whether it still stands"
    cmd_options = (option("limit", "how many (0: all)", 20, metavar="N"),)

    def go(self, call: Call) -> int:
        """Print the history."""
        from showmemory.desk import log

        words(call)
        changes = list(reversed(log(call.root)))
        call.screen.json({"changes": changes})
        shown = changes[: call["limit"]] if call["limit"] else changes
        call.screen.table([(_when(c), c["by"], _did(c)) for c in shown])
        if len(changes) > len(shown):
            call.screen.line(f"and {len(changes) - len(shown)} before: showmemory log --limit 0")
        if not changes:
            call.screen.line("Nothing was done yet.")
        return FINE


def _did(change: dict[str, Any]) -> str:
    back = not change["standing"] and change.get("kind", "change") == "change"
    return f"{change['did']}{'   (taken back)' if back else ''}"


def _when(change: dict[str, Any]) -> str:
    return str(change["at"])[:16].replace("T", " ")


def finished(call: Call, done: Done) -> int:
    """Print what came of it; returns the exit code."""
    call.screen.json({"done": done.lines, "problems": [str(problem) for problem in done.problems]})
    call.screen.lines(done.lines)
    call.screen.problems(done.problems)
    return PROBLEMS if any(problem.severity == "error" for problem in done.problems) else FINE
