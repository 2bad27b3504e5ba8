"""Measure what recurs against lists of known answers: `python bench/finding.py FOLDER-OF-SHOWS [options]`.

A show is a folder with `episodes/` (one script an episode, sNNeNN in its name) and `truth.json`, a list of items with
`kind` (catchphrase, habit, gag, callback, generic), `variants`, `speakers` and `episodes`. For each show and kind the
table says how many known items stand among the first so many of the whole ranking, before a list is cut.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from literal import literal_lists
from table import DOCS, lists_of, table_of, written

from showmemory.extract.candidates import candidates
from showmemory.extract.earn import clip_shows, earn
from showmemory.extract.tally import Tally, tally
from showmemory.fold.fold import refold
from showmemory.fold.shown import Shown, bar, shown
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
# A truth is found by a wording that holds it or stands in it, when the shorter has this part of the longer one's words.
LEAST = 0.5
LEADS = 6


@dataclass(frozen=True)
class Truth:
    """One known item: its wordings, folded; who says it; the episodes that have it."""

    kind: str
    speaker: str
    wordings: tuple[str, ...]
    episodes: frozenset[str]


@dataclass
class Measured:
    """One show measured. `ranks`: for each known item its place in its list, 0 when it is not in it."""

    name: str
    words: int
    episodes: int
    seconds: float = 0.0
    memory: float = 0.0
    clips: tuple[str, ...] = ()
    rows: list[Shown] = field(default_factory=list)
    ranks: list[tuple[Truth, int]] = field(default_factory=list)
    generic: list[str] = field(default_factory=list)
    literal: list[tuple[Truth, int]] = field(default_factory=list)
    runs: int = 0
    turnover: dict[int, float] = field(default_factory=dict)


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
    made: list[Truth] = []
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
    steps = list(earn(tallies, Bible(), rules))
    made = Measured(folder.name, sum(len(t.word) for t in tallies), len(tallies))
    made.seconds = time.process_time() - start
    made.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    aired = [t.episode for t in tallies]
    made.turnover = turnover(tallies, [found for _, found in steps])
    seen = [one for _, found in steps for one in found]
    seen += candidates(tallies, Bible(), rules)
    made.clips = tuple(sorted(clip_shows(tallies, rules)))
    made.rows = shown(entries_of(seen, aired), aired)
    known = truths(folder, Folding.of(rules), frozenset(aired))
    made.ranks = [(truth, rank(made.rows, truth)) for truth in known]
    made.generic = generic(made.rows, known)
    lists, made.runs = literal_lists(tallies, rules, {t.speaker for t in known if t.kind == "catchphrase"})
    said = [truth for truth in known if truth.kind == "catchphrase"]
    made.literal = [(truth, place(lists.get(truth.speaker, []), truth)) for truth in said]
    return made


def matches(wording: str, known: str) -> bool:
    """Whether two folded wordings are one, or one holds the other and is not much longer."""
    if wording == known:
        return True
    short, long = sorted((wording, known), key=lambda text: len(text.split()))
    return f" {short} " in f" {long} " and len(short.split()) >= LEAST * len(long.split())


def place(lines: Iterable[Sequence[str]], truth: Truth) -> int:
    """The first place, from 1, at which one of the wordings is one of a truth's; 0 when none is."""
    for at, wordings in enumerate(lines, 1):
        if any(matches(text, known) for text in wordings for known in truth.wordings):
            return at
    return 0


def rank(rows: Iterable[Shown], truth: Truth) -> int:
    """A truth's place in the list it should stand in: its speaker's, the show's gags, or an episode's callbacks."""
    if truth.kind == "catchphrase":
        kept = [r for r in rows if r.entry.kind == "catchphrase" and truth.speaker in r.entry.about]
    elif truth.kind == "gag":
        kept = [r for r in rows if r.entry.form == "running"]
    else:
        kept = [r for r in rows if r.entry.form == "callback" and set(r.entry.said) & truth.episodes]
    kept.sort(key=lambda r: -(r.score if r.score is not None else 1e9))
    return place(((r.entry.key.rpartition("|")[2], *r.entry.variants) for r in kept), truth)


def generic(rows: Iterable[Shown], known: Iterable[Truth]) -> list[str]:
    """Phrases shown as catchphrases that the truth calls generic, speakers excepted for whom it lists them."""
    never = {text for truth in known if truth.kind == "generic" for text in truth.wordings}
    own = {(truth.speaker, text) for truth in known if truth.kind == "catchphrase" for text in truth.wordings}
    found = []
    for row in rows:
        words = row.entry.key.rpartition("|")[2]
        if (
            row.entry.kind == "catchphrase"
            and not row.held
            and words in never
            and (row.entry.about[0], words) not in own
        ):
            found.append(f"{row.entry.about[0]}: {words}")
    return found


def turnover(tallies: Sequence[Tally], steps: Sequence[Sequence[Observation]]) -> dict[int, float]:
    """New entries in a lead's first ten, as shown, per episode after the 20th and after the 80th."""
    said: dict[str, int] = {}
    for one in tallies:
        for who, words in zip(
            one.speakers, (one.speaker[one.speech][:, None] == range(len(one.speakers))).sum(0), strict=True
        ):
            said[who] = said.get(who, 0) + int(words)
    leads = sorted(said, key=lambda who: (-said[who], who))[:LEADS]
    held: dict[str, dict[str, tuple[float, bool]]] = {who: {} for who in leads}
    before: dict[str, set[str]] = {who: set() for who in leads}
    new: dict[int, list[int]] = {20: [], 80: []}
    for number, step in enumerate(steps, 1):
        for one in step:
            if one.kind == "catchphrase" and one.about[0] in held and one.said.score is not None:
                held[one.about[0]][one.key] = (one.said.score, bool(one.said.held))
        for who in leads:
            fit = [(-score, key) for key, (score, out) in held[who].items() if not out and score >= bar(number)]
            top = {key for _, key in sorted(fit)[:10]}
            for after in new:
                if number > after:
                    new[after].append(len(top - before[who]))
            before[who] = top
    return {after: sum(counts) / len(counts) for after, counts in new.items() if counts}


def main(arguments: Sequence[str]) -> int:
    """Measure every show of a folder and print, or write, the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder of shows")
    parser.add_argument("--season", type=int, help="only the episodes of this season")
    parser.add_argument("--lists", action="store_true", help="print the lists too, for reading")
    parser.add_argument("--misses", action="store_true", help="print the known items that are not among the first")
    parser.add_argument("--write", action="store_true", help=f"write the table into {DOCS.name}")
    asked = parser.parse_args(arguments)
    rules, _ = read_rules()
    folders = sorted(path.parent for path in asked.folder.glob("*/truth.json"))
    if not folders:
        print(f"no show with a truth.json in {asked.folder}", file=sys.stderr)
        return 1
    # A process of its own for each show, so that one's memory is not counted for the next.
    alone = ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1)
    shows = list(alone.map(measure, folders, [rules] * len(folders), [asked.season] * len(folders)))
    table = table_of(shows)
    print(table)
    if asked.write:
        DOCS.write_text(written(DOCS.read_text("utf-8"), table), "utf-8")
    for one in shows if asked.lists or asked.misses else ():
        print("\n".join(lists_of(one, lists=asked.lists, misses=asked.misses)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
