"""What a person does at the desk: decide what waits, edit, undo, redo, read the log; each under the lock, and noted."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from showmemory import notebook
from showmemory.check.memory import load_memory
from showmemory.flow import Run, finish, up_to_merge
from showmemory.merge.apply import all_decisions, apply, decision
from showmemory.merge.edit import Action as Action
from showmemory.merge.edit import Edit, edit
from showmemory.merge.taken import candidate, take_up
from showmemory.model.canonical import dumps
from showmemory.model.memory import ShowMemory
from showmemory.model.plan import Change
from showmemory.model.span import Problem, Span
from showmemory.regaining import held_anywhere
from showmemory.store import history
from showmemory.store.undo import reverse
from showmemory.text.counted import counted

WHERE = Span(notebook.MEMORY)


@dataclass
class Done:
    """What came of it: one line for each thing done, and what was wrong."""

    lines: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def decide(
    root: Path,
    approve: Collection[str] = (),
    reject: Collection[str] = (),
    *,
    all_: bool = False,
    seen: Mapping[str, Change] | None = None,
    words: Mapping[str, str] | None = None,
) -> Done:
    """Approve or reject waiting decisions. A name is ENTRY@EPISODE, or ENTRY for all that waits of it.

    The plan is recomputed from the scripts and memory as they are now; an older one is never applied. `seen`: the
    changes as the person saw them, of which none is decided that is another by now; `words`: the person's, by name, for
    what they approved under words of their own. `all_` is all that is not rejected by name.
    """
    done = Done()
    with notebook.held(root) as busy:
        if busy is not None:
            return Done(problems=[busy])
        run = up_to_merge(root)
        if run.stopped or run.target is None:
            return Done(problems=run.errors)
        now = {change.id: change for change in run.plan.changes}
        moved = {name for name, change in (seen or {}).items() if now.get(name) != change}
        names = {decision(d): d for d in run.target.deltas}
        taken = _named([name for name in approve if name not in moved], names, done)
        refused = _named([name for name in reject if name not in moved], names, done)
        done.problems += [_both(name) for name in sorted(taken & refused)]
        if done.problems:
            return done
        taken = all_decisions(run.target, gone=True) - refused if all_ else taken
        run.memory = apply(run.target, taken, refused)
        own = {name: told for name, told in (words or {}).items() if name in taken}
        done.problems += _reworded(run, own)
        if done.problems:
            return done
        loud = sum(not names[n].quiet for n in taken)
        did = ", ".join(_counted((loud, "approved"), (len(own), "reworded"), (len(refused), "rejected")))
        done.problems += finish(run, did or "nothing decided", "person")
        left = len(run.plan.changes)
        rest = f"{left} still wait{'s' if left == 1 else ''}" if left else "nothing waits any more"
        back = "   (showmemory undo takes it back)"
        done.lines.append(f"{did}; {rest}{back}" if did else "nothing was decided")
        changed = sorted(moved.intersection((*approve, *reject)))
        done.lines += [f"{name} is another by now, and was not decided: showmemory review" for name in changed]
    return done


def _both(name: str) -> Problem:
    return Problem(WHERE, "error", f"expected one decision on {name}, found it approved and rejected")


def _reworded(run: Run, words: Mapping[str, str]) -> list[Problem]:
    """Lay the person's words over what they approved under them."""
    for name, told in words.items():
        assert run.memory is not None, "something was approved"
        id_ = name.split("@")[0]
        entry = next((e for e in run.memory.entries if e.id == id_), None)
        field_ = "text" if entry and entry.text else "title"
        made = edit(run.memory, Edit(action="edit", target=id_, fields={field_: told}))
        if isinstance(made, Problem):
            return [made]
        run.memory = made[0]
    return []


def change(
    root: Path,
    action: Action,
    target: str = "",
    *,
    fields: Mapping[str, Any] | None = None,
    by: Literal["person", "agent"] = "person",
) -> Done:
    """Make one edit, as made; undone like any other. `target`: an entry id, for `place` an episode id."""
    wanted = Edit(action=action, target=target, fields=dict(fields or {}), by=by)
    with notebook.held(root) as busy:
        if busy is not None:
            return Done(problems=[busy])
        run = Run(root, deciding=True)
        if run.book.broken:
            return Done(problems=run.book.problems)
        if (lost := run.book.lost()) is not None:
            return Done(problems=[lost])
        memory = run.book.absorb()[0] if run.book.memory else ShowMemory(id=f"memory.{run.show.id}")
        made = _taken_up(run, memory, wanted) or edit(memory, wanted)
        if isinstance(made, Problem):
            return Done(problems=[made])
        run.memory, line = made
        if run.memory == run.book.memory:
            return Done([f"{line}: nothing changed"])
        problems = finish(run, line, wanted.by)
        return Done([] if problems else [f"{line}   (showmemory undo takes it back)"], problems)


