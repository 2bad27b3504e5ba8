"""Memory as one character or group could have it: what they witnessed, overheard or were told, and nothing else.

Nothing here may depend on a scene they did not see (B3, B4): statements are kept only where every line they rest on
was witnessed, and whatever is counted or ranked over the whole show is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from showmemory.fold.fold import closed, refold
from showmemory.fold.knowing import attendance
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Source, Spoke
from showmemory.model.screenplay import Scene, Screenplay

ELSEWHERE = "Elsewhere."
_RULES = frozenset({"tone", "never", "style"})
_COUNTED = frozenset({"catchphrase", "summary", "style"})


@dataclass(frozen=True)
class Vantage:
    """Whose view it is. `holders`: the ids whose knowledge is theirs; `seen`: scenes witnessed, (episode, scene)."""

    who: str
    holders: frozenset[str]
    seen: frozenset[tuple[str, str]]

    def witnessed(self, source: Source) -> bool:
        """Whether they saw or heard the scene that a line stands in."""
        return (source.episode, source.scene) in self.seen


def vantage(who: str, groups: Mapping[str, Sequence[str]], scripts: Mapping[str, Screenplay]) -> Vantage:
    """A member has seen what they saw or heard; a group, what each of its members did. Members know what it knows."""
    there = attendance(scripts)
    members = tuple(groups.get(who, (who,)))
    shared = {at for at, (present, heard) in there.items() if all(m in present or m in heard for m in members)}
    holders = (who, *(group for group, held in groups.items() if who in held))
    return Vantage(who, frozenset(holders), frozenset(shared if members else ()))


def seen_by(
    memory: ShowMemory, view: Vantage, scripts: Mapping[str, Screenplay], summaries: Mapping[tuple[str, str], str]
) -> ShowMemory:
    """The memory that is `view`'s. `summaries`: (episode, scene) -> how a person summed a scene up, where one did."""
    upto = tuple(e.id for e in memory.episodes)
    made = [entry for e in memory.entries if (entry := _seen(e, view, upto)) is not None]
    told = {e.about[0]: e.id for e in memory.entries if e.kind == "synopsis" and e.about}
    outlines = [_outline(e, told.get(e), view, scripts[e], summaries) for e in upto if e in scripts]
    episodes = tuple(_met(e, view, scripts.get(e.id)) for e in memory.episodes)
    return memory.model_copy(update={"entries": closed((*made, *outlines), upto), "episodes": episodes})


def _seen(entry: Entry, view: Vantage, upto: Sequence[str]) -> Entry | None:
    """An entry as its witnessed statements make it."""
    if entry.kind in _COUNTED and entry.said:
        return None
    if not entry.said:
        return entry if entry.kind in _RULES or view.holders.intersection(entry.holders) else None
    if entry.kind == "synopsis" or (entry.kind == "gag" and entry.form != "bible"):
        return None
    if entry.kind == "voice":
        return _own_voice(entry, view, upto)
    steps = {e: said for e, step in entry.said.items() if (said := _witnessed(entry, step, view)) is not None}
    return refold(entry.model_copy(update={"said": steps, "since": None}), upto, thaw=True) if steps else None


def _witnessed(entry: Entry, step: Said, view: Vantage) -> Said | None:
    """One episode's statement, if they were told it, or saw each line it rests on; uses are kept one by one."""
    if step.holders or entry.kind == "knowledge":
        return step if view.holders.intersection(step.holders) else None
    if step.stale or not all(view.witnessed(source) for source in step.sources):
        return None
    uses = tuple(use for use in step.uses if view.witnessed(use))
    return step.model_copy(update={"uses": uses, "score": None, "held": None}) if step.sources or uses else None


def _own_voice(entry: Entry, view: Vantage, upto: Sequence[str]) -> Entry | None:
    """Their own lines, counted; how they compare with others rests on scenes they did not see."""
    if view.who not in entry.about:
        return None
    bare: dict[str, Any] = {"measures": {}, "exemplars": (), "sources": (), "score": None, "held": None}
    steps = {e: s.model_copy(update=bare) for e, s in entry.said.items() if s.by == "deterministic"}
    return refold(entry.model_copy(update={"said": steps, "since": None}), upto, thaw=True) if steps else None


def _outline(
    episode: str, id_: str | None, view: Vantage, script: Screenplay, summaries: Mapping[tuple[str, str], str]
) -> Entry:
    """An episode as they lived it: the scenes they saw, and `Elsewhere.` for what lies between (B4)."""
    rows = list(_rows(episode, view, script, summaries))
    text = "\n".join(row for at, row in enumerate(rows) if at == 0 or row != ELSEWHERE or rows[at - 1] != ELSEWHERE)
    made = id_ or f"mem.synopsis.{episode.removeprefix('ep.')}"
    return Entry(id=made, kind="synopsis", key=episode, text=text, about=(episode,), since=episode)


def _rows(episode: str, view: Vantage, script: Screenplay, summaries: Mapping[tuple[str, str], str]) -> Iterator[str]:
    for scene in script.scenes:
        if scene.omitted:
            continue
        if (episode, scene.id) not in view.seen:
            yield ELSEWHERE
            continue
        told = summaries.get((episode, scene.id)) or _opening(script, scene)
        yield f"{scene.place.title()}: {told}" if scene.place and told else told or f"{scene.place.title()}."


def _opening(script: Screenplay, scene: Scene) -> str:
    """A scene's first line of action, else its first words."""
    elements = script.elements[scene.start + 1 : scene.end]
    told = (e.text.strip() for kind in ("action", "dialogue") for e in elements if e.kind == kind)
    return next(filter(None, told), "")


def _met(record: EpisodeRecord, view: Vantage, script: Screenplay | None) -> EpisodeRecord:
    """An episode's record with those they met in it, uncounted."""
    met = _people(record.id, view, script) if script else ()
    return record.model_copy(update={"spoke": {who: Spoke() for who in sorted(met)}})


def _people(episode: str, view: Vantage, script: Screenplay) -> Iterable[str]:
    seen = [scene for scene in script.scenes if (episode, scene.id) in view.seen]
    return {who for scene in seen for who in (*scene.present, *scene.heard)}
