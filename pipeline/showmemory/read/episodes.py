"""What is listed, what is remembered and what was found -> the show's episodes, each with the id it always had."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from showmemory.model.memory import EpisodeRecord
from showmemory.model.show import Episode, EpisodeEntry, ShowConfig
from showmemory.model.span import Problem, Severity, Span
from showmemory.read.drafts import Draft, pick
from showmemory.read.explain import mark_of
from showmemory.read.head import head_of
from showmemory.read.identity import guess
from showmemory.read.load import file_text
from showmemory.read.marks import toml_marks
from showmemory.read.places import Found
from showmemory.read.scan import is_inside
from showmemory.read.unread import unread

CONFIG = "show.toml"
# The group of errors after which nobody knows what the show is: nothing may be concluded from such a run.
UNSOUND = "unsound"


@dataclass
class Listing:
    """All that decides which episodes there are."""

    root: Path
    config: ShowConfig
    scripts: list[str]
    found: list[Found]
    remembered: tuple[EpisodeRecord, ...] = ()
    hashes: dict[str, str] = field(default_factory=dict)

    def hash_of(self, path: str) -> str:
        """The sha256 of a script's bytes, empty when it cannot be read."""
        if path not in self.hashes:
            try:
                with (self.root / path).open("rb") as file:
                    self.hashes[path] = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError:
                self.hashes[path] = ""
        return self.hashes[path]


def episodes_of(listing: Listing) -> tuple[list[Episode], list[Problem]]:
    """The episodes: those show.toml lists, then those only the folder holds."""
    problems: list[Problem] = []
    made: dict[str, Episode] = {}
    free = list(listing.found)
    records = {record.id: record for record in listing.remembered}
    for number, entry in enumerate(listing.config.episodes):
        script = _listed_script(listing, entry, number, records.get(entry.id), free, problems)
        same = next((one.id for one in made.values() if script and one.script == script), "")
        if entry.id in made:
            message = f"expected each id once, found {entry.id} again"
            problems.append(_at_entry(listing, number, "id", message, group=UNSOUND))
        elif same:
            message = f"expected a script of its own for {entry.id}, found that of {same}"
            problems.append(_at_entry(listing, number, "script", message, group=UNSOUND))
        else:
            # One whose script is missing stays an episode of the show: what is remembered of it stays.
            made[entry.id] = _from_entry(entry, script, records.get(entry.id))
    _same_places(listing, made.values(), problems)
    listed = {entry.id for entry in listing.config.episodes}
    waiting = [record for record in listing.remembered if record.id not in listed]
    for found, record in _with_records(listing, free, waiting):
        _take(listing, found, record, made, problems)
    for record in waiting:
        # Something stands in the script's place that cannot be read: that is no reason to forget the episode.
        path = listing.root / record.screenplay
        if record.id not in made and os.path.lexists(path):
            made[record.id] = as_remembered(listing.root, record)
            # What is no folder was told when the scripts were looked for.
            problems += filter(None, [unread(path, record.screenplay) if path.is_dir() else None])
    return list(made.values()), problems


def _listed_script(
    listing: Listing,
    entry: EpisodeEntry,
    number: int,
    record: EpisodeRecord | None,
    free: list[Found],
    problems: list[Problem],
) -> str:
    path = listing.root / entry.script
    if not entry.script or not is_inside(listing.root, path) or Path(entry.script).is_absolute():
        message = "expected a script inside the show, found a path that leads out of it"
        problems.append(_at_entry(listing, number, "script", message))
        return ""
    if path.is_file():
        return entry.script
    moved = _moved(listing, entry, record, free)
    if moved is None and os.path.lexists(path):
        problems += filter(None, [unread(path, entry.script)])
        return ""
    if moved is None:
        hint = "put it back, or run showmemory init to list what there is; what is remembered of it stays"
        problems.append(_at_entry(listing, number, "script", f"expected {entry.script}, found no such file", hint))
        return entry.script
    free.remove(moved)
    message = f"{entry.script} is now {moved.script}: read as {entry.id}"
    problems.append(_at_entry(listing, number, "script", message, "showmemory init records it", "notice"))
    return moved.script


def _moved(listing: Listing, entry: EpisodeEntry, record: EpisodeRecord | None, free: list[Found]) -> Found | None:
    if record and record.hash:
        for found in free:
            if any(listing.hash_of(path) == record.hash for path in found.paths):
                return found
    place = (entry.season, entry.number)
    return next((found for found in free if found.numbered and (found.season, found.number) == place), None)


def _from_entry(entry: EpisodeEntry, script: str, record: EpisodeRecord | None) -> Episode:
    placed = record if record and record.placed else None
    return Episode(
        id=entry.id,
        season=placed.season if placed else entry.season,
        number=placed.number if placed else entry.number,
        story=placed.story if placed and placed.story is not None else entry.story,
        script=script,
        title=entry.title,
    )


