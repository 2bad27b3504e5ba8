"""`fleet`: many shows brought up to date in one go."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, Call, ShowCommand, option
from showmemory.commands.rows import problem_json

if TYPE_CHECKING:
    from showmemory.fleet import Rebuilt

WORKERS = option(
    "workers",
    "how many processes read scripts, or the address of a Dask scheduler (SHOWMEMORY_WORKERS)",
    metavar="N|ADDRESS",
)
_MARKS = {"rebuilt": ".", "up to date": "-", "problems": "!", "fault": "!"}
# What is told of these is about the machines, and not about the show.
_BESIDE = ("workers", "cache")
_ORDER = ("rebuilt", "up to date", "problems", "fault")


class Fleet(ShowCommand):
    """Rebuild many shows."""

    name = "fleet"
    part = "Begin"
    doc_purpose = "bring many shows up to date, with the same workers and one shared cache; a broken one stops no other"
    doc_usage = "SHOW… [options]"
    doc_description = (
        "One line a show, what was read and what waits, then a summary. The exit code is that of the worst show.\n"
        "Each show's changes wait or are applied as its own settings say."
    )
    cmd_options = (
        WORKERS,
        option("cache", "the shared cache, for all of them (SHOWMEMORY_CACHE)", metavar="URL"),
    )

    def go(self, call: Call) -> int:
        """Rebuild each, telling it as it ends."""
        from showmemory.fleet import rebuild

        shows = [str(word) for word in call.words]
        if not shows:
            raise CmdParseError("expected SHOW…, found nothing\n    showmemory fleet --help")
        wide = max(len(name) for name in shows)
        made: list[Rebuilt] = []
        for one in rebuild(shows, workers_of(call), call["cache"]):
            made.append(one)
            call.screen.line(f"{_MARKS[one.state]}  {one.show:<{wide}}  {one.says}")
            call.screen.problems(p for p in one.problems if p.span.path in _BESIDE)
        counts: Counter[str] = Counter(one.state for one in made)
        told = ", ".join(f"{counts[state]} {_said(state)}" for state in _ORDER if counts[state])
        call.screen.line(f"{len(made)} show{'' if len(made) == 1 else 's'}: {told}")
        code = max((one.code for one in made), default=FINE)
        call.screen.json({"shows": [_json(one) for one in made], "code": code})
        return code


def workers_of(call: Call) -> str:
    """What --workers says, refused where it is neither a number nor an address."""
    said = str(call["workers"])
    if said and ":" not in said and not (said.isdecimal() and int(said) > 0):
        raise CmdParseError(f"expected --workers to be a number or the address of a Dask scheduler, found {said}")
    return said


def _said(state: str) -> str:
    return {"problems": "with problems", "fault": "broke off"}.get(state, state)


def _json(one: Rebuilt) -> dict[str, Any]:
    return {
        "show": one.show,
        "state": one.state,
        "code": one.code,
        "says": one.says,
        "read": one.read,
        "episodes": one.episodes,
        "entries": one.entries,
        "waiting": one.waiting,
        "problems": [problem_json(p) for p in one.problems],
    }
