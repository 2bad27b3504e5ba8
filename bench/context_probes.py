"""Hold contexts against hand-written probes: `python -m bench.context_probes [SHOW] [--half seen|unseen] [--misses]`.

A probe (`bench/probes.yaml`) is a scene about to be written on the sample show, and what its writer has to be told, or
must not be. It was written from the scripts alone. A thing is told when its words stand in the context; the last
section, which gives the scene back, does not count. Whoever tunes the selector looks at the half `seen` only.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.context_ways import BUDGETS, WAYS, Asked, Series, Ways, head, series

from showmemory.context.moment import moment_of
from showmemory.flow import Options, Run, remember
from showmemory.model.show import SideFiles
from showmemory.read.yaml import read_yaml

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "sample_show"
PROBES = ROOT / "bench/probes.yaml"
HALVES = ("seen", "unseen")
KINDS = ("direct", "oblique", "old")
# What is made from the scripts; without it the sample show is as its writers left it.
_MADE = (".showmemory", "context", "memory.json", "memory.history.jsonl", "proposal.json", "__pycache__")
_CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "*": None})


@dataclass(frozen=True)
class Item:
    """Something to be told, or not to be: `words` are alternatives, each list of which one must stand there."""

    say: str
    words: tuple[tuple[str, ...], ...]
    where: str

    def told(self, text: str) -> bool:
        """Whether a folded text tells it."""
        return all(any(word in text for word in words) for words in self.words)


@dataclass(frozen=True)
class Probe:
    """A scene about to be written, after which episode, by whom it is seen, and what its writer needs."""

    id: str
    as_of: str
    kind: str
    half: str
    scene: str
    cast: tuple[str, ...]
    witness: str | None
    must: tuple[Item, ...]
    should: tuple[Item, ...]
    forbidden: tuple[Item, ...]


@dataclass
class Tally:
    """How many items were there to be told, and how many were."""

    told: int = 0
    asked: int = 0

    def add(self, told: bool) -> None:
        self.told += told
        self.asked += 1

    @property
    def share(self) -> float:
        return self.told / self.asked if self.asked else 0.0


def probes(path: Path = PROBES) -> list[Probe]:
    """Every probe, in order."""
    return [_probe(row) for row in read_yaml(path.read_text(encoding="utf-8")).value]


def _probe(row: dict[str, Any]) -> Probe:
    lists = {name: tuple(_item(item) for item in row.get(name) or ()) for name in ("must", "should", "forbidden")}
    plain = {name: row[name] for name in ("id", "as_of", "kind", "half", "scene")}
    return Probe(**plain, cast=tuple(row["cast"]), witness=row.get("witness"), **lists)


def _item(row: dict[str, Any]) -> Item:
    lists = row["words"] if isinstance(row["words"][0], list) else [row["words"]]
    return Item(row["say"], tuple(tuple(folded(w) for w in words) for words in lists), row["where"])


def folded(text: str) -> str:
    """Case, emphasis, curly quotes and runs of spaces folded away."""
    return re.sub(r"\s+", " ", text.translate(_CURLY)).lower()


def fresh(folder: Path) -> tuple[Series, dict[str, SideFiles]]:
    """The sample show, remembered anew, and its side files."""
    show = folder / "sample_show"
    shutil.copytree(SAMPLE, show, ignore=shutil.ignore_patterns(*_MADE))
    remember(show, Options(workers=1))
    run = Run(show)
    sides = dict(run.sides)
    run.close()
    return series(show), sides


class Bench:
    """Probes put to one show; what stands at one moment is made ready once."""

    def __init__(self, made: Series, sides: dict[str, SideFiles]) -> None:
        self.made = made
        self.sides = sides
        self._ways: dict[tuple[str, str | None], Ways] = {}

    def ways(self, probe: Probe) -> Ways:
        """All ways to fill a context at the moment and from the vantage of a probe."""
        key = (probe.as_of, probe.witness)
        if key not in self._ways:
            moment = moment_of(self.made.show, self.made.memory, None, self.made.labels[probe.as_of], "story")
            self._ways[key] = Ways(self.made, moment, probe.witness, self.sides)
        return self._ways[key]

    def text(self, way: str, probe: Probe, budget: int) -> str:
        """What one way gives for a probe, folded, without the scene it gives back."""
        text = self.ways(probe).text(way, Asked(probe.scene, probe.cast), budget)
        return folded(text.partition("\n## The scene\n")[0] if way == "context" else text)

    def future(self, probe: Probe, text: str) -> list[str]:
        """What a folded text says that comes after a probe's moment: the names of later episodes."""
        held = frozenset(self.ways(probe).ready.moment.upto)
        return [label for label, id_ in self.made.labels.items() if id_ not in held and label in text]


