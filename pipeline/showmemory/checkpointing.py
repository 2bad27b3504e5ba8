"""A show's checkpoint on request, an anchor for somebody who is lost, what to confirm before going on (E5 to E8)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from showmemory.context.changes_page import changes_page, changes_plain
from showmemory.context.checkpoint import checkpoint, thin
from showmemory.context.checkpoint_page import PAGE, page
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.resume import Anchor, Resumed, anchor, resumed, resumed_page
from showmemory.context.tokens import count
from showmemory.flow import Run
from showmemory.fold.shown import cut_of
from showmemory.look import find_episode, no_episode
from showmemory.model.checkpoint import KIND, Checkpoint, Refused
from showmemory.model.span import Problem, Severity, Span
from showmemory.read.profile import operator
from showmemory.read.readings import placed
from showmemory.read.scan import is_inside
from showmemory.writing import later_of

_BIBLE = "bible/bible"


@dataclass(frozen=True)
class Asked:
    """The options of a checkpoint. `said`: what somebody who is lost is certain of, or what is new since."""

    as_of: str = ""
    purpose: str = "resume"
    focus: str = ""
    reader: str = "writer"
    said: str = ""
    budget: int = PAGE
    handed: Path | None = None


@dataclass
class Made:
    """What is printed: the text, its plain form, and what is wrong with it."""

    text: str = ""
    plain: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def checkpoint_of(root: Path, asked: Asked) -> Made:
    """The checkpoint as a page and as plain values. One that is refused is no checkpoint: then there is no text."""
    return _made(root, asked, _checkpoint)


def anchor_of(root: Path, asked: Asked) -> Made:
    """One anchor for somebody who is lost, and no more (E18)."""
    return _made(root, asked, _anchor)


def resume_of(root: Path, asked: Asked) -> Made:
    """What to confirm, settle and open before going on; what contradicts a locked decision is an error (E8)."""
    return _made(root, asked, _resume)


def changes_of(root: Path, episode: str) -> Made:
    """What one episode changed, as of that episode: what `context/changes/` has of the newest ones (D55)."""
    return _made(root, Asked(as_of=episode), _changes)


def check_checkpoint(run: Run) -> list[Problem]:
    """What a checkpoint of this show would be refused for, where its bible records anything of one."""
    bible = run.show.bible
    if not (bible.decisions or bible.hypotheses or bible.questions or bible.stage or bible.next.step):
        return []
    made = checkpoint(_ready(run, Asked()))
    found = [(one, "error" if one.key == "hypotheses" else "warning") for one in made.refused if one.key]
    return [_problem(run, one, severity) for one, severity in found] + list(_entry(run, made, "warning"))


def _made(root: Path, asked: Asked, how: Any) -> Made:
    run = Run(root)
    try:
        if run.book.broken or run.unsound:
            return Made(problems=run.errors)
        if asked.as_of and find_episode(run.show.episodes, asked.as_of) is None:
            return Made(problems=[no_episode(run.show.episodes, asked.as_of)])
        who, wrong = operator(os.environ)
        first = f"{who.says}\n" if who.says else ""
        made: Made = how(run, asked, count(first))
        made.text = first + made.text if made.text else ""
        if who.says:
            made.plain = {"operator": who.says, **made.plain}
        made.problems += wrong
        return made
    finally:
        run.close()


def _ready(run: Run, asked: Asked) -> Ready:
    until = find_episode(run.show.episodes, asked.as_of) if asked.as_of else None
    moment = moment_of(run.show, run.book.memory, until=until)
    return Ready(run.show, moment, run.sides, asked.reader, later_of(run), cut=cut_of(run.rules))


def _changes(run: Run, asked: Asked, before: int) -> Made:
    ready = _ready(run, asked)
    episode = ready.moment.upto[-1]
    text = changes_page(ready, episode) or f"Memory has nothing that {ready.moment.named(episode)} changed.\n"
    return Made(text, changes_plain(ready, episode))


def _checkpoint(run: Run, asked: Asked, before: int) -> Made:
    ready = _ready(run, asked)
    made = checkpoint(ready, asked.purpose, asked.focus)
    text = page(made, asked.budget - before)
    refused = [_problem(run, one) for one in (*made.refused, *thin(ready, made, text))]
    refused += _entry(run, made)
    plain = made.plain() | {"refused": [problem.message for problem in refused]}
    return Made("" if refused else text, plain, refused)


def _anchor(run: Run, asked: Asked, before: int) -> Made:
    found: Anchor = anchor(_ready(run, asked), asked.said)
    return Made(found.text, found.plain())


def _resume(run: Run, asked: Asked, before: int) -> Made:
    handed, problems = _handed(asked.handed)
    if problems:
        return Made(problems=problems)
    ready = _ready(run, asked)
    found: Resumed = resumed(ready, asked.said, handed)
    against = [v for v in found.verdicts if v.state == "contradicted"]
    said = "expected a locked decision that holds, found it contradicted"
    problems = [placed(_BIBLE, run.root, ("decisions", v.decision), "error", said, v.why) for v in against]
    problems += [_problem(run, one) for one in found.refused]
    return Made(resumed_page(found), found.plain(), problems)


def _handed(path: Path | None) -> tuple[dict[str, Any] | None, list[Problem]]:
    """A checkpoint that somebody handed over, as `checkpoint --json` printed it."""
    if path is None:
        return None, []
    hint = "showmemory checkpoint --json > FILE writes one"
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None, [Problem(Span(str(path)), "error", "expected a checkpoint as JSON, found none", hint)]
    if not isinstance(held, dict) or held.get("kind") != KIND:
        return None, [Problem(Span(str(path)), "error", f"expected a {KIND}, found something else", hint)]
    return held, []


def _problem(run: Run, one: Refused, severity: Severity | str = "error") -> Problem:
    level: Severity = "warning" if severity == "warning" else "error"
    if not one.key:
        return Problem(Span("checkpoint"), level, one.message, one.hint)
    loc = (one.key, one.at) if one.at >= 0 else (one.key,)
    return placed(_BIBLE, run.root, loc, level, one.message, one.hint)


def _entry(run: Run, made: Checkpoint, severity: Severity = "error") -> Iterator[Problem]:
    """The entry of the next step must be there: a file of the show, or an episode."""
    lines = made.part("nextStep").lines
    entry = lines[0].cite if lines else ""
    path = entry.rpartition(":")[0] if entry.rpartition(":")[2].isdecimal() else entry
    there = is_inside(run.root, run.root / path) and (run.root / path).is_file() if path else True
    if there or find_episode(run.show.episodes, entry):
        return
    message = f"expected the file or episode in which the next step begins, found nothing at {entry}"
    yield placed(_BIBLE, run.root, ("next", "entry"), severity, message, "write FILE, FILE:LINE or an episode")
