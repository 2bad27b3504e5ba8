"""Locked decisions against memory: which hold, which something contradicts, which have been touched since (E8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from showmemory.context.quote import line
from showmemory.context.ready import Ready
from showmemory.fold.likeness import LEAST, opposed, telling
from showmemory.fold.place import place
from showmemory.fold.relevance import stems
from showmemory.model.checkpoint import State, Verdict
from showmemory.model.intent import Decision
from showmemory.model.memory import Entry, Source
from showmemory.text.fold import bare

_KINDS = frozenset({"fact", "knowledge", "relationship", "synopsis", "thread", "gag", "tone", "never"})
# Of a decision's telling words so many in something new, and it is worth a look.
TOUCHING = 2


def in_force(ready: Ready) -> list[tuple[int, Decision]]:
    """The decisions that had been taken by the moment, each with its place in the bible."""
    whole = enumerate(ready.show.bible.decisions)
    return [(at, one) for at, one in whole if line(one.text) and (not one.since or one.since in ready.place)]


def verdicts(ready: Ready) -> tuple[Verdict, ...]:
    """One for each decision, by the worst that is found."""
    entries = [e for e in ready.entries if e.kind in _KINDS and _current(e)]
    return tuple(_verdict(ready, at, one, entries) for at, one in in_force(ready))


def told_against(ready: Ready, said: str) -> tuple[Verdict, ...]:
    """What somebody says now against each decision: whether it contradicts it or touches it."""
    made = []
    for at, one in in_force(ready):
        if opposed(said, one.text, ready.show.config.language):
            made.append(Verdict(at, line(one.text), "contradicted", f"you say: {line(said)}"))
        elif _touches(ready, one, said, frozenset(ready.names.found(said))):
            made.append(Verdict(at, line(one.text), "touched", f"you say: {line(said)}"))
        else:
            made.append(Verdict(at, line(one.text), "holds"))
    return tuple(made)


def whom(ready: Ready, one: Decision) -> frozenset[str]:
    """What a decision is about: as it says, else whom and what its words name."""
    return frozenset(ready.names.ids(one.about) if one.about else ready.names.found(one.text))


def cited(ready: Ready, entry: Entry) -> str:
    """Where an entry can be looked up: its latest citation, else its episode."""
    found: Iterable[Source] = (*entry.sources, *entry.uses)
    lined = [source for source in found if source.line or source.page]
    if lined:
        return place(lined[-1], ready.moment.records)
    return ready.moment.label(entry.since) if entry.since else ""


def _current(entry: Entry) -> bool:
    return not entry.retired and entry.until is None and entry.canon != "plan" and entry.keep != "drop"


def _verdict(ready: Ready, at: int, one: Decision, entries: list[Entry]) -> Verdict:
    """The newest entry that speaks against a decision, whatever touches it coming last."""
    rank = {"contradicted": 0, "in doubt": 1, "touched": 2}
    found = list(_found(ready, one, entries))
    if not found:
        return Verdict(at, line(one.text), "holds")
    state, entry, why = min(found, key=lambda f: (rank[f[0]], -ready.place.get(f[1].changed or "", -1), f[1].id))
    return Verdict(at, line(one.text), state, why, cited(ready, entry), entry.id)


def _found(ready: Ready, one: Decision, entries: list[Entry]) -> Iterator[tuple[State, Entry, str]]:
    about, words = whom(ready, one), telling(one.text, ready.show.config.language)
    least = min(LEAST, len(words))
    for entry in entries:
        ids = ready.links(entry).own
        if one.field and entry.field == one.field and about & ids and bare(entry.value or "") != bare(one.value or ""):
            yield "contradicted", entry, f"memory has {one.field}: {line(entry.value or entry.text)}"
        if len(words & ready.words(entry)) < min(TOUCHING, least):
            continue
        told = next((t for t in _texts(entry) if opposed(t, one.text, ready.show.config.language)), "")
        if told:
            yield "contradicted", entry, line(told)
        elif entry.canon == "contested" and about & ids:
            yield "in doubt", entry, f"contested: {line(entry.text or entry.title)}"
        elif _new(ready, one, entry) and _touches(ready, one, entry.text or entry.title, ids):
            yield "touched", entry, line(entry.text or entry.title)


def _texts(entry: Entry) -> list[str]:
    rows = entry.text.splitlines() if entry.kind == "synopsis" else [entry.text]
    return [row for row in (*rows, entry.title) if row.strip()]


def _new(ready: Ready, one: Decision, entry: Entry) -> bool:
    """Whether an entry came after the decision; where nobody dated it, whether it is of the newest episode."""
    if entry.kind in ("synopsis", "thread", "gag") or entry.since not in ready.place:
        return False
    at = ready.place[entry.since]
    return at > ready.place[one.since] if one.since else entry.since == ready.moment.newest


def _touches(ready: Ready, one: Decision, text: str, ids: frozenset[str]) -> bool:
    """Whether a text is about the same and shares telling words, names aside."""
    language, about = ready.show.config.language, whom(ready, one)
    names = frozenset(word for i in about for word in stems(ready.names.name(i), language))
    shared = (telling(one.text, language) & telling(text, language)) - names
    return bool(about & ids) and len(shared) >= TOUCHING
