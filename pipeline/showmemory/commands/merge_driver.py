"""`merge-driver`: what git calls to merge two branches' memories, and a person where git could not."""

from __future__ import annotations

from pathlib import Path

from doit.cmdparse import CmdParseError

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words


class MergeDriver(ShowCommand):
    """Merge two memories."""

    name = "merge-driver"
    part = "Check"
    doc_purpose = "for git: merge two branches' memories, entry by entry (init --git sets it up)"
    doc_usage = "BASE OURS THEIRS [PATH] | --from-index"
    doc_description = (
        "The merge is written over OURS. Where two people decided differently ours stands, theirs is told, and the\n"
        "exit code is 1, so that git asks for a look. --from-index does the same where git left conflict markers."
    )
    cmd_options = (option("from-index", "merge bible/memory.json from what git holds of an unfinished merge", False),)

    def go(self, call: Call) -> int:
        """Merge files as git names them, or from its index."""
        from showmemory.driver import merge_files, merge_from_index

        if call["from_index"]:
            words(call)
            done = merge_from_index(call.root)
        else:
            base, ours, theirs, *name = words(call, "BASE", "OURS", "THEIRS", "PATH", least=3)
            paths = [Path(one) for one in (base, ours, theirs)]
            if missing := [path for path in paths[1:] if not path.is_file()]:
                raise CmdParseError(f"expected a file to merge, found none at {missing[0]}")
            done = merge_files(paths[0], paths[1], paths[2], *name)
        call.screen.json({"clean": done.clean, "problems": [str(problem) for problem in done.problems]})
        call.screen.lines(done.lines)
        call.screen.problems(done.problems)
        return FINE if done.clean else PROBLEMS
