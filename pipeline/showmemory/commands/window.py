"""`window` and `record`: what moved between two moments, and all that is held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words
from showmemory.text.visible import visible

if TYPE_CHECKING:
    from showmemory.window import Seen

_DENSITIES = ("names", "brief", "whole")
_AXES = ("", "story", "time")
_HOW = (
    option("density", "names, brief or whole for every section (default: each as full as the budget allows)"),
    option("budget", "tokens at most (default 4000); no kind of thing is left out for it", metavar="N"),
)


class Window(ShowCommand):
    """What moved between two moments."""

    name = "window"
    part = "Look"
    doc_purpose = "everything between two moments: how it stood, what moved, what it came to"
    doc_usage = "FROM [TO] [--axis story|time] [--density D | --budget N]"
    doc_description = (
        "FROM and TO are episodes (both included; without TO, up to the newest), or two days such as 2026-03-01:\n"
        "then what the commits of memory changed in these days."
    )
    cmd_options = (option("axis", "story or time (else what FROM and TO look like)"), *_HOW)

    def go(self, call: Call) -> int:
        """Print a window."""
        from showmemory.window import View, window

        first, *last = words(call, "FROM", "TO", least=1)
        _one_of(call, "axis", _AXES)
        return _print(call, window(call.root, first, last[0] if last else "", View(call["axis"], *_how(call))))


class Record(ShowCommand):
    """All that is held."""

    name = "record"
    part = "Look"
    doc_purpose = "all that is held: season by season, then under what holds it"
    doc_usage = "[--as-of ID] [--density D | --budget N]"
    cmd_options = (option("as-of", "as it was once this episode was remembered", metavar="ID"), *_HOW)

    def go(self, call: Call) -> int:
        """Print the record."""
        from showmemory.window import View, record

        words(call)
        return _print(call, record(call.root, call["as_of"], View("", *_how(call))))


def _print(call: Call, seen: Seen) -> int:
    if seen.told is None:
        call.screen.json({"problems": [str(problem) for problem in seen.problems]})
        call.screen.problems(seen.problems)
        return PROBLEMS
    call.screen.json(seen.data)
    if not call["json"]:
        # As it stands, unwrapped: its size is counted on it.
        print(visible(seen.told.text), end="")
    return FINE


def _how(call: Call) -> tuple[str, int | None]:
    _one_of(call, "density", ("", *_DENSITIES))
    text = call["budget"]
    if text and not text.isdecimal():
        raise CmdParseError(f"expected --budget to be a number of tokens, found {text}")
    if text and call["density"]:
        raise CmdParseError("expected --density or --budget, found both")
    return call["density"], int(text) if text else None


def _one_of(call: Call, name: str, known: tuple[str, ...]) -> None:
    if call[name] not in known:
        raise CmdParseError(f"expected --{name} to be {' or '.join(filter(None, known))}, found {call[name]}")
