"""What memory's own commits changed between two days: the other axis of a window, and what lies off this branch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from showmemory import notebook
from showmemory.check.memory import load_memory
from showmemory.model.memory import ShowMemory
from showmemory.model.span import Problem, Span
from showmemory.store import git, history

# An entry and an episode -> the bytes of what is said there; an entry of no episode stands under an empty one.
Statements = Mapping[tuple[str, str], str]
# So many other branches are looked at.
BRANCHES = 8


@dataclass
class Between:
    """`when`: what was first said, or said otherwise, in these days -> its day. `gone`: what was taken out."""

    memory: ShowMemory | None = None
    when: dict[tuple[str, str], str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    days: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    off: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def between(root: Path, first: date, last: date) -> Between:
    """Follow the commits of memory.json from the day before `first` to the end of `last`, all in UTC."""
    where = Span(notebook.MEMORY)
    if not git.here(root):
        hint = "a window by story position needs no git: showmemory window FROM TO with two episodes"
        return Between(problems=[Problem(Span("show"), "error", "expected a git checkout, found none", hint)])
    whole = git.commits(root, notebook.MEMORY)
    upto = [one for one in whole if _day(one[1]) <= last]
    if not upto:
        found = f"found the first on {_day(whole[0][1])}" if whole else "found none"
        hint = "git commit bible/memory.json, or give two episodes"
        message = f"expected commits of memory up to {last}, {found}"
        return Between(problems=[Problem(where, "error", message, hint)])
    made = Between()
    before = [one for one in upto if _day(one[1]) < first]
    within = [one for one in upto if _day(one[1]) >= first]
    base = _statements(_document(root, before[-1][0], made)) if before else {}
    held = base
    for commit, at in within:
        document = _document(root, commit, made)
        if document is None:
            continue
        said, day = _statements(document), _day(at).isoformat()
        changed = {key for key, text in said.items() if held.get(key) != text} | (held.keys() - said.keys())
        made.when = {key: at for key, at in made.when.items() if key not in changed} | dict.fromkeys(changed, day)
        made.days += [day] if changed and day not in made.days else []
        held = said
    made.when = {key: day for key, day in made.when.items() if key in held and held[key] != base.get(key)}
    end = upto[-1][0]
    made.memory = _memory(root, end, made)
    made.gone = _gone(root, before, base.keys() - held.keys())
    made.decisions = _decisions(root, before[-1][0] if before else "", end)
    made.off = [*_later(root, end, whole, held), *_elsewhere(root, first, last)]
    return made


def off_branch(root: Path, memory: ShowMemory, episodes: Iterable[str]) -> list[str]:
    """What other branches say of these episodes and this one does not."""
    if not git.here(root):
        return []
    wanted = frozenset(episodes)
    ours = _statements(json.loads(memory.model_dump_json(by_alias=True, exclude_defaults=True)))
    names = git.branches(root)
    rows = []
    for name in names[:BRANCHES]:
        theirs = _statements(_parsed(git.at(root, name, notebook.MEMORY)))
        other = sum(episode in wanted and (id_, episode) not in ours for id_, episode in theirs)
        if other:
            rows.append(f"On branch {name} alone: {_counted(other, 'statement')} on these episodes.")
    if len(names) > BRANCHES:
        rows.append(f"Branches not looked at: {', '.join(names[BRANCHES:])}.")
    return rows


def _day(seconds: int) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def _parsed(data: bytes | None) -> Any:
    try:
        return json.loads(data) if data else None
    except ValueError:
        return None


def _document(root: Path, commit: str, made: Between) -> Any:
    document = _parsed(git.at(root, commit, notebook.MEMORY))
    if not isinstance(document, dict):
        made.off.append(f"Commit {commit[:8]} holds no memory that can be read.")
        return None
    return document


def _statements(document: Any) -> dict[tuple[str, str], str]:
    """Every statement of a memory as JSON has it; what a person wrote or decided on an entry stands beside them."""
    made: dict[tuple[str, str], str] = {}
    for entry in document.get("entries", ()) if isinstance(document, dict) else ():
        said = entry.get("said") or {}
        for episode, step in said.items():
            made[entry["id"], episode] = json.dumps(step, sort_keys=True)
        if not said:
            made[entry["id"], entry.get("since") or ""] = json.dumps(entry, sort_keys=True)
    return made


def _memory(root: Path, commit: str, made: Between) -> ShowMemory | None:
    data = git.at(root, commit, notebook.MEMORY) or b""
    memory, problems = load_memory(data.decode("utf-8", "replace"))
    made.problems += problems
    return memory


def _gone(root: Path, before: list[tuple[str, int]], keys: Iterable[tuple[str, str]]) -> list[str]:
    """What was said before these days and is no more, by title."""
    document = _parsed(git.at(root, before[-1][0], notebook.MEMORY)) if before else None
    entries = document.get("entries", ()) if isinstance(document, dict) else ()
    titles = {entry["id"]: entry.get("title") or entry.get("text") or entry["id"] for entry in entries}
    return [titles[id_] for id_ in dict.fromkeys(id_ for id_, _ in sorted(keys))]


def _decisions(root: Path, before: str, end: str) -> list[str]:
    """What was done to memory between two commits, as its history has it: day, who, what."""
    old = _history(root, before) if before else []
    known = {change["id"] for change in old}
    new = [change for change in _history(root, end) if change["id"] not in known]
    return [f"{str(c.get('at', ''))[:10]} {c.get('by', '')}: {c.get('did', '')}" for c in history.in_time(new)]


def _history(root: Path, commit: str) -> list[history.Change]:
    return history.parsed((git.at(root, commit, history.PATH) or b"").decode("utf-8", "replace"))


def _later(root: Path, end: str, whole: list[tuple[str, int]], held: Statements) -> list[str]:
    """What stands in no commit yet, when the window reaches to the last one."""
    if not whole or whole[-1][0] != end:
        return []
    try:
        now = _statements(_parsed((root / notebook.MEMORY).read_bytes()))
    except OSError:
        return []
    differs = sum(held.get(key) != text for key, text in now.items()) + len(held.keys() - now.keys())
    return [f"In no commit yet: {_counted(differs, 'statement')}."] if differs else []


def _elsewhere(root: Path, first: date, last: date) -> list[str]:
    """Commits of memory from these days that are not on this branch."""
    found = git.commits(root, notebook.MEMORY, "--branches", "--not", "HEAD")
    count = sum(first <= _day(at) <= last for _, at in found)
    return [f"On other branches: {_counted(count, 'commit')} of memory from these days."] if count else []


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
