"""What all our commands share: options anywhere on the line, the show they are about, help, and one way to print."""

from __future__ import annotations

import getopt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from doit.cmd_base import Command
from doit.cmdparse import CmdOption, CmdParse, CmdParseError

from showmemory.commands.screen import Screen

FINE, PROBLEMS, BEHIND, FAULT = 0, 1, 2, 3
Option = Mapping[str, Any]
_MARKS = ("show.toml", "bible/memory.json", "bible/bible.yaml", "bible/bible.json")


def option(name: str, help: str, default: Any = "", *, short: str = "", **more: Any) -> Option:  # noqa: A002
    """One option as doit's commands take it: a flag when its default is False, a list when it is a list."""
    kind = type(default) if isinstance(default, (bool, list, int)) else str
    made = {"name": name.replace("-", "_"), "long": name, "short": short, "type": kind, "default": default}
    return {**made, "help": help, "metavar": more.pop("metavar", "ARG"), **more}


_COMMON = (
    option("json", "print one JSON object and nothing else", False),
    option(
        "show-dir",
        "the show's folder (else this one, or the nearest above it that is a show)",
        short="C",
        metavar="DIR",
    ),
)


@dataclass
class Call:
    """One use of a command: the show it is about, its options and words, and where it prints."""

    root: Path
    options: Mapping[str, Any]
    words: Sequence[str]
    screen: Screen
    name: str = ""

    def __getitem__(self, name: str) -> Any:
        """The value of an option."""
        return self.options[name]


class Parser(CmdParse):  # type: ignore[misc]
    """doit's parser, with options also after words, and messages a person can act on."""

    def __init__(self, options: Sequence[CmdOption], command: str) -> None:
        """Parse for `command`."""
        super().__init__(options)
        self._command = command

    def parse_only(self, in_args: Sequence[str], params: Any = None) -> tuple[Any, list[str]]:
        """Parse arguments into options and words."""
        params = params if params is not None else {}
        try:
            found, words = getopt.gnu_getopt(list(in_args), self.get_short(), self.get_long())
        except getopt.GetoptError as error:
            raise CmdParseError(self._refusal(error)) from None
        for name, value in found:
            known, inverse = self.get_option(name)
            if known.type is bool:
                params[known.name] = not inverse
            elif known.type is list:
                params[known.name] = [*params[known.name], value]
            else:
                params[known.name] = known.str2type(value)
        return params, words

    def _refusal(self, error: getopt.GetoptError) -> str:
        if "requires argument" in error.msg:
            return f"expected a value after --{error.opt}, found none"
        near = get_close_matches(error.opt or "", [name.rstrip("=") for name in self.get_long()], 1, 0.6)
        hint = f"did you mean --{near[0]}?" if near else f"showmemory {self._command} --help lists them"
        dashes = "-" if len(error.opt or "") == 1 else "--"
        return f"expected an option of showmemory {self._command}, found {dashes}{error.opt}\n    {hint}"


class ShowCommand(Command):  # type: ignore[misc]
    """A command about a show. `part` is the heading it stands under in the help."""

    part = ""
    cmd_options: tuple[Option, ...] = ()

    def get_options(self) -> list[CmdOption]:
        """Its own options and the common ones."""
        return [CmdOption(dict(one)) for one in (*self.cmd_options, *_COMMON)]

    @property
    def cmdparser(self) -> Parser:
        """Our parser in place of doit's."""
        held: Parser | None = getattr(self, "_cmdparser", None)
        if held is None:
            held = self._cmdparser = Parser(self.get_options(), self.get_name())
        return held

    def parse_execute(self, in_args: Sequence[str]) -> int:
        """Parse the line and do it; --help prints the help instead."""
        before = list(in_args[: list(in_args).index("--")] if "--" in in_args else in_args)
        if "--help" in before or "-h" in before:
            print(self.help())
            return FINE
        params, words = self.cmdparser.parse(in_args)
        return self.execute(params, words)

    def execute(self, opt_values: Mapping[str, Any], pos_args: Sequence[str]) -> int:
        """Find the show and do it."""
        screen = Screen(as_json=opt_values["json"])
        named = opt_values["show_dir"]
        if named and not Path(named).is_dir():
            raise CmdParseError(f"expected a folder, found {named}")
        return self.go(Call(Path(named) if named else nearest_show(), opt_values, pos_args, screen, self.get_name()))

    def go(self, call: Call) -> int:
        """Do what the command is for; returns the exit code."""
        raise NotImplementedError

    def help(self) -> str:
        """What it does, how it is called, and its options."""
        rows = [
            f"{self.get_name()}: {self.doc_purpose}",
            "",
            f"  showmemory {self.get_name()} {self.doc_usage}".rstrip(),
        ]
        if self.doc_description:
            rows += ["", *(f"  {row}" for row in self.doc_description.splitlines())]
        rows += ["", *(_option_help(one) for one in self.get_options())]
        return "\n".join(rows)


def _option_help(one: CmdOption) -> str:
    short = f"-{one.short}, " if one.short else "    "
    name = f"--{one.long}" + ("" if one.type is bool else f" {one.metavar}")
    return f"  {short}{name:<20} {one.help}"


def nearest_show() -> Path:
    """This folder, or the nearest one above it that is a show; a plain folder of scripts is its own show."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if any((folder / mark).is_file() for mark in _MARKS):
            return folder
    return here


def words(call: Call, *names: str, least: int | None = None) -> list[str]:
    """The words of a call, or a message when there are too many or too few of them."""
    held = list(call.words)
    wanted = len(names) if least is None else least
    if len(held) < wanted:
        raise CmdParseError(f"expected {names[len(held)]}, found nothing\n    showmemory {call.name} --help")
    if len(held) > len(names):
        found = " ".join(held[len(names) :])
        raise CmdParseError(
            f"expected {' '.join(names) or 'no words'}, found {found} too\n    showmemory {call.name} --help"
        )
    return held
