"""Measure what recurs against lists of known answers: `python bench/finding.py FOLDER-OF-SHOWS [--lists] [--season N]`.

A show is a folder with `episodes/` (one script an episode, sNNeNN in the name) and `truth.json`. The table says, for
each show and kind, how many known items stand among the first so many of the full ranking.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from showmemory.extract.candidates import candidates
from showmemory.extract.earn import clip_shows, earn
from showmemory.extract.tally import Tally, tally
from showmemory.fold.fold import refold
from showmemory.fold.shown import Shown, shown
from showmemory.model.ids import entry_id, slug
from showmemory.model.memory import Entry
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, Episode, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import SUFFIXES, read_screenplay
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

PLACE = re.compile(r"s(\d+)e(\d+)", re.IGNORECASE)
# A truth is found by wording that holds it or stands in it, when the shorter has this part of the longer one's words.
LEAST = 0.5


@dataclass
class Truth:
    """One known item: its wordings, folded; who says it; the episodes that have it."""

    kind: str
    speaker: str
    wordings: tuple[str, ...]
    episodes: frozenset[str]


@dataclass
class Measured:
    """One show measured."""

    name: str
    words: int = 0
    episodes: int = 0
    seconds: float = 0.0
    memory: float = 0.0
    clips: tuple[str, ...] = ()
    rows: list[Shown] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)


def read_show(folder: Path, rules: Rules, season: int | None) -> list[Tally]:
    """Read and tally a show's scripts, in story order."""
    made = []
    for path in sorted((folder / "episodes").iterdir()):
        place = PLACE.search(path.stem)
        if path.suffix not in SUFFIXES or not place or season not in (None, int(place[1])):
            continue
        play = resolve(read_screenplay(path.read_bytes(), path.name, rules), Bible(), rules)
        episode = Episode(id=f"ep.{path.stem}", season=int(place[1]), number=int(place[2]), script=path.name)
        made.append(tally(EpisodeRead(episode, play, SideFiles()), rules))
    return sorted(made, key=lambda t: (t.season, t.number, t.episode))


def truths(folder: Path, folding: Folding, read: frozenset[str]) -> list[Truth]:
    """The known items that can be known from the episodes read."""
    made = []
    for item in json.loads((folder / "truth.json").read_text("utf-8")):
        said = frozenset(f"ep.{episode}" for episode in item["episodes"]) & read
        kind = "catchphrase" if item["kind"] == "habit" else item["kind"]
        if len(said) < (2 if kind in ("catchphrase", "gag") else 1) and kind != "generic":
            continue
        wordings = tuple(dict.fromkeys(phrase(text, folding) for text in item["variants"]))
        whose = [f"character.{slug(speaker)}" for speaker in item["speakers"]] or [""]
        made += [Truth(kind, speaker, wordings, said) for speaker in whose]
    return made


def entries_of(seen: Iterable[Observation], aired: Sequence[str]) -> list[Entry]:
    """Observations folded to entries, as the flow folds them."""
    held: dict[tuple[str, str], list[Observation]] = {}
    for one in seen:
        held.setdefault((one.kind, one.key), []).append(one)
    made = []
    for (kind, key), same in sorted(held.items()):
        first = same[0]
        entry = Entry(id=entry_id(kind, key), kind=first.kind, form=first.form, key=key, about=first.about)
        made.append(refold(entry.model_copy(update={"said": {one.episode: one.said for one in same}}), aired))
    return made


def measure(folder: Path, rules: Rules, season: int | None) -> Measured:
    """Read, tally, earn and rank one show."""
    start = time.process_time()
    tallies = read_show(folder, rules, season)
    seen = [one for _, found in earn(tallies, Bible(), rules) for one in found]
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    aired = [t.episode for t in tallies]
    seen += candidates(tallies, Bible(), rules)
    return Measured(
        name=folder.name,
        words=sum(len(t.word) for t in tallies),
        episodes=len(tallies),
        seconds=seconds,
        memory=memory,
        clips=tuple(sorted(clip_shows(tallies, rules))),
        rows=shown(entries_of(seen, aired), aired),
        truths=truths(folder, Folding.of(rules), frozenset(aired)),
    )


def matches(wording: str, known: str) -> bool:
    """Whether two folded wordings are one, or one holds the other and is not much longer."""
    if wording == known:
        return True
    short, long = sorted((wording, known), key=lambda text: len(text.split()))
    return f" {short} " in f" {long} " and len(short.split()) >= LEAST * len(long.split())


def finds(entry: Entry, truth: Truth) -> bool:
    """Whether one of the wordings an entry is shown with is one of a truth's."""
    head = entry.key.rpartition("|")[2]
    return any(matches(text, known) for text in (head, *entry.variants) for known in truth.wordings)


def listed(measured: Measured, truth: Truth) -> list[Shown]:
    """The list in which a truth should stand: its speaker's, the show's gags, or an episode's callbacks."""
    if truth.kind == "catchphrase":
        rows = [r for r in measured.rows if r.entry.kind == "catchphrase" and truth.speaker in r.entry.about]
    elif truth.kind == "gag":
        rows = [r for r in measured.rows if r.entry.form == "running"]
    else:
        rows = [r for r in measured.rows if r.entry.form == "callback" and set(r.entry.said) & truth.episodes]
    return sorted(rows, key=lambda r: -(r.score if r.score is not None else 1e9))


def rank(measured: Measured, truth: Truth) -> int:
    """The place at which a truth is first found in its list, 0 when it is not."""
    return next((at for at, row in enumerate(listed(measured, truth), 1) if finds(row.entry, truth)), 0)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lists", action="store_true")
    parser.add_argument("--season", type=int)
    parser.add_argument("--misses", action="store_true")
    asked = parser.parse_args(arguments)
    rules, _ = read_rules()
    for folder in sorted(path.parent for path in asked.folder.glob("*/truth.json")):
        one = measure(folder, rules, asked.season)
        print(f"{one.name}: {one.episodes} episodes, {one.words} words, {one.seconds:.1f} s, {one.memory:.0f} MB")
        print(f"  clip shows: {', '.join(one.clips) or 'none'}")
        for kind, places in (("catchphrase", (10, 20, 50)), ("gag", (40, 100, 200)), ("callback", (5, 10))):
            ranked = [(rank(one, truth), truth) for truth in one.truths if truth.kind == kind]
            found = ", ".join(f"{sum(0 < at <= n for at, _ in ranked)} at {n}" for n in places)
            print(f"  {kind}: {len(ranked)} known, {found}")
            if asked.misses:
                for at, truth in ranked:
                    if not 0 < at <= places[0]:
                        print("     ", at, truth.speaker, truth.wordings)
        generic = {known for truth in one.truths if truth.kind == "generic" for known in truth.wordings}
        out = [r.entry for r in one.rows if not r.held and r.entry.kind == "catchphrase"]
        bad = [(e.about, e.title) for e in out if e.key.rpartition("|")[2] in generic]
        print(f"  shown: {len(out)} catchphrases, generic among them: {bad}")
        if asked.lists:
            _print_lists(one)
    return 0


def _print_lists(one: Measured) -> None:
    held: dict[str, list[Shown]] = {}
    for row in one.rows:
        name = row.entry.about[0] if row.entry.kind == "catchphrase" else str(row.entry.form)
        held.setdefault(name, []).append(row)
    for name, rows in held.items():
        print(f"  {name}")
        for row in rows[:60]:
            uses = len(row.entry.uses)
            mark = " " if not row.held else "-"
            print(f"   {mark} {row.score} {row.entry.title!r} {list(row.entry.variants)} x{uses} {row.held}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
