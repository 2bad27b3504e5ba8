"""The pipeline on one page: open a show, parse, extract, ask, merge, validate, emit. Alone knows the order.

scripts -> parse -> Screenplay -> extract -> observations --+
side files, bible, recorded answers ------------------------+
memory.json ------------------------------------------------+-> merge -> plan -> validate -> emit: memory, context/
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from showmemory import ahead, notebook, uptodate
from showmemory.artifacts import Artifacts, Say
from showmemory.asking import Asking, Due, asking_of
from showmemory.check.memory import check_memory
from showmemory.context.files import context_files
from showmemory.crew import Crew, crew_of
from showmemory.fold.shown import cut_of
from showmemory.following import follow
from showmemory.merge.drafts import drafts
from showmemory.merge.plan import Target
from showmemory.merge.says import later_uses, plan_of
from showmemory.merge.settle import settle
from showmemory.merge.telling import done, merged
from showmemory.model.canonical import dumps
from showmemory.model.ids import digest
from showmemory.model.memory import EpisodeRecord, ShowMemory, Spoke
from showmemory.model.observation import Observation
from showmemory.model.plan import Plan
from showmemory.model.rules import Rules
from showmemory.model.show import Episode, Show, SideFiles
from showmemory.model.span import Problem, Span
from showmemory.read.episodes import UNSOUND
from showmemory.read.link import check_links
from showmemory.read.rules import read_rules
from showmemory.read.show import open_show
from showmemory.read.sidefiles import read_side_files
from showmemory.read.slips import find_slips
from showmemory.read.unread import unread
from showmemory.store.remote import shared
from showmemory.store.store import Store
from showmemory.text.counted import counted
from showmemory.timed import timed

STAGES = ("parse", "extract", "ask", "merge", "validate", "emit")
Apply = Literal["review", "auto", "manual"]


@dataclass(frozen=True)
class Options:
    """What a run was asked for; None leaves it to memory's settings."""

    apply: Apply | None = None
    model: Literal["auto", "off"] | None = None
    episode: str | None = None
    rewrite: str | None = None
    again: bool = False
    fresh: bool = False
    dry_run: bool = False
    workers: int | str | Crew = ""
    cache: str = ""


def _silent(stage: str, done: int, of: int) -> None:
    """Say nothing of progress."""


