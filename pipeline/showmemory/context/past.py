"""The scenes behind the one at hand: remembered ones as memory has them, those being written as their script has.

Nothing here is kept: a scene's line is put together anew from what memory says of it (D25).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from showmemory.context.names import place_words
from showmemory.context.quote import line, sentence
from showmemory.context.ready import Ready
from showmemory.model.memory import Entry, Said, Source
from showmemory.model.screenplay import Scene, Screenplay, scene_called
from showmemory.model.show import SideFiles
from showmemory.text.brief import clipped, first_sentence, telling, titled, unstopped

# Where nobody summed a scene up, the first sentence of action of so many words or more, cut to so many.
TELLING, WORDS = 4, 22
PLACE, SPEAKERS = 6, 4
PASSING = "In passing: "
# Why an entry is not printed now -> it was so in its scene all the same.
_STOOD = frozenset({"superseded", "resolved"})


@dataclass(frozen=True)
class Cursor:
    """The scene at hand: of the episode being written, in its script as it is now. Only what stands before is read."""

    episode: str
    play: Screenplay
    scene: str

    @property
    def before(self) -> tuple[Scene, ...]:
        """The scenes before the one at hand."""
        at = next((n for n, scene in enumerate(self.play.scenes) if scene.id == self.scene), len(self.play.scenes))
        return tuple(s for s in self.play.scenes[:at] if not s.omitted and s.end > s.start)


@dataclass(frozen=True, slots=True)
class Past:
    """One scene: where and who, how it was summed up, the steps its threads took, and whatever else it changed."""

    episode: str
    scene: str
    where: str
    summary: str = ""
    moves: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


def written(ready: Ready, cursor: Cursor) -> list[Past]:
    """The scenes of the episode being written that stand before the one at hand."""
    side = ready.logs.get(cursor.episode, SideFiles())
    return [_live(ready, cursor, scene, side) for scene in cursor.before]


def remembered(ready: Ready, episode: str) -> list[Past]:
    """The scenes of an episode, as memory has them."""
    entry = _synopsis(ready, episode)
    if entry is None:
        return []
    heads = headings(entry, episode)
    places = [titled(place_words(line(head.words))) or f"Scene {head.scene}" for head in heads]
    rows = _aligned(_rows(entry, episode), places)
    said = _by_scene(ready, episode)
    made = []
    for head, place, row in zip(heads, places, rows, strict=True):
        where, _, summary = row.partition(": ") if row else (clipped(place, PLACE), "", "")
        moves, changes = said.get(head.scene, ((), ()))
        made.append(Past(episode, head.scene, unstopped(where), summary, tuple(moves), tuple(changes)))
    return made


def headings(entry: Entry, episode: str) -> list[Source]:
    """Each scene's heading, as an episode's synopsis cites it: of what it cites of a scene, the first line."""
    first: dict[str, Source] = {}
    for source in entry.said[episode].sources if episode in entry.said else ():
        if not source.speaker and (source.scene not in first or _at(source) < _at(first[source.scene])):
            first[source.scene] = source
    return sorted(first.values(), key=_at)


def scenes_of(ready: Ready, episode: str) -> int:
    """How many scenes memory knows an episode to have."""
    entry = _synopsis(ready, episode)
    return len(headings(entry, episode)) if entry else 0


def _at(source: Source) -> tuple[int, int, int]:
    return (source.page, source.line, source.paragraph)


def _synopsis(ready: Ready, episode: str) -> Entry | None:
    return ready.synopses.get(episode)


def _rows(entry: Entry, episode: str) -> list[str]:
    """What the pass said scene by scene; where a person rewrote the episode their words stand instead."""
    told = "" if "text" in entry.edited else entry.said[episode].text or ""
    return [line(row[2:]) for row in told.splitlines() if row.startswith("- ")]


def _aligned(rows: Sequence[str], places: Sequence[str]) -> list[str]:
    """The row that tells each scene, empty for one that is only named in passing."""
    made, at = [], 0
    for place in places:
        here = next((n for n in range(at, len(rows)) if _tells(rows[n], place)), None)
        passing = at < len(rows) and rows[at].startswith(PASSING) and _named(rows[at], place)
        if here is None or (passing and here > at + 1):
            made.append("")
            continue
        made.append(rows[here])
        at = here + 1
    return made


def _tells(row: str, place: str) -> bool:
    return not row.startswith(PASSING) and _same(unstopped(row.partition(": ")[0]).partition(" (")[0], place)


def _named(row: str, place: str) -> bool:
    return any(_same(name, place) for name in unstopped(row.removeprefix(PASSING)).split("; "))


def _same(name: str, place: str) -> bool:
    """Whether a place as it was told, perhaps cut, is this one."""
    return place.casefold().startswith(name.rstrip("…").casefold())


def _by_scene(ready: Ready, episode: str) -> dict[str, tuple[list[str], list[str]]]:
    """What memory says that each scene of an episode did: steps of threads, and everything else."""
    made: dict[str, tuple[list[str], list[str]]] = {}
    for entry in ready.entries:
        step = entry.said.get(episode)
        if step is None or (entry.id in ready.held and ready.held[entry.id].limit not in _STOOD):
            continue
        told = _told(ready, entry, step)
        scene = next((s.scene for s in (*step.sources, *step.uses) if s.scene), "")
        if told and scene:
            moves, changes = made.setdefault(scene, ([], []))
            (moves if entry.kind == "thread" else changes).append(told)
    return made


def _told(ready: Ready, entry: Entry, step: Said) -> str:
    """One change in a few words; nothing for what recurs by itself and for what is said of the whole episode."""
    text = unstopped(line(step.text or entry.text or entry.title))
    if entry.kind == "thread":
        return _moved(entry.title or entry.text, step.move or step.status or "moved")
    if entry.kind == "knowledge":
        return _learned(ready, entry.holders, text)
    if entry.kind == "gag" and entry.form == "bible":
        return f"Gag: {unstopped(line(entry.title))}"
    return text if entry.kind in ("fact", "relationship") and entry.form != "term" else ""


def _moved(title: str, step: str) -> str:
    return f"{unstopped(line(title))} ({step})"


def _learned(ready: Ready, who: Sequence[str], text: str) -> str:
    names = _listed([ready.names.name(i) for i in who])
    return f"{names} {'learns' if len(who) == 1 else 'learn'}: {text}" if names else text


def _live(ready: Ready, cursor: Cursor, scene: Scene, side: SideFiles) -> Past:
    """A scene of the script being written, with what its outline and its log say that it does."""
    speakers = [who for e in cursor.play.elements[scene.start : scene.end] for who in e.speaker]
    who = [ready.names.name(i) for i in dict.fromkeys(speakers or scene.present)]
    place = clipped(titled(scene.place), PLACE) or f"Scene {scene.id}"
    where = f"{place} ({_listed(who, SPEAKERS)})" if who else place
    summary = _summed(cursor.play, scene, side) or _opening(cursor.play, scene)
    moves = dict.fromkeys(_moves(ready, cursor.play, scene, side))
    changes = dict.fromkeys(_changes(ready, cursor.play, scene, side))
    return Past(cursor.episode, scene.id, where, sentence(summary), tuple(moves), tuple(changes))


def _is(play: Screenplay, name: str, scene: Scene) -> bool:
    number = scene_called(play, name) if name else None
    return number is not None and play.scenes[number].id == scene.id


def _summed(play: Screenplay, scene: Scene, side: SideFiles) -> str:
    """As directed, else as outlined."""
    for scenes in (side.directed.scenes if side.directed else (), side.outline.scenes if side.outline else ()):
        for one in scenes:
            if one.summary.strip() and _is(play, one.scene, scene):
                return line(one.summary)
    return ""


def _opening(play: Screenplay, scene: Scene) -> str:
    elements = play.elements[scene.start + 1 : scene.end]
    action = [line(e.text) for e in elements if e.kind == "action" and e.text.strip()]
    told = next((words for text in action if (words := telling(text, TELLING))), "")
    return clipped(told, WORDS) if told else first_sentence(action[0], WORDS) if action else ""


def _moves(ready: Ready, play: Screenplay, scene: Scene, side: SideFiles) -> Iterator[str]:
    for one in side.outline.scenes if side.outline else ():
        if _is(play, one.scene, scene):
            for step, threads in (("opened", one.opens), ("moved", one.moves), ("resolved", one.resolves)):
                yield from (_moved(ready.names.name(i), step) for i in ready.names.ids(threads))
    for moved in side.continuity.threads if side.continuity else ():
        if _is(play, moved.scene, scene):
            yield _moved(ready.names.name(ready.names.id_of(moved.thread) or moved.thread), moved.move)


def _changes(ready: Ready, play: Screenplay, scene: Scene, side: SideFiles) -> Iterator[str]:
    log = side.continuity
    for change in log.changes if log else ():
        if _is(play, change.scene, scene):
            text = unstopped(line(change.text))
            yield _learned(ready, ready.names.ids(change.who), text) if change.kind == "knowledge" else text
    for fact in log.facts if log else ():
        if _is(play, fact.scene, scene) and fact.canon != "plan":
            yield unstopped(line(fact.text))
    paid = [p.gag for p in log.payoffs if _is(play, p.scene, scene)] if log else []
    planned = [g for s in (side.outline.scenes if side.outline else ()) if _is(play, s.scene, scene) for g in s.gags]
    for gag in ready.names.ids((*paid, *planned)):
        yield f"Gag: {ready.names.name(gag)}"


def _listed(names: Sequence[str], most: int = 99) -> str:
    held = list(names[:most])
    if len(names) > most:
        return f"{', '.join(held)} and {len(names) - most} more"
    return " and ".join(filter(None, (", ".join(held[:-1]), held[-1] if held else "")))
