"""What people and programs ask of a show, changing nothing: status, contexts, entries, cast, citations, and why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from showmemory import notebook, uptodate
from showmemory.check.citations import check_citations
from showmemory.check.memory import check_memory
from showmemory.context.context import Context, memory_context
from showmemory.flow import Run
from showmemory.fold.fold import Axis, as_of, order
from showmemory.fold.rest import Rest, rests
from showmemory.merge.says import later_uses
from showmemory.model.memory import Entry, ShowMemory, Use
from showmemory.model.plan import Plan
from showmemory.model.show import Episode
from showmemory.model.span import Problem


@dataclass(frozen=True)
class Status:
    """Where a show stands: what is remembered, what changed since, what waits, what is wrong."""

    title: str
    episodes: int
    remembered: int
    entries: int
    new: tuple[Episode, ...]
    changed: tuple[Episode, ...]
    gone: tuple[str, ...]
    plan: Plan
    problems: tuple[Problem, ...]

    @property
    def behind(self) -> bool:
        """Whether memory is behind the scripts (A36)."""
        return bool(self.new or self.changed or self.gone)


def status(root: Path) -> Status:
    """Read and hash every script, make the plan, write nothing."""
    run = planned(root)
    memory = run.book.memory
    known = {e.id: e.hash for e in memory.episodes} if memory else {}
    there = {e.id for e in run.show.episodes}
    return Status(
        title=run.show.config.title or run.show.id,
        episodes=len(run.show.episodes),
        remembered=len(known),
        entries=len(memory.entries) if memory else 0,
        new=tuple(e for e in run.read if e.id not in known),
        changed=tuple(e for e in run.read if known.get(e.id, run.scripts[e.id]) != run.scripts[e.id]),
        gone=tuple(id_ for id_ in known if id_ not in there),
        plan=run.plan,
        problems=tuple(run.problems),
    )


def planned(root: Path) -> Run:
    """A run whose plan is made and nothing applied or written."""
    run = Run(root, deciding=True)
    run.refresh()
    if run.book.memory is not None:
        run.problems += check_memory(run.book.memory, run.show)
    return run


def memory_of(root: Path, moment: str | None = None, axis: Axis = "broadcast") -> tuple[Run, ShowMemory | None]:
    """The show and its memory, as of an episode when one is named."""
    run = Run(root, deciding=True)
    memory = run.book.memory
    return run, as_of(memory, moment, axis) if memory is not None and moment else memory


def resting(memory: ShowMemory) -> dict[str, Rest]:
    """When each gag and catchphrase last played and whether it rests, by entry id."""
    return rests(memory.entries, order(memory.episodes), memory.settings)


def context(root: Path, **options: Any) -> Context:
    """What a writer gets; the options of `memory_context`. `scene_at`: (script, line) takes the scene at that line."""
    run = Run(root, deciding=True)
    run.parse()
    at = options.pop("scene_at", None)
    if at is not None:
        options |= _scene_at(run, *at)
    scripts = run.screenplays()
    return memory_context(run.show, run.book.memory, logs=run.sides, scripts=scripts, later=_later(run), **options)


def _later(run: Run) -> dict[str, tuple[Use, ...]]:
    """Uses that frozen entries could not take up; only when there are frozen entries is the plan made for it."""
    if run.book.memory is None or not any(e.frozen and not e.retired for e in run.book.memory.entries):
        return {}
    run.refresh()
    return later_uses(run.target) if run.target else {}


def _scene_at(run: Run, script: str, line: int) -> dict[str, Any]:
    for episode in run.read:
        if episode.script != script:
            continue
        play = run.artifacts.screenplay(episode)
        found = [s for s in play.scenes if s.line <= line] if play else []
        if play and found:
            scene = found[-1]
            text = "\n".join(e.text for e in play.elements[scene.start : scene.end])
            return {"scene": text, "place": scene.place, "characters": scene.present, "episode": episode.id}
    return {}


def citations(root: Path) -> tuple[int, list[Problem]]:
    """Hold every cited word against its line; returns how many were held and what does not stand."""
    run = Run(root, deciding=True)
    run.parse()
    memory = run.book.memory
    if memory is None:
        return 0, run.problems
    plays = {e.id: play for e in run.read if (play := run.artifacts.screenplay(e)) is not None}
    cited = sum(len(s.sources) + len(s.uses) for e in memory.entries for s in e.said.values())
    return cited, check_citations(memory, plays)


def why(root: Path, target: str) -> list[str]:
    """What an entry or an episode was made from, and why it was or was not rebuilt."""
    run = planned(root)
    episode = next((e for e in run.show.episodes if target in (e.id, e.script)), None)
    if episode is not None:
        return _why_episode(run, episode)
    entry = next((e for e in run.book.memory.entries if e.id == target), None) if run.book.memory else None
    return _why_entry(run, entry) if entry is not None else [f"nothing here is called {target}: showmemory show"]


def _why_episode(run: Run, episode: Episode) -> list[str]:
    rows = [f"{episode.id}  {_label(episode)} {episode.title}".rstrip()]
    rows.append(f"  made from  {episode.script} (sha256 {run.scripts.get(episode.id, 'unread')[:12]})")
    side = run.sides[episode.id]
    there = [n for n in ("outline", "continuity", "directed") if getattr(side, n) is not None]
    rows.append(f"             beside it: {', '.join(there) or 'no outline, log or directed record'}")
    changed = changes_since(run, episode.id)
    rows += [f"  changed    {c}" for c in changed] or [
        "  up to date nothing it is made from has changed since the last run"
    ]
    memory = run.book.memory
    record = next((e for e in memory.episodes if e.id == episode.id), None) if memory else None
    if record is None:
        rows.append("  memory     has not remembered it: doit remember")
    elif record.hash != run.scripts.get(episode.id):
        rows.append("  memory     remembers another version of the script: doit remember")
    said = [e for e in memory.entries if episode.id in e.said] if memory else []
    kinds: dict[str, int] = {}
    for entry in said:
        kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
    rows.append("  says       " + (", ".join(f"{n} {k}" for k, n in sorted(kinds.items())) or "nothing yet"))
    waits = [c for c in run.plan.changes if c.episode == episode.id]
    if waits:
        rows.append(f"  waiting    {len(waits)} changes: showmemory plan")
    return rows


def _why_entry(run: Run, entry: Entry) -> list[str]:
    memory = run.book.memory
    assert memory is not None, "an entry stands in a memory"
    scripts = {e.id: e.screenplay for e in memory.episodes}
    places = {e.id: f"s{e.season:02d}e{e.number:02d}" for e in memory.episodes}
    rows = [f"{entry.id}  {entry.form or entry.kind}: {entry.title or entry.text[:80]}"]
    state = [n for n in ("pinned", "locked", "retired") if getattr(entry, n)]
    state += [f"{field} rewritten by you" for field in entry.edited]
    rows.append(f"  written by {entry.by}" + (f"; {', '.join(state)}" if state else ""))
    rules = sorted({s.rule for s in entry.said.values() if s.rule})
    if rules:
        rows.append(f"  found by   rule {', '.join(rules)}; earned in {places.get(entry.since or '', entry.since)}")
    latest = next(
        (s for e in reversed(order(memory.episodes)) if (s := entry.said.get(e)) and s.score is not None), None
    )
    if latest is not None and latest.score is not None:
        rows.append(f"  score      {latest.score:g}" + (f"; held back: {latest.held}" if latest.held else ""))
    for episode in order(memory.episodes):
        said = entry.said.get(episode)
        for source in (*said.uses, *said.sources)[:6] if said else ():
            where = f"{scripts.get(source.episode, source.episode)}:{source.line}"
            rows.append(f"  {places.get(episode, episode)}     {where}  {source.words[:90]}")
    rows += [f"  note       {n.says}" for n in run.plan.notes if n.entry == entry.id]
    rows += [f"  waiting    {c.says}" for c in run.plan.changes if c.entry == entry.id]
    return rows


def changes_since(run: Run, episode: str) -> list[str]:
    """Which inputs of an episode differ from those of the last run, in words."""
    try:
        then = json.loads((run.root / uptodate.CACHE / notebook.INPUTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ["no record of an earlier run here: everything is looked up by its contents"]
    now = run.artifacts.inputs(run.scripts)
    differ = [name for name in now if then.get(name) != now[name]]
    shared = [f"{name} changed" for name in differ if " of ep." not in name]
    own = [f"{name} changed" for name in differ if name == f"the script of {episode}"]
    stages = [name.split()[1] for name in differ if name.startswith("what ") and name.endswith(f" of {episode}")]
    again = [f"so these ran again for it: {', '.join(sorted(stages))}"] if stages else []
    return [*own, *(shared if stages else []), *again]


def labels(episodes: Sequence[Episode]) -> dict[str, str]:
    """How an episode is called in print: s03e16."""
    return {e.id: _label(e) for e in episodes}


def _label(episode: Episode) -> str:
    return f"s{episode.season:02d}e{episode.number:02d}"
