"""`checkpoint` and `resume`: stopping work so that somebody can go on from it, and going on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words
from showmemory.text.visible import visible

if TYPE_CHECKING:
    from showmemory.checkpointing import Asked, Made

_CHOICES = {
    "purpose": ("resume", "room", "review", "lane", "adaptation"),
    "focus": ("", "event", "character", "world"),
    "certainty": ("certain", "lost"),
    "reader": ("writer", "showrunner"),
}
_READER = option("reader", "writer, or showrunner (who also reads what the bible plans)", "writer", metavar="WHO")
_AS_OF = option("as-of", "as it was once this episode was remembered", metavar="ID")


class Checkpoint(ShowCommand):
    """What stands of the story, on a page."""

    name = "checkpoint"
    part = "Write"
    doc_purpose = "what stands of the story, on one page that replaces a reload: decided, open, owed, next, drifting"
    doc_usage = "[options] [WHAT YOU ARE CERTAIN OF]"
    doc_description = (
        "Stage, decisions, questions, hypotheses, budget and next come from bible/bible.yaml; the rest is counted.\n"
        "Without a next step and where it begins, or with a hypothesis among canon, it is refused."
    )
    cmd_options = (
        option("purpose", "resume, room, review, lane or adaptation: what comes first", "resume", metavar="P"),
        option("focus", "event, character or world: what is told besides", metavar="F"),
        option("certainty", "lost: one anchor first, and no more", "certain", metavar="C"),
        _READER,
        _AS_OF,
        option("budget", "tokens at most", metavar="N"),
    )

    def go(self, call: Call) -> int:
        """Print the checkpoint, or an anchor."""
        from showmemory.checkpointing import anchor_of, checkpoint_of

        _known(call)
        lost = call["certainty"] == "lost"
        if not lost:
            words(call)
        return printed(call, (anchor_of if lost else checkpoint_of)(call.root, _asked(call)))


class Resume(ShowCommand):
    """Going on."""

    name = "resume"
    part = "Write"
    doc_purpose = "going on: do the locked decisions still hold, what is to settle first, where to begin"
    doc_usage = "[options] [WHAT IS NEW]"
    doc_description = (
        "Each decision is held against memory, and against what you say is new; a contradiction is an error."
    )
    cmd_options = (
        option("from", "a checkpoint that was handed over, as checkpoint --json printed it", metavar="FILE"),
        _READER,
        _AS_OF,
    )

    def go(self, call: Call) -> int:
        """Print what to confirm."""
        from showmemory.checkpointing import resume_of

        _known(call)
        return printed(call, resume_of(call.root, _asked(call)))


def _known(call: Call) -> None:
    for name, known in _CHOICES.items():
        if name in call.options and call[name] not in known:
            raise CmdParseError(f"expected --{name} to be {' or '.join(filter(None, known))}, found {call[name]}")
    budget = call.options.get("budget", "")
    if budget and not budget.isdecimal():
        raise CmdParseError(f"expected --budget to be a number of tokens, found {budget}")


def _asked(call: Call) -> Asked:
    from showmemory.checkpointing import Asked

    made = Asked(call["as_of"], reader=call["reader"], said=" ".join(call.words))
    given = {name: call[name] for name in ("purpose", "focus") if name in call.options}
    given |= {"budget": int(call["budget"])} if call.options.get("budget") else {}
    given |= {"handed": Path(call["from"])} if call.options.get("from") else {}
    return Asked(**{**vars(made), **given})


def printed(call: Call, made: Made) -> int:
    """Print what was made, and what is wrong with it; its exit code."""
    call.screen.json(made.plain | {"problems": [str(problem) for problem in made.problems]})
    if not call["json"] and made.text:
        # As it stands, unwrapped: it is counted, and goes into a prompt.
        print(visible(made.text), end="")
    call.screen.problems(made.problems)
    return PROBLEMS if any(problem.severity == "error" for problem in made.problems) else FINE


class Handover(ShowCommand):
    """Before a writing session."""

    name = "handover"
    part = "Write"
    doc_purpose = "before a writing session: what comes, where it left off, who last met, what is kept from whom"
    doc_usage = "[EPISODE] [--budget N]"
    doc_description = (
        "For the first outline without a script, else for what follows the newest episode: context/current.md."
    )
    cmd_options = (option("budget", "tokens at most (default: memory's budgetTokens)", metavar="N"), _READER)

    def go(self, call: Call) -> int:
        """Print it."""
        from showmemory.writing import Wish, as_json, context_for

        _known(call)
        episode = next(iter(words(call, "EPISODE", least=0)), "")
        budget = int(call["budget"]) if call["budget"] else None
        wish = Wish(episode=episode, budget=budget, reader=call["reader"], handover=True)
        made, problems = context_for(call.root, wish)
        call.screen.json(as_json(made) if made else {"problems": [str(problem) for problem in problems]})
        if made is not None and not call["json"]:
            print(visible(made.text), end="")
        call.screen.problems(problems)
        return PROBLEMS if any(problem.severity == "error" for problem in problems) else FINE
