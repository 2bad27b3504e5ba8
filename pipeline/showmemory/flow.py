"""The pipeline on one page: open a show, parse, extract, ask, merge, validate, emit. Alone knows the order.

    scripts -> parse -> Screenplay -> extract -> observations --+
    side files, bible, recorded answers ------------------------+
    memory.json ------------------------------------------------+-> merge -> plan -> validate -> memory.json -> emit -> context/
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from showmemory import keys, notebook, uptodate, work
from showmemory.check.memory import check_memory
from showmemory.context.files import context_files
from showmemory.extract.earn import earn
from showmemory.extract.per_episode import MECHANISMS
from showmemory.extract.tally import Tally
from showmemory.extract.voices import earn_voices
from showmemory.merge.apply import all_decisions, apply, nothing_waits
from showmemory.merge.drafts import drafts
from showmemory.merge.person import absorb
from showmemory.merge.plan import Target, target
from showmemory.merge.says import plan_of
from showmemory.model.canonical import dumps
from showmemory.model.ids import digest
from showmemory.model.memory import EpisodeRecord, ShowMemory, Spoke
from showmemory.model.observation import Observation
from showmemory.model.plan import Plan
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode, Show, SideFiles
from showmemory.model.span import Problem, Span
from showmemory.read.link import check_links
from showmemory.read.rules import read_rules
from showmemory.read.show import open_show
from showmemory.read.sidefiles import read_side_files
from showmemory.store.store import Store

STAGES = ("parse", "extract", "ask", "merge", "validate", "emit")
Apply = Literal["review", "auto", "manual"]


@dataclass(frozen=True)
class Options:
    """What a run was asked for; None leaves it to memory's settings."""

    apply: Apply | None = None
    model: Literal["auto", "off"] | None = None
    episode: str | None = None
    fresh: bool = False
    dry_run: bool = False
    workers: int = field(default_factory=lambda: max(1, min(8, os.cpu_count() or 1)))


