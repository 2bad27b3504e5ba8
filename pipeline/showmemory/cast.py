"""Who speaks in a show, how much and where, and which names look alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from showmemory import work
from showmemory.flow import Run
from showmemory.model.codec import decode
from showmemory.model.ids import digest
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode, SideFiles
from showmemory.model.span import Problem
from showmemory.read.near_names import NearName, near_names


@dataclass(frozen=True)
class Person:
    """Somebody who speaks: the id memory gives them, their commonest cue, speeches, words, and where."""

    id: str
    name: str
    lines: int
    words: int
    episodes: tuple[str, ...]
    cues: tuple[tuple[str, int], ...]


@dataclass
class _Heard:
    """What is counted of one person while the scripts are gone through."""

    cues: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    words: int = 0
    episodes: dict[str, None] = field(default_factory=dict)


def cast_of(root: Path) -> tuple[list[Person], list[Problem]]:
    """Everybody who speaks, the most talkative first. Reads each script that is not read yet, and nothing more."""
    run = Run(root)
    heard: dict[str, _Heard] = {}
    for episode, play in plays(run):
        for speech in play.speeches():
            for speaker in speech.speakers:
                held = heard.setdefault(speaker, _Heard())
                held.cues[speech.cue.name] += 1
                held.lines += 1
                held.words += len(speech.text.split())
                held.episodes[episode.id] = None
    run.close()
    names = {one.id: one.name for one in run.show.bible.characters}
    people = [_person(id_, held, names.get(id_, "")) for id_, held in heard.items()]
    return sorted(people, key=lambda p: (-p.lines, -p.words, p.id)), run.problems


def alike(root: Path, people: Iterable[Person]) -> list[NearName]:
    """Names that are nearly another one, the likeliest slips first; nothing is merged (G9)."""
    counts: Counter[str] = Counter()
    for person in people:
        counts.update(dict(person.cues))
    run = Run(root)
    run.close()
    return near_names(counts, run.show.bible)


def play_of(run: Run, episode: Episode) -> Screenplay | None:
    """One script with its cast resolved."""
    return next((play for _, play in plays(run, [episode])), None)


def plays(run: Run, episodes: Iterable[Episode] | None = None) -> list[tuple[Episode, Screenplay]]:
    """Scripts (all of them) with their cast resolved, parsed unless that is done; problems are added to the run's."""
    jobs, keys = [], {}
    for episode in run.show.episodes if episodes is None else episodes:
        try:
            data = (run.root / episode.script).read_bytes() if episode.script else b""
        except OSError:
            continue
        sha = digest(data)
        keys[episode.id] = run.artifacts.keys.parse(sha, Path(episode.script).suffix.lower())
        jobs.append(work.Job(episode, run.root / episode.script, sha, None, SideFiles(), {"parse": keys[episode.id]}))
    store = run.artifacts.store
    here = store.has(keys.values())
    lacking = [job for job in jobs if job.wants["parse"] not in here]
    for results in work.run(lacking, run.show.bible, run.rules, run.crew):
        store.put("parse", {key: value for key, (_, value) in results.items()})
    made = []
    for episode in (job.episode for job in jobs):
        held = store.get([keys[episode.id]]).get(keys[episode.id])
        if held is None:
            continue
        play = decode(held, episode.script)
        run.problems += play.problems
        made.append((episode, work.prepared(play, run.sides[episode.id], run.show.bible, run.rules)))
    return made


def _person(id_: str, held: _Heard, name: str) -> Person:
    cues = tuple(sorted(held.cues.items(), key=lambda cue: (-cue[1], cue[0])))
    return Person(id_, name or cues[0][0], held.lines, held.words, tuple(held.episodes), cues)
