"""What a merge came to, in one line: for the person at the screen, and for the history. Pure, no I/O."""

from __future__ import annotations

from showmemory.text.counted import counted


def merged(applied: int, waiting: int, *, first: int | None, manual: bool) -> str:
    """The stage's line. `first`: how many entries a first memory has, None for a later one."""
    if first is not None and applied:
        return f"first memory: {counted(first, 'entry', 'entries')}, applied (showmemory undo takes it back)"
    if applied:
        rest = f"; {waiting} wait{'s' if waiting == 1 else ''} for you" if waiting else ""
        them = "it" if applied == 1 else "them"
        return f"{counted(applied, 'change')} applied (showmemory undo takes {them} back){rest}"
    if not waiting:
        return "nothing new"
    if manual:
        return f"{counted(waiting, 'change')}; apply is manual (showmemory remember --episode ID asks)"
    return f"{counted(waiting, 'change')} wait{'s' if waiting == 1 else ''} for you"


def done(applied: int, episodes: int, *, first: bool) -> str:
    """The history's line."""
    return f"first memory of {counted(episodes, 'episode')}" if first else f"remembered {counted(applied, 'change')}"
