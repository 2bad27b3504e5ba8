"""The history beside memory: every applied change with what undoes it, one line of JSON each; git merges it by union.

An undo is itself a line whose own undo is the redo, so that nothing is ever taken out of the file. After a merge the
lines of two branches stand one after the other: what is newest is told by their times, and what an undo took back by
the id it names.
"""

from __future__ import annotations

import json
import zlib
from base64 import b85decode, b85encode
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from showmemory.model.canonical import fingerprint
from showmemory.store.files import append_line

PATH = "bible/memory.history.jsonl"
# The kind of a change in which nobody decided anything: it is taken back with the one before it, never by itself.
FOLLOWED = "followed"
_CHUNK = 1 << 16
Change = dict[str, Any]


def append(
    root: Path,
    did: str,
    by: str,
    undo: Mapping[str, Any],
    moved: tuple[str, str],
    kind: str,
    of: str,
    *,
    redo: Mapping[str, Any] | None = None,
) -> None:
    """Add one change, before memory itself is written. `moved`: memory's print before and after.

    `redo`: what makes the change again, so that a memory that is lost can be put together. The only place where a clock
    value is written.
    """
    before, after = moved
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = {"at": at, "by": by, "did": did, "kind": kind, "of": of, "from": before, "to": after, "undo": undo}
    # The same done, taken back and done again in one second is three changes.
    made["id"] = fingerprint([made, size(root)])
    made["redo"] = _packed(redo) if redo is not None else ""
    append_line(root / PATH, _line({k: v for k, v in made.items() if v != ""}))


def forward(change: Change) -> dict[str, Any] | None:
    """What makes a change again; None where the history was begun before that was kept, or it cannot be read."""
    try:
        held = zlib.decompress(b85decode(change["redo"]))
        made = json.loads(held)
    except (KeyError, TypeError, ValueError, zlib.error):
        return None
    return made if isinstance(made, dict) else None


def _packed(steps: Mapping[str, Any]) -> str:
    # A first memory is a whole memory: packed it is a tenth of that.
    return b85encode(zlib.compress(json.dumps(steps, ensure_ascii=False, separators=(",", ":")).encode(), 6)).decode()


def size(root: Path) -> int:
    """The length of the file in bytes, -1 when there is none."""
    try:
        return (root / PATH).stat().st_size
    except FileNotFoundError:
        return -1


def take_back(root: Path, length: int, before: str, after: str) -> bool:
    """Cut the file back to `length` when all beyond it is a change from `before` to `after`, whole or cut short.

    Cutting needs no room, so it can be done on a full disk.
    """
    if size(root) <= length:
        return False
    with open(root / PATH, "r+b") as file:
        file.seek(max(length, 0))
        beyond = file.read().lstrip(b"\n")
        found = parsed(beyond.decode("utf-8", "replace"))
        torn = not beyond.endswith(b"\n") and b"\n" not in beyond
        if not torn and [(c.get("from", ""), c.get("to", "")) for c in found] != [(before, after)]:
            return False
        file.truncate(max(length, 0))
    if length < 0:
        (root / PATH).unlink()
    return True


def read(root: Path) -> list[Change]:
    """All changes as the file has them; a line that a kill cut short is passed over."""
    try:
        return parsed((root / PATH).read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        return []


def newest_print(root: Path) -> str | None:
    """What memory was after the file's last whole line, read from its end; None where that cannot be told."""
    held = b""
    try:
        with open(root / PATH, "rb") as file:
            at = file.seek(0, 2)
            while at and b"\n" not in held[:-1]:
                at = max(0, at - _CHUNK)
                file.seek(at)
                held = file.read(size(root) - at)
        made = json.loads(held.rstrip(b"\n").rpartition(b"\n")[2])
        return str(made.get("to", ""))
    except (OSError, ValueError, AttributeError):
        return None


def parsed(text: str) -> list[Change]:
    """The changes of a history's text, each once; lines that are none, such as git's markers, are passed over."""
    found: dict[str, Change] = {}
    for line in text.split("\n"):
        try:
            made = json.loads(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(made, dict) and "undo" in made and "id" in made:
            found.setdefault(made["id"], made)
    return list(found.values())


def text_of(changes: list[Change]) -> str:
    """The file's text: one line of JSON each."""
    return "".join(_line(change) + "\n" for change in changes)


def united(ours: list[Change], theirs: list[Change]) -> list[Change]:
    """What git's union of two branches' histories would be: ours, then what only theirs has."""
    held = {change["id"] for change in ours}
    return [*ours, *(change for change in theirs if change["id"] not in held)]


def in_time(changes: list[Change]) -> list[Change]:
    """The changes by their times, those of one second as the file has them."""
    return sorted(changes, key=lambda change: str(change.get("at", "")))


def stacks(changes: list[Change]) -> tuple[list[Change], list[Change]]:
    """What can be undone and what can be redone, the next one last in each."""
    done: list[Change] = []
    undone: list[Change] = []
    early: set[str] = set()
    for change in in_time(changes):
        kind, of = change.get("kind", "change"), change.get("of", "")
        if change["id"] in early:
            # Two machines' clocks: what took this back stands before it.
            continue
        if kind == "undo":
            done, found = _without(done, of)
            undone.append(change)
            early |= set() if found else {of}
        elif kind == "redo":
            undone, _ = _without(undone, of)
            done.append(change)
        else:
            done.append(change)
            undone = undone if kind == FOLLOWED else []
    return done, undone


def newest(stack: list[Change]) -> tuple[Change | None, list[Change]]:
    """The last decision on a stack, and all that is taken back with it, the last first."""
    for at in range(len(stack) - 1, -1, -1):
        if stack[at].get("kind") != FOLLOWED:
            return stack[at], stack[at:][::-1]
    return None, []


def standing(changes: list[Change]) -> set[str]:
    """The ids of what stands as it was done, or was made again after an undo."""
    by_id = {change["id"]: change for change in changes}
    held: set[str] = set()
    for change in stacks(changes)[0]:
        one: Change | None = change
        while one is not None and one["id"] not in held:
            held.add(one["id"])
            undo = by_id.get(one.get("of", "")) if one.get("kind") == "redo" else None
            one = by_id.get(undo.get("of", "")) if undo else None
    return held


def _without(stack: list[Change], id_: str) -> tuple[list[Change], bool]:
    """The stack without the change called so and what only followed it; without its last where none is named."""
    if not id_:
        return stack[:-1], True
    made: list[Change] = []
    found = gone = False
    for change in stack:
        gone = change["id"] == id_ or (gone and change.get("kind") == FOLLOWED)
        found = found or change["id"] == id_
        made += [] if gone else [change]
    return made, found


def _line(change: Change) -> str:
    """One line of JSON, every key where it stood: what is put back has its keys in the order it had."""
    return json.dumps(change, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
