"""One entry on two branches and where they parted -> one entry: said by episode, a person's words field by field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from showmemory.fold.fold import ABSENT, refold
from showmemory.merge.person import owning, with_original, writer
from showmemory.model.memory import OWNED, Entry, Said

FLAGS = ("keep", "pinned", "locked", "retired", "rested")
_NAMED = ("kind", "form", "key")
# What no pass writes in an entry of the person's own.
_BOOKS = ("sources", "uses")
# The passes say these of an entry once; all else is folded from what each episode says.
_ONCE = ("about", "field")
# In place of a person's words where they left the passes' own.
_THE_PASSES = object()


@dataclass(frozen=True, slots=True)
class Clash:
    """What both branches changed, each in its own way. `field` of the entry, episode or setting `id`."""

    id: str
    field: str
    ours: Any
    theirs: Any


def chosen(base: Any, ours: Any, theirs: Any) -> tuple[Any, bool]:
    """What was changed on one branch alone; ours where both changed it, and then whether they differ."""
    if ours in (theirs, base):
        return theirs if ours == base else ours, False
    return ours, theirs != base


Name = TypeVar("Name")


def by_name(
    base: Mapping[Name, Any], ours: Mapping[Name, Any], theirs: Mapping[Name, Any]
) -> tuple[dict[Name, Any], set[Name]]:
    """Three mappings as one, and the names that both branches changed; what one branch took out is gone."""
    made: dict[Name, Any] = {}
    clashes: set[Name] = set()
    for name in dict.fromkeys((*ours, *theirs)):
        value, clash = chosen(base.get(name), ours.get(name), theirs.get(name))
        made |= {} if value is None else {name: value}
        clashes |= {name} if clash else set()
    return made, clashes


def layer(entry: Entry) -> tuple[Any, ...]:
    """All that a person decided of an entry, for two states of it to be compared by."""
    own = entry.by == "person" and not entry.said
    words = tuple(getattr(entry, n) for n in OWNED if own or n in entry.edited)
    return (tuple(entry.edited), words, own, *(getattr(entry, flag) for flag in FLAGS))


def unite(base: Entry | None, ours: Entry, theirs: Entry, aired: Sequence[str]) -> tuple[Entry, list[Clash]]:
    """The entry that both branches mean. Ours stands where both changed the same field; said is united by episode.

    What one branch froze keeps the bytes it froze: what a pass said of it on the other is for a note, as ever (A85).
    """
    if ours == theirs:
        return ours, []
    if bool(ours.said) != bool(theirs.said):
        ours, theirs = owning(ours), owning(theirs)
    old = base or Entry(id=ours.id, kind=ours.kind)
    clashes: list[Clash] = []
    flags = {name: _settled(old, ours, theirs, name, clashes) for name in FLAGS}
    kept = [side for side in (ours, theirs) if side.frozen] if any(flags[n] for n in FLAGS[1:4]) else []
    held = kept[0] if len(kept) == 1 else ours
    update: dict[str, Any] = {
        **flags,
        **{n: chosen(getattr(old, n), getattr(ours, n), getattr(theirs, n))[0] for n in _NAMED},
    }
    if not ours.said and not theirs.said:
        update |= {n: _settled(old, ours, theirs, n, clashes) for n in (*OWNED, "since")}
        update |= {n: _books(getattr(old, n), getattr(ours, n), getattr(theirs, n)) for n in _BOOKS}
        return ours.model_copy(update=update), clashes
    update["said"] = held.said if len(kept) == 1 else by_name(old.said, ours.said, theirs.said)[0]
    made = held.model_copy(update={**update, **_words(old, ours, theirs, held, aired, clashes)})
    return with_original(made, aired) if len(kept) == 1 else refold(made, aired, thaw=True), clashes


def without(entry: Entry, gone: Iterable[str], aired: Sequence[str]) -> Entry | None:
    """`entry` without what these episodes say; None when nothing is left that anybody stands for."""
    lost = set(gone) & entry.said.keys()
    if not lost or entry.frozen:
        return entry
    said = {episode: one for episode, one in entry.said.items() if episode not in lost}
    if entry.edited or entry.by == "person" or entry.keep or entry.rested is not None:
        said |= {
            e: Said(rule=one.rule, stale=(*one.stale, *one.sources, *one.uses))
            for e, one in entry.said.items()
            if e in lost
        }
    elif not any(one.earned for one in said.values()):
        return None
    return refold(entry.model_copy(update={"said": said}), aired)


def _words(
    old: Entry, ours: Entry, theirs: Entry, held: Entry, aired: Sequence[str], clashes: list[Clash]
) -> dict[str, Any]:
    """The words a person wrote, with their dates, and under them what the passes say once and not by episode."""
    words: dict[str, Any] = {}
    edited: dict[str, str] = {}
    original: dict[str, Any] = {}
    for name in OWNED:
        states = [_state(side, name) for side in (old, ours, theirs)]
        value, clash = chosen(*states)
        if clash:
            clashes.append(Clash(ours.id, name, *(None if state is _THE_PASSES else state for state in states[1:])))
        known = [_pass_value(side, name) for side in (old, ours, theirs)]
        passes = chosen(*known)[0] if name in _ONCE else _pass_value(held, name)
        words[name] = passes if value is _THE_PASSES else value
        if value is not _THE_PASSES:
            dates = (side.edited[name] for side in (ours, theirs) if _state(side, name) == value)
            edited[name] = min(dates, key=lambda date: aired.index(date) if date in aired else -1)
            original |= (
                {name: passes} if any(name not in s.edited or name in s.original for s in (ours, theirs)) else {}
            )
    return {**words, "edited": edited, "original": original, "by": writer(held, edited)}


def _state(entry: Entry, name: str) -> Any:
    return getattr(entry, name) if name in entry.edited else _THE_PASSES


def _pass_value(entry: Entry, name: str) -> Any:
    if name not in entry.edited:
        return getattr(entry, name)
    value = entry.original.get(name)
    return ABSENT[name] if value is None else tuple(value) if isinstance(value, list) else value


def _books(old: tuple[Any, ...], ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    value, clash = chosen(old, ours, theirs)
    both: tuple[Any, ...] = tuple(dict.fromkeys((*ours, *theirs))) if clash else value
    return both


def _settled(old: Entry, ours: Entry, theirs: Entry, name: str, clashes: list[Clash]) -> Any:
    value, clash = chosen(getattr(old, name), getattr(ours, name), getattr(theirs, name))
    if clash:
        clashes.append(Clash(ours.id, name, getattr(ours, name), getattr(theirs, name)))
    return value
