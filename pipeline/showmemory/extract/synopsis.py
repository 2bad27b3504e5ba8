"""The skeleton of an episode's synopsis: the logline, then scene by scene, then what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from showmemory.extract.passages import Passage, heading, of_scene
from showmemory.extract.plot import arc_beats, thread_moves
from showmemory.extract.showids import ShowIds, show_ids
from showmemory.model.memory import Said
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rule, Rules
from showmemory.model.screenplay import Scene, scene_called
from showmemory.model.show import Bible, LogChange
from showmemory.text.brief import clipped, first_sentence, stopped, telling, titled, unstopped

VERSION = 1
READS = ("script", "cast", "threads", "arcs", "outline", "continuity", "directed")


@dataclass(frozen=True, slots=True)
class _Told:
    """A scene as the synopsis tells it. `given`: a person summed it up."""

    scene: Scene
    place: str
    who: tuple[str, ...]
    summary: str
    given: bool
    words: int


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation, about the episode; its first line stands alone, since it sums the episode up later on."""
    ids, rule = show_ids(read, bible, "cast", "threads", "arcs"), rules.rule("synopsis")
    told = [scene for number in range(len(read.screenplay.scenes)) if (scene := _told(read, ids, number, rule))]
    first = _first_line(read, ids, told, rule)
    lines = [first, *_scene_lines(ids, told, rule), *_changed(read, ids, bible)]
    if not any(lines):
        return []
    said = Said(
        rule="synopsis",
        title=_title(read) or None,
        text="\n".join(line for line in lines if line),
        sources=tuple(heading(read, one.scene) for one in told),
    )
    id_ = read.episode.id
    return [
        Observation(
            rule="synopsis",
            episode=id_,
            kind="synopsis",
            key=id_,
            name=id_.removeprefix("ep."),
            about=(id_,),
            said=said,
        )
    ]


def _title(read: EpisodeRead) -> str:
    outlined = read.side.outline.title if read.side.outline else ""
    return read.episode.title or outlined


def _told(read: EpisodeRead, ids: ShowIds, number: int, rule: Rule) -> _Told | None:
    scene = read.screenplay.scenes[number]
    held = list(of_scene(read.screenplay, number))
    spoken = [passage for passage in held if passage.kind == "speech"]
    who = tuple(dict.fromkeys(speaker for passage in spoken for speaker in passage.speakers))
    given = _summary(read, number)
    summary = given or _opening(held, ids, rule)
    if scene.omitted or not (summary or who or scene.place) or (scene.id == "0" and not (given or who)):
        return None
    count = sum(len(passage.text.split()) for passage in spoken)
    place = clipped(titled(scene.place), int(rule.values["place_words"]))
    return _Told(scene, place, who, summary, bool(given), count)


def _summary(read: EpisodeRead, number: int) -> str:
    """The scene summed up by the directed episode, else by the outline."""
    side = read.side
    for scenes in (side.directed.scenes if side.directed else (), side.outline.scenes if side.outline else ()):
        for one in scenes:
            if one.summary.strip() and scene_called(read.screenplay, one.scene) == number:
                return " ".join(one.summary.split())
    return ""


def _opening(held: list[Passage], ids: ShowIds, rule: Rule) -> str:
    """The first sentence of action that tells something, else the first of all, else the first words said."""
    least, most = int(rule.values["telling_words"]), int(rule.values["scene_words"])
    action = [passage.text for passage in held if passage.kind == "action" and any(c.isalpha() for c in passage.text)]
    told = next((sentence for text in action if (sentence := telling(text, least))), "")
    if told or action:
        return clipped(told, most) or first_sentence(action[0], most)
    spoken = next((passage for passage in held if passage.kind == "speech"), None)
    return f"{ids.listed(spoken.speakers)}: “{first_sentence(spoken.text, most)}”" if spoken else ""


def _first_line(read: EpisodeRead, ids: ShowIds, told: list[_Told], rule: Rule) -> str:
    """The logline; without one, who and where, and how it opens."""
    if read.side.outline and read.side.outline.logline.strip():
        return stopped(read.side.outline.logline)
    spoke: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for one in told:
        seen[one.place] += one.words + 1
    for speech in read.screenplay.speeches():
        spoke.update(dict.fromkeys(speech.speakers, len(speech.text.split())))
    seen.pop("", None)
    who = ids.listed(_most(spoke, int(rule.values["leads"])))
    where = " and ".join(_most(seen, int(rule.values["places"])))
    opens = next((one.summary for one in told if one.summary), "")
    line = ", mostly at ".join(part for part in (who, where) if part)
    return " ".join(part for part in (stopped(line), stopped(opens and f"It opens: {opens}")) if part)


def _most(counts: Counter[str], most: int) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))[:most]


def _scene_lines(ids: ShowIds, told: list[_Told], rule: Rule) -> Iterator[str]:
    """A line a scene. Of a long episode the fullest scenes are told, and those between them named in one line."""
    most, shown = int(rule.values["scenes"]), int(rule.values["speakers"])
    rank = sorted(range(len(told)), key=lambda at: (not told[at].given, -told[at].words, at))
    full = {at for at in rank if told[at].given} | set(rank[:most])
    passing: dict[str, None] = {}
    for at, one in enumerate(told):
        label = one.place or f"Scene {one.scene.id}"
        if at not in full:
            passing[label] = None
            continue
        if passing:
            yield f"- In passing: {'; '.join(passing)}."
            passing = {}
        label = f"{label} ({ids.listed(one.who, shown)})" if one.who else label
        yield f"- {label}: {stopped(one.summary)}" if one.summary else f"- {stopped(label)}"
    if passing:
        yield f"- In passing: {'; '.join(passing)}."


def _changed(read: EpisodeRead, ids: ShowIds, bible: Bible) -> Iterator[str]:
    """What the log says changed for good, and the threads and arcs that moved."""
    changes = read.side.continuity.changes if read.side.continuity else ()
    texts = dict.fromkeys(_change(ids, change) for change in changes if change.text.strip())
    if texts:
        yield f"Changed: {'; '.join(texts)}."
    steps: dict[str, dict[str, None]] = {}
    for move in thread_moves(read, ids):
        steps.setdefault(move.thread, {})[move.step] = None
    if steps:
        moved = (f"{unstopped(ids.name(thread))} ({', '.join(told)})" for thread, told in steps.items())
        yield f"Threads: {'; '.join(moved)}."
    beats = arc_beats(read, ids, bible)
    if beats:
        yield f"Arcs: {'; '.join(f'{ids.name(arc)}: {unstopped(beat)}' for arc, beat in beats)}."


def _change(ids: ShowIds, change: LogChange) -> str:
    """The change in its own words; whom it changed something for, where the words do not say."""
    text = unstopped(change.text)
    who = ids.ids(change.who, "character")
    if change.kind != "knowledge" or not who or ids.name(who[0]) in text:
        return text
    return f"{ids.listed(who)} {'learns' if len(who) == 1 else 'learn'}: {text}"
