"""What a writer asks for: the context of a scene, an episode, some characters, or the whole show."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from showmemory.cast import play_of
from showmemory.context import similar
from showmemory.context.context import Context, memory_context
from showmemory.context.files import upcoming
from showmemory.context.names import names_of
from showmemory.context.past import Cursor
from showmemory.context.readings import NONE
from showmemory.context.recall import scene_text
from showmemory.flow import Run
from showmemory.fold.shown import cut_of
from showmemory.look import find_episode, no_episode, nobody
from showmemory.merge.says import later_uses
from showmemory.model.memory import Settings, Use
from showmemory.model.screenplay import Scene, Screenplay
from showmemory.model.show import Episode
from showmemory.model.span import Problem, Span
from showmemory.read.profile import operator
from showmemory.timed import timed

_SPEC = re.compile(r"(.+?):(?:(\d+)|sc\.?\s*([^\s:]+)|p\.?\s*(\d+))$")
FORMATS = ("markdown", "plain", "xml", "json")
# An editor's caret may stand in blank lines, or in what Final Draft writes, below the last words.
_TAIL = 40
Axis = Literal["broadcast", "story"]
Reader = Literal["writer", "showrunner"]


@dataclass(frozen=True)
class Wish:
    """The options of one context, as a person gives them."""

    as_of: str = ""
    episode: str = ""
    scene: str = ""
    characters: tuple[str, ...] = ()
    budget: int | None = None
    witness: str = ""
    reader: str = "writer"
    order: str = "broadcast"
    format: str = "markdown"
    rules: bool = True
    recall: int | None = None
    reading: str = ""
    handover: bool = False


def context_for(root: Path, wish: Wish) -> tuple[Context | None, list[Problem]]:
    """The context that is wished for, or what is wrong with the wish. Reads no script but that of `scene`."""
    run = Run(root)
    try:
        return _context(run, wish)
    finally:
        run.close()


def _context(run: Run, wish: Wish) -> tuple[Context | None, list[Problem]]:
    episodes = run.show.episodes
    if run.book.broken:
        return None, run.errors
    named = {name: getattr(wish, name) for name in ("as_of", "episode") if getattr(wish, name)}
    found = {name: find_episode(episodes, value) for name, value in named.items()}
    problems = [no_episode(episodes, named[name]) for name, id_ in found.items() if id_ is None]
    names = names_of(run.show, run.book.memory)
    witness = names.id_of(wish.witness) if wish.witness else None
    if wish.witness and witness is None:
        problems.append(nobody(names, wish.witness))
    problems += [nobody(names, name) for name in wish.characters if names.id_of(name) is None]
    characters, text, cursor = wish.characters, None, None
    if wish.scene:
        scene = _scene(run, wish.scene)
        if isinstance(scene, Problem):
            return None, [*problems, scene]
        episode, play, at = scene
        text = scene_text(play, at)
        characters = characters or at.present
        # Memory for a scene is without the episode it stands in, unless that was asked for (A113).
        found.setdefault("episode", episode.id if not wish.as_of else None)
        cursor = Cursor(episode.id, play, at.id) if found["episode"] == episode.id else None
    if wish.reading not in ("", NONE) and run.show.readings.of(wish.reading) is None:
        problems.append(_no_reading(run, wish.reading))
    settings = run.book.memory.settings if run.book.memory else Settings()
    past = settings.scene_recall if wish.recall is None else wish.recall
    if text and settings.semantic and not similar.installed():
        hint = 'pip install ".[semantic]" in the folder of showmemory, or showmemory set semantic=false'
        problems.append(
            Problem(Span("bible/memory.json"), "error", "expected wordllama for semantic, found none", hint)
        )
    if problems:
        return None, problems
    if wish.handover and not found:
        found["episode"] = upcoming(run.show, run.sides)
    who, wrong = operator(os.environ)
    made = memory_context(
        run.show,
        run.book.memory,
        logs=run.sides,
        scripts=_witnessed(run) if witness else _Remembered(run) if text else None,
        later=later_of(run),
        cut=cut_of(run.rules),
        characters=characters or None,
        scene=text,
        episode=found.get("episode"),
        budget_tokens=wish.budget,
        rules=wish.rules,
        as_of=found.get("as_of"),
        axis=cast(Axis, wish.order),
        witness=witness,
        reader=cast(Reader, wish.reader),
        format=cast(Any, wish.format),
        cursor=cursor,
        past=past,
        reading=wish.reading,
        operator=who.says,
        timing=_timed(run),
        handing=wish.handover,
    )
    return made, [*wrong, *(p for p in run.problems if p.severity == "error")]


def _no_reading(run: Run, name: str) -> Problem:
    known = ", ".join(one.id for one in run.show.readings.readings)
    hint = f"there is {known}" if known else "bible/readings.yaml holds them"
    return Problem(Span("show"), "error", f"expected a reading or {NONE}, found {name}", hint)


def _witnessed(run: Run) -> dict[str, Screenplay]:
    """Every script, since what somebody witnessed is read from them."""
    run.parse()
    return {e.id: play for e in run.read if (play := run.artifacts.screenplay(e)) is not None}


class _Remembered(Mapping[str, Screenplay]):
    """The scripts that are as memory remembered them, read when they are asked for.

    Nothing is quoted from a draft that nobody approved.
    """

    def __init__(self, run: Run) -> None:
        run.parse()
        held = {e.id: e.hash for e in run.book.memory.episodes} if run.book.memory else {}
        self._artifacts = run.artifacts
        self._episodes = {e.id: e for e in run.read if held.get(e.id) == run.scripts[e.id]}

    def __getitem__(self, id_: str) -> Screenplay:
        return self._artifacts.screenplay(self._episodes[id_]) or Screenplay((), ())

    def __contains__(self, id_: object) -> bool:
        return id_ in self._episodes

    def __iter__(self) -> Iterator[str]:
        return iter(self._episodes)

    def __len__(self) -> int:
        return len(self._episodes)


def _timed(run: Run) -> dict[str, Screenplay]:
    """The scripts by which the story's clock is measured, where that is asked for; else none is looked at."""
    settings = run.book.memory.settings if run.book.memory else Settings()
    if not (settings.time_in_memory and settings.measured_clock):
        return {}
    run.parse()
    return timed(run.book.memory, run.artifacts, run.read, run.scripts)