@dataclass
class Run:
    """One run over one show. Each stage fills in what the next one needs; `problems` collects what was wrong."""

    root: Path
    options: Options = Options()
    say: Say = _silent
    deciding: bool = False
    busy: bool = False
    absent: bool = False
    first: bool = False
    applied: int = 0
    problems: list[Problem] = field(default_factory=list)
    show: Show = field(default_factory=Show)
    rules: Rules = field(default_factory=lambda: Rules("en"))
    sides: dict[str, SideFiles] = field(default_factory=dict)
    scripts: dict[str, str] = field(default_factory=dict)
    observed: list[Observation] = field(default_factory=list)
    spoke: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    clips: frozenset[str] = frozenset()
    asking: Asking | None = None
    damaged: set[str] = field(default_factory=set)
    memory: ShowMemory | None = None
    target: Target | None = None
    plan: Plan = Plan()
    hand: tuple[str, ...] = ()
    changed_files: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Open the show: memory, config, bible, rules, side files. Reads no script."""
        self.root = self.root.resolve()
        self.seen, self.before = uptodate.clock(self.root), dict(uptodate.files(self.root))
        self.crew = crew_of(self.options.workers, self.problems.append)
        self.book = notebook.Notebook(self.root)
        self.problems += self.book.problems
        remembered = self.book.memory.episodes if self.book.memory else ()
        show, problems = open_show(self.root, remembered)
        self.show = _placed(show, remembered)
        self.rules, more = read_rules(self.show.config.language, self.root / "rules")
        self.problems += problems + more
        for episode in self.show.episodes:
            self.sides[episode.id], problems = read_side_files(self.root, episode)
            self.problems += problems
            if any(p.severity == "error" for p in problems):
                self.damaged.add(episode.id)
        if not self.unsound:
            self.problems += check_links(self.show, self.sides, self.root) + find_slips(self.show, self.root)
        cache = shared(self.show.config.cache, self.problems.append, self.options.cache)
        store = Store(self.root / uptodate.CACHE, cache)
        self.artifacts = Artifacts(self.root, self.show, self.rules, self.sides, store)

    def parse(self) -> str:
        """Scripts -> Screenplays and, in the same visit, whatever the rules have not yet said of an episode."""
        sure = uptodate.known(self.root, self.before)
        hashed = {e.id: partial(uptodate.hash_once, self.root / e.script, e.script, sure) for e in self.show.episodes}
        self.scripts, restless = self.artifacts.make(hashed, self.crew, self.say)
        message = "expected a script at rest, found it changing while it was read"
        self.problems += [
            Problem(Span(e.script), "error", message, "run this again once it is saved") for e in restless
        ]
        self.problems += self._unread()
        for id_, problems in self.artifacts.problems(self.read).items():
            self.problems += problems
            if any(p.severity == "error" for p in problems):
                self.damaged.add(id_)
        self.scripts = {id_: sha for id_, sha in self.scripts.items() if id_ not in self.damaged}
        fresh = self.artifacts.made.get("parse", 0)
        same = f"{counted(len(self.scripts), 'script')}, none changed"
        return f"{fresh} of {len(self.show.episodes)} read" if fresh else same

    def extract(self) -> str:
        """Results of the rules -> observations of all episodes; what recurs is earned in one pass in story order."""
        read = self.read
        self.spoke = self.artifacts.spoke(read)
        literal = bool(self.book.memory and self.book.memory.settings.literal_catchphrases)
        ahead.begin(self.artifacts, read, self.crew, literal=literal)
        earned = list(self.artifacts.earned(read, literal=literal))
        self.observed = [*self.artifacts.alone(read), *self.artifacts.voices(read), *earned]
        self.crew.rest()
        self.clips = self.artifacts.clips(read)
        return f"{len(read)} of {len(self.show.episodes)}, {len(self.observed)} observations"

    def ask(self) -> str:
        """Recorded answers -> observations; before that one more answer, where show.toml names a model."""
        options = self.options
        off = (options.model or self._base().settings.model) == "off"
        due = Due(off, options.episode or "", options.rewrite or "", again=options.again, dry=options.dry_run)
        self.asking = asking_of(self.artifacts, self.scripts, self.spoke, self.observed, self.book.memory)
        line = self.asking.ask(due)
        self.recall()
        return line

    def recall(self) -> None:
        """Add what the recorded answers say to what the rules saw."""
        if self.asking is None:
            self.asking = asking_of(self.artifacts, self.scripts, self.spoke, self.observed, self.book.memory)
        self.observed += self.asking.recall()
        self.problems += self.asking.problems

    def merge(self) -> str:
        """Observations and memory -> the plan, and what of it is applied."""
        if (forbids := self.book.there() if self.options.fresh else self.book.lost()) is not None:
            self.problems.append(forbids)
        if self.stopped:
            return "stopped: memory was not touched"
        base = self._base()
        memory, self.hand = self.book.absorb() if base is self.book.memory else (base, ())
        self.first = not memory.episodes
        records = {e.id: self._record(e, memory) for e in self.read}
        taken_up = {(e.kind, e.key) for e in memory.entries if e.by == "person"}
        made = drafts(self.observed, records, taken_up)
        there = [e.id for e in self.show.episodes]
        settled = settle(memory, made, records, there, self.show.was, take=self._applies())
        self.target, self.applied = settled.target, settled.applied
        self.memory = follow(settled.memory, self.artifacts, self.read, self.scripts)
        self.plan = plan_of(self.target, self.book.hash, self.scripts, settled.taken)
        if self.asking is not None:
            self.plan = self.plan.model_copy(update={"dropped": self.asking.said(self.plan)})
        waiting = len(self.plan.changes)
        first = len(self.memory.entries) if self.first else None
        return merged(self.applied, waiting, first=first, manual=self.mode == "manual")

    def validate(self) -> str:
        """The next memory, checked before it is written; an error stops the run and leaves the old one."""
        if self.memory is None:
            return "nothing to check"
        found = [p for p in check_memory(self.memory, self.show) if p.severity != "notice"]
        self.problems += found
        errors = sum(p.severity == "error" for p in found)
        return counted(errors, "error") if errors else f"fine, {counted(len(found), 'warning')}" if found else "fine"

    def emit(self) -> str:
        """Write memory.json, the waiting plan and the context files; only what changed is written."""
        if self.options.dry_run:
            return "dry run: nothing written"
        if self.stopped or self.memory is None:
            return "nothing written"
        if (moved := self.book.moved()) is not None:
            self.problems.append(moved)
            return "nothing written"
        if self.mode != "manual" or self.applied or self.hand:
            if self.applied:
                self.book.save(self.memory, done(self.applied, len(self.scripts), first=self.first), "pass")
            else:
                self.book.follow(self.memory)
        return self.put()

    def put(self) -> str:
        """Write the waiting plan and the contexts of the memory that is saved, and note that all is up to date."""
        waits = self.plan.waiting and self.mode != "manual" and not self.absent
        plan = self.plan.model_copy(update={"memory": self.book.hash})
        proposal = dumps(plan) if waits else None
        notebook.write_proposal(self.root, proposal)
        later = later_uses(self.target) if self.target else {}
        cut = cut_of(self.rules)
        dated = timed(self.book.memory, self.artifacts, self.read, self.scripts)

        def make() -> dict[str, str]:
            return context_files(self.show, self.book.memory, logs=self.sides, timing=dated, later=later, cut=cut)

        files = self.artifacts.contexts(self.book.memory, (repr(cut), *map(repr, later.items())), dated, make)
        written, removed = self.book.publish(files)
        self.changed_files = [*written, *removed]
        self._settle(files, proposal)
        count = len(self.changed_files)
        return counted(count, "context file") if count else "no context file changed"

    def refresh(self) -> None:
        """Make the plan anew against the memory that is saved, applying nothing."""
        if not self.scripts:
            self.parse()
        if not self.observed:
            self.extract()
            self.recall()
        self.merge()

    @property
    def read(self) -> list[Episode]:
        """The episodes whose scripts could be read, in story order."""
        return [e for e in self.show.episodes if e.id in self.scripts]

    @property
    def errors(self) -> list[Problem]:
        """What was wrong and makes the run fail."""
        return [p for p in self.problems if p.severity == "error"]

    @property
    def stopped(self) -> bool:
        """Whether nothing may be written: memory.json cannot be read, is missing, or would come out wrong."""
        wrong = any(p.span.path == notebook.MEMORY for p in self.errors)
        return self.busy or self.book.broken or self.unsound or wrong

    @property
    def unsound(self) -> bool:
        """Whether show.toml or the bible cannot be read: what the show is, nobody knows then."""
        return any(p.group == UNSOUND for p in self.problems)

    @property
    def mode(self) -> Apply:
        """How changes are applied: as asked, else as memory's settings say (A89 to A91, F11)."""
        if self.options.apply:
            return self.options.apply
        mode = self.book.memory.settings.apply if self.book.memory else "review"
        return "review" if mode == "manual" and self.options.episode else mode

    def stage(self, name: str) -> str:
        """Run one stage by its name; returns its line."""
        made: str = getattr(self, name)()
        return made

    def close(self) -> None:
        """Let go of the store."""
        self.crew.rest()
        self.artifacts.store.close()

    def _applies(self) -> bool:
        """A first memory is applied at once, undoable; later ones only under auto."""
        return not self.deciding and (self.mode == "auto" or (self.first and self.mode != "manual"))

    def _base(self) -> ShowMemory:
        if self.book.memory is not None and not self.options.fresh:
            return self.book.memory
        return ShowMemory(id=f"memory.{self.show.id}")

    def _unread(self) -> list[Problem]:
        told, asked = {p.span.path for p in self.errors}, self.artifacts.scripts
        lacking = [e.script for e in self.show.episodes if e.id not in asked and e.script not in told]
        there = (name for name in lacking if name and os.path.lexists(self.root / name))
        return [wrong for name in there if (wrong := unread(self.root / name, name, empty=True))]

    def _record(self, episode: Episode, memory: ShowMemory) -> EpisodeRecord:
        old = next((e for e in memory.episodes if e.id == episode.id), None)
        return EpisodeRecord(
            id=episode.id,
            season=episode.season,
            number=episode.number,
            story=old.story if old and old.placed else episode.story,
            title=episode.title,
            screenplay=episode.script,
            hash=self.scripts[episode.id],
            placed=bool(old and old.placed),
            clip_show=episode.id in self.clips,
            spoke={who: Spoke(lines=n, words=w) for who, (n, w) in sorted(self.spoke[episode.id].items())},
        )

    @property
    def _settled(self) -> bool:
        """Whether a plain run would do nothing more: not one that was told otherwise, or left changes to be applied."""
        applies = bool(self.plan.changes) and (self.first or self.mode == "auto")
        saves = self.mode != "manual" and self.memory != self.book.memory
        plain = self.options == Options(workers=self.options.workers, cache=self.options.cache)
        return plain and not self.absent and not (self.deciding and (applies or saves))

    def _settle(self, files: Mapping[str, str], proposal: str | None) -> None:
        notebook.note_inputs(self.root, self.artifacts.inputs(self.scripts))
        self.artifacts.collect()
        asking = self.asking
        if self.errors or not self._settled or (asking and asking.again):
            uptodate.forget(self.root)
            return
        read = {e.script: self.scripts[e.id] for e in self.read}
        texts = files if proposal is None else {**files, notebook.PROPOSAL: proposal}
        wrote = {path: digest(text.encode("utf-8", "surrogateescape")) for path, text in texts.items()}
        wrote |= {path: uptodate.hash_of(self.root / path) for path in (asking.wrote if asking else ())}
        wrote[notebook.MEMORY] = self.book.hash
        uptodate.record(self.root, read, self.before, wrote, self.seen, asking.lacking if asking else "")


