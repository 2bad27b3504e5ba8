"""What takes a change back: from two states of a document the least that turns the second into the first again.

It is kept field by field, and what the passes say episode by episode, each with a print of what the change had put
there. So an undo takes back its own change alone, also where another branch has since changed the same entry elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showmemory.fold.fold import fingerprints, order, refold
from showmemory.model.canonical import fingerprint, plain
from showmemory.model.memory import OWNED, Entry, EpisodeRecord

# Folded from `said` whenever an entry is put together again, so never kept.
_FOLDED = frozenset({"said", "sources", "uses", "numbers", "tallies", "variants", "changed"})
# Of these the passes' own value is not said by episode, so it is kept with the person's.
_ONCE = ("about", "field")
_LISTS = ("episodes", "entries", "forgotten", "declined")
_MAPS = ("settings", "written")
Item = dict[str, Any]
Steps = Mapping[str, Any]


def patch(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> dict[str, Any]:
    """What turns `after` back into `before`. A step is [old value, print of the new one], or steps by name."""
    if before is None or after is None:
        return {"document": before, "now": fingerprint(after)}
    aired = _aired(before)
    made: dict[str, Any] = {}
    for part in (*_LISTS, *_MAPS):
        old, new = _items(before, part), _items(after, part)
        steps = _steps(old, new)
        for id_ in steps:
            if part in ("episodes", "entries") and id_ in old and id_ in new:
                steps[id_] = _within(old[id_], new[id_], part, aired)
            elif part == "entries" and id_ in new:
                steps[id_] = [None, fingerprint(new[id_]), _steps({}, new[id_].get("said", {}))]
        made[part] = steps
    return {part: steps for part, steps in made.items() if steps}


def reverse(document: Mapping[str, Any] | None, undo: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """`document` with `undo` applied, and the ids of what was changed since by other hands and so left alone."""
    if "document" in undo:
        if fingerprint(document) == undo["now"]:
            return undo["document"], []
        return (dict(document) if document else None), ["memory"]
    made: dict[str, Any] = dict(document or {})
    left: set[str] = set()
    for part in ("episodes", "forgotten", "declined", "settings"):
        held, missed = _taken_back(_items(made, part), undo.get(part, {}))
        made[part] = held if part in _MAPS else sorted(held.values(), key=_PLACE.get(part, _by_id))
        left |= {name.split("@")[0] for name in missed}
    entries, missed, mixed = _entries(_items(made, "entries"), undo.get("entries", {}), _aired(made))
    then: Item = made.get("written", {})
    written, _ = _taken_back(then, undo.get("written", {}))
    again = (id_ for id_ in mixed if id_ in entries and id_ in {**then, **written})
    written |= {id_: fingerprints(Entry.model_validate(entries[id_]), written.get(id_)) for id_ in again}
    made["entries"] = [entries[id_] for id_ in sorted(entries)]
    made["written"] = {id_: written[id_] for id_ in sorted(written) if id_ in entries or id_ not in mixed}
    return {name: value for name, value in made.items() if value is not None}, sorted(left | missed)


def _within(old: Item, new: Item, part: str, aired: tuple[str, ...]) -> Any:
    """Steps by field; the whole item as it was, where its fields alone do not give its bytes back."""
    if part != "entries":
        return _steps(old, new)
    steps = {n: step for n, step in _steps(_parted(old), _parted(new)).items() if not _folded(n, old, new)}
    said = _steps(old.get("said", {}), new.get("said", {}))
    steps |= {"said": said} if said else {}
    return steps if _entry(new, steps, aired)[0] == old else [old, fingerprint(new)]


def _parted(item: Item) -> Item:
    """An entry without what is folded, each field that a person may own with the date of their rewriting."""
    made = {name: value for name, value in item.items() if name not in (*_FOLDED, "edited", "original")}
    for name in OWNED:
        owned = [item.get(name), item.get("edited", {}).get(name)]
        owned += [item.get("original", {}).get(name)] if name in _ONCE else []
        made |= {name: owned} if any(value is not None for value in owned) else {}
    return made


def _folded(name: str, old: Item, new: Item) -> bool:
    """Whether a difference is the passes' alone, and so folded from what is said."""
    edited = name in old.get("edited", {}) or name in new.get("edited", {})
    return name in OWNED and name not in _ONCE and not edited and bool(old.get("said")) and bool(new.get("said"))


