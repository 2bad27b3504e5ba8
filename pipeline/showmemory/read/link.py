"""Show and side files -> warnings for ids they name that the show has not, each with its line and the nearest id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from showmemory.model.ids import slug
from showmemory.model.show import Bible, ContinuityLog, Directed, Episode, Outline, Show, SideFiles
from showmemory.model.span import Problem, Span
from showmemory.read.explain import mark_of
from showmemory.read.load import file_text, parsed
from showmemory.read.sidefiles import SUFFIXES
from showmemory.read.yaml import Loc, SlipError

PEOPLE = ("character", "group")
ANY = (*PEOPLE, "place", "gag", "thread", "arc", "ep", "season")
Named = tuple[Loc, str, tuple[str, ...]]


def check_links(
    show: Show, sides: Mapping[str, SideFiles], root: Path | None = None, speakers: Iterable[str] = ()
) -> list[Problem]:
    """Check the bible and all side files. With `root` each warning has its line.

    `speakers`: ids of people only the scripts know. Without them somebody unknown is told only when the bible has
    somebody of nearly that name, since a part of one episode need not stand in the bible.
    """
    ids = _ids(show, speakers)
    problems = _checked(_in_bible(show.bible), ids, bible_path(root), root)
    for episode in show.episodes:
        for path, named in _in_side(episode, sides.get(episode.id, SideFiles())):
            problems += _checked(named, ids, path, root)
    return [*problems, *_orders(show, root)]


@dataclass(frozen=True)
class _Ids:
    """Every id the show has, by its prefix; `complete`: whether all who speak are known."""

    held: Mapping[str, Mapping[str, str]]
    complete: bool

    def has(self, name: str, prefixes: tuple[str, ...]) -> bool:
        return any(name in self.held.get(prefix, {}) or slug(name) in self.held.get(prefix, {}) for prefix in prefixes)

    def near(self, name: str, prefixes: tuple[str, ...]) -> str:
        folded = name.partition(".")[2] or (name if "/" in name else slug(name))
        known = {key: made for prefix in prefixes for key, made in self.held.get(prefix, {}).items() if "." not in key}
        found = get_close_matches(folded, sorted(known), 1, 0.6 if "beat" in prefixes else 0.75)
        return known[found[0]] if found else ""


def _ids(show: Show, speakers: Iterable[str]) -> _Ids:
    bible = show.bible
    spoken = tuple(speakers)
    held: dict[str, dict[str, str]] = {}
    things: list[Any] = [*bible.characters, *bible.groups, *bible.places, *bible.gags, *bible.threads, *bible.arcs]
    for thing in things:
        prefix, _, bare = thing.id.partition(".")
        for name in (thing.id, bare, slug(thing.name), *map(slug, getattr(thing, "aliases", ())), *thing.was):
            held.setdefault(prefix, {})[name] = thing.id
    for arc in bible.arcs:
        for beat in arc.beats:
            held.setdefault("beat", {})[f"{arc.id}/{beat.id}"] = f"{arc.id}/{beat.id}"
            held["beat"][f"{arc.id.partition('.')[2]}/{beat.id}"] = f"{arc.id}/{beat.id}"
    for person in spoken:
        for name in (person, person.partition(".")[2]):
            held.setdefault("character", {}).setdefault(name, person)
    for episode in show.episodes:
        held.setdefault("ep", {})[episode.id] = episode.id
        held.setdefault("season", {})[f"season.{episode.season}"] = f"season.{episode.season}"
    return _Ids(held, bool(spoken))


def _checked(named: Iterable[Named], ids: _Ids, path: str, root: Path | None) -> list[Problem]:
    wrong = []
    for loc, name, prefixes in named:
        own = name.partition(".")[0]
        kinds = (own,) if own in ANY and "." in name and "beat" not in prefixes else prefixes
        if not name or ids.has(name, kinds):
            continue
        near = ids.near(name, kinds)
        person = "character" in kinds
        if near or not person or ids.complete:
            wrong.append((loc, name, near))
    return [_problem(loc, name, near, path, root) for loc, name, near in wrong]


def _problem(loc: Loc, name: str, near: str, path: str, root: Path | None) -> Problem:
    hint = f"did you mean {near}?" if near else "add it to bible/bible.yaml, or take it out here"
    return told(loc, f"the show has nothing called {name}", hint, path, root, group="unknown ids")


def told(loc: Loc, message: str, hint: str, path: str, root: Path | None, group: str = "") -> Problem:
    """A warning about the value at `loc` of a hand-written file, with its line where `root` is given."""
    line, source = line_of(loc, path, root)
    return Problem(Span(path, line, line), "warning", message, hint, source, group)


def line_of(loc: Loc, path: str, root: Path | None) -> tuple[int, str]:
    """The line of a hand-written file where the value at `loc` stands, and its text."""
    if root is None:
        return 0, ""
    text, _ = file_text(root / path, path)
    try:
        marks = parsed(text or "", Path(path).suffix).marks
    except SlipError:
        return 0, ""
    line, _ = mark_of(loc, marks)
    rows = (text or "").splitlines()
    return line, rows[line - 1] if 0 < line <= len(rows) else ""


def bible_path(root: Path | None) -> str:
    """Where the bible stands, or would."""
    paths = [f"bible/bible{suffix}" for suffix in SUFFIXES]
    return next((path for path in paths if root and (root / path).is_file()), paths[0])


def _in_bible(bible: Bible) -> Iterator[Named]:
    for at, group in enumerate(bible.groups):
        yield from _each(("groups", at, "members"), group.members, ("character",))
    for at, place in enumerate(bible.places):
        yield from _each(("places", at, "people"), place.people, PEOPLE)
    for at, gag in enumerate(bible.gags):
        yield from _each(("gags", at, "characters"), gag.characters, PEOPLE)
    for at, thread in enumerate(bible.threads):
        yield from _each(("threads", at, "about"), thread.about, ANY)
    for at, arc in enumerate(bible.arcs):
        yield from _each(("arcs", at, "characters"), arc.characters, PEOPLE)


def _in_side(episode: Episode, side: SideFiles) -> Iterator[tuple[str, Iterator[Named]]]:
    if side.outline:
        yield episode.outline, _in_outline(side.outline)
    if side.continuity:
        yield episode.continuity, _in_log(side.continuity)
    if side.directed:
        yield episode.directed, _in_directed(side.directed)


def _in_outline(outline: Outline) -> Iterator[Named]:
    yield from _each(("cast",), outline.cast, PEOPLE)
    for at, scene in enumerate(outline.scenes):
        here: Loc = ("scenes", at)
        yield from _each((*here, "gags"), scene.gags, ("gag",))
        for move in ("opens", "moves", "resolves"):
            yield from _each((*here, move), getattr(scene, move), ("thread",))
        yield from _each((*here, "beats"), scene.beats, ("beat",))
        yield from _each((*here, "cast"), scene.cast, PEOPLE)


def _in_log(log: ContinuityLog) -> Iterator[Named]:
    for at, fact in enumerate(log.facts):
        yield from _each(("facts", at, "about"), fact.about, ANY)
    for at, change in enumerate(log.changes):
        yield from _each(("changes", at, "who"), change.who, PEOPLE)
        yield from _each(("changes", at, "about"), change.about, ANY)
    for at, payoff in enumerate(log.payoffs):
        yield ("payoffs", at, "gag"), payoff.gag, ("gag",)
    for at, thread in enumerate(log.threads):
        yield ("threads", at, "thread"), thread.thread, ("thread",)


def _in_directed(directed: Directed) -> Iterator[Named]:
    for at, scene in enumerate(directed.scenes):
        yield from _each(("scenes", at, "cast"), scene.cast, PEOPLE)


def _each(loc: Loc, names: Iterable[str], prefixes: tuple[str, ...]) -> Iterator[Named]:
    for at, name in enumerate(names):
        yield (*loc, at), name, prefixes


def _orders(show: Show, root: Path | None) -> list[Problem]:
    known = {episode.id for episode in show.episodes} | {entry.id for entry in show.config.episodes}
    wrong = [(at, name) for at, name in enumerate(show.config.story_order) if name not in known]
    made = []
    for at, name in wrong:
        near = get_close_matches(name, sorted(known), 1, 0.75)
        made.append(_problem(("story_order", at), name, near[0] if near else "", "show.toml", root))
    return made
