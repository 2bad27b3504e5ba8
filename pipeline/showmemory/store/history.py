"""The history beside memory: every applied change with what undoes it, one line of JSON each; git merges it by union.

An undo is itself a line whose own undo is the redo, so that nothing is ever taken out of the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from showmemory.model.canonical import compact, fingerprint
from showmemory.store.files import append_line, write_text

PATH = "bible/memory.history.jsonl"
_KEYED = ("episodes", "entries", "forgotten")
_WHOLE = ("settings", "declined")


def patch(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> dict[str, Any]:
    """What turns `after` back into `before`: each differing part with its old value (null: absent), the new print."""
    if before is None or after is None:
        return {"document": before, "now": fingerprint(after)}
    made: dict[str, Any] = {}
    for part in _KEYED:
        old, new = _by_id(before.get(part, [])), _by_id(after.get(part, []))
        made[part] = _differing(old, new)
    made["written"] = _differing(before.get("written", {}), after.get("written", {}))
    for part in _WHOLE:
        if before.get(part) != after.get(part):
            made[part] = {"": [before.get(part), fingerprint(after.get(part))]}
    return {part: held for part, held in made.items() if held}


def reverse(document: Mapping[str, Any] | None, undo: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """`document` with `undo` applied, and the ids of what was changed since by other hands and so left alone."""
    if "document" in undo:
        kept = [] if fingerprint(document) == undo["now"] else ["memory"]
        return (dict(document) if document else None, kept) if kept else (undo["document"], [])
    made = dict(document or {})
    left: list[str] = []
    for part in (*_KEYED, "written"):
        if part in undo:
            held = _by_id(made.get(part, [])) if part in _KEYED else dict(made.get(part, {}))
            _restore(held, undo[part], left)
            keys = sorted(held)
            made[part] = [held[k] for k in keys] if part in _KEYED else {k: held[k] for k in keys}
    for part in _WHOLE:
        if part in undo:
            old, now = undo[part][""]
            if fingerprint(made.get(part)) != now:
                left.append(part)
            else:
                made[part] = old
    return {k: v for k, v in made.items() if v is not None}, left


def _restore(held: dict[str, Any], undo: Mapping[str, Any], left: list[str]) -> None:
    for id_, (old, now) in undo.items():
        if fingerprint(held.get(id_)) != now:
            left.append(id_)
        elif old is None:
            held.pop(id_, None)
        else:
            held[id_] = old


def append(root: Path, did: str, by: str, undo: Mapping[str, Any], moved: tuple[str, str], kind: str, of: str) -> None:
    """Add one change, before memory itself is written. `moved`: memory's print before and after.

    The only place where a clock value is written.
    """
    before, after = moved
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = {"at": at, "by": by, "did": did, "kind": kind, "of": of, "from": before, "to": after, "undo": undo}
    made["id"] = fingerprint(made)
    append_line(root / PATH, compact({k: v for k, v in made.items() if v != ""}))


def drop_last(root: Path, before: str, after: str) -> None:
    """Take out the last line when it is the change from `before` to `after`, which never reached memory."""
    changes = read(root)
    if changes and (changes[-1].get("from", ""), changes[-1].get("to", "")) == (before, after):
        write_text(root / PATH, "".join(compact(change) + "\n" for change in changes[:-1]))


def read(root: Path) -> list[dict[str, Any]]:
    """All changes, oldest first; a line that a kill cut short is passed over."""
    path = root / PATH
    if not path.is_file():
        return []
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        try:
            made = json.loads(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(made, dict) and "undo" in made and "id" in made:
            found.append(made)
    return found


def stacks(changes: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What can be undone and what can be redone, the next one last in each."""
    done: list[dict[str, Any]] = []
    undone: list[dict[str, Any]] = []
    for change in changes:
        kind = change.get("kind", "change")
        if kind == "undo":
            if done:
                done.pop()
            undone.append(change)
        elif kind == "redo":
            if undone:
                undone.pop()
            done.append(change)
        else:
            done.append(change)
            undone = []
    return done, undone


def _by_id(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {item["id"]: item for item in items}


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    ids = [id_ for id_ in sorted({*old, *new}) if old.get(id_) != new.get(id_)]
    return {id_: [old.get(id_), fingerprint(new.get(id_))] for id_ in ids}