@dataclass
class Run:
    """One run over one show. Each stage fills in what the next one needs; `problems` collects what was wrong."""

    root: Path
    options: Options = Options()
    say: Callable[[str, int, int], None] = lambda stage, done, of: None
    problems: list[Problem] = field(default_factory=list)
    show: Show = field(default_factory=Show)
    rules: Rules = field(default_factory=lambda: Rules("en"))
    sides: dict[str, SideFiles] = field(default_factory=dict)
    scripts: dict[str, str] = field(default_factory=dict)
    parsed: dict[str, str] = field(default_factory=dict)
    observed: list[Observation] = field(default_factory=list)
    spoke: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    clips: frozenset[str] = frozenset()
    made: dict[str, int] = field(default_factory=dict)
    target: Target | None = None
    plan: Plan = Plan()
    first: bool = False
    applied: int = 0
    memory: ShowMemory | None = None
    hand: tuple[str, ...] = ()
    written: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Open the show: config, bible, side files, rules, memory. Reads no script."""
        self.root = self.root.resolve()
        self.before = dict(uptodate.files(self.root))
        self.book = notebook.Notebook(self.root)
        self.problems += self.book.problems
        remembered = self.book.memory.episodes if self.book.memory else ()
        self.show, problems = open_show(self.root, remembered)
        self.problems += problems
        self.show = _placed(self.show, remembered)
        self.rules, problems = read_rules(self.show.config.language, self.root / "rules")
        self.problems += problems
        for episode in self.show.episodes:
            self.sides[episode.id], problems = read_side_files(self.root, episode)
            self.problems += problems
        self.problems += check_links(self.show, self.sides)
        self.store = Store(self.root / uptodate.CACHE)
        self.keys = keys.keys_of(self.show.bible, self.rules)

    def parse(self) -> str:
        """Scripts -> Screenplays and, in the same visit, whatever the rules have not yet said of an episode."""
        jobs = []
        for episode in self.show.episodes:
            if data := self._bytes(episode):
                self.scripts[episode.id] = digest(data)
        wants = {e.id: self._wanted(e) for e in self.show.episodes if e.id in self.scripts}
        here = self.store.has(key for want in wants.values() for key in want.values())
        fresh = 0
        parsed = self.store.get(want["parse"] for want in wants.values() if not here.issuperset(want.values()))
        for episode in self.show.episodes:
            missing = {s: k for s, k in wants.get(episode.id, {}).items() if k not in here}
            if missing:
                fresh += "parse" in missing
                held = parsed.get(wants[episode.id]["parse"])
                path = self.root / episode.script
                jobs.append(work.Job(episode, path, held, self.sides[episode.id], missing))
                self.made |= {s: self.made.get(s, 0) + 1 for s in missing}
        for done, results in enumerate(work.run(jobs, self.show.bible, self.rules, self.options.workers), 1):
            self._keep(results)
            self.say("parse", done, len(jobs))
        self.wants = wants
        self.parsed = {id_: want["parse"] for id_, want in wants.items()}
        self._parse_problems()
        return f"{len(self.scripts)} of {len(self.show.episodes)} read" if fresh else f"{len(self.scripts)} unchanged"

    def extract(self) -> str:
        """Results of the rules -> observations of all episodes; what recurs is earned in one pass in story order."""
        read = [e for e in self.show.episodes if e.id in self.scripts]
        alone = [self.wants[e.id][name] for e in read for name in MECHANISMS]
        held = self.store.get(alone + [self.wants[e.id]["spoke"] for e in read])
        by_episode = {e.id: work.observations(held[self.wants[e.id][n]] for n in MECHANISMS) for e in read}
        self.spoke = {e.id: json.loads(held[self.wants[e.id]["spoke"]]) for e in read}
        voices = [_voices(by_episode[e.id]) for e in read]
        steps = [digest(work.OBSERVATIONS.dump_json(v)) for v in voices]
        made = self._pass("voices", steps, lambda: earn_voices(zip(_ids(read), voices, strict=True), self.rules))
        steps = [self.wants[e.id]["tally"] for e in read]
        made += self._pass("earn", steps, lambda: earn(self._tallies(read), self.show.bible, self.rules))
        self.observed = [o for seen in by_episode.values() for o in seen if o.kind != "voice"] + made
        return f"{len(read)} of {len(self.show.episodes)}"

    def ask(self) -> str:
        """Recorded answers -> observations. No model is asked unless show.toml names one."""
        return "off: no model in show.toml"

    def merge(self) -> str:
        """Observations and memory -> the plan, and what of it is applied."""
        if lost := self._lost():
            self.problems.append(lost)
            return "stopped"
        memory = self._base()
        memory, self.hand = absorb(memory)
        self.first = not memory.episodes
        records = {e.id: self._record(e) for e in self.show.episodes if e.id in self.scripts}
        show_has = {e.id for e in self.show.episodes}
        gone = [e.id for e in memory.episodes if e.id not in show_has]
        made = drafts(self.observed, records)
        self.target = target(memory, made, records, gone, self._was())
        self.plan = plan_of(self.target, self.book.hash, self.scripts)
        mode = self._mode()
        if self.first and mode != "manual" or mode == "auto":
            decisions = all_decisions(self.target)
            self.memory = apply(self.target, decisions)
            self.applied = len(decisions)
            self.plan = plan_of(self.target, self.book.hash, self.scripts, taken=decisions)
        else:
            self.memory = nothing_waits(self.target)
        return self._merge_line()

    def validate(self) -> str:
        """The next memory, checked before it is written; an error stops the run and leaves the old one."""
        if self.memory is None:
            return "nothing to check"
        found = check_memory(self.memory, self.show)
        self.problems += found
        errors = sum(p.severity == "error" for p in found)
        return f"{errors} errors" if errors else f"{len(found)} warnings" if found else "fine"

    def emit(self) -> str:
        """Write memory.json, the waiting plan and the context files; only what changed is written."""
        if self.options.dry_run:
            return "dry run: nothing written"
        if self.stopped:
            return "nothing written"
        wrote: set[str] = set()
        if self.memory is not None and (self._mode() != "manual" or self.hand):
            if self.book.save(self.memory, self._did(), "pass" if self.applied else "person"):
                wrote |= {notebook.MEMORY}
        waiting = dumps(self.plan.model_copy(update={"memory": self.book.hash})) if self.plan.waiting else None
        notebook.write_proposal(self.root, waiting if self._mode() != "manual" else None)
        files = context_files(self.show, self.book.memory, logs=self.sides, scripts=self.screenplay)
        self.written, removed = notebook.write_context(self.root, files)
        self._settle(wrote | {notebook.PROPOSAL} | set(files) | set(removed))
        changed = len(self.written) + len(removed)
        return f"{changed} context files" if changed else "nothing to write"

    @property
    def stopped(self) -> bool:
        """Whether a problem forbids writing."""
        return self.book.broken or any(p.severity == "error" and p.group == "stop" for p in self.problems)

    def screenplay(self, episode: str) -> Screenplay | None:
        """The parsed script of an episode with its cast resolved, or None when it could not be read."""
        key = self.parsed.get(episode)
        held = self.store.get([key]).get(key) if key else None
        found = next((e for e in self.show.episodes if e.id == episode), None)
        if held is None or found is None:
            return None
        play = work.decode(held, found.script)
        return work.prepared(play, self.sides[episode], self.show.bible, self.rules)

    def _bytes(self, episode: Episode) -> bytes:
        try:
            return (self.root / episode.script).read_bytes()
        except OSError as error:
            said = error.strerror or type(error).__name__
            message = f"expected the script of {episode.id}, found: {said.lower()}"
            self.problems.append(Problem(Span(episode.script), "error", message, "what is remembered of it stays"))
            return b""

    def _wanted(self, episode: Episode) -> dict[str, str]:
        parsed = self.keys.parse(self.scripts[episode.id], Path(episode.script).suffix.lower())
        side = keys.side_keys(self.sides[episode.id])
        want = {"parse": parsed, "tally": self.keys.tally(episode, parsed, side["directed"])}
        want["spoke"] = self.keys.spoke(parsed)
        return want | {name: self.keys.mechanism(name, episode, parsed, side) for name in MECHANISMS}

    def _keep(self, results: Mapping[str, tuple[str, bytes]]) -> None:
        by_stage: dict[str, dict[str, bytes]] = {}
        for key, (stage, value) in results.items():
            by_stage.setdefault(stage, {})[key] = value
        for stage, values in by_stage.items():
            self.store.put(stage, values)

    def _parse_problems(self) -> None:
        for episode in self.show.episodes:
            play = self.screenplay(episode.id)
            if play is None:
                continue
            self.problems += play.problems
            if not play.scenes:
                self.scripts.pop(episode.id)

    def _pass(
        self, stage: str, steps: list[str], go: Callable[[], Iterable[tuple[str, list[Observation]]]]
    ) -> list[Observation]:
        chain = self.keys.chain(stage, steps)
        held = self.store.get(chain)
        if len(held) < len(set(chain)):
            values = [work.OBSERVATIONS.dump_json(seen, by_alias=True, exclude_defaults=True) for _, seen in go()]
            held = dict(zip(chain, values, strict=True))
            self.store.put(stage, held)
            self.made[stage] = len(chain)
        return work.observations(held[key] for key in chain)

    def _tallies(self, read: list[Episode]) -> list[Tally]:
        held = self.store.get(self.wants[e.id]["tally"] for e in read)
        return [Tally.from_bytes(held[self.wants[e.id]["tally"]]) for e in read]

    def _base(self) -> ShowMemory:
        if self.book.memory is None or self.options.fresh:
            return ShowMemory(id=f"memory.{self.show.id}")
        return self.book.memory

    def _lost(self) -> Problem | None:
        return None if self.options.fresh else self.book.lost()

    def _mode(self) -> Apply:
        if self.options.apply:
            return self.options.apply
        mode = self.book.memory.settings.apply if self.book.memory else "review"
        return "review" if mode == "manual" and self.options.episode else mode

    def _record(self, episode: Episode) -> EpisodeRecord:
        known = self.book.memory.episodes if self.book.memory else ()
        old = next((e for e in known if e.id == episode.id), None)
        return EpisodeRecord(
            id=episode.id,
            season=episode.season,
            number=episode.number,
            story=episode.story,
            title=episode.title,
            screenplay=episode.script,
            hash=self.scripts[episode.id],
            placed=bool(old and old.placed),
            clip_show=episode.id in self.clips,
            spoke={who: Spoke(lines=n, words=w) for who, (n, w) in sorted(self.spoke[episode.id].items())},
        )

    def _was(self) -> dict[str, str]:
        bible = self.show.bible
        things = (*bible.characters, *bible.groups, *bible.places, *bible.gags, *bible.threads, *bible.arcs)
        return {old: thing.id for thing in things for old in thing.was}

    def _merge_line(self) -> str:
        assert self.memory is not None
        if self.first and self.applied:
            return f"first memory: {len(self.memory.entries)} entries, applied (showmemory undo takes it back)"
        if self.applied:
            return f"{self.applied} changes applied (showmemory undo takes them back)"
        waiting = len(self.plan.changes)
        if self._mode() == "manual":
            return f"{waiting} changes; apply is manual (showmemory remember --episode ID asks)" if waiting else "nothing new"
        return f"{waiting} changes wait for you" if waiting else "nothing new"

    def _did(self) -> str:
        if self.first and self.applied:
            return f"first memory of {len(self.scripts)} episodes"
        if self.applied:
            return f"remembered {self.applied} changes"
        return "; ".join(self.hand) or "nothing waits for a decision"

    def _settle(self, wrote: set[str]) -> None:
        read = {e.script: self.scripts[e.id] for e in self.show.episodes if e.id in self.scripts}
        if any(p.severity == "error" for p in self.problems):
            uptodate.forget(self.root)
            return
        uptodate.record(self.root, read, self.before, wrote)


def remember(root: Path, options: Options = Options(), say: Callable[[str, str], None] | None = None) -> Run:
    """Bring a show's memory and contexts up to date, one run at a time; `say` is told each stage's line as it ends."""
    with notebook.held(root) as busy:
        run = Run(root, options)
        if busy is not None:
            run.problems.append(busy)
            return run
        for stage in STAGES:
            line = getattr(run, stage)()
            if say is not None:
                say(stage, line)
        return run


def _placed(show: Show, remembered: Iterable[EpisodeRecord]) -> Show:
    """A place the person gave by hand holds over what the file's name or show.toml says (A37)."""
    placed = {e.id: e for e in remembered if e.placed}
    moved = [
        e.model_copy(update={"season": placed[e.id].season, "number": placed[e.id].number}) if e.id in placed else e
        for e in show.episodes
    ]
    return show.model_copy(update={"episodes": tuple(sorted(moved, key=lambda e: e.place))})


def _voices(seen: list[Observation]) -> list[Observation]:
    return [o for o in seen if o.kind == "voice"]


def _ids(episodes: list[Episode]) -> list[str]:
    return [e.id for e in episodes]
