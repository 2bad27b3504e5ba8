"""The ways of filling a context that are measured against each other, and the shows they are measured on."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from showmemory.context.context import compose
from showmemory.context.moment import Moment, moment_of
from showmemory.context.ready import Ready
from showmemory.context.tokens import count
from showmemory.fold.relevance import wording
from showmemory.fold.shown import Cut
from showmemory.model.memory import Entry, ShowMemory
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Show, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay
from showmemory.read.show import open_show
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

BUDGETS = (300, 700, 1500, 3000)
# `context` is ours. `oracle` is all that memory holds, whatever it takes.
WAYS = ("context", "newest", "search", "random", "scripts", "oracle")


@dataclass(frozen=True)
class Series:
    """A remembered show with its scripts read and its episodes by label."""

    show: Show
    memory: ShowMemory
    plays: dict[str, Screenplay]
    labels: dict[str, str]
    folding: Folding


@dataclass(frozen=True)
class Asked:
    """What a context is asked for: the scene about to be written, and who is in it."""

    scene: str
    cast: tuple[str, ...]


def series(root: Path) -> Series:
    """Open a remembered show."""
    memory = ShowMemory.model_validate_json((root / "bible/memory.json").read_bytes())
    show, _ = open_show(root, memory.episodes)
    rules, _ = read_rules(show.config.language, root / "rules")
    plays = {e.id: _play(root / e.script, show, rules) for e in show.episodes}
    labels = {f"s{e.season:02d}e{e.number:02d}": e.id for e in show.episodes}
    return Series(show, memory, plays, labels, Folding.of(rules))


def _play(path: Path, show: Show, rules: Rules) -> Screenplay:
    return resolve(read_screenplay(path.read_bytes(), path.name, rules), show.bible, rules)


class Ways:
    """All ways to fill a context at one moment, for everybody or for one witness."""

    def __init__(
        self, made: Series, moment: Moment, witness: str | None = None, logs: dict[str, SideFiles] | None = None
    ) -> None:
        self.made = made
        self.ready = Ready(made.show, moment, logs or {}, cut=Cut(), witness=witness, scripts=made.plays)
        self.rows = [(e, self.ready.told(e)[-1]) for e in self.ready.entries if e.id not in self.ready.held]
        self.index = sqlite3.connect(":memory:")
        self.index.execute("create virtual table rows using fts5(words)")
        self.index.executemany(
            "insert into rows(rowid, words) values (?, ?)", enumerate(wording(e) for e, _ in self.rows)
        )

    @classmethod
    def before(cls, made: Series, episode: str) -> Ways:
        """As of the episode before one."""
        return cls(made, moment_of(made.show, made.memory, episode))

    def text(self, way: str, asked: Asked, budget: int) -> str:
        """What one way gives."""
        if way == "context":
            return compose(self.ready, characters=asked.cast or None, scene=asked.scene, budget=budget).text
        if way == "oracle":
            return "\n".join(words for _, words in self.rows)
        if way == "scripts":
            return self._scripts(budget)
        ways: dict[str, Callable[[], list[int]]] = {
            "newest": self._newest,
            "random": lambda: self._random(asked),
            "search": lambda: self._search(asked),
        }
        return filled((self.rows[at][1] for at in ways[way]()), budget)

    def _newest(self) -> list[int]:
        place = self.ready.place

        def at(entry: Entry) -> int:
            return max((place.get(e, -1) for e in (entry.changed, entry.since) if e), default=-1)

        return sorted(range(len(self.rows)), key=lambda n: (-at(self.rows[n][0]), self.rows[n][0].id))

    def _random(self, asked: Asked) -> list[int]:
        def dice(n: int) -> str:
            return hashlib.sha256(f"{self.rows[n][0].id} {asked}".encode()).hexdigest()

        return sorted(range(len(self.rows)), key=dice)

    def _search(self, asked: Asked) -> list[int]:
        names = (self.ready.names.name(who) for who in asked.cast)
        words = [w for w in phrase(f"{asked.scene} {' '.join(names)}", self.made.folding).split() if w.isalnum()]
        query = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        sql = "select rowid from rows where rows match ? order by rank, rowid"
        return [at for (at,) in self.index.execute(sql, (query,))] if query else []

    def _scripts(self, budget: int) -> str:
        """The end of the scripts before, as much of it as fits."""
        kept: list[str] = []
        spent = 0
        for episode in reversed(self.ready.moment.order):
            for element in reversed(self.made.plays[episode].elements):
                spent += count(element.text + "\n")
                if spent > budget:
                    return "\n".join(reversed(kept))
                kept.append(element.text)
        return "\n".join(reversed(kept))


def filled(rows: Iterable[str], budget: int) -> str:
    """As many rows, in order, as fit: one that does not is passed over."""
    kept: list[str] = []
    spent = 0
    for row in rows:
        tokens = count(row + "\n")
        if spent + tokens <= budget:
            spent += tokens
            kept.append(row)
    return "\n".join(kept)


def head(first: str, ways: Sequence[str] = WAYS) -> str:
    """The head of a table with a column for each way."""
    return f"| {first} | " + " | ".join(ways) + " |\n|" + " --- |" * (len(ways) + 1)
