"""The edits: what a person, or an agent for them, changes in memory. Each is noted, and undone like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, Call, Option, ShowCommand, option, words
from showmemory.commands.deciding import finished

if TYPE_CHECKING:
    from showmemory.desk import Action
    from showmemory.model.span import Problem

AS = option("as", "person, or agent: an agent neither locks nor changes what is locked", "person", metavar="WHO")
_WORDS = (
    option("title", "its title", metavar="WORDS"),
    option("text", "its words", metavar="WORDS"),
    option("about", "whom or what it is about: a name or an id (may be given again)", [], metavar="NAME"),
    option("holders", "who knows it (may be given again)", [], metavar="NAME"),
    option("field", "what of its subject it says, as in: hair, job", metavar="WORD"),
    option("value", "the value of that field", metavar="WORDS"),
    option("canon", "established, provisional, contested or plan", metavar="HOW"),
    option("when", "when it is so, in the story", metavar="WORDS"),
    option("status", "open or resolved, for a thread", metavar="HOW"),
)


class Edit(ShowCommand):
    """One edit of one entry; the commands that need no more than an entry differ by their name alone."""

    part = "Edit"
    doc_usage = "ENTRY"
    cmd_options: tuple[Option, ...] = (AS,)
    forgotten: ClassVar[bool] = False

    def go(self, call: Call) -> int:
        """Find the entry and change it."""
        from showmemory.targets import entry_named

        target = entry_named(call.root, " ".join(words(call, "an ENTRY", least=1)), forgotten=self.forgotten)
        return make(call, target, {})


class Pin(Edit):
    """Pin."""

    name = "pin"
    doc_purpose = "put an entry into every context; no pass changes it then"


class Unpin(Edit):
    """Unpin."""

    name = "unpin"
    doc_purpose = "take the pin off"


class Keep(Edit):
    """Keep."""

    name = "keep"
    doc_purpose = "keep an entry, whatever the pruning would do"


class Drop(Edit):
    """Let go."""

    name = "drop"
    doc_purpose = "let an entry go: it stays in the notebook and is not sent"


class Clear(Edit):
    """Decide nothing."""

    name = "clear"
    doc_purpose = "take keep or drop back and let the pruning decide"


class Lock(Edit):
    """Lock."""

    name = "lock"
    doc_purpose = "lock an entry: no pass and no agent changes it"


class Unlock(Edit):
    """Unlock."""

    name = "unlock"
    doc_purpose = "take the lock off"


class Rest(Edit):
    """Rest."""

    name = "rest"
    doc_purpose = "rest a gag until you say otherwise"


class Unrest(Edit):
    """Play again."""

    name = "unrest"
    doc_purpose = "let a gag play again"


class Retire(Edit):
    """Retire."""

    name = "retire"
    doc_purpose = "keep an entry for history, read by nobody"


class Forget(Edit):
    """Forget."""

    name = "forget"
    doc_purpose = "throw an entry out; no pass brings it back, restore does"


class Revert(Edit):
    """The pass's own words."""

    name = "revert"
    doc_purpose = "take your rewriting back: the pass's own words again"


class Restore(Edit):
    """Bring back."""

    name = "restore"
    doc_purpose = "bring back what was forgotten, rejected or retired; --memory: a memory.json that is gone"
    doc_usage = "ENTRY | --memory"
    forgotten = True
    cmd_options = (AS, option("memory", "bring back bible/memory.json, from the history or from git", False))

    def go(self, call: Call) -> int:
        """Restore an entry, or the whole file."""
        if not call["memory"]:
            return super().go(call)
        from showmemory.desk import bring_back

        words(call)
        return finished(call, bring_back(call.root))


class Add(ShowCommand):
    """Add."""

    name = "add"
    part = "Edit"
    doc_purpose = "add an entry of your own, or take up one that was held back"
    doc_usage = '[ID] --text "…" [options]'
    cmd_options = (
        AS,
        option("kind", "fact (default), gag, thread, knowledge, voice, tone, never, style …", metavar="KIND"),
        option("form", "of a gag: running, callback …", metavar="FORM"),
        *_WORDS,
        option("since", "the episode from which it holds (default: the newest)", metavar="ID"),
    )

    def go(self, call: Call) -> int:
        """Add one entry."""
        from showmemory.search import KINDS
        from showmemory.targets import meant

        target = "".join(words(call, "ID", least=0))
        if call["kind"] and call["kind"] not in KINDS:
            raise CmdParseError(f"expected --kind to be one of {', '.join(KINDS)}, found {call['kind']}")
        given = _given(call, "kind", "form", "since")
        if target.startswith("mem.") and "kind" not in given and target.count(".") > 1:
            given["kind"] = target.split(".")[1]
        fields, problems = meant(call.root, given)
        return make(call, problems[0] if problems else target, fields)


