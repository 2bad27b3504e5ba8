"""Taking up what the rules saw and held back: the person's own entry, of which the passes go on keeping the books."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from showmemory.fold.fold import fingerprints, order, refold
from showmemory.merge.drafts import Draft, drafts
from showmemory.merge.person import with_original
from showmemory.model.ids import digest, entry_id
from showmemory.model.memory import OWNED, Entry, ShowMemory
from showmemory.model.observation import Observation
from showmemory.text.counted import counted


def candidate(memory: ShowMemory, id_: str, seen: Iterable[Observation]) -> Draft | None:
    """What the rules saw in remembered episodes and would call `id_`; None when they saw no such thing."""
    held = {(e.kind, e.key) for e in memory.entries}
    known = [o for o in seen if (o.kind, o.key) not in held and id_ in _ids(o)]
    return next(iter(drafts(known, order(memory.episodes), {(o.kind, o.key) for o in known}).values()), None)


def take_up(memory: ShowMemory, id_: str, draft: Draft, fields: Mapping[str, Any]) -> tuple[ShowMemory, str]:
    """Memory with the candidate as an entry of the person's, under the words they give it or those of the rules."""
    aired = order(memory.episodes)
    since = next(e for e in aired if e in draft.said)
    about = {"about": draft.about, "field": draft.field, "form": draft.form, "key": draft.key}
    made = Entry(id=id_, kind=draft.kind, **about, by="person", since=since, said=dict(draft.said))
    made = refold(made, aired)
    words = {name: fields[name] for name in OWNED if name in fields and fields[name] != getattr(made, name)}
    if words:
        own = {"edited": dict.fromkeys(words, aired[-1]), "original": {name: getattr(made, name) for name in words}}
        made = with_original(made.model_copy(update={**words, **own}), aired)
    entries = tuple(sorted((*memory.entries, made), key=lambda e: e.id))
    written = {**memory.written, id_: fingerprints(made)}
    dead = tuple(t for t in memory.forgotten if t.id != id_)
    update = {"entries": entries, "forgotten": dead, "written": {one: written[one] for one in sorted(written)}}
    times = len(made.uses)
    books = f"; {counted(times, 'use')} so far, and later ones are counted" if times else ""
    return memory.model_copy(update=update), f"{made.title or id_} is taken up: yours{books}"


def _ids(seen: Observation) -> tuple[str, str]:
    plain = entry_id(seen.kind, seen.name)
    return plain, f"{plain}-{digest(seen.key)[:6]}"
