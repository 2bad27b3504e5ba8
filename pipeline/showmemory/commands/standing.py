"""`status` and `check`: how a show stands, for a person and for CI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from doit.cmdparse import CmdParseError

from showmemory.commands.annotations import GITHUB, annotated, plain
from showmemory.commands.command import BEHIND, FINE, PROBLEMS, Call, ShowCommand, option, words
from showmemory.commands.rows import problem_json
from showmemory.text.counted import counted

if TYPE_CHECKING:
    from showmemory.look import Placed, State
    from showmemory.model.span import Problem

# Of warnings that are alike `check` prints this many.
_ALIKE = 6


class Status(ShowCommand):
    """How the show stands."""

    name = "status"
    part = "Look"
    doc_purpose = "what is remembered, what changed since, what waits, and everything that is odd"

    def go(self, call: Call) -> int:
        """Print the state and all problems."""
        from showmemory.look import state

        words(call)
        now = state(call.root)
        call.screen.json(_state(now))
        _tell(call, now)
        return PROBLEMS if any(p.severity == "error" for p in now.problems) else FINE


class Check(ShowCommand):
    """Hold the show and its memory against each other."""

    name = "check"
    part = "Check"
    doc_purpose = "for CI: is memory sound, is it as the scripts are, does every citation hold"
    doc_usage = "[--citations] [--strict] [--format github]"
    cmd_options = (
        option("citations", "hold every cited word against its line", False),
        option(
            "strict", "a waiting review, and no memory at all, count as behind; warnings are still only told", False
        ),
        option("format", "github: as annotations, each beside its line in a pull request", metavar="HOW"),
    )

    def go(self, call: Call) -> int:
        """Check; exit 1 for problems, 2 when memory is behind the scripts."""
        from showmemory.checking import check

        words(call)
        if call["format"] not in ("", GITHUB):
            raise CmdParseError(f"expected --format to be {GITHUB}, found {call['format']}")
        found = check(call.root, citations=call["citations"], strict=call["strict"])
        call.screen.json(
            {
                "problems": [problem_json(p) for p in found.problems],
                "behind": found.behind,
                "citations": found.cited,
                "waiting": found.waiting,
            }
        )
        shown, more = _grouped(found.problems)
        if call["format"] == GITHUB:
            call.screen.lines(annotated([*shown, *found.late], call.root))
            call.screen.lines(plain(row) for row in [*more, *found.lines])
        else:
            call.screen.problems(shown, aside=False)
            call.screen.lines([*more, *found.lines])
        if any(p.severity == "error" for p in found.problems):
            return PROBLEMS
        return BEHIND if found.behind else FINE


def _tell(call: Call, now: State) -> None:
    screen = call.screen
    screen.head(now.title)
    rows: list[tuple[str, str]] = []
    if now.memory is None and not now.broken:
        rows.append(("remembered", f"nothing of {counted(len(now.episodes), 'episode')} yet:  doit remember"))
    elif now.memory is not None:
        done = len(now.memory.episodes)
        rows.append(("remembered", f"{counted(done, 'episode')} of {len(now.episodes)}{_newest(now.memory.episodes)}"))
        counts = ", ".join(f"{group} {count}" for group, count in now.counts().items() if count)
        rows.append(("entries", f"{len(now.memory.entries)}{f': {counts}' if counts else ''}"))
    for name, held in (("changed", now.changed), ("new", now.new if now.memory else []), ("gone", now.gone)):
        if held:
            rows.append((name, f"{counted(len(held), 'episode')} since:  {_some(held)}"))
    if now.unread:
        rows.append(("unread", f"{counted(len(now.unread), 'script')} missing or empty:  {_some(now.unread)}"))
    if now.waiting:
        rows.append(("waiting", f"{counted(now.waiting, 'change')} for you to decide:  showmemory review"))
    elif now.memory is not None and not now.behind:
        rows.append(("waiting", "nothing"))
    if now.notes:
        rows.append(("notes", f"{counted(now.notes, 'note')}:  showmemory plan"))
    screen.table(rows, 2)
    if now.behind and now.memory is not None:
        screen.line("  Bring it up to date:  doit remember")
    if now.problems:
        screen.line()
        screen.problems(_ordered(now.problems), aside=False)


def _ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Errors first, then warnings and notices, in file and line order; each once."""
    rank = {"error": 0, "warning": 1, "notice": 2}
    return sorted(dict.fromkeys(problems), key=lambda p: (rank[p.severity], p.span, p.message))


def _grouped(problems: Iterable[Problem]) -> tuple[list[Problem], list[str]]:
    """All errors, and of warnings that are alike the first few; the rest are counted."""
    shown: list[Problem] = []
    counts: dict[str, int] = {}
    for problem in problems:
        alike = problem.group or problem.span.path
        counts[alike] = counts.get(alike, 0) + (problem.severity != "error")
        if problem.severity == "error" or counts[alike] <= _ALIKE:
            shown.append(problem)
    more = [f"and {count - _ALIKE} more like these: {alike}" for alike, count in counts.items() if count > _ALIKE]
    return shown, [*more, "all of them: showmemory status"] if more else []


def _state(now: State) -> dict[str, Any]:
    memory = now.memory
    return {
        "title": now.title,
        "remembered": [e.id for e in memory.episodes] if memory else [],
        "entries": now.counts() if memory else {},
        "changed": [e.id for e in now.changed],
        "new": [e.id for e in now.new],
        "gone": [e.id for e in now.gone],
        "unread": [e.id for e in now.unread],
        "waiting": now.waiting,
        "notes": now.notes,
        "behind": now.behind,
        "problems": [problem_json(p) for p in _ordered(now.problems)],
    }


def _newest(records: Any) -> str:
    from showmemory.look import label

    return f", newest {label(records[-1])}" if records else ""


def _some(held: Iterable[Placed]) -> str:
    from showmemory.look import label

    named = [label(one) for one in held]
    return ", ".join(named[:8]) + (f" and {len(named) - 8} more" if len(named) > 8 else "")