Shares = dict[tuple[str, str, str, int], Tally]


def measure(
    bench: Bench, asked: Sequence[Probe], ways: Sequence[str] = WAYS, budgets: Sequence[int] = BUDGETS
) -> Shares:
    """(what, kind, way, budget) -> how much was told; every kind together is `all`."""
    found: Shares = defaultdict(Tally)
    for probe in asked:
        for way in ways:
            for budget in budgets:
                text = bench.text(way, probe, budget)
                for what, told in _outcomes(bench, probe, text):
                    found[what, probe.kind, way, budget].add(told)
                    found[what, "all", way, budget].add(told)
    return found


def _outcomes(bench: Bench, probe: Probe, text: str) -> Iterator[tuple[str, bool]]:
    for what in ("must", "should", "forbidden"):
        yield from ((what, item.told(text)) for item in getattr(probe, what))
    yield "future", bool(bench.future(probe, text))


def table(found: Shares, what: str, kinds: Iterable[str] = ("all",), budgets: Sequence[int] = BUDGETS) -> str:
    """A table of one thing: a row for each kind and budget, a column for each way."""
    rows = [head("tokens")]
    for kind in kinds:
        for budget in budgets:
            cells = (f"{found[what, kind, way, budget].share:.0%}" for way in WAYS)
            rows.append(f"| {budget:,}{'' if kind == 'all' else f', {kind}'} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def misses(bench: Bench, asked: Sequence[Probe], budget: int) -> Iterator[str]:
    """What a context does not tell of what it must, and whether memory holds it at all."""
    for probe in asked:
        ours, held = (bench.text(way, probe, budget) for way in ("context", "oracle"))
        left = [item for item in probe.must if not item.told(ours)]
        if left or any(item.told(ours) for item in probe.forbidden):
            who = f", {probe.witness}" if probe.witness else ""
            yield f"{probe.id} ({probe.as_of}, {probe.kind}{who}): {probe.scene}"
        for item in left:
            known = "in memory" if item.told(held) else "nowhere"
            yield f"    {known}: {item.say} {[list(w) for w in item.words]} ({item.where})"
        yield from (f"    FORBIDDEN {item.say} {item.words}" for item in probe.forbidden if item.told(ours))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, action="append", help="only this half of the probes")
    parser.add_argument("--misses", type=int, metavar="TOKENS", help="list what a context of so many tokens misses")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(*fresh(Path(folder)))
        for half in options.half or HALVES:
            asked = [p for p in probes() if p.half == half]
            if options.misses:
                print("\n".join(misses(bench, asked, options.misses)))
                continue
            found = measure(bench, asked)
            print(f"{half}: {len(asked)} probes, share of what must be told\n")
            print(table(found, "must", ("all", *KINDS)))
            print(f"\n{half}: share of what should be told\n\n{table(found, 'should')}")
            for what in ("forbidden", "future"):
                leaks = [f"{b:,}: {found[what, 'all', 'context', b].told}" for b in BUDGETS]
                print(f"\n{what} told by a context: {', '.join(leaks)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
