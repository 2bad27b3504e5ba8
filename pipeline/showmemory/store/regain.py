"""Memory put together again from the history alone: each change, made again in the order of time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from showmemory.store.history import Change, forward, in_time
from showmemory.store.undo import reverse


@dataclass(frozen=True, slots=True)
class Regained:
    """The newest memory that a history holds, the change that made it so, and whether two hands changed the same."""

    document: dict[str, Any]
    change: Change
    parted: bool


def regained(changes: Iterable[Change]) -> Regained | None:
    """What the changes make, one after the other; None when no whole memory stands at the beginning of them.

    A history that was begun before changes were kept both ways holds a whole memory only where one was taken away.
    """
    document: dict[str, Any] | None = None
    found: Regained | None = None
    parted = False
    for change in in_time(list(changes)):
        undo, steps = change["undo"], forward(change)
        if document is None and undo.get("document"):
            found = Regained(undo["document"], change, parted=False)
        if steps is None:
            document = None
            continue
        if "document" in steps:
            document, parted = steps["document"], False
        elif document is not None:
            document, left = reverse(document, steps)
            parted = parted or bool(left)
        if document is not None:
            found = Regained(document, change, parted)
    return found
