"""Measure how useful contexts are: `python -m bench.context SHOW [--truth FILE] [--probes N]`.

SHOW is a remembered show; FILE lists its known recurring things (`truth.json` of the show). Each time one of them comes
back in an episode is a probe: the context for that episode, for the heading and the cast of the scene where it comes
back, either holds it or does not. The scene's own words are not given away. `oracle` is whatever memory holds at all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.context_ways import BUDGETS, WAYS, Asked, Series, Ways, head, series

from showmemory.model.screenplay import Scene
from showmemory.text.tokens import phrase

KINDS = ("catchphrase", "habit", "gag", "callback")


@dataclass(frozen=True)
class Probe:
    """Something known comes back: where, among whom, and the wordings of which one must have been told."""

    episode: str
    kind: str
    asked: Asked
    wordings: tuple[str, ...]


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
                yield Probe(episode, str(item["kind"]), Asked(scene.heading, scene.present), wordings)


def _scene(made: Series, episode: str, wordings: tuple[str, ...]) -> Scene | None:
    play = made.plays[episode]
    for speech in play.speeches():
        if _holds(phrase(speech.text, made.folding), wordings):
            return play.scenes[speech.scene]
    return None


def _holds(folded: str, wordings: Iterable[str]) -> bool:
    return any(f" {words} " in f" {folded} " for words in wordings)


def measure(made: Series, asked: Sequence[Probe], budgets: Sequence[int]) -> dict[tuple[str, int], float]:
    """The share of probes that each way answers at each budget."""
    found: dict[tuple[str, int], int] = {}
    for episode in sorted({p.episode for p in asked}):
        moment = Ways.before(made, episode)
        for probe in (p for p in asked if p.episode == episode):
            for way in WAYS:
                for budget in budgets:
                    folded = phrase(moment.text(way, probe.asked, budget), made.folding)
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
    print(head("tokens"))
    for budget in budgets:
        print(f"| {budget} | " + " | ".join(f"{shares[way, budget]:.0%}" for way in WAYS) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
