"""`review`: decide what waits, entry by entry in the terminal, or by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from doit.cmdparse import CmdParseError

from showmemory.commands.beside import beside
from showmemory.commands.changes import as_json, headline, planned, quoted
from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option
from showmemory.commands.deciding import finished
from showmemory.commands.rewording import reworded

if TYPE_CHECKING:
    from showmemory.flow import Run
    from showmemory.model.plan import Change

_OPS = {"added": "new", "changed": "changed", "forgotten": "gone"}
_PLURAL = {"synopsis": "synopses", "summary": "summaries", "echo": "echoes", "knowledge": "knowledge", "tone": "tone"}
_HELP = """\
a  approve                      A  approve all of this kind that still wait
r  reject: not proposed again   R  reject all of this kind that still wait
   until it says something new
e  edit first: approve it under words of yours, which no pass changes then
l  later: it goes on waiting    b  back to the one before
q  stop here, and do what you decided so far"""


@dataclass
class Decisions:
    """What was decided on the way: a letter for each change that was, and the words for those edited first."""

    taken: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def named(self, letter: str) -> list[str]:
        """The names of the changes that were given this letter."""
        return [name for name, given in self.taken.items() if given == letter]


class Review(ShowCommand):
    """Decide."""

    name = "review"
    part = "Decide"
    doc_purpose = "decide what waits, one by one, or by name"
    doc_usage = "[--approve ENTRY[@EPISODE] …] [--reject ENTRY[@EPISODE] …] [--all]"
    doc_description = (
        "ENTRY alone is all that waits of it; --all is all that is not named otherwise. The plan is made anew from\n"
        "the scripts as they are now. Nothing is decided twice, and undo takes a decision back."
    )
    cmd_options = (
        option("approve", "approve these", [], metavar="NAME …"),
        option("reject", "reject these: not proposed again until they say something new", [], metavar="NAME …"),
        option("all", "approve everything that waits", False),
    )

    def parse_execute(self, in_args: Sequence[str]) -> int:
        """Take all names after --approve and --reject, not the first alone."""
        return super().parse_execute(_each(in_args))

    def go(self, call: Call) -> int:
        """Decide by the options, or ask."""
        from showmemory.desk import decide

        if call.words:
            raise CmdParseError(f"expected --approve or --reject before the names, found {call.words[0]}")
        if call["all"] or call["approve"] or call["reject"]:
            return finished(call, decide(call.root, call["approve"], call["reject"], all_=call["all"]))
        run = planned(call.root)
        try:
            if run.errors or not run.plan.waiting or not call.screen.asks:
                return _listed(call, run)
            made = _asked(call, run)
        finally:
            run.close()
        if not made.taken:
            call.screen.line("nothing was decided")
            return FINE
        seen = {change.id: change for change in run.plan.changes}
        done = decide(call.root, made.named("a"), made.named("r"), seen=seen, words=made.words)
        return finished(call, done)


def _each(args: Sequence[str]) -> list[str]:
    """Each name with its own option before it: --approve A B is --approve A --approve B."""
    made: list[str] = []
    under = ""
    for at, arg in enumerate(args):
        if arg.startswith("-"):
            under = arg if arg in ("--approve", "--reject") else ""
        elif under and args[at - 1] != under:
            made.append(under)
        made.append(arg)
    return made


def _listed(call: Call, run: Run) -> int:
    screen = call.screen
    notes = [note.says for note in run.plan.notes]
    screen.json({"waiting": [as_json(change) for change in run.plan.changes], "notes": notes})
    screen.problems(run.errors)
    for change in run.plan.changes:
        screen.line(headline(change))
        screen.line(f"    {change.id}")
    if run.plan.waiting:
        screen.line("showmemory review --approve NAME … or --reject NAME … or --all; NAME is the line under each")
    elif not run.errors:
        screen.line("Nothing waits.")
    return PROBLEMS if run.errors else FINE


def _asked(call: Call, run: Run) -> Decisions:
    """Go through what waits, one by one. Interrupted, nothing is decided."""
    changes = list(run.plan.changes)
    made = Decisions()
    at = 0
    try:
        while at < len(changes):
            change = changes[at]
            _shown(call, run, change, at)
            answer = _answer(call, change)
            if answer == "q":
                break
            if answer == "b":
                at = max(0, at - 1)
                made.taken.pop(changes[at].id, None)
                continue
            if answer == "e" and not _edited(call, run, change, made):
                continue
            _note(made, answer, changes[at:])
            at += 1
            while at < len(changes) and changes[at].id in made.taken:
                at += 1
    except KeyboardInterrupt:
        call.screen.line()
        return Decisions()
    return made


def _note(made: Decisions, answer: str, rest: Sequence[Change]) -> None:
    """Keep what was answered to the first of the rest, or to all of them that are of its kind."""
    if answer == "l":
        made.taken.pop(rest[0].id, None)
        return
    whole = answer in ("A", "R")
    for change in rest if whole else rest[:1]:
        if change is rest[0] or (change.what == rest[0].what and change.id not in made.taken):
            made.taken[change.id] = "r" if answer in ("r", "R") else "a"


def _shown(call: Call, run: Run, change: Change, at: int) -> None:
    screen = call.screen
    screen.line()
    screen.head(f"{at + 1} of {len(run.plan.changes)}   {change.what}, {_OPS[change.op]}   {change.by}")
    screen.line(f"  {headline(change).partition(change.what)[2].strip()}")
    if change.after != change.title:
        screen.lines(f"  {row}" for row in beside(change.before, change.after, screen.columns - 2))
    screen.lines(f"  {row}" for row in quoted(change, run, screen.columns - 2))


def _answer(call: Call, change: Change) -> str:
    edit = "[e]dit first  " if change.op != "forgotten" else ""
    keys = f"[a]pprove  [r]eject  {edit}[l]ater  [A]ll {_PLURAL.get(change.what, change.what + 's')}  [q]uit  [?]"
    while True:
        answer = call.screen.ask(f"  {keys} ")[:1] or "q"
        if answer in ("arlARqb" if change.op == "forgotten" else "arelARqb"):
            return answer
        call.screen.lines(f"  {row}" for row in _HELP.splitlines())


def _edited(call: Call, run: Run, change: Change, made: Decisions) -> bool:
    """Ask for the person's words; without any the question is asked again."""
    held = next((e.text for e in run.memory.entries if e.id == change.entry), "") if run.memory else ""
    words = reworded(call.screen, change.after or held or change.title)
    if words is None:
        call.screen.line("  no other words: nothing was decided of it")
        return False
    made.words[change.id] = words
    return True
