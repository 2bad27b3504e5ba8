"""Recorded answers on disk: the file beside each episode, and the batch that is on its way."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from showmemory.ask.record import Answers, Recorded, read_answers
from showmemory.check.parse import parse
from showmemory.model.base import Frozen
from showmemory.model.canonical import dumps
from showmemory.model.show import Episode, Show
from showmemory.model.span import Problem, Span
from showmemory.store import files

BATCH = "spend/batch.json"
_PLAIN = re.compile(r"[\w.-]+")


class Waiting(Frozen):
    """A batch that was sent: its id, and by the id of each request what is kept once it is answered."""

    kind: str = "ShowBatch"
    batch: str
    provider: str
    asked: dict[str, Recorded]
    episodes: dict[str, str]
    usd: float = 0.0


def places(show: Show) -> dict[str, str]:
    """Where each episode's answers are kept: where they are, else beside the script, under the episode's own name."""
    folders = Counter(PurePosixPath(e.script).parent for e in show.episodes)
    shared = {PurePosixPath("."), PurePosixPath(show.config.scripts)}
    made = {}
    for episode in show.episodes:
        folder = PurePosixPath(episode.script).parent
        own = folders[folder] == 1 and folder not in shared
        tail = episode.id.removeprefix("ep.")
        name = tail if _PLAIN.fullmatch(tail) else PurePosixPath(episode.script).stem
        made[episode.id] = episode.answers or (folder / ("answers.json" if own else f"{name}.answers.json")).as_posix()
    return made


def load(root: Path, path: str, episode: Episode) -> tuple[Answers | None, str, list[Problem]]:
    """An episode's answers, the file's text, and what is wrong with it; no answers where there is no file."""
    text = files.read_text(root / path)
    if text is None:
        return Answers(id=episode.id), "", []
    value, problem = parse(text, path)
    if problem is not None:
        hint = "this file is not written until it can be read"
        return None, text, [Problem(problem.span, "error", problem.message, hint, problem.source)]
    found = read_answers(value)
    if isinstance(found, str):
        return None, text, [Problem(Span(path), "error", found, "this file is not written until it can be read")]
    return found, text, []


def save(root: Path, path: str, answers: Answers) -> None:
    """Write an episode's answers, each with its pass first."""
    made = _plain(answers)
    made["answers"] = [{"pass": one.pass_, **_plain(one)} for one in answers.answers]
    files.write_text(root / path, dumps(made))


def waiting(root: Path) -> Waiting | None:
    """The batch that is on its way."""
    text = files.read_text(root / BATCH)
    if text is None:
        return None
    value, problem = parse(text, BATCH)
    try:
        return Waiting.model_validate(value) if problem is None else None
    except ValueError:
        return None


def keep_waiting(root: Path, batch: Waiting | None) -> None:
    """Note a batch, or that there is none any more."""
    if batch is None:
        files.remove(root / BATCH)
    else:
        files.write_text(root / BATCH, dumps(_plain(batch)))


def _plain(value: Frozen) -> dict[str, Any]:
    """What differs from the defaults; the kind and version of a document always."""
    made = value.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    head = {name: getattr(value, name) for name in ("kind", "version") if hasattr(value, name)}
    return {**head, **made}
