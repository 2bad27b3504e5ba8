"""In which form the show's context sends each entry: in the scripts' own words, as a line, or not at all (C25, C28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from showmemory.context.context import Context, memory_context
from showmemory.flow import Run
from showmemory.fold.shown import cut_of
from showmemory.model.memory import Entry, ShowMemory, Use

Form = Literal["verbatim", "summary", "held"]
# A quotation may be cut short for room; so much of its beginning says that it is one.
_ENOUGH = 24


def show_context(
    run: Run, memory: ShowMemory, moment: str | None = None, later: Mapping[str, Sequence[Use]] | None = None
) -> Context:
    """What a writer gets of the whole show, as context/show.md has it."""
    return memory_context(run.show, memory, logs=run.sides, later=later or {}, as_of=moment, cut=cut_of(run.rules))


def forms(run: Run, memory: ShowMemory) -> dict[str, Form]:
    """The form of each entry, by id; an entry is only ever in one."""
    made = show_context(run, memory)
    inside = {row.id: row for row in made.receipt.rows if row.state == "in"}
    text = _plain(made.text)
    found: dict[str, Form] = {}
    for entry in memory.entries:
        row = inside.get(entry.id)
        whole = row is not None and entry.kind == "synopsis" and row.reason.startswith("one of the latest")
        whole = whole and row is not None and row.limit != "budget"
        found[entry.id] = "held" if row is None else "verbatim" if whole or _quoted(entry, text) else "summary"
    return found


def _quoted(entry: Entry, text: str) -> bool:
    exemplars = [source for said in entry.said.values() for source in said.exemplars]
    words = {source.words for source in (*entry.uses, *entry.sources, *exemplars)}
    words |= {entry.title} if entry.kind == "catchphrase" else set()
    return any(f'"{_plain(one)[:_ENOUGH]}' in text for one in words if one)


def _plain(text: str) -> str:
    """Text as it can be compared: its quotation marks straight, its case folded, its blanks single."""
    straight = text.translate({0x201C: '"', 0x201D: '"', 0x2018: "'", 0x2019: "'"})
    return " ".join(straight.casefold().split())
