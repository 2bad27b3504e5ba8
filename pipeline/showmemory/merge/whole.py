"""Changes to the notebook as a whole: an episode's place, the settings, and every decision given back. Pure."""

from __future__ import annotations

from showmemory.fold.fold import closed, fingerprints, order, refold
from showmemory.merge.asked import Edit, Refused, valid
from showmemory.model.memory import Entry, EpisodeRecord, Said, Settings, ShowMemory

_BARE = {
    "edited": {},
    "original": {},
    "pinned": False,
    "locked": False,
    "retired": False,
    "rested": None,
    "keep": None,
    "by": "deterministic",
}


def place(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Give an episode its place by hand (A37); the order of everything follows."""
    held = next((e for e in memory.episodes if e.id == change.target), None)
    if held is None:
        known = ", ".join(e.id for e in memory.episodes[:6])
        raise Refused(f"expected a remembered episode, found {change.target or 'nothing'}", f"there are: {known} …")
    allowed = {n: v for n, v in change.fields.items() if n in ("season", "number", "story")}
    placed: EpisodeRecord = valid(EpisodeRecord, {**held.model_dump(), **allowed, "placed": True})
    rival = next(
        (e for e in memory.episodes if e.id != held.id and (e.season, e.number) == (placed.season, placed.number)), None
    )
    if rival is not None:
        where = f"season {placed.season}, number {placed.number}"
        raise Refused(f"expected a free place, found {rival.id} at {where}", "move that one first")
    episodes = [placed if e.id == held.id else e for e in memory.episodes]
    aired = order(episodes)
    rank = {id_: at for at, id_ in enumerate(aired)}
    entries = closed((refold(e, aired) for e in memory.entries), aired, hold=True)
    written = {e.id: fingerprints(e, memory.written[e.id]) for e in entries if e.id in memory.written}
    update = {"episodes": tuple(sorted(episodes, key=lambda e: rank[e.id])), "entries": entries, "written": written}
    story = "" if placed.story is None else f", in the story at {placed.story:g}"
    return memory.model_copy(
        update=update
    ), f"{held.id} stands at season {placed.season}, number {placed.number}{story}"


def settings(memory: ShowMemory, change: Edit) -> tuple[ShowMemory, str]:
    """Change settings by name (A29 to A34)."""
    known = memory.settings.model_dump()
    unknown = sorted(change.fields.keys() - known.keys())
    if unknown or not change.fields:
        raise Refused(f"expected a setting, found {', '.join(unknown) or 'nothing'}", f"there are: {', '.join(known)}")
    made = valid(Settings, {**known, **change.fields})
    said = ", ".join(f"{n} = {v}" for n, v in sorted(change.fields.items()))
    return memory.model_copy(update={"settings": made}), f"set {said}"


def reset(memory: ShowMemory, _: Edit) -> tuple[ShowMemory, str]:
    """Give every decision back: the notebook as the passes alone would have it; the settings stay as they are."""
    aired = order(memory.episodes)
    back = [t.entry for t in memory.forgotten if t.entry is not None]
    entries = [made for e in (*memory.entries, *back) if (made := _of_the_passes(e, aired))]
    update = {
        "entries": closed(entries, aired),
        "episodes": tuple(e.model_copy(update={"placed": False}) for e in memory.episodes),
        "forgotten": (),
        "declined": (),
        "written": {e.id: fingerprints(e) for e in sorted(entries, key=lambda e: e.id)},
    }
    return memory.model_copy(update=update), "every change of yours is taken back; undo brings them again"


def _of_the_passes(entry: Entry, aired: tuple[str, ...]) -> Entry | None:
    """An entry as the passes alone have it; None when they say nothing of it."""
    said = {e: s.model_copy(update={"stale": ()}) for e, s in entry.said.items() if s.by != "person"}
    said = {e: s for e, s in said.items() if s != Said(rule=s.rule)}
    if not any(s.earned for s in said.values()):
        return None
    return refold(entry.model_copy(update={**_BARE, "said": said}), aired)