def later_of(run: Run) -> dict[str, tuple[Use, ...]]:
    """Uses that frozen entries could not take up; without such entries nothing has to be read for it."""
    if run.book.memory is None or not any(e.frozen and e.uses for e in run.book.memory.entries):
        return {}
    run.deciding = True
    run.refresh()
    return later_uses(run.target) if run.target else {}


def as_json(made: Context) -> dict[str, Any]:
    """A context as the contract of `context --json` has it."""
    return {
        "text": made.text,
        "tokens": made.tokens,
        "omitted": list(made.omitted),
        "resting": list(made.resting),
        "receipt": made.receipt.plain(),
    }


def _scene(run: Run, spec: str) -> tuple[Episode, Screenplay, Scene] | Problem:
    """The scene that FILE:LINE, FILE:sc.12 or FILE:p.8 stands in."""
    match = _SPEC.fullmatch(spec.strip())
    if match is None:
        hint = "write FILE:LINE, FILE:sc.12 or FILE:p.8"
        return Problem(Span(""), "error", f"expected a place in a script, found {spec}", hint)
    episode = _script(run, match[1])
    if episode is None:
        return Problem(Span(""), "error", f"expected one of the show's scripts, found {match[1]}")
    found = play_of(run, episode)
    if found is None:
        return Problem(Span(episode.script), "error", "expected a script that can be read, found none")
    at = _at(found, match)
    if at is None:
        return Problem(Span(episode.script), "error", f"expected a scene at {spec}, found none", _beyond(found, match))
    return episode, found, at


def _script(run: Run, named: str) -> Episode | None:
    """The episode whose script `named` is: a path from here or from the show, or an episode's name."""
    there = Path(named).resolve()
    for episode in run.show.episodes:
        if episode.script in (named, Path(named).as_posix()) or (run.root / episode.script).resolve() == there:
            return episode
    id_ = find_episode(run.show.episodes, named)
    return next((episode for episode in run.show.episodes if episode.id == id_), None)


def _beyond(play: Screenplay, match: re.Match[str]) -> str:
    """How far the script goes, for a place that it has not."""
    if match[3]:
        return f"its scenes go from {play.scenes[0].id} to {play.scenes[-1].id}" if play.scenes else "it has no scenes"
    name = "page" if match[4] else "line"
    return f"its last {name} is {max((getattr(e, name) for e in play.elements), default=0)}"


def _at(play: Screenplay, match: re.Match[str]) -> Scene | None:
    scenes = play.scenes
    if match[3]:
        return next((scene for scene in scenes if scene.id.casefold() == match[3].casefold()), None)
    line, page = int(match[2] or 0), int(match[4] or 0)
    if max((e.page if page else e.line for e in play.elements), default=0) + _TAIL < (page or line):
        return None
    before = [s for s in scenes if (s.page <= page if page else s.line <= line)]
    return before[-1] if before else (scenes[0] if scenes else None)
