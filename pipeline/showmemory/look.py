"""Looking without changing anything: the state of a show, and one script as it is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from showmemory import notebook
from showmemory.context.names import Names
from showmemory.flow import Run
from showmemory.model.ids import digest, slug
from showmemory.model.memory import GROUP_OF, EpisodeRecord, ShowMemory, Source
from showmemory.model.plan import Plan
from showmemory.model.screenplay import UNSEEN, Element, Screenplay
from showmemory.model.show import Episode
from showmemory.model.span import Problem, Span
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay
from showmemory.read.unread import unread

_CODE = re.compile(r"(?:ep\.)?(?:s(\d{1,2})e(\d{1,3})|(\d{1,2})x(\d{1,3})|(\d{1,2})(\d{2}))", re.IGNORECASE)
# What is shown of a script beside a cited line: its cue, and what comes back.
_BEFORE, _AFTER = 2, 2
Placed = Episode | EpisodeRecord


@dataclass
class State:
    """How a show stands: what is remembered, what changed since, what is new or gone, what waits, what is wrong."""

    title: str
    memory: ShowMemory | None
    broken: bool
    episodes: tuple[Episode, ...]
    changed: list[Episode] = field(default_factory=list)
    new: list[Episode] = field(default_factory=list)
    unread: list[Episode] = field(default_factory=list)
    gone: list[EpisodeRecord] = field(default_factory=list)
    waiting: int = 0
    weighed: bool = False
    notes: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def behind(self) -> bool:
        """Whether memory is behind the scripts (A36); what waits for a decision is weighed already, and is not."""
        return bool(self.changed or self.new or self.gone) and not self.weighed

    def counts(self) -> dict[str, int]:
        """How many entries of each group."""
        counted = Counter(GROUP_OF[entry.kind] for entry in self.memory.entries) if self.memory else Counter()
        return {group: counted[group] for group in dict.fromkeys(GROUP_OF.values())}


def state(root: Path, *, scripts: bool = True) -> State:
    """How the show at `root` stands. Always hashes the scripts; `scripts`: also tell what the readers found odd."""
    run = Run(root)
    if scripts and run.book.memory is not None:
        run.parse()
    memory = run.book.memory
    held = {record.id: record for record in memory.episodes} if memory else {}
    made = State(run.show.config.title or run.show.id, memory, run.book.broken, run.show.episodes)
    hashes = {episode.id: _sha(run.root, episode) for episode in run.show.episodes}
    for episode in run.show.episodes:
        sha = hashes[episode.id]
        if not sha:
            made.unread.append(episode)
        elif episode.id not in held:
            made.new.append(episode)
        elif held[episode.id].hash != sha:
            made.changed.append(episode)
    made.gone = [record for record in held.values() if record.id not in hashes]
    plan = _proposal(run.root)
    made.waiting, made.notes = len(plan.changes), len(plan.notes)
    since = {episode.id: hashes[episode.id] for episode in (*made.new, *made.changed)}
    current = since.items() <= plan.scripts.items() and plan.scripts.keys() <= hashes.keys()
    made.weighed = plan.waiting and plan.memory == run.book.hash and current
    lost = run.book.lost()
    made.problems = [*run.problems, *([lost] if lost else [])]
    run.close()
    return made


def waiting(root: Path) -> tuple[int, int]:
    """How many changes wait for the person, and how many notes there are."""
    plan = _proposal(root)
    return len(plan.changes), len(plan.notes)


def _proposal(root: Path) -> Plan:
    """The plan that is staged; an empty one where there is none, or none that can be read."""
    try:
        return Plan.model_validate_json((root / notebook.PROPOSAL).read_bytes())
    except (OSError, ValueError):
        return Plan()


def read_script(path: Path, root: Path | None = None) -> Screenplay:
    """One script as it is read, anywhere on disk; rules and language are those of the show at `root`."""
    run = Run(root) if root else None
    rules = run.rules if run else read_rules()[0]
    if run:
        run.close()
    wrong = unread(path, str(path))
    if wrong is not None:
        return Screenplay((), (), (replace(wrong, hint=""),))
    return read_screenplay(path.read_bytes(), str(path), rules)


def listed(root: Path) -> tuple[Episode, ...]:
    """The show's episodes in story order."""
    run = Run(root)
    run.close()
    return run.show.episodes


def around(run: Run, source: Source) -> tuple[tuple[Element, bool], ...]:
    """The lines of the script before, at and after a citation, the cited one marked; none where it says it no more."""
    episode = next((e for e in run.read if e.id == source.episode), None)
    play = run.artifacts.screenplay(episode) if episode else None
    seen = [e for e in play.elements if e.kind not in UNSEEN] if play else []
    begin = source.words.split()[:1]
    for at, element in enumerate(seen):
        here = element.line == source.line and element.page == source.page
        if here and all(word in element.text for word in begin):
            return tuple((e, e is element) for e in seen[max(0, at - _BEFORE) : at + 1 + _AFTER])
    return ()


def find_episode(episodes: Iterable[Placed], name: str) -> str | None:
    """The id of the episode `name` stands for: an id, s03e16, 3x16, 316, or a title; None when there is none."""
    held = list(episodes)
    by_id = {one.id: one.id for one in held} | {one.id.removeprefix("ep."): one.id for one in held}
    if name in by_id:
        return by_id[name]
    code = _CODE.fullmatch(name.strip())
    if code:
        season, number = (int(part) for part in code.groups() if part is not None)
        at = next((one.id for one in held if (one.season, one.number) == (season, number)), None)
        if at:
            return at
    titles = [one.id for one in held if one.title and slug(one.title) == slug(name)]
    return titles[0] if len(titles) == 1 else None


def no_episode(episodes: Sequence[Placed], name: str) -> Problem:
    """A Problem for a name that stands for no episode."""
    near = get_close_matches(name, [one.id for one in episodes], 1, 0.6)
    newest = [one.id for one in episodes][-1:]
    hint = f"did you mean {near[0]}?" if near else f"the newest is {newest[0]}" if newest else "there is no episode yet"
    return Problem(Span(""), "error", f"expected an episode, found {name}", hint)


def nobody(names: Names, name: str) -> Problem:
    """A Problem for a name that stands for nobody, with those that are nearly it."""
    known = {called.casefold(): called for id_, called in names.called.items() if id_.startswith("character.")}
    near = [known[one] for one in get_close_matches(name.casefold(), known, 2, 0.6)]
    hint = f"did you mean {' or '.join(near)}?" if near else "showmemory cast lists who speaks"
    return Problem(Span(""), "error", f"expected a character, found {name}", hint)


def label(one: Placed) -> str:
    """The short name of an episode: s03e16."""
    return f"s{one.season:02d}e{one.number:02d}"


def _sha(root: Path, episode: Episode) -> str:
    """The hash of a script; empty where there is none to be read, or not a byte of it."""
    try:
        made = (root / episode.script).read_bytes() if episode.script else b""
    except OSError:
        return ""
    return digest(made) if made else ""