class Rewrite(ShowCommand):
    """Edit words."""

    name = "edit"
    part = "Edit"
    doc_purpose = "rewrite an entry: your words stay, whatever a pass says later"
    doc_usage = 'ENTRY --text "…" [options]'
    cmd_options = (
        AS,
        *_WORDS,
        option("since", "of an entry of your own: the episode from which it holds", metavar="ID"),
    )

    def go(self, call: Call) -> int:
        """Change fields of one entry."""
        from showmemory.targets import entry_named, meant

        target = entry_named(call.root, " ".join(words(call, "an ENTRY", least=1)))
        given = _given(call, "since")
        if not given:
            raise CmdParseError('expected new words, found none\n    showmemory edit ENTRY --text "…"')
        fields, problems = meant(call.root, given)
        return make(call, problems[0] if problems else target, fields)


class Supersede(ShowCommand):
    """A new value."""

    name = "supersede"
    part = "Edit"
    doc_purpose = "a new value in place of an old one, of the same field of the same subject; both stay readable"
    doc_usage = 'ENTRY --value "…" [--text "…"] [--since ID]'
    cmd_options = (
        AS,
        option("value", "the new value", metavar="WORDS"),
        option("text", "its words (default: the old ones with the new value)", metavar="WORDS"),
        option("since", "the episode from which it holds (default: the newest)", metavar="ID"),
    )

    def go(self, call: Call) -> int:
        """Close the old value and add the new one."""
        from showmemory.targets import entry_named, meant

        target = entry_named(call.root, " ".join(words(call, "an ENTRY", least=1)))
        given = {name: call[name] for name in ("value", "text", "since") if call[name]}
        fields, problems = meant(call.root, given)
        return make(call, problems[0] if problems else target, fields)


class Place(ShowCommand):
    """Place."""

    name = "place"
    part = "Edit"
    doc_purpose = "give an episode its place in the story by hand"
    doc_usage = "EPISODE [--season N] [--number N] [--story N]"
    cmd_options = (
        AS,
        option("season", "its season", metavar="N"),
        option("number", "its number in the season", metavar="N"),
        option("story", "its place as it happens in the story (1.5: between the first and the second)", metavar="N"),
    )

    def go(self, call: Call) -> int:
        """Move one episode."""
        from showmemory.targets import episode_named

        target = episode_named(call.root, " ".join(words(call, "an EPISODE", least=1)))
        fields: dict[str, Any] = {}
        for name, kind in (("season", int), ("number", int), ("story", float)):
            if call[name]:
                try:
                    fields[name] = kind(call[name])
                except ValueError:
                    raise CmdParseError(f"expected --{name} to be a number, found {call[name]}") from None
        if not fields:
            raise CmdParseError("expected --season, --number or --story, found none")
        return make(call, target, fields)


class Reset(ShowCommand):
    """Take everything back."""

    name = "reset"
    part = "Edit"
    doc_purpose = "take back every change of yours, after asking; undo brings them again"
    doc_usage = "[--yes]"
    cmd_options = (AS, option("yes", "do not ask", False, short="y"))

    def go(self, call: Call) -> int:
        """Ask and reset."""
        words(call)
        if not call["yes"]:
            if not call.screen.asks:
                raise CmdParseError("expected --yes, since this takes back every change of yours")
            if call.screen.ask("Take back every change of yours? [y/N] ").lower() not in ("y", "yes"):
                call.screen.line("nothing was changed")
                return FINE
        return make(call, "", {})


def make(call: Call, target: str | Problem, fields: dict[str, Any]) -> int:
    """Make the edit the command is named for; a Problem in place of a target is told and nothing is done."""
    from showmemory.desk import Done, change

    if call["as"] not in ("person", "agent"):
        raise CmdParseError(f"expected --as to be person or agent, found {call['as']}")
    if not isinstance(target, str):
        return finished(call, Done(problems=[target]))
    return finished(call, change(call.root, cast("Action", call.name), target, fields=fields, by=call["as"]))


def _given(call: Call, *more: str) -> dict[str, Any]:
    names = ("title", "text", "about", "holders", "field", "value", "canon", "when", "status", *more)
    return {name: tuple(call[name]) if isinstance(call[name], list) else call[name] for name in names if call[name]}
