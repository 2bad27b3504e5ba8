"""`rewrite` and `spend`: asking a model again, and what it cost."""

from __future__ import annotations

import re

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words

_MONTH = re.compile(r"\d{4}-\d{2}")


class WriteAgain(ShowCommand):
    """Ask again."""

    name = "rewrite"
    part = "Model"
    doc_purpose = "have a model write an entry's words again, or read an episode again"
    doc_usage = "ENTRY | EPISODE [--dry-run]"
    doc_description = (
        "Costs what one pass costs. The new words wait for you as any change does; your own stay over them."
    )
    cmd_options = (option("dry-run", "print the exact request and its price, ask nothing", False),)

    def go(self, call: Call) -> int:
        """Ask for one entry or episode."""
        from showmemory.rewriting import write_again
        from showmemory.targets import entry_named

        name = " ".join(words(call, "an ENTRY or an EPISODE", least=1))
        found = entry_named(call.root, name)
        made = write_again(call.root, found if isinstance(found, str) else name, dry=call["dry_run"])
        call.screen.json({"done": made.lines, "problems": [str(problem) for problem in made.problems]})
        call.screen.lines(row for line in made.lines for row in line.splitlines())
        call.screen.problems(made.problems)
        return PROBLEMS if any(problem.severity == "error" for problem in made.problems) else FINE


class Spend(ShowCommand):
    """What it cost."""

    name = "spend"
    part = "Model"
    doc_purpose = "what model passes cost: by month, by episode, by model, and what is left of the budget"
    doc_usage = "[MONTH]"

    def go(self, call: Call) -> int:
        """Sum the spend files."""
        from showmemory.rewriting import spent

        given = words(call, "a MONTH", least=0)
        if given and not _MONTH.fullmatch(given[0]):
            raise CmdParseError(f"expected a month like 2026-04, found {given[0]}")
        made = spent(call.root, given[0] if given else "")
        sums = {"months": made.months, "sessions": made.sessions, "models": made.models}
        rounded = {name: {key: round(usd, 4) for key, usd in held.items()} for name, held in sums.items()}
        more = {"calls": made.calls, "unknown": made.unknown, "budgetUsd": made.budget, "leftUsd": round(made.left, 4)}
        call.screen.json({"usd": round(made.usd, 4), **rounded, **more})
        if not made.calls:
            call.screen.line("Nothing was spent: no model was asked.")
            return FINE
        for title, held in (("by month", made.months), ("by episode", made.sessions), ("by model", made.models)):
            call.screen.head(title)
            call.screen.table([(key.removeprefix("memory."), _usd(usd)) for key, usd in held.items()], indent=2)
        unknown = f", {made.unknown} of them counted at their most" if made.unknown else ""
        call.screen.line(f"{_usd(made.usd)} for {made.calls} call{'' if made.calls == 1 else 's'}{unknown}")
        call.screen.line(f"{_usd(made.left)} of this month's {_usd(made.budget)} is left   (prices of {made.priced})")
        return FINE


def _usd(value: float) -> str:
    return f"${value:.4f}" if 0 < value < 0.01 else f"${value:.2f}"