def _taken_up(run: Run, memory: ShowMemory, wanted: Edit) -> tuple[ShowMemory, str] | None:
    """`add` with the id of something that was held back takes that up, with all its uses."""
    if wanted.action != "add" or not wanted.target or any(e.id == wanted.target for e in memory.entries):
        return None
    run.parse()
    run.extract()
    found = candidate(memory, wanted.target, run.observed)
    return take_up(memory, wanted.target, found, wanted.fields) if found else None


def undo(root: Path) -> Done:
    """Take back the newest change that still stands."""
    return _step(root, "undo")


def redo(root: Path) -> Done:
    """Make again the newest change that was taken back."""
    return _step(root, "redo")


def log(root: Path) -> list[dict[str, Any]]:
    """Every change, oldest first: id, at, by, did, and whether it still stands (`standing`)."""
    changes = history.in_time(history.read(root))
    ids = history.standing(changes)
    return [{k: v for k, v in c.items() if k not in ("undo", "redo")} | {"standing": c["id"] in ids} for c in changes]


def bring_back(root: Path) -> Done:
    """Restore a memory.json that is gone or damaged, from the history or git: from whichever holds the newer one."""
    if notebook.Notebook(root).memory is not None:
        hint = "showmemory undo takes back the newest change; move the file away to restore an older one"
        return Done(
            problems=[Problem(WHERE, "error", "expected memory.json to be missing, found it in its place", hint)]
        )
    with notebook.held(root) as busy:
        if busy is not None:
            return Done(problems=[busy])
        held, problems = held_anywhere(root)
        if held is None:
            hint = "showmemory remember --fresh begins anew, from the scripts"
            message = "expected the history or git to hold a whole memory, found none"
            return Done(problems=problems or [Problem(WHERE, "error", message, hint)])
        memory = held.memory
        aside = notebook.set_aside(root)
        notebook.Notebook(root).save(memory, f"memory.json restored from {held.where}", "person")
    size = counted(len(memory.entries), "entry", "entries")
    return Done([f"memory.json is back from {held.where}: {size}", *([held.more] if held.more else []), *aside])


def _step(root: Path, kind: str) -> Done:
    with notebook.held(root) as busy:
        if busy is not None:
            return Done(problems=[busy])
        run = Run(root, deciding=True)
        if run.book.broken:
            return Done(problems=run.book.problems)
        if run.book.memory is not None:
            # What was done by hand since is the newest change, and like any other.
            run.book.absorb()
            run.book.save_hand()
        done, undone = history.stacks(history.read(root))
        stack = done if kind == "undo" else undone
        last, all_ = history.newest(stack)
        if last is None:
            return Done(problems=[Problem(WHERE, "notice", f"nothing to {kind}")])
        document = run.book.document()
        left: list[str] = []
        for change in all_:
            document, missed = reverse(document, change["undo"])
            left += missed
        memory, problems = (None, []) if document is None else load_memory(dumps(document), notebook.MEMORY)
        if document is not None and memory is None:
            return Done(problems=problems)
        same = memory == run.book.memory
        run.memory, run.absent = memory, document is None
        did = re.sub(r"^(undo|redo): ", "", last["did"])
        problems = finish(run, f"{kind}: {did}", "person", kind, last["id"])
        back, again = ("taken back", "undo") if kind == "undo" else ("made again", "redo")
        lines = [f"nothing of it could be {back}: {did}" if same else f"{back}: {did}"]
        if left:
            named = ", ".join(dict.fromkeys(left[:6]))
            lines.append(f"left as they are, since they changed meanwhile: {named}")
        if same:
            lines.append(f"the next showmemory {again} goes on from there")
        return Done(lines, problems)


def _named(wanted: Collection[str], names: dict[str, Any], done: Done) -> frozenset[str]:
    found: set[str] = set()
    for name in wanted:
        hits = {n for n in names if any(n == full or n.split("@")[0] == full for full in (name, f"mem.{name}"))}
        if not hits:
            near = get_close_matches(name, [*names, *(n.split("@")[0] for n in names)], 1, 0.6)
            hint = f"did you mean {near[0]}?" if near else "showmemory plan lists what waits"
            done.problems.append(Problem(WHERE, "error", f"expected something that waits, found {name}", hint))
        found |= hits
    return frozenset(found)


def _counted(*parts: tuple[int, str]) -> list[str]:
    return [f"{number} {what}" for number, what in parts if number]
