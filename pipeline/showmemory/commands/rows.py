"""How entries are printed: a heading for each kind, a line for each entry, and where a script says it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from showmemory.commands.screen import Screen, cut
from showmemory.text.counted import counted

if TYPE_CHECKING:
    from showmemory.model.span import Problem
    from showmemory.search import Found, Row

_HEADINGS = {
    "synopsis": "EPISODES",
    "summary": "SEASONS",
    "voice": "VOICES",
    "catchphrase": "CATCHPHRASES",
    "relationship": "RELATIONSHIPS",
    "knowledge": "WHO KNOWS WHAT",
    "gag": "GAGS AND CALLBACKS",
    "tone": "TONE",
    "never": "NEVER",
    "style": "HOUSE STYLE",
    "fact": "THE WORLD",
    "thread": "THREADS",
}
_TITLE = 46
_SENT, _RECENT = "\u2022", "recent: told in detail, whatever else is decided"


def entry_rows(screen: Screen, found: Found, *, most: int = 0, **more: bool) -> None:
    """Print the rows of a search. `most`: how many of each kind (0: all).

    `more`: with each entry's `ids`, `why` some are held back, or its `standing`.
    """
    if not found.rows:
        return
    if found.clock:
        screen.line(f"The story's clock: {found.clock}")
    ranked = any(row.rank for row in found.rows)
    groups = [("", found.rows)] if ranked else [(k, list(g)) for k, g in groupby(found.rows, lambda r: r.entry.kind)]
    for number, (kind, rows) in enumerate(groups):
        if number:
            screen.line()
        shown = rows[:most] if most else rows
        if kind:
            screen.head(_heading(kind, rows))
        older = [row for row in shown if not _recent(row, found)]
        for part, heading in ((older, ""), ([row for row in shown if _recent(row, found)], _RECENT)):
            if heading and part:
                screen.line(f"  {heading}", "dim")
            cells = [(*((row.entry.id,) if more.get("ids") else ()), *_cells(row, found)) for row in part]
            screen.entries(cells, [_tail(row, found, more) for row in part], 2)
        if len(rows) > len(shown):
            screen.line(f"  and {len(rows) - len(shown)} more: showmemory show --kind {kind}")
    if any(_sent(row, found) for row in found.rows):
        screen.line(f"{_SENT} sent in the show's context; the others are kept, and not sent")
    if found.hidden:
        screen.line(f"{found.hidden} held back, let go or retired: --filter all")


def _recent(row: Row, found: Found) -> bool:
    """Whether an episode is told in detail: it is sent whole whatever is decided of it, and so never marked (C31)."""
    return row.entry.kind == "synopsis" and row.entry.since in found.recent


def _sent(row: Row, found: Found) -> bool:
    return found.marked and row.form in ("verbatim", "summary") and not _recent(row, found)


def _heading(kind: str, rows: list[Row]) -> str:
    if kind != "gag":
        return f"{_HEADINGS[kind]}  {len(rows)}"
    resting = sum(bool(row.rest and row.rest.resting) for row in rows)
    return f"{_HEADINGS[kind]}  {len(rows) - resting} live, {resting} resting"


def _cells(row: Row, found: Found) -> tuple[str, ...]:
    sent = f"{_SENT if _sent(row, found) else ' '} " if found.marked else ""
    title = sent + _marked(row, cut(_title(row, found), _TITLE))
    return (title, _state(row), _played(row, found)) if row.rest is not None else (title,)


def _title(row: Row, found: Found) -> str:
    entry = row.entry
    title = entry.title or entry.text.split("\n")[0] or entry.id
    whom = [found.names.get(i, i.partition(".")[2]) for i in entry.about[:2] if i.startswith("character.")]
    return f"{', '.join(whom)}: {title}" if entry.kind == "catchphrase" and whom else title


def _tail(row: Row, found: Found, more: Mapping[str, bool]) -> str:
    entry = row.entry
    where = _where(row, found, more.get("why", False))
    if more.get("standing") and row.activation:
        return f"{row.activation.phrase}  {where}"
    where = "  ".join(filter(None, (row.when, where)))
    if row.rest is not None:
        return f"{row.rest.why}  {where}" if row.rest.resting else where
    text = entry.text.replace("\n", " ")
    said = "" if not text or text.startswith(_title(row, found).rstrip(".")) else cut(text, 90)
    return "  ".join(filter(None, (said, where)))


def _marked(row: Row, title: str) -> str:
    """The title with what was decided of it behind: pinned, locked, retired, let go, rewritten (C18, C19)."""
    entry = row.entry
    marks = [name for name in ("pinned", "locked", "retired") if getattr(entry, name)]
    marks += ["let go"] if entry.keep == "drop" else []
    again = any(said.rule == "rewrite" for said in entry.said.values())
    marks += ["rewritten"] if again and "text" not in entry.edited else []
    marks += ["edited"] if entry.edited else ["yours"] if entry.by == "person" and not entry.original else []
    return f"{title} [{', '.join(marks)}]" if marks else title


def _state(row: Row) -> str:
    entry, rest = row.entry, row.rest
    if rest and rest.resting:
        return "RESTING"
    return (rest.wear if rest else "") or entry.form or ""


def _played(row: Row, found: Found) -> str:
    from showmemory.look import label

    rest = row.rest
    if rest is None or rest.last not in found.records:
        return ""
    return f"last {label(found.records[rest.last])}, {counted(rest.times, 'time')}"


def _where(row: Row, found: Found, why: bool) -> str:
    from showmemory.fold.place import place

    if why and row.held:
        score = f" ({row.score:g})" if row.score is not None else ""
        return f"held back: {row.held}{score}"
    cited = row.entry.uses or row.entry.sources
    return place(cited[-1] if row.entry.uses else cited[0], found.records) if cited else row.entry.id


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem for programs."""
    made = {
        "path": problem.span.path,
        "line": problem.span.line,
        "severity": problem.severity,
        "message": problem.message,
    }
    return made | ({"hint": problem.hint} if problem.hint else {})
