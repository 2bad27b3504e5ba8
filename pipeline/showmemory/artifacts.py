"""Results by content: which of an episode's are missing, making them in one batch, passes in story order over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from showmemory import work
from showmemory.crew import Crew, Gone
from showmemory.extract.earn import Earning, Told, clip_shows
from showmemory.extract.per_episode import MECHANISMS
from showmemory.extract.tally import Tally
from showmemory.extract.voices import Voicing
from showmemory.keys import Keys, keys_of, side_keys
from showmemory.model.canonical import dumps
from showmemory.model.codec import decode
from showmemory.model.memory import ShowMemory
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode, Show, SideFiles
from showmemory.model.span import Problem
from showmemory.passes import Pass, Passing
from showmemory.store.store import Store

Say = Callable[[str, int, int], None]
_TRIES = 3
# What is said of each episode by itself; what is counted of voices is weighed over the whole show.
_ALONE = tuple(name for name in MECHANISMS if name != "voice")
_PART = 64


@dataclass
class Artifacts:
    """The results of one show as it is now. `wants`: episode id -> stage -> key. `made`: how many each stage made."""

    root: Path
    show: Show
    rules: Rules
    sides: Mapping[str, SideFiles]
    store: Store
    wants: dict[str, dict[str, str]] = field(default_factory=dict)
    scripts: dict[str, str] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    live: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Hash once what all keys share."""
        self.keys: Keys = keys_of(self.show.bible, self.rules)
        self._plays: dict[str, Screenplay] = {}
        self._clips: frozenset[str] | None = None
        # What other processes have begun: lists of the pass over what recurs, and the pass over voices.
        self.beside: dict[int, Told] = {}
        self.coming: Future[None] | None = None

    def make(
        self, hashed: Mapping[str, Callable[[], str]], crew: Crew, say: Say
    ) -> tuple[dict[str, str], list[Episode]]:
        """Make what is missing, each script read at most once. `hashed`: episode id -> its script's sha256, or empty.

        Returns the hashes of the scripts all was made from. One that was saved meanwhile is taken up again; those that
        never rest are returned too.
        """
        self.scripts = {id_: sha for id_, ask in hashed.items() if (sha := ask())}
        changed: set[str] = set()
        for _ in range(_TRIES):
            changed = self._make([e for e in self.show.episodes if e.id in self.scripts], crew, say)
            again = {id_: hashed[id_]() for id_ in changed}
            self.scripts = {id_: sha for id_, sha in (self.scripts | again).items() if sha}
            if not changed:
                break
        restless = [e for e in self.show.episodes if e.id in changed]
        return {id_: sha for id_, sha in self.scripts.items() if id_ not in changed}, restless

    def _make(self, episodes: Sequence[Episode], crew: Crew, say: Say) -> set[str]:
        """Returns the episodes whose scripts were other bytes by the time they were read."""
        self.wants = {e.id: self._wanted(e, self.scripts[e.id]) for e in episodes}
        here = self.store.has(key for want in self.wants.values() for key in want.values())
        lacking = {e: {s: k for s, k in self.wants[e.id].items() if k not in here} for e in episodes}
        jobs = self._jobs({e: wants for e, wants in lacking.items() if wants})
        changed = set()
        for done, results in enumerate(work.run(jobs, self.show.bible, self.rules, crew)):
            self.store.keep(results)
            if not results:
                changed.add(jobs[done].episode.id)
            say("parse", done + 1, len(jobs))
        return changed

    def _jobs(self, lacking: Mapping[Episode, dict[str, str]]) -> list[work.Job]:
        parsed = self.store.get(self.wants[e.id]["parse"] for e in lacking)
        jobs = []
        for e, stages in lacking.items():
            key = self.wants[e.id]["parse"]
            wants = stages if key in parsed else stages | {"parse": key}
            jobs.append(work.Job(e, self.root / e.script, self.scripts[e.id], parsed.get(key), self.sides[e.id], wants))
            self.made |= {s: self.made.get(s, 0) + 1 for s in wants}
        return jobs

    def _of(self, episodes: Sequence[Episode], *stages: str) -> dict[str, bytes]:
        """The results of these stages by key. What a damaged store lost since it was asked is made again."""
        held = self.store.get(self.wants[e.id][stage] for e in episodes for stage in stages)
        lost = {e: {s: k for s in stages if (k := self.wants[e.id][s]) not in held} for e in episodes}
        if any(lost.values()):
            jobs = self._jobs({e: wants for e, wants in lost.items() if wants})
            for results in work.run(jobs, self.show.bible, self.rules):
                self.store.keep(results)
                held |= {key: value for key, (_, value) in results.items()}
        return held

    def inputs(self, scripts: Mapping[str, str]) -> dict[str, str]:
        """Everything the results are made from, by name: scripts, what each rule said of them, bible, rules."""
        made = {f"the script of {id_}": sha for id_, sha in scripts.items()}
        for id_, want in self.wants.items():
            made |= {f"what {stage} says of {id_}": key for stage, key in want.items() if stage != "parse"}
        made |= {f"the bible's {part}": value for part, value in self.keys.parts.items() if value}
        made |= {f"rule {name}": value for name, value in self.keys.rules.items()}
        return made | {"the lexicons": self.keys.lexicons}

    def screenplay(self, episode: Episode) -> Screenplay | None:
        """The parsed script with its cast resolved, or None when there is none."""
        if episode.id not in self._plays:
            play = self.parsed(episode)
            if play is None:
                return None
            self._plays[episode.id] = work.prepared(play, self.sides[episode.id], self.show.bible, self.rules)
        return self._plays[episode.id]

    def parsed(self, episode: Episode) -> Screenplay | None:
        """The script as read, cues not resolved."""
        key = self.wants.get(episode.id, {}).get("parse", "")
        held = self.store.get([key]).get(key)
        return decode(held, episode.script) if held is not None else None

    def problems(self, episodes: Sequence[Episode]) -> dict[str, tuple[Problem, ...]]:
        """What the readers had to say of each script."""
        held = self._of(episodes, "problems")
        return {e.id: decode(held[self.wants[e.id]["problems"]], e.script).problems for e in episodes}

    def alone(self, episodes: Sequence[Episode]) -> Iterator[Observation]:
        """What each episode shows by itself, voices excepted."""
        for at in range(0, len(episodes), _PART):
            part = episodes[at : at + _PART]
            held = self._of(part, *_ALONE)
            yield from work.observations(held[self.wants[e.id][name]] for e in part for name in _ALONE)

    def spoke(self, episodes: Sequence[Episode]) -> dict[str, dict[str, list[int]]]:
        """Who spoke how much: episode id -> character id -> [speeches, words]."""
        held = self._of(episodes, "spoke")
        return {e.id: json.loads(held[self.wants[e.id]["spoke"]]) for e in episodes}

    def earned(self, episodes: Sequence[Episode], *, literal: bool = False) -> Iterator[Observation]:
        """What recurs, earned in one pass in story order over the tallies; no script is read.

        `literal`: any run of three or more words said again in another episode is a catchphrase (A56, F12).
        """

        def begin(held: bytes) -> Earning:
            beside = {} if held else self.beside
            tallies = self.tallies(episodes)
            made = Earning(tallies, self.show.bible, self.rules, literal=literal, held=held, beside=beside)
            self._clips = made.clips
            return made

        stage = "earn literally" if literal else "earn"
        if self.beside:
            try:
                return iter(list(self._pass(stage, "tally", episodes, begin)))
            except Gone:
                self.beside = {}
        return self._pass(stage, "tally", episodes, begin)

    def clips(self, episodes: Sequence[Episode]) -> frozenset[str]:
        """Episodes that are clip shows or recaps: their repeats do not count."""
        chain = self.keys.chain("clips", [self.wants[e.id]["tally"] for e in episodes])
        key = chain[-1] if chain else ""
        held = self.store.get([key]).get(key)
        self.live.add(key)
        if held is None:
            clips = clip_shows(self.tallies(episodes), self.rules) if self._clips is None else self._clips
            held = json.dumps(sorted(clips)).encode()
            self.store.put("clips", {key: held})
        return frozenset(json.loads(held))

    def voices(self, episodes: Sequence[Episode]) -> Iterator[Observation]:
        """Voices, earned in one pass in story order over each episode's own counts."""
        if self.coming is not None:
            # Kept in the store by whoever did it; what is not there is made here.
            futures.wait([self.coming])

        def heard(number: int) -> tuple[str, list[Observation]]:
            episode = episodes[number]
            return episode.id, work.observations(self._of([episode], "voice").values())

        return self._pass("voices", "voice", episodes, lambda held: Voicing(heard, self.rules, held))

    def lacks(self, stage: str, reads: str, episodes: Sequence[Episode]) -> bool:
        """Whether a pass has to begin with the first episode."""
        first = self.keys.chain(stage, [self.wants[e.id][reads] for e in episodes[:1]])
        return bool(first) and not self.store.has(first)

    def tallies(self, episodes: Sequence[Episode]) -> list[Tally]:
        """The counts of what each episode says."""
        parts = (episodes[at : at + _PART] for at in range(0, len(episodes), _PART))
        return [
            Tally.from_bytes(held[self.wants[e.id]["tally"]])
            for part in parts
            for held in (self._of(part, "tally"),)
            for e in part
        ]

    def contexts(
        self, memory: ShowMemory | None, given: Iterable[str], dated: Iterable[str], make: Callable[[], dict[str, str]]
    ) -> dict[str, str]:
        """What `make` writes for writers, path -> text; the same memory, show and `dated` scripts are asked once."""
        # Whether a place was guessed is over once it is remembered, and nothing that writers read tells of it.
        shown = self.show.model_dump_json(exclude={"episodes": {"__all__": {"guessed"}}})
        parts = [shown, *(self.sides[e.id].model_dump_json() for e in self.show.episodes), *given]
        key = self.keys.contexts(dumps(memory) if memory else "", [*parts, *(self.scripts[id_] for id_ in dated)])
        self.live.add(key)
        held = self.store.get([key]).get(key)
        if held is None:
            held = json.dumps(make(), separators=(",", ":")).encode()
            self.store.put("contexts", {key: held})
        made: dict[str, str] = json.loads(held)
        return made

    def collect(self) -> int:
        """Let go of what the show as it is does not need, once the cache is over its size; returns how many went."""
        if not self.wants:
            return 0
        live = self.live | {key for want in self.wants.values() for key in want.values()}
        return self.store.collect(live, self.show.config.cache.megabytes * 1_000_000)

    def _pass(
        self, stage: str, reads: str, episodes: Sequence[Episode], begin: Callable[[bytes], Passing]
    ) -> Iterator[Observation]:
        made = Pass(self.store, stage, self.keys.chain(stage, [self.wants[e.id][reads] for e in episodes]), begin)
        yield from made.observed()
        self.live |= {*made.chain, *made.kept()}
        if made.made:
            self.made[stage] = len(made.made)

    def _wanted(self, episode: Episode, sha: str) -> dict[str, str]:
        parsed = self.keys.parse(sha, Path(episode.script).suffix.lower())
        side = side_keys(self.sides[episode.id])
        want = {"parse": parsed, "tally": self.keys.tally(episode, parsed, side["directed"])}
        want |= {"spoke": self.keys.spoke(parsed), "problems": self.keys.problems(parsed)}
        return want | {name: self.keys.mechanism(name, episode, parsed, side) for name in MECHANISMS}
