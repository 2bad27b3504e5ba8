"""`report`: one page to look at, for people who read no terminal."""

from __future__ import annotations

from pathlib import Path

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words


class Report(ShowCommand):
    """Write the page."""

    name = "report"
    part = "Look"
    doc_purpose = "one static page: the season grid of gags and threads, voices, the story so far, what waits"
    doc_usage = "[--output FILE] [--as-of ID]"
    doc_description = (
        "Written to report.html in the show's folder. It needs no network, runs nothing, prints well, and every mark\n"
        "leads to the line of the script."
    )
    cmd_options = (
        option("output", "write it here instead", short="o", metavar="FILE"),
        option("as-of", "as it was once this episode was remembered", metavar="ID"),
    )

    def go(self, call: Call) -> int:
        """Write the page and say where it is."""
        from showmemory.reporting import write_report

        words(call)
        path, problems = write_report(call.root, Path(call["output"]) if call["output"] else None, call["as_of"])
        call.screen.json({"file": path.as_posix() if path else None, "problems": [str(p) for p in problems]})
        call.screen.problems(problems)
        if path is None:
            return PROBLEMS
        call.screen.line(f"Wrote {path.as_posix()}")
        return FINE
