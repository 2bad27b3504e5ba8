"""`plan`, `review`, `undo`, `redo` and `log`: what waits for a person, and what was done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words

if TYPE_CHECKING:
    from showmemory.desk import Done
    from showmemory.flow import Run
    from showmemory.model.plan import Change

_SIGN = {"added": "+", "changed": "~", "forgotten": "-", "note": "="}
_KEYS = "[a]pprove  [r]eject  [l]ater  [A]ll of this kind  [q]uit  [?]"
_HELP = (
    "a: approve   r: reject, for good   l: leave it waiting   A: approve all of this kind   q: stop, and decide so far"
)


class Plan(ShowCommand):
    """What waits."""

    name = "plan"
    part = "Decide"
    doc_purpose = "what waits for you: every change, and the notes on what is protected"

    def go(self, call: Call) -> int:
        """Make the plan anew and print it whole."""
        from showmemory.model.canonical import plain

        words(call)
        run = _planned(call.root)
        call.screen.json(plain(run.plan) | {"problems": [str(p) for p in run.errors]})
        call.screen.problems(run.errors)
        for change in run.plan.changes:
            call.screen.lines(_told(change))
        call.screen.lines(f"= note  {note.says}" for note in run.plan.notes)
        call.screen.lines(f"! {line}" for line in run.plan.dropped)
        if run.plan.waiting:
            call.screen.line("Decide:  showmemory review     or let it stand: showmemory review --all")
        elif not run.errors:
            call.screen.line("Nothing waits.")
        return PROBLEMS if run.errors else FINE


class Review(ShowCommand):
    """Decide."""

    name = "review"
    part = "Decide"
    doc_purpose = "decide what waits, one by one, or by name"
    doc_usage = "[--approve | --reject ENTRY[@EPISODE] …] [--all]"
    doc_description = "ENTRY alone is all that waits of it. Nothing is decided twice, and undo takes a decision back."
    cmd_options = (
        option("approve", "approve this (may be given again)", [], metavar="NAME"),
        option("reject", "reject this, for good (may be given again)", [], metavar="NAME"),
        option("all", "approve everything that waits", False),
    )

    def go(self, call: Call) -> int:
        """Decide by the options, or ask."""
        from showmemory.desk import decide

        approve, reject = _named(call)
        if call["all"] or approve or reject:
            return finished(call, decide(call.root, approve, reject, all_=call["all"]))
        run = _planned(call.root)
        if run.errors or not run.plan.waiting or not call.screen.asks:
            return _listed(call, run)
        approve, reject = _asked(call, run)
        if not approve and not reject:
            call.screen.line("nothing was decided")
            return FINE
        return finished(call, decide(call.root, approve, reject))


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


def _planned(root: Path) -> Run:
    from showmemory.flow import up_to_merge

    run = up_to_merge(root)
    run.close()
    return run


def _named(call: Call) -> tuple[list[str], list[str]]:
    approve, reject = list(call["approve"]), list(call["reject"])
    if call.words and bool(approve) == bool(reject):
        raise CmdParseError("expected --approve or --reject before the names, found neither or both")
    (approve or reject).extend(call.words)
    return approve, reject


def _told(change: Change) -> list[str]:
    head = f"{_SIGN[change.op]} {change.form or change.kind:<10} {change.title or change.entry}"
    rows = [f"{head}{f': {change.says}' if change.says else ''}", f"    {change.id}"]
    rows += [f"    was  {change.before}"] if change.before and change.after else []
    rows += [f"    now  {change.after}"] if change.after else []
    return [*rows, *(f"    {source.episode}:{source.line}  {source.words}" for source in change.sources)]


def _listed(call: Call, run: Run) -> int:
    screen = call.screen
    screen.json({"waiting": [_json(change) for change in run.plan.changes], "notes": [n.says for n in run.plan.notes]})
    screen.problems(run.errors)
    for change in run.plan.changes:
        says = f": {change.says}" if change.says else ""
        screen.line(f"{_SIGN[change.op]} {change.form or change.kind:<10} {change.title or change.entry}{says}")
        screen.line(f"    {change.id}")
    if run.plan.waiting:
        screen.line("showmemory review --approve NAME … or --reject NAME … or --all; NAME is the line under each")
    elif not run.errors:
        screen.line("Nothing waits.")
    return PROBLEMS if run.errors else FINE


def _json(change: Change) -> dict[str, Any]:
    from showmemory.model.canonical import plain

    return {"name": change.id, **plain(change)}


def _asked(call: Call, run: Run) -> tuple[list[str], list[str]]:
    """Go through what waits, one by one; returns what was approved and what was rejected."""
    screen, changes = call.screen, list(run.plan.changes)
    taken: dict[str, str] = {}
    kinds: set[str] = set()
    for number, change in enumerate(changes, 1):
        if change.kind in kinds:
            taken[change.id] = "a"
            continue
        screen.line()
        screen.head(f"{number} of {len(changes)}   {change.form or change.kind}, {change.op}   {change.by}")
        screen.lines(f"  {row}" for row in _told(change)[:1] + _told(change)[2:])
        answer = _answer(screen.ask, screen.line)
        if answer == "q":
            break
        if answer == "A":
            kinds.add(change.kind)
        if answer in ("a", "A", "r"):
            taken[change.id] = "r" if answer == "r" else "a"
    return [n for n, a in taken.items() if a == "a"], [n for n, a in taken.items() if a == "r"]


def _answer(ask: Callable[[str], str], tell: Callable[[str], None]) -> str:
    while True:
        answer = ask(f"  {_KEYS} ")[:1] or "q"
        if answer in "arlAq":
            return answer
        tell(f"  {_HELP}")


def finished(call: Call, done: Done) -> int:
    """Print what came of it; returns the exit code."""
    call.screen.json({"done": done.lines, "problems": [str(problem) for problem in done.problems]})
    call.screen.lines(done.lines)
    call.screen.problems(done.problems)
    return PROBLEMS if any(problem.severity == "error" for problem in done.problems) else FINE
