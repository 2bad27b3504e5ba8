"""`notes`: what is true now because a person said so; it stays until they change it (C57)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, words

if TYPE_CHECKING:
    from showmemory.search import Found, Row

_EMPTY = 'Nobody wrote down yet what is true now:  showmemory add --text "…"     showmemory pin ENTRY sends it always'


class Notes(ShowCommand):
    """Standing notes."""

    name = "notes"
    part = "Look"
    doc_purpose = "what is true now because you said so: your own entries, and what you pinned, until you change them"
    doc_description = "What happened in the scripts ages and is pruned (showmemory show); what you note stays."

    def go(self, call: Call) -> int:
        """Print a person's standing entries, those first that are in every context."""
        from showmemory.search import Wanted, as_json, find

        words(call)
        found = find(call.root, Wanted(chip="all"))
        rows = sorted((row for row in found.rows if _stands(row)), key=lambda row: not row.entry.pinned)
        call.screen.problems(found.problems)
        call.screen.json({"notes": [as_json(row) | {"pinned": row.entry.pinned} for row in rows]})
        for pinned, heading in ((True, "IN EVERY CONTEXT"), (False, "WHERE IT FITS")):
            held = [row for row in rows if row.entry.pinned is pinned]
            if held:
                call.screen.head(f"{heading}  {len(held)}")
                call.screen.table([_told(row, found) for row in held], 2)
        if not rows and not found.problems:
            call.screen.line(_EMPTY)
        return PROBLEMS if found.problems else FINE


def _stands(row: Row) -> bool:
    """Whether a person's entry holds now: one that a newer value closed, or that nobody reads, does not."""
    entry = row.entry
    own = entry.by == "person" and not entry.original
    return (own or entry.pinned) and not entry.retired and entry.until is None and entry.keep != "drop"


def _told(row: Row, found: Found) -> tuple[str, str, str]:
    from showmemory.look import label

    entry = row.entry
    since = f"since {label(found.records[entry.since])}" if entry.since in found.records else ""
    about = ", ".join(found.names.get(id_, id_.partition(".")[2]) for id_ in entry.about[:3])
    said = (entry.text or entry.title).replace("\n", " ")
    return ", ".join(filter(None, (since, row.when))), about, f"{said}   {entry.id}"