def begin(root: Path, options: dict[str, Any], say: Say | None = None, held: ExitStack | None = None) -> Run:
    """Take the show's lock (until `held` closes) and open it."""
    stack = held or ExitStack()
    busy = stack.enter_context(notebook.held(root))
    run = Run(root, Options(**options), say or _silent)
    if busy is not None:
        run.busy = True
        run.problems = [busy]
    return run


def remember(root: Path, options: Options = Options(), tell: Callable[[str, str], None] | None = None) -> Run:
    """Bring a show's memory and contexts up to date; `tell` is given each stage's name and line as it ends."""
    with ExitStack() as held:
        run = begin(root, vars(options), held=held)
        for stage in STAGES if not run.busy else ():
            line = run.stage(stage)
            if tell is not None:
                tell(stage, line)
        run.close()
        return run


def up_to_merge(root: Path) -> Run:
    """A run whose plan is made and nothing applied, for a person to decide on. The caller holds the lock."""
    run = Run(root, deciding=True)
    run.refresh()
    return run


def finish(run: Run, did: str, by: str, kind: str = "change", of: str = "") -> list[Problem]:
    """Check and save what a person decided, and bring the plan and the contexts in line with it.

    Returns what was wrong, and then nothing was written.
    """
    if run.memory is not None:
        if kind == "change" and run.scripts:
            run.memory = follow(run.memory, run.artifacts, run.read, run.scripts)
        errors = [p for p in check_memory(run.memory, run.show) if p.severity == "error"]
        if errors:
            return errors
    if (moved := run.book.moved()) is not None:
        return [moved]
    run.book.save(run.memory, did, by, kind, of)
    if not run.absent:
        run.refresh()
    run.put()
    run.close()
    return []


def _placed(show: Show, remembered: Iterable[EpisodeRecord]) -> Show:
    """A place the person gave by hand holds over what the file's name or show.toml says (A37)."""
    placed = {e.id: e for e in remembered if e.placed}
    moved = [
        e.model_copy(update={"season": placed[e.id].season, "number": placed[e.id].number}) if e.id in placed else e
        for e in show.episodes
    ]
    return show.model_copy(update={"episodes": tuple(sorted(moved, key=lambda e: e.place))})
