"""The state of the world as of a moment, read from the record each time: threads, values, bonds (B19, D25)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from showmemory.context.quote import line, sentence
from showmemory.model.memory import Entry, Said
from showmemory.text.brief import unstopped

_Live = tuple[Entry, list[tuple[str, Said]]]
_KINDS = frozenset({"thread", "relationship"})


@dataclass(frozen=True)
class Thing:
    """One thing that holds: the entry it is read from, in words."""

    entry: str
    text: str


@dataclass(frozen=True)
class State:
    """What holds: open threads, threads settled in the span, the value of each field, how people stand together."""

    open: tuple[Thing, ...] = ()
    settled: tuple[Thing, ...] = ()
    values: tuple[Thing, ...] = ()
    bonds: tuple[Thing, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing of the kind is recorded."""
        return not (self.open or self.settled or self.values or self.bonds)


def state(entries: Iterable[Entry], upto: Sequence[str], span: Sequence[str] = ()) -> State:
    """The state once the last of `upto` has played; threads settled before the `span` (all of it) are not told."""
    place, within = {e: at for at, e in enumerate(upto)}, frozenset(span or upto)
    told = (e for e in entries if (e.kind in _KINDS or e.field) and not (e.retired or e.keep == "drop"))
    live = [(e, steps) for e in told if (steps := _steps(e, place))]
    threads = [(e, steps) for e, steps in live if e.kind == "thread"]
    closed = [(e, steps) for e, steps in threads if steps[-1][1].status == "resolved"]
    return State(
        open=tuple(_thread(e) for e, steps in threads if steps[-1][1].status != "resolved"),
        settled=tuple(_thread(e) for e, steps in closed if steps[-1][0] in within),
        values=tuple(_values(live, place)),
        bonds=tuple(_bonds(live, place)),
    )


def told(made: State, most: int = 0) -> str:
    """A state in one line; `most` of each kind (0: all), the others counted."""
    return " ".join(parts(made, most))


def parts(made: State, most: int = 0) -> tuple[str, ...]:
    """A state kind by kind."""
    held = (("Open", made.open), ("Settled", made.settled), ("Holds", made.values), ("Between people", made.bonds))
    return tuple(sentence(f"{label}: {_listed(things, most)}") for label, things in held if things)


def _listed(things: Sequence[Thing], most: int) -> str:
    shown = [unstopped(thing.text) for thing in (things[:most] if most else things)]
    return "; ".join((*shown, *([f"{len(things) - most} more"] if most and len(things) > most else ())))


def _steps(entry: Entry, place: Mapping[str, int]) -> list[tuple[str, Said]]:
    if not entry.said:
        return [(entry.since, Said(text=entry.text))] if entry.since and entry.since in place else []
    return [(e, entry.said[e]) for e in sorted(entry.said.keys() & place.keys(), key=place.__getitem__)]


def _thread(entry: Entry) -> Thing:
    return Thing(entry.id, line(entry.title or entry.text))


def _values(live: Sequence[_Live], place: Mapping[str, int]) -> Iterator[Thing]:
    """The latest value of each field of each subject, in the words that gave it; a plan is no value yet."""
    latest: dict[tuple[tuple[str, ...], str], tuple[int, Entry, str]] = {}
    for entry, steps in live:
        if entry.kind == "fact" and entry.field and entry.canon != "plan":
            at, text = place[steps[0][0]], steps[-1][1].text or entry.text
            key = (entry.about, entry.field)
            if key not in latest or (at, entry.id) > (latest[key][0], latest[key][1].id):
                latest[key] = (at, entry, text)
    yield from (Thing(e.id, line(text)) for _, e, text in sorted(latest.values(), key=lambda v: (-v[0], v[1].id)))


def _bonds(live: Sequence[_Live], place: Mapping[str, int]) -> Iterator[Thing]:
    """How people stand to each other, the latest first."""
    bonds = [(e, steps[-1]) for e, steps in live if e.kind == "relationship"]
    for entry, (_, step) in sorted(bonds, key=lambda b: (-place[b[1][0]], b[0].id)):
        yield Thing(entry.id, line(step.text or entry.text))
