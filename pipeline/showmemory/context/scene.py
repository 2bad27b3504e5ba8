"""The options of a context -> the scene at hand: who is in play, where it is, and which ids and words it touches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from showmemory.context.moment import Moment
from showmemory.context.names import Names, headed, is_heading, place_words
from showmemory.context.piece import Section
from showmemory.fold.relevance import IN_PLAY, NEAR, PLACE, Wanted, telling_stems
from showmemory.model.memory import Entry
from showmemory.model.show import Outline, Show

# Held by a group is as good as held by each member; less than a link to the person.
GROUP = 2.0
# Of a whole show, those who talk most lately are what is looked for.
LEADS = 8


@dataclass(frozen=True)
class Scene:
    """Who and what a context is for. `chosen`: somebody or something named the cast; else it is everyone by talk.

    `asked` are the stems of a brief of more than a heading.
    `outline` tells the scenes before it and `behind` counts them; `outlined` are the earlier episodes told there.
    `recalled` are past scenes word for word.
    """

    cast: tuple[str, ...] = ()
    chosen: bool = False
    how: str = ""
    heading: str = ""
    brief: str = ""
    places: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    wanted: Wanted = field(default_factory=Wanted)
    asked: frozenset[str] = frozenset()
    outline: Section | None = None
    behind: str = ""
    outlined: frozenset[str] = frozenset()
    recalled: Section | None = None

    def rank(self, id_: str) -> int | None:
        """Where somebody stands in the cast."""
        return self.cast.index(id_) if id_ in self.cast else None


def scene_of(
    show: Show,
    moment: Moment,
    names: Names,
    entries: Sequence[Entry],
    *,
    characters: Sequence[str] | None = None,
    text: str | None = None,
    place: str | None = None,
    outline: Outline | None = None,
    witness: str | None = None,
) -> Scene:
    """The scene that the options describe; `outline` is that of the episode being written."""
    brief = headed(text or "")
    heading = next((row.strip() for row in brief.splitlines() if is_heading(row)), "")
    named = names.found(brief)
    places = _places(names, named, place, heading)
    given = [names.id_of(name) for name in characters or ()]
    unknown = tuple(name for name, id_ in zip(characters or (), given, strict=True) if id_ is None)
    cast, how = _cast(show, names, [i for i in given if i], named, places, outline)
    if witness and not cast:
        cast, how = (witness,), "whose view it is"
    # A heading counts for its place: every other scene is INT. and at NIGHT.
    rows = (place_words(row) if is_heading(row) else row for row in brief.splitlines())
    words = "\n".join(rows) if brief.strip() else _planned(outline)
    whole = cast or by_talk(moment) or tuple(c.id for c in show.bible.characters)
    ids = _ids(show, names, whole, bool(how), places, (*named, *_served(names, outline)), entries)
    told = dict.fromkeys(telling_stems(words, show.config.language), 1.0)
    # A heading alone asks for nothing that the scripts could say.
    asked = frozenset(told) if any(row.strip() and not is_heading(row) for row in brief.splitlines()) else frozenset()
    return Scene(
        whole, bool(how), how or "by how much they talk", heading, brief, places, unknown, Wanted(ids, told), asked
    )


def by_talk(moment: Moment) -> tuple[str, ...]:
    """Everyone who has spoken, by words in the latest episodes, regulars before guests (A96).

    All-time words only break ties, so that nobody leads today's cast for having talked years ago (D28).
    """
    memory = moment.memory
    if memory is None:
        return ()
    held = {e.id: e for e in memory.episodes}
    ever: Counter[str] = Counter()
    recent: Counter[str] = Counter()
    often: Counter[str] = Counter()
    late = frozenset(moment.order[-max(1, memory.settings.detailed_episodes) :])
    for episode in moment.order:
        words = {who: spoke.words for who, spoke in held[episode].spoke.items()}
        ever.update(words)
        if episode in late:
            recent.update(words)
            often.update(words.keys())
    return tuple(sorted(ever, key=lambda who: (2 * often[who] < len(late), -recent[who], -ever[who], who)))


def _cast(
    show: Show,
    names: Names,
    given: list[str],
    named: Sequence[str],
    places: Sequence[str],
    outline: Outline | None,
) -> tuple[tuple[str, ...], str]:
    """Who is in play: given, else named by the scene, else at its place, else in the outline of the episode."""
    members = {g.id: names.ids(g.members) for g in show.bible.groups}
    people = [who for id_ in given for who in members.get(id_, (id_,))]
    if given:
        return _people(people), "given"
    if _people(named):
        return _people(named), "named by the scene"
    there = [who for p in show.bible.places if p.id in places for who in names.ids(p.people)]
    if _people(there):
        return _people(there), "at the place"
    planned = names.ids(_outlined(outline))
    return _people(planned), "in the outline" if _people(planned) else ""


def _people(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i for i in ids if i.startswith("character.")))


def _places(names: Names, named: Sequence[str], place: str | None, heading: str) -> tuple[str, ...]:
    given = names.id_of(place) if place else None
    whole = names.id_of(place_words(heading)) if heading else None
    found = (given, whole, *(() if given else named))
    return tuple(dict.fromkeys(i for i in found if i and i.startswith("place.")))


def _outlined(outline: Outline | None) -> tuple[str, ...]:
    return (*outline.cast, *(who for scene in outline.scenes for who in scene.cast)) if outline else ()


def _planned(outline: Outline | None) -> str:
    return " ".join((outline.logline, *(scene.summary for scene in outline.scenes))) if outline else ""


def _served(names: Names, outline: Outline | None) -> tuple[str, ...]:
    """Gags and threads that the outline of the episode means to use."""
    scenes = outline.scenes if outline else ()
    written = (i for s in scenes for i in (*s.gags, *s.opens, *s.moves, *s.resolves))
    return names.ids(written)


def _ids(
    show: Show,
    names: Names,
    cast: Sequence[str],
    chosen: bool,
    places: Sequence[str],
    touched: Sequence[str],
    entries: Sequence[Entry],
) -> dict[str, float]:
    """The ids the scene touches, each with its weight: the same walk over links every time (D46)."""
    if not chosen:
        return {**dict.fromkeys(cast[:LEADS], NEAR), **_direct(places, touched)}
    playing = frozenset(cast)
    near: dict[str, float] = {}
    for place in show.bible.places:
        if place.id in places:
            near |= dict.fromkeys(names.ids(place.people), NEAR)
    for entry in entries:
        if entry.kind == "relationship" and playing.intersection(entry.about):
            near |= dict.fromkeys(entry.about, NEAR)
    for thread in show.bible.threads:
        if playing.intersection(names.ids(thread.about)):
            near[thread.id] = NEAR
    near |= {group.id: GROUP for group in show.bible.groups if playing.intersection(names.ids(group.members))}
    return {**near, **dict.fromkeys(cast, IN_PLAY), **_direct(places, touched)}


def _direct(places: Sequence[str], touched: Sequence[str]) -> dict[str, float]:
    others = {i: IN_PLAY for i in touched if i.partition(".")[0] in ("gag", "thread", "group")}
    return {**others, **dict.fromkeys(places, PLACE)}