def _joined(parted: Item, item: Item) -> Item:
    """A parted entry as an entry again, with the folded parts of `item`."""
    made = {**parted, **{name: item[name] for name in _FOLDED if name in item}}
    edited: Item = {}
    original: Item = dict(item.get("original", {}))
    for name in OWNED:
        value, date, *once = made.pop(name, (None, None))
        made |= {} if value is None else {name: value}
        edited |= {} if date is None else {name: date}
        original |= {name: once[0]} if once and once[0] is not None else {}
    return {**made, "edited": edited, "original": {n: v for n, v in original.items() if n in edited}}


def _steps(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    differ = (name for name in sorted({*old, *new}) if old.get(name) != new.get(name))
    return {name: [old.get(name), fingerprint(new.get(name))] for name in differ}


def _taken_back(held: Item, steps: Steps) -> tuple[Item, set[str]]:
    """`held` with each value put back that is as the change left it, and the names of those that are not."""
    made, missed = dict(held), set()
    for name, step in steps.items():
        if isinstance(step, Mapping) and name in made:
            made[name], wrong = _taken_back(made[name], step)
            missed |= {name} if wrong else set()
        elif isinstance(step, Mapping) or fingerprint(made.get(name)) != step[1]:
            missed.add(name)
        elif step[0] is None:
            made.pop(name, None)
        else:
            made[name] = step[0]
    return made, missed


def _entries(held: Item, undo: Steps, aired: tuple[str, ...]) -> tuple[Item, set[str], set[str]]:
    """The entries taken back; those that were left in part, and those put together anew from parts of two hands."""
    whole = {id_: step for id_, step in undo.items() if not isinstance(step, Mapping)}
    made, missed = _taken_back(held, whole)
    # What a change added, and another hand has since added to, loses only what the change said of it.
    added = {id_ for id_ in missed if id_ in made and len(whole[id_]) == 3}
    parts = {id_: step for id_, step in undo.items() if id_ not in whole}
    parts |= {id_: {"said": whole[id_][2]} for id_ in added}
    missed -= added
    mixed: set[str] = set()
    for id_, step in parts.items():
        if id_ not in made:
            missed.add(id_)
            continue
        made[id_], wrong = _entry(made[id_], step, aired)
        mixed.add(id_)
        if id_ in added and not made[id_].get("said"):
            if made[id_].get("by") == "person":
                wrong = True
            else:
                del made[id_]
        missed |= {id_} if wrong else set()
    return made, missed, mixed


def _entry(item: Item, steps: Steps, aired: tuple[str, ...]) -> tuple[Item, bool]:
    """An entry taken back field by field and folded anew; whether something a person may own had to be left."""
    parted, missed = _taken_back(_parted(item), {name: step for name, step in steps.items() if name != "said"})
    made = _joined(parted, item)
    wrong = any(name not in OWNED or name in made["edited"] for name in missed)
    if "said" in steps:
        made["said"], unsaid = _taken_back(made.get("said", {}), steps["said"])
        made = made if made["said"] else {name: value for name, value in made.items() if name not in _FOLDED}
        wrong = wrong or bool(unsaid)
    return plain(refold(Entry.model_validate(made), aired, thaw=True)), wrong


def _aired(document: Mapping[str, Any]) -> tuple[str, ...]:
    return order(EpisodeRecord.model_validate(episode) for episode in document.get("episodes", ()))


def _items(document: Mapping[str, Any], part: str) -> Item:
    if part in _MAPS:
        return dict(document.get(part, {}))
    return {_name(item, part): item for item in document.get(part, ())}


def _name(item: Item, part: str) -> str:
    return "@".join(_refusal(item)) if part == "declined" else str(item["id"])


def _by_id(item: Item) -> Any:
    return item["id"]


def _refusal(item: Item) -> tuple[str, str, str]:
    return (item["id"], item.get("episode") or "", item.get("fingerprint") or "")


def _aired_at(item: Item) -> tuple[int, int, str]:
    return (item["season"], item["number"], item["id"])


_PLACE: Mapping[str, Any] = {"episodes": _aired_at, "declined": _refusal}
