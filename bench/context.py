"""Measure how useful contexts are: `python bench/context.py SHOW [--truth FILE] [--probes N] [--budgets 300,700,...]`.

SHOW is a remembered show; FILE lists its known recurring things (`truth.json` of the show). Each time one of them comes
back in an episode is a probe: the context for that episode, for the heading and the cast of the scene where it comes
back, either holds it or does not. The scene's own words are not given away. `oracle` is whatever memory holds at all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from showmemory.context.context import compose
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.tokens import count
from showmemory.fold.relevance import wording
from showmemory.fold.shown import Cut
from showmemory.model.memory import Entry, ShowMemory
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Scene, Screenplay
from showmemory.model.show import Show
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay
from showmemory.read.show import open_show
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

BUDGETS = (300, 700, 1500, 3000)
KINDS = ("catchphrase", "habit", "gag", "callback")
WAYS = ("context", "newest", "search", "random", "scripts", "oracle")


@dataclass(frozen=True)
class Probe:
    """Something known comes back: where, among whom, and the wordings of which one must have been told."""

    episode: str
    kind: str
    heading: str
    cast: tuple[str, ...]
    wordings: tuple[str, ...]


@dataclass(frozen=True)
class Series:
    """A remembered show with its scripts read and its episodes by label."""

    show: Show
    memory: ShowMemory
    plays: dict[str, Screenplay]
    labels: dict[str, str]
    folding: Folding


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


def probes(made: Series, truth: Sequence[dict[str, object]]) -> Iterator[Probe]:
    """Every return of every known thing: its first episode only plants it."""
    for item in truth:
        if item["kind"] not in KINDS:
            continue
        words = (item["phrase"], *item["variants"])  # type: ignore[misc]
        wordings = tuple(dict.fromkeys(phrase(str(w), made.folding) for w in words))
        there = [made.labels[label] for label in item["episodes"] if label in made.labels]  # type: ignore[union-attr]
        for episode in there[1:]:
            scene = _scene(made, episode, wordings)
            if scene:
                yield Probe(episode, str(item["kind"]), scene.heading, scene.present, wordings)


def _scene(made: Series, episode: str, wordings: tuple[str, ...]) -> Scene | None:
    play = made.plays[episode]
    for speech in play.speeches():
        if _holds(phrase(speech.text, made.folding), wordings):
            return play.scenes[speech.scene]
    return None


def _holds(folded: str, wordings: Iterable[str]) -> bool:
    return any(f" {words} " in f" {folded} " for words in wordings)


class Moment:
    """All ways to fill a context as of the episode before one."""

    def __init__(self, made: Series, episode: str) -> None:
        self.made = made
        self.episode = episode
        self.ready = Ready(made.show, moment_of(made.show, made.memory, episode), {}, cut=Cut())
        self.rows = [(e, self.ready.told(e)[-1]) for e in self.ready.entries if e.id not in self.ready.held]
        self.index = sqlite3.connect(":memory:")
        self.index.execute("create virtual table rows using fts5(words)")
        self.index.executemany(
            "insert into rows(rowid, words) values (?, ?)", enumerate(wording(e) for e, _ in self.rows)
        )

    def text(self, way: str, probe: Probe, budget: int) -> str:
        """What one way gives for a probe."""
        if way == "context":
            return compose(self.ready, characters=probe.cast or None, scene=probe.heading, budget=budget).text
        if way == "oracle":
            return "\n".join(words for _, words in self.rows)
        if way == "scripts":
            return self._scripts(budget)
        ways: dict[str, Callable[[], list[int]]] = {
            "newest": self._newest,
            "random": lambda: self._random(probe),
            "search": lambda: self._search(probe),
        }
        return _filled((self.rows[at][1] for at in ways[way]()), budget)

    def _newest(self) -> list[int]:
        place = self.ready.place

        def at(entry: Entry) -> int:
            return max((place.get(e, -1) for e in (entry.changed, entry.since) if e), default=-1)

        return sorted(range(len(self.rows)), key=lambda n: (-at(self.rows[n][0]), self.rows[n][0].id))

    def _random(self, probe: Probe) -> list[int]:
        def dice(n: int) -> str:
            return hashlib.sha256(f"{self.rows[n][0].id} {probe}".encode()).hexdigest()

        return sorted(range(len(self.rows)), key=dice)

    def _search(self, probe: Probe) -> list[int]:
        names = (self.ready.names.name(who) for who in probe.cast)
        asked = [w for w in phrase(f"{probe.heading} {' '.join(names)}", self.made.folding).split() if w.isalnum()]
        query = " OR ".join(f'"{word}"' for word in dict.fromkeys(asked))
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


def _filled(rows: Iterable[str], budget: int) -> str:
    kept: list[str] = []
    spent = 0
    for row in rows:
        tokens = count(row + "\n")
        if spent + tokens <= budget:
            spent += tokens
            kept.append(row)
    return "\n".join(kept)


def measure(made: Series, asked: Sequence[Probe], budgets: Sequence[int]) -> dict[tuple[str, int], float]:
    """The share of probes that each way answers at each budget."""
    found: dict[tuple[str, int], int] = {}
    for episode in sorted({p.episode for p in asked}):
        moment = Moment(made, episode)
        for probe in (p for p in asked if p.episode == episode):
            for way in WAYS:
                for budget in budgets:
                    folded = phrase(moment.text(way, probe, budget), made.folding)
                    found[way, budget] = found.get((way, budget), 0) + _holds(folded, probe.wordings)
    return {key: hits / len(asked) for key, hits in found.items()}


def thinned(every: Sequence[Probe], most: int) -> list[Probe]:
    """At most so many probes, chosen by the hash of what they ask, so that another show's list chooses likewise."""
    ranked = sorted(every, key=lambda p: hashlib.sha256(repr((p.episode, p.wordings)).encode()).hexdigest())
    return ranked[:most]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("show", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--probes", type=int, default=150)
    parser.add_argument("--budgets", default=",".join(map(str, BUDGETS)))
    options = parser.parse_args()
    budgets = [int(part) for part in options.budgets.split(",")]
    made = series(options.show)
    truth = json.loads((options.truth or options.show / "truth.json").read_text(encoding="utf-8"))
    every = list(probes(made, truth))
    asked = thinned(every, options.probes)
    began = time.perf_counter()
    shares = measure(made, asked, budgets)
    print(f"{len(asked)} of {len(every)} returns, {time.perf_counter() - began:.0f} s; share told beforehand")
    print("| tokens | " + " | ".join(WAYS) + " |\n| --- |" + " --- |" * len(WAYS))
    for budget in budgets:
        print(f"| {budget} | " + " | ".join(f"{shares[way, budget]:.0%}" for way in WAYS) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
