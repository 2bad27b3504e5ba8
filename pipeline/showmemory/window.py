"""A window between two moments, by story position or by the days of the commits; and the record, which has no dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from showmemory import notebook
from showmemory.between import between, off_branch
from showmemory.context import leaned
from showmemory.context.atoms import Atom, atoms, undated
from showmemory.context.moment import moment_of
from showmemory.context.past import scenes_of
from showmemory.context.quote import line
from showmemory.context.ready import Ready
from showmemory.context.state import State, Thing, state
from showmemory.context.window import Told, Window, tell
from showmemory.flow import Run
from showmemory.fold.shown import cut_of
from showmemory.look import find_episode, no_episode
from showmemory.model.memory import ShowMemory
from showmemory.model.plan import Plan
from showmemory.model.span import Problem, Span
from showmemory.text.brief import unstopped

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
# Without a density each section is told at the fullest that so many tokens hold.
BUDGET = 4000
_NOTHING = "expected a memory, found none"


@dataclass
class Seen:
    """A window or a record: its text, the same as plain values, and what was wrong."""

    told: Told | None = None
    data: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class View:
    """How it is to be told: on which axis, at which density, in how many tokens."""

    axis: str = ""
    density: str = ""
    budget: int | None = None

    def tell(self, window: Window) -> Told:
        """The window in words."""
        if self.density:
            return tell(window, self.density)
        return tell(window, budget=BUDGET if self.budget is None else self.budget)


def window(root: Path, first: str, last: str, view: View) -> Seen:
    """What was so, what moved and what it came to between two episodes, or between two days."""
    run = Run(root)
    try:
        if run.book.broken:
            return Seen(problems=run.errors)
        if view.axis == "time" or (not view.axis and _DATE.fullmatch(first) and _DATE.fullmatch(last or first)):
            return _days(run, first, last or first, view)
        return _story(run, first, last, view)
    finally:
        run.close()


def record(root: Path, as_of: str, view: View) -> Seen:
    """Everything that is held, season by season and under what holds it."""
    run = Run(root)
    try:
        memory = run.book.memory
        if run.book.broken or memory is None:
            return Seen(problems=run.errors or [_no_memory()])
        until = find_episode(run.show.episodes, as_of) if as_of else None
        if as_of and until is None:
            return Seen(problems=[no_episode(run.show.episodes, as_of)])
        ready = _ready(run, memory, until)
        return _seen(_record(run, ready, memory), view, {"shape": "record", "asOf": ready.moment.newest})
    finally:
        run.close()


def _no_memory() -> Problem:
    return Problem(Span(notebook.MEMORY), "error", _NOTHING, "doit remember makes one from the scripts")


def _ready(run: Run, memory: ShowMemory | None, until: str | None) -> Ready:
    return Ready(run.show, moment_of(run.show, memory, until=until), run.sides, cut=cut_of(run.rules))


def _story(run: Run, first: str, last: str, view: View) -> Seen:
    memory = run.book.memory
    if memory is None:
        return Seen(problems=[_no_memory()])
    order = moment_of(run.show, memory).upto
    names = {"first": first, "last": last or (order[-1] if order else "")}
    ends = {end: find_episode(run.show.episodes, name) for end, name in names.items()}
    problems = [no_episode(run.show.episodes, names[end]) for end, id_ in ends.items() if id_ is None]
    if problems:
        return Seen(problems=problems)
    begin, end = (order.index(id_) for id_ in ends.values() if id_ is not None)
    ready = _ready(run, memory, order[end])
    if begin > end:
        label = ready.whole.label
        message = f"expected the earlier episode first, found {label(order[begin])} before {label(order[end])}"
        hint = f"showmemory window {label(order[end])} {label(order[begin])}"
        return Seen(problems=[Problem(Span("show"), "error", message, hint)])
    span = order[begin : end + 1]
    made = _between_episodes(run, ready, memory, span, order[:begin])
    return _seen(made, view, {"shape": "window", "axis": "story", "from": span[0], "to": span[-1]})


def _between_episodes(run: Run, ready: Ready, memory: ShowMemory, span: Sequence[str], before: Sequence[str]) -> Window:
    moment = ready.moment
    found = tuple(atoms(ready, frozenset(span)))
    active = {a.episode for a in found}
    seasons = sorted({moment.records[e].season for e in span})
    scenes = sum(scenes_of(ready, e) for e in span)
    size = f"{_counted(len(span), 'episode')} of {_seasons(seasons)}, {_counted(scenes, 'scene')}"
    quiet = [moment.label(e) for e in span if e not in active]
    lines = [f"{size}, {'each of which says something' if not quiet else 'nothing known of ' + ', '.join(quiet)}"]
    one = moment.named(span[0])
    title = one if len(span) == 1 else f"{one} to {moment.named(span[-1])}"
    return Window(
        f"{_name(run)}: {title}",
        (*lines, "Words in quotes are from the scripts."),
        found,
        start=state(ready.entries, before) if before else None,
        end=state(ready.entries, (*before, *span), span),
        others=(("Decided by hand", _by_hand(memory, span)), ("Waiting for you", _waiting(run, span))),
        off=(*_off(ready, memory), *off_branch(run.root, memory, span)),
    )


def _off(ready: Ready, memory: ShowMemory) -> list[str]:
    """What no window by story position can hold, so that nothing is left out unsaid."""
    rows = []
    if free := undated(ready.entries):
        rows.append(f"Of no episode: {'; '.join(unstopped(line(e.title or e.text)) for e in free)}.")
    after = len(memory.episodes) - len(ready.moment.order)
    if after > 0:
        rows.append(f"Later: {_counted(after, 'remembered episode')}.")
    return rows


def _by_hand(memory: ShowMemory, span: Sequence[str]) -> tuple[str, ...]:
    """What a person rewrote, added, threw out or turned down in these episodes."""
    within = frozenset(span)
    rows = []
    for entry in memory.entries:
        title = unstopped(line(entry.title or entry.text))
        fields = sorted(name for name, episode in entry.edited.items() if episode in within)
        if fields:
            rows.append(f"Rewritten: {title} ({', '.join(fields)}).")
        if entry.by == "person" and not entry.said and entry.since in within:
            rows.append(f"Added: {title}.")
    rows += [f"Thrown out: {line(t.title) or t.id}." for t in memory.forgotten if t.entry and t.entry.since in within]
    rows += [f"Turned down: {r.id}." for r in memory.declined if r.episode in within]
    return tuple(rows)


def _waiting(run: Run, span: Sequence[str] | None = None) -> tuple[str, ...]:
    """What the proposal would change in these episodes."""
    try:
        plan = Plan.model_validate_json((run.root / notebook.PROPOSAL).read_bytes())
    except (OSError, ValueError):
        return ()
    changes = [c for c in plan.changes if span is None or c.episode in span]
    return tuple(f"{c.op.capitalize()}: {unstopped(line(c.title or c.entry))}." for c in changes)


def _days(run: Run, first: str, last: str, view: View) -> Seen:
    days = {name: _day(name) for name in (first, last)}
    wrong = [name for name, day in days.items() if day is None]
    if wrong:
        message = f"expected a day such as 2026-03-01, found {wrong[0]}"
        hint = "by time a window has two days; by story position, two episodes"
        return Seen(problems=[Problem(Span("show"), "error", message, hint)])
    begin, end = days[first], days[last]
    assert begin is not None and end is not None, "both were read"
    if begin > end:
        message = f"expected the earlier day first, found {first} before {last}"
        return Seen(problems=[Problem(Span("show"), "error", message, f"showmemory window {last} {first}")])
    found = between(run.root, begin, end)
    if found.problems or found.memory is None:
        return Seen(problems=found.problems)
    ready = _ready(run, found.memory, None)
    total = (end - begin).days + 1
    active = f"memory changed on {_counted(len(found.days), 'day')} of {total}"
    made = Window(
        f"{_name(run)}: {first} to {last}" if first != last else f"{_name(run)}: {first}",
        (active, "Days are those of the commits, in UTC. Words in quotes are from the scripts."),
        tuple(atoms(ready, (), found.when)),
        end=state(ready.entries, ready.moment.order),
        others=(
            ("Taken out", tuple(f"{unstopped(line(title))}." for title in found.gone)),
            ("What was done", tuple(found.decisions)),
        ),
        off=tuple(found.off),
    )
    data = {"shape": "window", "axis": "time", "from": first, "to": last, "activeDays": found.days, "days": total}
    return _seen(made, view, data)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _record(run: Run, ready: Ready, memory: ShowMemory) -> Window:
    """The show, each season with how it left the world, then everything under what holds it."""
    moment = ready.moment
    seasons: dict[int, list[str]] = {}
    for episode in moment.order:
        seasons.setdefault(moment.records[episode].season, []).append(episode)
    scenes = sum(scenes_of(ready, e) for e in moment.order)
    size = f"{_counted(len(moment.order), 'episode')} of {_seasons(sorted(seasons))}, {_counted(scenes, 'scene')}"
    as_of = f"As of {moment.named(moment.newest)}: {size}" if moment.newest else "Nothing is remembered yet"
    free = undated(ready.entries)
    return Window(
        f"{_name(run)}: the record",
        (as_of, "Words in quotes are from the scripts."),
        tuple(atoms(ready, frozenset(moment.upto))),
        seasons=tuple(_season(ready, n, episodes) for n, episodes in sorted(seasons.items())),
        others=(
            ("What it leans on", leaned.rows(ready)),
            ("Of no episode", tuple(f"{unstopped(line(e.title or e.text))}." for e in free)),
            ("Decided by hand", _by_hand(memory, moment.upto)),
            ("Waiting for you", _waiting(run)),
        ),
    )


def _season(ready: Ready, number: int, episodes: Sequence[str]) -> tuple[str, State]:
    """A season: its summary where one was written, and the state it left, read from the record (B19, D25)."""
    upto = ready.moment.order[: ready.moment.order.index(episodes[-1]) + 1]
    about = f"season.{number}"
    summed = next((e for e in ready.live.get("summary", ()) if about in e.about), None)
    scenes = sum(scenes_of(ready, e) for e in episodes)
    head = f"Season {number} ({_counted(len(episodes), 'episode')}, {_counted(scenes, 'scene')})."
    return " ".join(filter(None, (head, line(summed.text) if summed else ""))), state(ready.entries, upto, episodes)


def _seen(made: Window, view: View, data: dict[str, Any]) -> Seen:
    said = view.tell(made)
    body = {
        **data,
        "title": made.title,
        "tokens": said.tokens,
        "levels": said.levels,
        "size": made.lines[0],
        **({"start": _state(made.start)} if made.start is not None else {}),
        **({"end": _state(made.end)} if made.end is not None else {}),
        "atoms": [_atom(atom) for atom in made.atoms],
        "seasons": [{"title": head, **_state(left)} for head, left in made.seasons],
        "sections": {title: list(rows) for title, rows in made.others if rows},
        "notHere": list(made.off),
        "text": said.text,
    }
    return Seen(said, body)


def _state(made: State) -> dict[str, list[dict[str, str]]]:
    def things(held: Sequence[Thing]) -> list[dict[str, str]]:
        return [{"entry": thing.entry, "text": thing.text} for thing in held]

    return {
        "open": things(made.open),
        "settled": things(made.settled),
        "values": things(made.values),
        "bonds": things(made.bonds),
    }


def _atom(atom: Atom) -> dict[str, str]:
    entry = atom.entry
    form = {"form": entry.form} if entry.form else {}
    mark = {"mark": atom.mark} if atom.mark else {}
    return {
        "entry": entry.id, "kind": entry.kind, **form, "episode": atom.episode, "at": atom.at,
        "section": atom.section, "under": atom.under, "text": atom.text, **mark,
    }  # fmt: skip


def _name(run: Run) -> str:
    return line(run.show.config.title) or run.show.id or "This show"


def _seasons(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"season {numbers[0]}"
    return f"seasons {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}" if numbers else "no season"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
