"""Results by content: which of an episode's are missing, making them in one batch, passes in story order over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from showmemory import work
from showmemory.extract.earn import clip_shows, earn
from showmemory.extract.per_episode import MECHANISMS
from showmemory.extract.tally import Tally
from showmemory.extract.voices import earn_voices
from showmemory.keys import Keys, keys_of, side_keys
from showmemory.model.codec import decode
from showmemory.model.ids import digest
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode, Show, SideFiles
from showmemory.model.span import Problem
from showmemory.store.store import Store

Say = Callable[[str, int, int], None]
Step = tuple[str, list[Observation]]


@dataclass
class Artifacts:
    """The results of one show as it is now. `wants`: episode id -> stage -> key. `made`: how many each stage made."""

    root: Path
    show: Show
    rules: Rules
    sides: Mapping[str, SideFiles]
    store: Store
    wants: dict[str, dict[str, str]] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Hash once what all keys share."""
        self.keys: Keys = keys_of(self.show.bible, self.rules)
        self._plays: dict[str, Screenplay] = {}

    def make(self, scripts: Mapping[str, str], workers: int, say: Say) -> None:
        """Make what is missing for these scripts (episode id -> sha256 of its bytes), each script read at most once."""
        episodes = [e for e in self.show.episodes if e.id in scripts]
        self.wants = {e.id: self._wanted(e, scripts[e.id]) for e in episodes}
        here = self.store.has(key for want in self.wants.values() for key in want.values())
        lacking = {e.id: {s: k for s, k in self.wants[e.id].items() if k not in here} for e in episodes}
        at_work = [e for e in episodes if lacking[e.id]]
        parsed = self.store.get(self.wants[e.id]["parse"] for e in at_work)
        jobs = [
            work.Job(e, self.root / e.script, parsed.get(self.wants[e.id]["parse"]), self.sides[e.id], lacking[e.id])
            for e in at_work
        ]
        for stages in lacking.values():
            self.made |= {s: self.made.get(s, 0) + 1 for s in stages}
        for done, results in enumerate(work.run(jobs, self.show.bible, self.rules, workers), 1):
            self._keep(results)
            say("parse", done, len(jobs))

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
        held = self.store.get(self.wants[e.id]["problems"] for e in episodes)
        return {e.id: decode(held[self.wants[e.id]["problems"]], e.script).problems for e in episodes}

    def alone(self, episodes: Sequence[Episode]) -> dict[str, list[Observation]]:
        """What each episode shows by itself."""
        held = self.store.get(self.wants[e.id][name] for e in episodes for name in MECHANISMS)
        return {e.id: work.observations(held[self.wants[e.id][n]] for n in MECHANISMS) for e in episodes}

    def spoke(self, episodes: Sequence[Episode]) -> dict[str, dict[str, list[int]]]:
        """Who spoke how much: episode id -> character id -> [speeches, words]."""
        held = self.store.get(self.wants[e.id]["spoke"] for e in episodes)
        return {e.id: json.loads(held[self.wants[e.id]["spoke"]]) for e in episodes}

    def earned(self, episodes: Sequence[Episode], *, literal: bool = False) -> list[Observation]:
        """What recurs, earned in one pass in story order over the tallies; no script is read.

        `literal`: any run of three or more words said again in another episode is a catchphrase (A56, F12).
        """
        steps = [self.wants[e.id]["tally"] for e in episodes]
        stage = "earn literally" if literal else "earn"
        return self._pass(
            stage, steps, lambda: earn(self.tallies(episodes), self.show.bible, self.rules, literal=literal)
        )

    def clips(self, episodes: Sequence[Episode]) -> frozenset[str]:
        """Episodes that are clip shows or recaps: their repeats do not count."""
        key = digest("clips" + "".join(self.keys.chain("earn", [self.wants[e.id]["tally"] for e in episodes])[-1:]))
        held = self.store.get([key]).get(key)
        if held is None:
            held = json.dumps(sorted(clip_shows(self.tallies(episodes), self.rules))).encode()
            self.store.put("clips", {key: held})
        return frozenset(json.loads(held))

    def voices(self, alone: Mapping[str, list[Observation]]) -> list[Observation]:
        """Voices, earned in one pass in story order over each episode's own counts."""
        counts = [(id_, [o for o in seen if o.kind == "voice"]) for id_, seen in alone.items()]
        steps = [digest(work.OBSERVATIONS.dump_json(seen)) for _, seen in counts]
        return self._pass("voices", steps, lambda: earn_voices(counts, self.rules))

    def tallies(self, episodes: Sequence[Episode]) -> list[Tally]:
        """The counts of what each episode says."""
        held = self.store.get(self.wants[e.id]["tally"] for e in episodes)
        return [Tally.from_bytes(held[self.wants[e.id]["tally"]]) for e in episodes]

    def _pass(self, stage: str, steps: list[str], go: Callable[[], Iterable[Step]]) -> list[Observation]:
        chain = self.keys.chain(stage, steps)
        held = self.store.get(chain)
        if len(held) < len(set(chain)):
            values = [work.OBSERVATIONS.dump_json(seen, by_alias=True, exclude_defaults=True) for _, seen in go()]
            self.made[stage] = len(chain) - len(held)
            held = dict(zip(chain, values, strict=True))
            self.store.put(stage, held)
        return work.observations(held[key] for key in chain)

    def _wanted(self, episode: Episode, sha: str) -> dict[str, str]:
        parsed = self.keys.parse(sha, Path(episode.script).suffix.lower())
        side = side_keys(self.sides[episode.id])
        want = {"parse": parsed, "tally": self.keys.tally(episode, parsed, side["directed"])}
        want |= {"spoke": self.keys.spoke(parsed), "problems": self.keys.problems(parsed)}
        return want | {name: self.keys.mechanism(name, episode, parsed, side) for name in MECHANISMS}

    def _keep(self, results: Mapping[str, tuple[str, bytes]]) -> None:
        by_stage: dict[str, dict[str, bytes]] = {}
        for key, (stage, value) in results.items():
            by_stage.setdefault(stage, {})[key] = value
        for stage, values in by_stage.items():
            self.store.put(stage, values)
