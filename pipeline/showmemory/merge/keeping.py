"""Drafts and memory -> drafts in which a model's words stand until a model says others: A83, A84. Pure, no I/O."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from showmemory.merge.drafts import Draft, joined
from showmemory.merge.refused import renamer
from showmemory.model.memory import Entry, Said, ShowMemory

_BOOKS: Mapping[str, Any] = {
    "numbers": {},
    "tallies": {},
    "measures": {},
    "exemplars": (),
    "variants": (),
    "score": None,
    "held": None,
}


def keeping(
    drafts: Mapping[tuple[str, str], Draft], memory: ShowMemory, changed: Collection[str], was: Mapping[str, str]
) -> dict[tuple[str, str], Draft]:
    """Where only the rules speak of an episode now and a model spoke in it before, its words go on standing.

    `changed`: episodes whose script is another than memory read; of these the model's lines are not known to stand.
    """
    rename = renamer(was)
    by_model = {(e.kind, rename(e.key)): e for e in memory.entries if any(s.by == "model" for s in e.said.values())}
    return {at: _kept(draft, by_model[at], changed) if at in by_model else draft for at, draft in drafts.items()}


def _kept(draft: Draft, entry: Entry, changed: Collection[str]) -> Draft:
    said = {e: _said(s, entry.said.get(e), lines=e not in changed) for e, s in draft.said.items()}
    return replace(draft, said=said)


def _said(now: Said, before: Said | None, *, lines: bool) -> Said:
    if before is None or before.by != "model" or now.by != "deterministic":
        return now
    cited: dict[str, Any] = {} if lines else {"sources": (), "uses": ()}
    return joined(before.model_copy(update={**_BOOKS, **cited}), now)
