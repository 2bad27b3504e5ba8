"""How a waiting change is told: one line, its name, the words before and after, and where the scripts say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from showmemory.commands.beside import beside
from showmemory.commands.screen import cut

if TYPE_CHECKING:
    from pathlib import Path

    from showmemory.flow import Run
    from showmemory.model.memory import EpisodeRecord
    from showmemory.model.plan import Change

_SIGN = {"added": "+", "changed": "~", "forgotten": "-", "note": "="}
_SPOKEN = ("dialogue", "lyric", "paren")


def planned(root: Path) -> Run:
    """A run whose plan is made anew from the scripts and memory as they are now. The caller closes it."""
    from showmemory.flow import up_to_merge

    return up_to_merge(root)


def headline(change: Change) -> str:
    """One line: what happens to what, and what that says."""
    title = change.title or change.entry
    # Where a thing is called by its words, they are not told a second time.
    says = "" if change.says.startswith(title) else f"{title}: {change.says}" if change.says else title
    return f"{_SIGN[change.op]} {change.what:<10} {says or change.says}"


def told(change: Change, run: Run) -> list[str]:
    """A change as lines of plain text, for a pull request."""
    from showmemory.fold.place import place

    rows = [headline(change), f"    {change.id}"]
    if change.after != change.title:
        rows += [f"    {row}" for row in beside(change.before, change.after, 0)]
    return [*rows, *dict.fromkeys(f"    {place(s, records(run))}   {s.words}" for s in change.sources)]


def quoted(change: Change, run: Run, columns: int) -> list[str]:
    """Where the scripts say it, with the lines around."""
    from showmemory.fold.place import place
    from showmemory.look import around

    rows = []
    # Two uses in one line are told there once.
    for where, source in {place(source, records(run)): source for source in change.sources}.items():
        rows.append(where)
        seen = around(run, source)
        for element, cited in seen:
            # A cue or an action far from the margin reads as it does on the page.
            margin = "      " if element.kind in _SPOKEN else "    "
            text = f"{'>' if cited else ' '}{margin}{element.text}".replace("\n", " ")
            rows.append(cut(text, columns) if columns and not cited else text)
        if not seen and source.words:
            rows.append(f">    {source.words}")
    return rows


def records(run: Run) -> dict[str, EpisodeRecord]:
    """The episodes as they are read now, and those that memory alone still has."""
    held = run.book.memory.episodes if run.book.memory else ()
    return {e.id: e for e in held} | (dict(run.target.records) if run.target else {})


def as_json(change: Change) -> dict[str, Any]:
    """A change for programs, with the name by which it is decided."""
    from showmemory.model.canonical import plain

    return {"name": change.id, **plain(change)}
