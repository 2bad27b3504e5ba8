"""What both branches changed, in words: both versions, which of them stands, and how to take the other."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote
from typing import Any

from showmemory.merge.asked import WHERE
from showmemory.merge.unite import Clash
from showmemory.model.memory import OWNED, Entry, Settings, ShowMemory
from showmemory.model.span import Problem

_FLAG: dict[tuple[str, Any], str] = {
    ("keep", "keep"): "keep",
    ("keep", "drop"): "drop",
    ("keep", None): "clear",
    ("rested", True): "rest",
    ("rested", False): "unrest",
    ("rested", None): "unrest",
}


def told(clashes: Iterable[Clash], made: ShowMemory) -> list[Problem]:
    """One Problem for each; only an episode read anew on both branches is a notice, since the next run settles it."""
    labels = {e.id: f"s{e.season:02d}e{e.number:02d}" for e in made.episodes}
    return [_told(clash, labels) for clash in clashes]


def _told(clash: Clash, labels: dict[str, str]) -> Problem:
    where = labels.get(clash.id, clash.id)
    if clash.field == "script of an episode":
        says = f"{where} was read anew on both branches, from scripts that differ"
        return Problem(WHERE, "notice", says, "doit remember reads it as it is merged")
    if clash.field in ("removal", "forgetting"):
        return _gone(clash)
    if clash.field == "taking up":
        return _taken_up(clash)
    if clash.field == "place":
        says = f"{clash.theirs} and {clash.ours} have one place: {where}"
        return Problem(WHERE, "error", says, f"showmemory place {clash.theirs} --number N gives one of them another")
    if clash.field == "place of an episode":
        season, number = clash.theirs
        take = f"showmemory place {clash.id} --season {season} --number {number}"
        hint = f"theirs: season {season}, number {number}   take it: {take}"
        return Problem(WHERE, "error", f"both branches moved {clash.id}; ours stands: {where}", hint)
    if clash.id == "settings":
        name = Settings.model_fields[clash.field].alias or clash.field
        ours, theirs = (",".join(v) if isinstance(v, tuple) else str(v) for v in (clash.ours, clash.theirs))
        says = f"both branches set {name}; ours stands: {ours}"
        hint = f"theirs: {theirs}   take it: showmemory set {name}={theirs}"
        return Problem(WHERE, "error", says, hint)
    return _changed(clash)


def _changed(clash: Clash) -> Problem:
    says = f"both branches changed the {clash.field} of {clash.id}; ours stands: {_shown(clash.ours)}"
    return Problem(WHERE, "error", says, f"theirs: {_shown(clash.theirs)}   take it: showmemory {_command(clash)}")


def _command(clash: Clash) -> str:
    if (clash.field, _plain(clash.theirs)) in _FLAG:
        return f"{_FLAG[clash.field, _plain(clash.theirs)]} {clash.id}"
    if clash.field in OWNED and clash.theirs is None:
        return f"revert {clash.id}"
    values = clash.theirs if isinstance(clash.theirs, tuple) else (clash.theirs,)
    given = " ".join(f"--{clash.field} {quote(str(value))}" for value in values)
    return f"edit {clash.id} {given}"


def _gone(clash: Clash) -> Problem:
    how = "forgot" if clash.field == "forgetting" else "removed"
    if isinstance(clash.ours, Entry):
        says = f"{clash.id} was changed on our branch, which stands, and {how} on theirs: {_called(clash.ours)}"
        return Problem(WHERE, "error", says, f"theirs: showmemory forget {clash.id}")
    says = f"our branch {how} {clash.id}, which stands, and theirs changed it: {_called(clash.theirs)}"
    return Problem(WHERE, "error", says, f"theirs: showmemory restore {clash.id}")


def _taken_up(clash: Clash) -> Problem:
    if isinstance(clash.ours, Entry):
        says = f"{clash.id} was taken up on our branch, which stands, and turned down on theirs: {_called(clash.ours)}"
        return Problem(WHERE, "error", says, f"theirs: showmemory forget {clash.id}")
    says = f"our branch turned down {clash.id}, which stands, and theirs took it up: {_called(clash.theirs)}"
    hint = f"theirs: showmemory restore {clash.id}, then the next remember proposes it"
    return Problem(WHERE, "error", says, hint)


def _called(entry: Entry) -> str:
    return _shown(" / ".join(filter(None, (entry.title, entry.text))))


def _shown(value: Any) -> str:
    if value is None:
        return "as the scripts have it"
    return f'"{" ".join(str(value).split())}"' if isinstance(value, str) else _list(value)


def _list(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, bool)) else None
