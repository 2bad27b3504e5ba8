"""`context`: what a writer gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words
from showmemory.text.visible import visible

if TYPE_CHECKING:
    from showmemory.context.receipt import Receipt

_CHOICES = {
    "reader": ("writer", "showrunner"),
    "order": ("broadcast", "story"),
    "format": ("markdown", "plain", "xml", "json"),
    "recall": ("", "0", "1", "2"),
}


class Context(ShowCommand):
    """What a writer reads."""

    name = "context"
    part = "Write"
    doc_purpose = (
        "what a writer should know, within a budget: for a scene, an episode, some characters, or the whole show"
    )
    doc_usage = "[options]"
    doc_description = "The text goes to standard output and nothing else does, so that it can be piped into a prompt."
    cmd_options = (
        option("as-of", "as it was once this episode was remembered", metavar="ID"),
        option("episode", "for writing this episode: as of the one before it", metavar="ID"),
        option(
            "scene",
            "for the scene at FILE:LINE, FILE:sc.12 or FILE:p.8, without the episode it stands in",
            metavar="PLACE",
        ),
        option("character", "who is in play (may be given again)", [], metavar="NAME"),
        option("budget", "tokens at most (default: memory's budgetTokens)", metavar="N"),
        option("witness", "only what this character knows", metavar="ID"),
        option("reader", "writer, or showrunner (who also reads what the bible plans)", "writer", metavar="WHO"),
        option("order", "broadcast, or story: as it happens in the story", "broadcast", metavar="O"),
        option("format", "markdown, plain, xml or json", "markdown", metavar="F"),
        option("reading", "another reading than the one that is bound, or none: the raw entries", metavar="ID"),
        option("recall", "with --scene: so many past scenes like it, word for word (0, 1 or 2)", metavar="N"),
        option("no-rules", "without the bible's rules, when the prompt has them already", False),
        option("receipt", "what each entry cost, and why it is in or out", False),
    )

    def go(self, call: Call) -> int:
        """Print a context."""
        from showmemory.writing import Wish, as_json, context_for

        words(call)
        for name, known in _CHOICES.items():
            if call[name] not in known:
                raise CmdParseError(f"expected --{name} to be {' or '.join(filter(None, known))}, found {call[name]}")
        wish = Wish(
            call["as_of"],
            call["episode"],
            call["scene"],
            tuple(call["character"]),
            _budget(call["budget"]),
            call["witness"],
            call["reader"],
            call["order"],
            call["format"],
            rules=not call["no_rules"],
            reading=call["reading"],
            recall=int(call["recall"]) if call["recall"] else None,
        )
        made, problems = context_for(call.root, wish)
        if made is None:
            call.screen.problems(problems)
            call.screen.json({"problems": [str(problem) for problem in problems]})
            return PROBLEMS
        call.screen.json(as_json(made))
        if call["receipt"] and not call["json"]:
            _receipt(call, made.receipt)
        elif not call["json"]:
            # As it stands, unwrapped: it is counted, and goes into a prompt.
            print(visible(made.text), end="" if made.text.endswith("\n") else "\n")
        call.screen.problems(problems)
        return PROBLEMS if any(p.severity == "error" for p in problems) else FINE


def _budget(text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal():
        raise CmdParseError(f"expected --budget to be a number of tokens, found {text}")
    return int(text)


def _receipt(call: Call, receipt: Receipt) -> None:
    screen = call.screen
    over = f", {receipt.excess} over what it may be" if receipt.excess else ""
    screen.head(f"{receipt.tokens} tokens of {receipt.budget}{over}   ({receipt.encoding})")
    for state, heading in (("in", "In"), ("out", "Left out"), ("held", "Held: kept, not sent")):
        rows = [row for row in receipt.rows if row.state == state]
        if rows:
            screen.line()
            screen.head(f"{heading}  {len(rows)}")
            screen.table(
                [(str(r.tokens), r.title or r.id, " ".join(filter(None, (r.reason, r.limit)))) for r in rows], 2
            )
