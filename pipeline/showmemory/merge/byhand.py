"""Memory as it was last written, and as a person left it -> one line for each thing they did that has no line yet."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from showmemory.model.memory import OWNED, Entry, ShowMemory

FLAGS = ("pinned", "locked", "retired", "rested", "keep")
_NAMED = 2


def by_hand(before: ShowMemory, after: ShowMemory, told: Collection[str]) -> tuple[str, ...]:
    """`told`: the lines there are, each beginning with its entry's id. Never empty where the two differ."""
    known = {line.split(" ")[0].rstrip(":") for line in told}
    lines = [*told, *(line for id_, line in _entries(before, after) if id_ not in known)]
    old, new = before.settings.model_dump(), after.settings.model_dump()
    lines += [f"the setting {name} was changed by hand: yours" for name in new if new[name] != old[name]]
    buried = {tomb.id for tomb in before.forgotten} - {tomb.id for tomb in after.forgotten}
    lines += [f"{id_} was taken out of what is forgotten by hand" for id_ in sorted(buried - known)]
    return tuple(lines) if lines or before == after else ("memory.json was changed by hand",)


def shortened(lines: Collection[str]) -> str:
    """The history's line: the first of them, and how many more there are."""
    held = [line.split(" (showmemory")[0] for line in lines]
    more = len(held) - _NAMED
    return "; ".join([*held[:_NAMED], f"and {more} more by hand"] if more > 1 else held)


def _entries(before: ShowMemory, after: ShowMemory) -> Iterator[tuple[str, str]]:
    old, new = ({entry.id: entry for entry in memory.entries} for memory in (before, after))
    for id_ in sorted({*old, *new}):
        if id_ not in new:
            yield id_, f"{id_} was taken out by hand"
        elif id_ not in old:
            yield id_, f"{id_} was put in by hand: yours"
        elif old[id_] != new[id_]:
            yield id_, f"{id_}: {_differ(old[id_], new[id_])} by hand: yours"


def _differ(old: Entry, new: Entry) -> str:
    words = [name for name in OWNED if getattr(old, name) != getattr(new, name)]
    flags = [name for name in FLAGS if getattr(old, name) != getattr(new, name)]
    if words and not flags:
        return f"{', '.join(words)} {'was' if len(words) == 1 else 'were'} rewritten"
    return f"{', '.join([*words, *flags])} changed" if words or flags else "changed"
