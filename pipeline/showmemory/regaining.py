"""A memory.json that is gone, found again: what the history and git hold of it, and which of the two is newer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from showmemory import notebook
from showmemory.check.memory import load_memory
from showmemory.model.canonical import dumps
from showmemory.model.memory import ShowMemory
from showmemory.model.span import Problem
from showmemory.store import git, history
from showmemory.store.regain import Regained, regained


@dataclass(frozen=True, slots=True)
class Held:
    """A whole memory, where it was found, and what to say of it beside."""

    memory: ShowMemory
    where: str
    more: str = ""


def held_anywhere(root: Path) -> tuple[Held | None, list[Problem]]:
    """The newest whole memory that the history or git holds, or what is wrong with the only one."""
    changes = history.in_time(history.read(root))
    committed = git.last(root, notebook.MEMORY)
    made = regained(changes)
    of_git, problems = _from_git(committed)
    of_history, wrong = _from_history(made)
    if of_history is None or of_git is None:
        return of_history or of_git, [*problems, *wrong]
    assert made is not None and committed is not None, "both hold one"
    newest = _newer(root, made, committed, changes)
    return (of_git if newest == "git" else of_history), []


def _newer(root: Path, made: Regained, committed: bytes, changes: list[history.Change]) -> str:
    """By what memory was after each change; where git's was never noted, by the clock."""
    prints = [change.get("to", "") for change in changes]
    print_ = notebook.print_of(committed.decode("utf-8", "surrogateescape"))
    if print_ in prints:
        later = [change["id"] for change in changes[prints.index(print_) + 1 :]]
        return "history" if made.change["id"] in later else "git"
    commits = git.commits(root, notebook.MEMORY)
    at = datetime.fromtimestamp(commits[-1][1], UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if commits else ""
    return "git" if at >= str(made.change.get("at", "")) else "history"


def _from_git(data: bytes | None) -> tuple[Held | None, list[Problem]]:
    if data is None:
        return None, []
    memory, problems = load_memory(data.decode("utf-8", "surrogateescape"), notebook.MEMORY)
    return (Held(memory, "the last commit that had it"), []) if memory else (None, problems)


def _from_history(made: Regained | None) -> tuple[Held | None, list[Problem]]:
    if made is None:
        return None, []
    memory, problems = load_memory(dumps(made.document), notebook.MEMORY)
    if memory is None:
        return None, problems
    exact = notebook.print_of(dumps(memory)) in (made.change.get("to"), made.change.get("from"))
    parted = "two branches' changes were put together: look it over with showmemory show, doit remember goes on from it"
    when = str(made.change.get("at", ""))[:16].replace("T", " ")
    return Held(memory, f"the history, as it was at {when} UTC", "" if exact and not made.parted else parted), []
