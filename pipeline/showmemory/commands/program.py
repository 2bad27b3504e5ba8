"""The program `showmemory`: our commands, then doit's own and the stages by name, with our exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from doit.cmd_base import ModuleTaskLoader
from doit.cmdparse import CmdParseError
from doit.doit_cmd import DoitMain
from doit.exceptions import InvalidCommand, InvalidDodoFile, InvalidTask

from showmemory.commands.all import COMMANDS, PARTS
from showmemory.commands.command import FAULT, FINE, PROBLEMS, ShowCommand, nearest_show
from showmemory.commands.screen import Screen
from showmemory.tasks import STAGES, TRACEBACK, tasks_for
from showmemory.text.visible import visible

_INTERRUPTED = 130
# doit's codes: 0 done, 1 a task failed, 2 a task raised, 3 it could not begin.
_CODES = {0: FINE, 1: PROBLEMS, 2: FAULT, 3: PROBLEMS}


class Program(DoitMain):  # type: ignore[misc]
    """doit with our commands before its own; a command of ours hides doit's of the same name (forget)."""

    BIN_NAME = "showmemory"

    def __init__(self) -> None:
        """Read no configuration but the show's."""
        super().__init__(config_filenames=())

    def get_cmds(self) -> Any:
        """doit's commands and ours."""
        found = super().get_cmds()
        for command in COMMANDS:
            found[command.get_name()] = command
        return found

    def run(self, all_args: Sequence[str]) -> int:
        """Run one command line; returns the exit code of the contract."""
        args = list(all_args)
        if not args or args[0] in ("--help", "-h", "help"):
            return self._help(args[1:])
        if args[0] == "--version":
            print(f"showmemory {_version()}")
            return FINE
        known = {command.get_name(): command for command in COMMANDS}
        if args[0] in known:
            command: ShowCommand = known[args[0]](config=self.config, bin_name=self.BIN_NAME)
            return command.parse_execute(args[1:])
        if args[0] not in self.get_cmds() and args[0] not in STAGES:
            raise CmdParseError(_unknown(args[0], [*known, *STAGES]))
        if "--json" in args:
            more = "; showmemory remember --json does" if args[0] in STAGES else ""
            raise CmdParseError(f"{args[0]} is doit's own and prints no JSON{more}")
        return _CODES.get(self._doit(args), FAULT)

    def _doit(self, args: Sequence[str]) -> int:
        """Run a stage or one of doit's commands. A task may be called as a command of ours is (remember)."""
        main = DoitMain(ModuleTaskLoader(tasks_for(nearest_show())), config_filenames=())
        main.BIN_NAME = self.BIN_NAME
        code: int = main.run(list(args))
        return code

    def _help(self, args: Sequence[str]) -> int:
        known = {command.get_name(): command for command in COMMANDS}
        if args and args[0] in known:
            print(known[args[0]]().help())
            return FINE
        if args:
            return _CODES.get(self._doit(["help", *args]), FAULT)
        print("\n".join(_usage()))
        return FINE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; a person's mistake is a message, our bug a short one and exit 3."""
    _speak_utf8()
    try:
        code = Program().run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except (CmdParseError, InvalidCommand, InvalidDodoFile, InvalidTask) as error:
        said = str(error).strip()
        if "--json" in (sys.argv[1:] if argv is None else argv):
            Screen(as_json=True).json({"problems": [said]})
        print(visible(f"showmemory: {said}"), file=sys.stderr)
        return PROBLEMS
    except KeyboardInterrupt:
        print("showmemory: stopped; nothing is half written", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough (showmemory show | head).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as error:  # the last door: everything that is not foreseen is our bug, or the machine's
        return _fault(error)


def _fault(error: Exception) -> int:
    if os.environ.get(TRACEBACK) == "1":
        traceback.print_exc()
        return FAULT
    if isinstance(error, OSError):
        said = f"showmemory: {error.strerror or error}: {error.filename or ''}".rstrip(": ")
        print(visible(said), file=sys.stderr)
        return FAULT
    print(visible(f"showmemory: a fault of ours: {type(error).__name__}: {error}"), file=sys.stderr)
    print(f"    nothing is lost; {TRACEBACK}=1 shows where, for a report", file=sys.stderr)
    return FAULT


def _usage() -> list[str]:
    rows = [
        "showmemory keeps a television show's notebook: what its scripts have established, for who writes the next.",
        "",
    ]
    for part in PARTS:
        rows.append(part)
        rows += [f"  {one.get_name():<11} {one.doc_purpose}" for one in COMMANDS if one.part == part]
    rows += [
        "Each stage by name, as doit runs them",
        f"  {', '.join(STAGES)}",
        "",
        "showmemory COMMAND --help tells more. Begin in a folder of scripts: showmemory init, then doit remember",
    ]
    return rows


def _unknown(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, 2, 0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "showmemory --help lists them"
    return f"expected a command, found {word}\n    {hint}"


def _version() -> str:
    try:
        return version("showmemory")
    except PackageNotFoundError:
        return "not installed"


def _speak_utf8() -> None:
    """Pipes get UTF-8 whatever the locale; a terminal that cannot show a letter shows a question mark."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=stream.encoding if stream.isatty() else "utf-8", errors="replace")
