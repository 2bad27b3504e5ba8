"""What one episode changed in memory, as a list: replaced, threads, learned, between people, established (D53)."""

from __future__ import annotations

from collections.abc import Iterator

from showmemory.context.holding import cited
from showmemory.context.quote import bare_end, line, listed, sentence
from showmemory.context.ready import Ready
from showmemory.model.checkpoint import Line
from showmemory.model.memory import Entry

_MOVES = {"opened": "Opened", "moved": "Moved", "resolved": "Resolved"}
_KINDS = ("fact", "knowledge", "relationship", "thread", "gag")


def changes(ready: Ready, episode: str) -> list[Line]:
    """The change list of an episode, what weighs most first; each line with its place in the script."""
    told = (e for e in ready.entries if e.kind in _KINDS and not (e.retired or e.keep == "drop"))
    whole = [e for e in told if e.canon != "plan"]
    found = [row for entry in whole for row in _rows(ready, episode, entry)]
    return [row for _, row in sorted(found, key=lambda item: (item[0], item[1].id))]


def _rows(ready: Ready, episode: str, entry: Entry) -> Iterator[tuple[int, Line]]:
    said = entry.said.get(episode)
    if entry.kind == "fact" and entry.until == episode:
        after = next((e for e in ready.entries if _follows(entry, e, episode)), None)
        if after is not None:
            was, now = bare_end(entry.text or entry.title), bare_end(after.text or after.title)
            yield 0, _line(ready, after, episode, f"Was: {was}; now: {now}.")
    if said is None and entry.since != episode:
        return
    if entry.kind == "thread":
        move = said.move or said.status if said else "opened"
        if move in _MOVES:
            more = f" {sentence(said.text)}" if said and said.text and line(said.text) != line(entry.title) else ""
            yield 1, _line(ready, entry, episode, f"{_MOVES[move]}: {sentence(entry.title or entry.text)}{more}")
    elif entry.kind == "gag":
        if entry.form == "bible" and entry.since == episode:
            yield 5, _line(ready, entry, episode, f"Played for the first time: {bare_end(entry.title)}.")
    elif said is None or said.text is not None:
        rank, told = _told(ready, entry, said.text if said and said.text else entry.text or entry.title)
        if entry.kind != "fact" or (entry.since == episode and not _replaces(ready, entry, episode)):
            yield rank, _line(ready, entry, episode, told)


def _told(ready: Ready, entry: Entry, text: str) -> tuple[int, str]:
    if entry.kind == "knowledge":
        who = listed([ready.names.name(i) for i in entry.holders])
        return 2, f"{who} {'learn' if len(entry.holders) > 1 else 'learns'}: {sentence(text)}"
    if entry.kind == "relationship":
        who = listed([ready.names.name(i) for i in entry.about if i.startswith(("character.", "group."))])
        return 3, f"{who}: {sentence(text)}"
    return (6 if entry.form == "term" else 4), f"{'Term' if entry.form == 'term' else 'Established'}: {sentence(text)}"


def _follows(entry: Entry, other: Entry, episode: str) -> bool:
    same = (other.kind, other.about, other.field) == (entry.kind, entry.about, entry.field)
    return same and other.since == episode and other.id != entry.id and not other.retired


def _replaces(ready: Ready, entry: Entry, episode: str) -> bool:
    return bool(entry.field) and any(e.until == episode and _follows(e, entry, episode) for e in ready.entries)


def _line(ready: Ready, entry: Entry, episode: str, told: str) -> Line:
    own = tuple(s for s in (*entry.sources, *entry.uses) if s.episode == episode)
    return Line(told, cited(ready, entry.model_copy(update={"sources": own, "uses": ()})) if own else "", entry.id)
