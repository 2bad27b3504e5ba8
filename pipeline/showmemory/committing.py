"""Memory and its contexts as one commit, with the list of what changed as its message (D10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from showmemory import notebook
from showmemory.check.memory import load_memory
from showmemory.look import label, waiting
from showmemory.model.memory import Entry, ShowMemory
from showmemory.model.plan import told_as
from showmemory.model.span import Problem, Span
from showmemory.store import git, history
from showmemory.text.counted import counted

# What a model answered and what it cost are inputs from then on: without them a clone would ask, and pay, again.
_OURS = (notebook.MEMORY, history.PATH, "context", "spend", ":(glob)**/*answers.json")
_LISTED, _TITLE, _SAID = 100, 70, 20


@dataclass
class Committed:
    """What came of it: lines to print, and what was wrong."""

    lines: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def commit(root: Path) -> Committed:
    """Commit memory, its history, contexts and recorded answers, and nothing that a person has staged beside them."""
    if (wrong := _wrong(root)) is not None:
        return Committed(problems=[wrong])
    paths = git.differing(root, _OURS)
    if not paths:
        return Committed(["nothing to commit: memory and contexts are as the last commit has them"])
    message = message_of(root)
    done, said = git.commit(root, paths, message)
    if not done:
        # A hook's own words come first, as it printed them.
        wrong = Problem(
            Span(""), "error", "git did not commit", "memory is written and stays as it is; nothing is lost"
        )
        return Committed([f"    {row}" for row in said.splitlines()[:_SAID]], [wrong])
    made = [f"committed {counted(len(paths), 'file')}: {message.splitlines()[0]}"]
    left = waiting(root)[0]
    return Committed(
        made + ([f"not in it: {counted(left, 'change')} for you to decide: showmemory review"] * bool(left))
    )


def message_of(root: Path) -> str:
    """What changed since the last commit: a line for all, what people did, and a line for each entry."""
    before, after = _memory(git.head(root, notebook.MEMORY)), notebook.Notebook(root).memory
    rows = list(_rows(before, after)) if after else []
    did = _did(root)
    parts = [_subject(before, after, len(rows)), "\n".join(did), "\n".join(rows[:_LISTED])]
    more = [f"and {len(rows) - _LISTED} more"] if len(rows) > _LISTED else []
    return "\n\n".join(part for part in parts if part) + "".join(f"\n{row}" for row in more) + "\n"


def _wrong(root: Path) -> Problem | None:
    there = git.here(root)
    if there is None:
        return Problem(Span(""), "error", "expected git on this machine, found none", "memory is written all the same")
    if not there:
        hint = "showmemory init --git makes the show's folder one; memory is written all the same"
        return Problem(Span(""), "error", "expected a git repository to commit to, found none here", hint)
    begun = git.unfinished(root)
    if begun:
        hint = f"finish it (git status says how), then showmemory remember --commit; or git {begun} --abort"
        return Problem(Span(""), "error", f"expected a finished history to commit to, found a {begun} on its way", hint)
    return None


def _subject(before: ShowMemory | None, after: ShowMemory | None, changes: int) -> str:
    if after is None:
        return "Memory's contexts brought up to date"
    if before is None:
        held = counted(len(after.entries), "entry", "entries")
        return f"First memory: {held} of {counted(len(after.episodes), 'episode')}"
    if not changes:
        return "Memory's contexts brought up to date" if before == after else "Memory brought up to date"
    known = {record.id: record.hash for record in before.episodes}
    read = [label(record) for record in after.episodes if known.get(record.id) != record.hash]
    episodes = f", {', '.join(read[:4])}{f' and {len(read) - 4} more' if len(read) > 4 else ''}" if read else ""
    return f"Memory: {counted(changes, 'change')}{episodes}"


def _rows(before: ShowMemory | None, after: ShowMemory) -> Iterator[str]:
    """A line for each entry that is new, changed or gone; a first memory is too long to list."""
    if before is None:
        return
    labels = {record.id: label(record) for record in (*before.episodes, *after.episodes)}
    old, new = ({entry.id: entry for entry in memory.entries} for memory in (before, after))
    for id_ in sorted({*old, *new}):
        one, other = old.get(id_), new.get(id_)
        shown = other or one
        if one == other or shown is None:
            continue
        sign = "+" if one is None else "-" if other is None else "~"
        yield f"{sign} {told_as(shown.kind, shown.form):<11} {_title(shown)}{_where(one, other, labels)}"


def _title(entry: Entry) -> str:
    title = " ".join((entry.title or entry.text or entry.id).split())
    return title if len(title) <= _TITLE else title[: _TITLE - 1].rstrip() + "…"


def _where(one: Entry | None, other: Entry | None, labels: dict[str, str]) -> str:
    """The episodes of which something else is said now."""
    if one is None or other is None:
        return ""
    moved = [id_ for id_ in labels if one.said.get(id_) != other.said.get(id_)]
    told = ", ".join(labels[id_] for id_ in moved[:4]) + (" …" if len(moved) > 4 else "")
    return f": {told}" if told else ""


def _did(root: Path) -> list[str]:
    """What was decided and edited since, by people and agents, oldest first."""
    held = git.head(root, history.PATH) or b""
    known = {change["id"] for change in history.parsed(held.decode("utf-8", "replace"))}
    since = (change for change in history.in_time(history.read(root)) if change["id"] not in known)
    return list(dict.fromkeys(" ".join(str(c["did"]).split()) for c in since if c["by"] != "pass"))


def _memory(data: bytes | None) -> ShowMemory | None:
    return load_memory(data.decode("utf-8", "surrogateescape"), notebook.MEMORY)[0] if data else None