def _with_records(
    listing: Listing, free: list[Found], records: list[EpisodeRecord]
) -> list[tuple[Found, EpisodeRecord | None]]:
    """Each found episode with the remembered one it is: by path, else by content, else by season and number."""
    left = list(records)
    pairs: dict[str, EpisodeRecord] = {}
    gone = [record for record in records if not (listing.root / record.screenplay).is_file()]
    tests: tuple[Callable[[Found, EpisodeRecord], bool], ...] = (
        lambda found, record: record.screenplay in found.paths,
        lambda found, record: record in gone and record.hash in {listing.hash_of(path) for path in found.paths},
        lambda found, record: record in gone and found.numbered and (found.season, found.number) == _place(record),
    )
    for matches in tests:
        for found in free:
            record = next((one for one in left if matches(found, one)), None) if found.id not in pairs else None
            if record:
                pairs[found.id] = record
                left.remove(record)
    return [(found, pairs.get(found.id)) for found in free]


def _place(record: EpisodeRecord) -> tuple[int, int]:
    return (record.season, record.number)


def _take(
    listing: Listing, found: Found, record: EpisodeRecord | None, made: dict[str, Episode], problems: list[Problem]
) -> None:
    where = Span(found.script)
    if record:
        made[record.id] = _from_record(found, record)
        return
    same = next((one for one in made.values() if (one.season, one.number) == (found.season, found.number)), None)
    if same and found.numbered:
        if _is_later(listing.root, found, same.script):
            message = f"a later draft of {same.id}, which reads {same.script}"
            hint = "showmemory init takes the newest; or list it in show.toml with a number of its own"
            problems.append(Problem(where, "notice", message, hint, group="later drafts"))
        return
    episode = _guessed(found, made)
    made[episode.id] = episode
    problems += _notices(listing, found, episode)


def as_remembered(root: Path, record: EpisodeRecord) -> Episode:
    """A remembered episode as it stands in memory, its script read only from inside the show, and only a file."""
    path = root / record.screenplay
    script = record.screenplay if is_inside(root, path) and (path.is_file() or not os.path.lexists(path)) else ""
    return Episode(
        id=record.id,
        season=record.season,
        number=record.number,
        story=record.story,
        script=script,
        title=record.title,
    )


def _from_record(found: Found, record: EpisodeRecord) -> Episode:
    return Episode(
        id=record.id,
        season=record.season,
        number=record.number,
        story=record.story,
        script=found.script,
        title=found.title or record.title,
    )


def _is_later(root: Path, found: Found, script: str) -> bool:
    """Whether a draft is newer than the one that is read, beyond doubt; older ones may lie about."""
    marked = [Draft(path, guess(path, head_of(root / path)).mark) for path in (script, found.script)]
    picked = pick(marked)
    return picked.path == found.script and picked.clear


def _guessed(found: Found, made: dict[str, Episode]) -> Episode:
    number, name = found.number, found.id
    taken = {(one.season, one.number) for one in made.values()}
    if (found.season, number) in taken:
        number = max(at for season, at in taken if season == found.season) + 1
    while name in made:
        name += "-2"
    return Episode(id=name, season=found.season, number=number, script=found.script, title=found.title, guessed=True)


def _notices(listing: Listing, found: Found, episode: Episode) -> Iterable[Problem]:
    where = Span(found.script)
    place = f"season {episode.season}, episode {episode.number}"
    if listing.config.episodes:
        message = f"not listed in show.toml; taken as {episode.id}, {place}"
        yield Problem(where, "notice", message, "showmemory init lists it", group="not listed")
    if not found.picked.clear or found.doubt:
        said = found.doubt or found.picked.why
        others = ", ".join(found.picked.others)
        message = f"{len(found.paths)} scripts say {place}; this one is read, but {said}"
        yield Problem(where, "warning", message, f"not read: {others}. showmemory init lets you choose", group="drafts")


def _same_places(listing: Listing, episodes: Iterable[Episode], problems: list[Problem]) -> None:
    seen: dict[tuple[int, int], str] = {}
    order = [entry.id for entry in listing.config.episodes]
    for episode in episodes:
        place = (episode.season, episode.number)
        if place in seen:
            message = f"expected a place of its own for {episode.id}, found that of {seen[place]}"
            problems.append(_at_entry(listing, order.index(episode.id), "number", message))
        seen.setdefault(place, episode.id)


def _at_entry(
    listing: Listing,
    number: int,
    key: str,
    message: str,
    hint: str = "",
    severity: Severity = "error",
    group: str = "",
) -> Problem:
    text, _ = file_text(listing.root / CONFIG, CONFIG)
    line, _ = mark_of(("episodes", number, key), toml_marks(text or ""))
    rows = (text or "").splitlines()
    source = rows[line - 1] if 0 < line <= len(rows) else ""
    return Problem(Span(CONFIG, line, line), severity, message, hint, source, group)
