"""The finest things memory says, each with its moment: what one entry says in one episode (B34)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from showmemory.context.names import Names
from showmemory.context.quote import line, quoted, sentence
from showmemory.context.ready import Ready
from showmemory.model.memory import Entry, Said

# Where an atom stands when it is told: under an episode, a thread, somebody, a place, a sort of gag, or the house.
SECTIONS: tuple[tuple[str, str], ...] = (
    ("story", "The story"),
    ("threads", "Threads"),
    ("people", "People"),
    ("world", "Places and the world"),
    ("gags", "Gags and callbacks"),
    ("house", "House style"),
)
_OF_KIND = {"synopsis": "story", "summary": "story", "thread": "threads", "gag": "gags", "fact": "world"}
_HOUSE = frozenset({"tone", "never", "style"})
_GAGS = {"bible": "The bible's gags", "running": "Running", "callback": "Callbacks", "echo": "Echoes, unconfirmed"}
# Its list stops before it.
BACK = "held back"
_STATES = {"retired": "retired", "let go": "let go", "rank": BACK, "superseded": "replaced since"}
_QUOTED = 16


@dataclass(frozen=True, slots=True)
class Atom:
    """What `entry` says in `episode`. `at` is its moment in words; `mark` how the entry stands, when not simply so."""

    entry: Entry
    episode: str
    at: str
    section: str
    under: str
    text: str
    mark: str = ""


def atoms(ready: Ready, episodes: Collection[str], when: Mapping[tuple[str, str], str] | None = None) -> list[Atom]:
    """Everything that is said in these episodes, of every kind, in story order.

    `when`: only these (entry, episode), each with its own moment, for another axis.
    """
    made = []
    for entry in ready.entries:
        for episode, step in _steps(entry):
            wanted = (entry.id, episode) in when if when is not None else episode in episodes
            if wanted:
                at = when[entry.id, episode] if when else ready.moment.label(episode)
                made.append(_atom(ready, entry, episode, step, at))
    place = ready.place
    return sorted(made, key=lambda a: (place.get(a.episode, len(place)), a.entry.kind, a.entry.id))


def undated(entries: Iterable[Entry]) -> list[Entry]:
    """Entries of no episode: they stand outside every window."""
    return [entry for entry in entries if not _steps(entry)]


def _steps(entry: Entry) -> list[tuple[str, Said]]:
    if entry.said:
        return list(entry.said.items())
    return [(entry.since, Said(by=entry.by, text=entry.text, title=entry.title))] if entry.since else []


def _atom(ready: Ready, entry: Entry, episode: str, step: Said, at: str) -> Atom:
    section, under = _place(ready, entry, episode)
    held = ready.held.get(entry.id)
    mark = "planned" if entry.canon == "plan" else _STATES.get(held.limit, "") if held else ""
    return Atom(entry, episode, at, section, under, _text(ready.names, entry, step), mark)


def _place(ready: Ready, entry: Entry, episode: str) -> tuple[str, str]:
    """The section an atom stands in, and the name of what it stands under there."""
    if entry.kind in _HOUSE:
        return "house", ""
    if entry.kind == "gag":
        return "gags", _GAGS[entry.form or "running"]
    if entry.kind in ("synopsis", "summary"):
        return "story", ready.moment.named(episode)
    if entry.kind == "thread":
        return "threads", line(entry.title or entry.text)
    if entry.form == "term":
        return "world", "Its own words"
    who = next((i for i in (*entry.holders, *entry.about) if i.partition(".")[0] in ("character", "group")), "")
    if who:
        return "people", ready.names.name(who)
    return "world", next((ready.names.name(i) for i in entry.about), "")


def _text(names: Names, entry: Entry, step: Said) -> str:
    """What is said, in words that stand alone under its heading."""
    words = step.text or entry.text or entry.title
    if entry.kind in ("gag", "catchphrase") or entry.form == "term":
        return _played(names, entry, step)
    if entry.kind == "thread":
        return sentence(f"{step.move or step.status or 'noted'}: {line(words)}")
    if entry.kind == "synopsis" or entry.kind == "summary":
        return " ".join(sentence(row.removeprefix("- ")) for row in words.splitlines() if row.strip())
    if entry.kind == "knowledge":
        return f"Knows: {sentence(words)}"
    if entry.kind == "relationship":
        others = " and ".join(names.name(i) for i in entry.about[1:])
        return f"With {others}: {sentence(words)}" if others else sentence(words)
    if entry.kind == "voice":
        return f"Heard: {sentence(words)}"
    return sentence(words)


def _played(names: Names, entry: Entry, step: Said) -> str:
    """A gag or catchphrase: how often it played, by whom, and in which words."""
    title = line(entry.title or entry.text)
    head = f"Says {quoted(title)}" if entry.kind == "catchphrase" else title
    if not step.uses:
        return sentence(head)
    times = f"{len(step.uses)} times" if len(step.uses) > 1 else "once"
    last = step.uses[-1]
    spoke = Counter(use.speaker for use in step.uses if use.speaker)
    who = f", {names.name(min(spoke, key=lambda i: (-spoke[i], i)))}" if spoke and entry.kind == "gag" else ""
    said = f": {quoted(last.words, _QUOTED)}" if line(last.words).casefold().strip(".!?") != title.casefold() else ""
    return f"{head} ({times}{who}){said or '.'}"
