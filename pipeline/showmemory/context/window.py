"""Everything between two moments -> one text: what was so, what moved, what it came to (B28 to B37).

What is collected atom by atom is told by what holds it: an episode, a thread, somebody. A text that must be shorter
tells each section at a higher level, from every word to names alone; no kind is ever left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from showmemory.context.atoms import BACK, SECTIONS, Atom
from showmemory.context.formats import Markdown
from showmemory.context.quote import line, sentence
from showmemory.context.state import State, parts, told
from showmemory.context.tokens import count
from showmemory.text.brief import clipped, sentences, unstopped

LEVELS = ("names", "brief", "whole")
# A line of a brief section, a name in a section of names; so many of each kind of a state, all where it is whole.
BRIEF, NAME = 24, 8
MOST = (2, 8, 0)
STATE = "state"
_FORM = Markdown()


@dataclass(frozen=True)
class Window:
    """What a window shows. `lines` say what it is; `seasons` are each a head and a state; `others` rows by title.

    `off` says what it does not show, and where that is.
    """

    title: str
    lines: tuple[str, ...]
    atoms: tuple[Atom, ...]
    start: State | None = None
    end: State | None = None
    seasons: tuple[tuple[str, State], ...] = ()
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()
    off: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Told:
    """The text, what it costs to read, and at which level each section is told."""

    text: str
    tokens: int
    levels: dict[str, str]


def tell(window: Window, level: str = "brief", budget: int | None = None) -> Told:
    """The window in words: every section at one level, or with a budget each at the fullest that fits."""
    names = [STATE, *(name for name, _ in SECTIONS if any(a.section == name for a in window.atoms))]
    if budget is None:
        return _told(window, dict.fromkeys(names, LEVELS.index(level)))
    levels = dict.fromkeys(names, 0)
    made = _told(window, levels, budget)
    for step in range(1, len(LEVELS)):
        for name in names:
            fuller = {**levels, name: step}
            if levels[name] == step - 1 and (bigger := _told(window, fuller)).tokens <= budget:
                levels, made = fuller, bigger
    return made


def _told(window: Window, levels: dict[str, int], budget: int | None = None) -> Told:
    body = "".join(_body(window, levels))
    text = ""
    # The size stands in the text that it is the size of: one count more settles it.
    for _ in range(4):
        size = count(text)
        text = _head(window, size, budget) + body
        if count(text) == size:
            break
    return Told(text, count(text), {name: LEVELS[level] for name, level in levels.items()})


def _head(window: Window, tokens: int, budget: int | None) -> str:
    first, *others = window.lines
    over = f", {tokens - budget} over what was asked: no kind is left out" if budget and tokens > budget else ""
    return _FORM.frame(window.title, (f"{first}; {tokens} tokens to read{over}.", *others))


def _body(window: Window, levels: dict[str, int]) -> Iterator[str]:
    most = MOST[levels[STATE]]
    if window.start is not None:
        yield from _rows("As it began", _state(window.start, most))
    yield from _rows("Season by season", [f"{head} {told(left, most)}".strip() for head, left in window.seasons])
    for name, title in SECTIONS:
        if name in levels:
            yield _FORM.open(name, title)
            yield from _SECTION[levels[name]]([a for a in window.atoms if a.section == name])
    for title, rows in window.others:
        yield from _rows(title, rows)
    if window.end is not None:
        yield from _rows("What it came to", _state(window.end, most))
    yield from _rows("Not in this window", window.off)


def _rows(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield _FORM.open("", title)
        yield from (_row(text) for text in rows)


def _row(text: str) -> str:
    return _FORM.row("", "", text, False)


def _state(state: State, most: int) -> tuple[str, ...]:
    return parts(state, most) or ("No thread, value or bond is recorded.",)


def _whole(atoms: Sequence[Atom]) -> Iterator[str]:
    """Every atom in its own words; what an entry says again in the same words shares a line."""
    for under, held in _containers(atoms):
        if under:
            yield _FORM.group("", under)
        same: dict[tuple[str, str], list[Atom]] = {}
        for atom in held:
            same.setdefault((atom.entry.id, atom.text), []).append(atom)
        for one in same.values():
            label = "" if one[0].section == "story" and one[0].at in under else f"{_moments(one)}: "
            yield _row(f"{label}{one[0].text}{_mark(one[0])}")


def _brief(atoms: Sequence[Atom]) -> Iterator[str]:
    """Every entry once, by what it said last, with all its moments; what no list shows by name."""
    back = list(dict.fromkeys(_name(a) for a in atoms if a.mark == BACK))
    for under, held in _containers([a for a in atoms if a.mark != BACK]):
        entries: dict[str, list[Atom]] = {}
        for atom in held:
            entries.setdefault(atom.entry.id, []).append(atom)
        if under and atoms[0].section not in ("story", "threads"):
            yield _FORM.group("", under)
        for one in entries.values():
            yield _row(_in_brief(one))
    if back:
        yield _row(sentence(f"Not over the bar: {'; '.join(back)}"))


def _in_brief(held: Sequence[Atom]) -> str:
    last = held[-1]
    at = _moments(held)
    if last.section == "story":
        return f"{last.under}: {clipped(next(sentences(last.text), ''), 2 * BRIEF)}{_mark(last)}"
    if last.section == "threads":
        steps = ", ".join(f"{a.text.partition(':')[0]} {a.at}" for a in held)
        return f"{unstopped(last.under)}: {steps}. {clipped(last.text.partition(': ')[2], BRIEF)}{_mark(last)}"
    text = last.text if len(held) == 1 else _titled(last)
    return f"{unstopped(clipped(text, BRIEF))} ({at}){_mark(last)}."


def _titled(atom: Atom) -> str:
    """What recurs by its name, else what was said last."""
    if atom.entry.kind in ("gag", "catchphrase"):
        return atom.text.partition(" (")[0]
    return atom.text


def _names(atoms: Sequence[Atom]) -> Iterator[str]:
    """What holds the atoms, and what they are about by name alone."""
    if atoms[0].section in ("story", "threads"):
        yield _row(sentence("; ".join(dict.fromkeys(unstopped(a.under) for a in atoms))))
        return
    for under, held in _containers(atoms):
        names = dict.fromkeys(_name(a) for a in held)
        yield _row(sentence(f"{under}: {'; '.join(names)}" if under else "; ".join(names)))


def _name(atom: Atom) -> str:
    entry = atom.entry
    if entry.kind == "voice":
        return "voice"
    if entry.field and entry.value:
        return f"{entry.field} {clipped(line(entry.value), NAME)}"
    return unstopped(clipped(line(entry.title or entry.text), NAME))


def _containers(atoms: Sequence[Atom]) -> list[tuple[str, list[Atom]]]:
    """The atoms by what they stand under, those nobody is named for last; in the order in which each first comes up."""
    made: dict[str, list[Atom]] = {}
    for atom in atoms:
        made.setdefault(atom.under, []).append(atom)
    return sorted(made.items(), key=lambda item: not item[0])


def _moments(atoms: Sequence[Atom]) -> str:
    at = list(dict.fromkeys(atom.at for atom in atoms))
    return ", ".join(at) if len(at) <= 4 else f"{at[0]} to {at[-1]}, {len(at)} times"


def _mark(atom: Atom) -> str:
    return f" ({atom.mark})" if atom.mark else ""


_SECTION = (_names, _brief, _whole)
