"""A show and its memory -> the context files: the show, what comes next, the newest episodes, leads, the checkpoint."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from showmemory.context.changes_page import changes_page
from showmemory.context.checkpoint import checkpoint, thin
from showmemory.context.checkpoint_page import page, receipt
from showmemory.context.context import Context, compose
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.scene import by_talk
from showmemory.fold.fold import order
from showmemory.fold.shown import Cut
from showmemory.model.canonical import compact, dumps
from showmemory.model.memory import ShowMemory, Use
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Show, SideFiles

# A file each for the bible's characters and for those who talk most: this many at most.
CHARACTERS = 24
_UNSAFE = re.compile(r"[^\w-]+")


def context_files(
    show: Show,
    memory: ShowMemory | None,
    *,
    logs: Mapping[str, SideFiles] | None = None,
    timing: Mapping[str, Screenplay] | None = None,
    later: Mapping[str, Sequence[Use]] | None = None,
    cut: Cut | None = None,
) -> dict[str, str]:
    """Every file under `context/`, path (relative to the show) -> text. Same show and memory: same bytes.

    `timing` are the scripts by which the story's clock is measured.
    """
    shared = _Shared(logs or {}, later, cut, timing or {})
    made = _handed_over(shared.ready(show, memory))
    for name, context in _contexts(show, memory, shared):
        made[f"context/{name}.md"] = context.text
        made[f"context/{name}.receipt.json"] = _receipt(context)
    return made | _changed(show, memory, shared)


def _handed_over(ready: Ready) -> dict[str, str]:
    """The checkpoint as a page and as JSON; one that would be refused is none."""
    made = checkpoint(ready)
    text = page(made)
    if made.refused or thin(ready, made, text):
        return {}
    plain, cost = dumps(made.plain()), compact(receipt(made)) + "\n"
    return {"context/checkpoint.md": text, "context/checkpoint.json": plain, "context/checkpoint.receipt.json": cost}


@dataclass(frozen=True)
class _Shared:
    """What every file is made with."""

    logs: Mapping[str, SideFiles]
    later: Mapping[str, Sequence[Use]] | None
    cut: Cut | None
    timing: Mapping[str, Screenplay]

    def ready(
        self, show: Show, memory: ShowMemory | None, episode: str | None = None, until: str | None = None
    ) -> Ready:
        """Memory made ready for writing `episode`, as of `until`, or as of now."""
        moment = moment_of(show, memory, episode, until)
        return Ready(show, moment, self.logs, later=self.later, cut=self.cut, timing=self.timing)


def _contexts(show: Show, memory: ShowMemory | None, shared: _Shared) -> Iterator[tuple[str, Context]]:
    """Contexts that stand at one moment share what is ready of it."""
    now = shared.ready(show, memory)
    yield "show", compose(now)
    for who in _leads(now):
        yield f"characters/{_file(who)}", compose(now, characters=[who])
    following = upcoming(show, shared.logs)
    yield "current", compose(shared.ready(show, memory, following) if following else now, handing=True)
    # Newest first: each moment is folded from the one after it, which holds all that it needs.
    for episode in reversed(newest(show, memory, now.settings.context_episodes)):
        ready = shared.ready(show, memory, episode)
        memory = ready.moment.memory
        yield f"episodes/{_file(episode)}", compose(ready)


def _changed(show: Show, memory: ShowMemory | None, shared: _Shared) -> dict[str, str]:
    """What each of the newest remembered episodes changed, as of that episode.

    It stands apart from the page for writing the episode, which knows nothing of it.
    """
    now = shared.ready(show, memory)
    made: dict[str, str] = {}
    for episode in reversed(newest(show, memory, now.settings.context_episodes)):
        ready = shared.ready(show, memory, until=episode)
        memory = ready.moment.memory
        if episode in ready.moment.order and (text := changes_page(ready, episode)):
            made[f"context/changes/{_file(episode)}.md"] = text
    return made


def newest(show: Show, memory: ShowMemory | None, count: int) -> tuple[str, ...]:
    """The newest episodes that somebody may be writing on, in story order."""
    whole = order(moment_of(show, memory).records.values())
    return whole[-count:] if count else ()


def upcoming(show: Show, logs: Mapping[str, SideFiles]) -> str | None:
    """The first episode that has an outline and no script."""
    return next((e.id for e in show.episodes if not e.script and e.id in logs and logs[e.id].outline), None)


def _leads(ready: Ready) -> tuple[str, ...]:
    """Those who get a file of their own: by talk, the bible's before others."""
    memory = ready.moment.memory
    often = Counter(who for e in memory.episodes for who in e.spoke) if memory else Counter[str]()
    talk = by_talk(ready.moment)
    known = [who for who in talk if who in ready.people]
    return (*known, *(who for who in talk if who not in ready.people and often[who] > 1))[:CHARACTERS]


def _file(id_: str) -> str:
    """An id as a file's name."""
    return ".".join(filter(None, (_UNSAFE.sub("-", part) for part in id_.split("."))))


def _receipt(context: Context) -> str:
    return compact(context.receipt.grouped()) + "\n"
