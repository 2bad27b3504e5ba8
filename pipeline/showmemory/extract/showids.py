"""The show's ids and names: what a log or an outline means by the name it writes, and what a person reads for an id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from showmemory.model.ids import show_id, slug
from showmemory.model.reading import EpisodeRead
from showmemory.model.show import Arc, Bible, BibleGag, BibleThread, Character, CharacterGroup, Place
from showmemory.text.brief import titled

# The parts of a bible whose members have an id and a name, as `READS` calls them.
PARTS = ("cast", "places", "gags", "threads", "arcs")
_Named = Character | CharacterGroup | Place | BibleGag | BibleThread | Arc
_PREFIXES = ("character", "group", "place", "gag", "thread", "arc")


@dataclass(frozen=True)
class ShowIds:
    """`known`: every way to write an id -> the id. `names`: id -> its name as a person reads it."""

    known: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def id(self, written: str, kind: str = "") -> str:
        """The id that `written` means; an unknown one is made of it when its `kind` is sure, else kept as written."""
        written = written.strip()
        bare = slug(written)
        found = self.known.get(written.casefold()) or (self.known.get(f"{kind}.{bare}") if kind else None)
        if not found and kind in ("", "character"):
            found = self.known.get(bare)
        if found:
            return found
        head, dot, tail = written.partition(".")
        if dot and tail and head in _PREFIXES:
            return f"{head}.{slug(tail)}"
        return show_id(kind, written) if kind else written

    def ids(self, written: Iterable[str], kind: str = "") -> tuple[str, ...]:
        """All ids that are meant, each once, in the order written."""
        return tuple(dict.fromkeys(self.id(name, kind) for name in written if name.strip()))

    def name(self, id_: str) -> str:
        """The name of an id, else its slug in words."""
        return self.names.get(id_) or _in_words(id_)

    def listed(self, ids: Iterable[str], most: int = 0) -> str:
        """Names in a row, "Kit, Ines and Bo"; with `most`, the rest are counted."""
        names = [self.name(id_) for id_ in ids]
        if most and len(names) > most:
            return f"{', '.join(names[:most])} and {len(names) - most} more"
        return " and ".join([part for part in (", ".join(names[:-1]), *names[-1:]) if part])


def show_ids(read: EpisodeRead, bible: Bible, *parts: str) -> ShowIds:
    """The ids of those parts of the bible (a mechanism's `READS` names them), and of those who speak in this script."""
    names = _heard(read)
    known = {way: id_ for id_ in names for way in (id_, id_.partition(".")[2])}
    # The first to claim a name keeps it, so people come last.
    for one in reversed([item for part in PARTS if part in parts for item in _part(bible, part)]):
        names[one.id] = one.name
        head, _, tail = one.id.partition(".")
        for way in (*one.was, one.name, *getattr(one, "aliases", ()), tail):
            bare = slug(way.removeprefix(head + "."))
            known |= {bare: one.id, f"{head}.{bare}": one.id}
        known[one.id.casefold()] = one.id
    return ShowIds(known, names)


def _part(bible: Bible, part: str) -> tuple[_Named, ...]:
    parts: dict[str, tuple[_Named, ...]] = {
        "cast": (*bible.characters, *bible.groups),
        "places": bible.places,
        "gags": bible.gags,
        "threads": bible.threads,
        "arcs": bible.arcs,
    }
    return parts[part]


def _heard(read: EpisodeRead) -> dict[str, str]:
    """Everyone who has a cue of their own, by the name they have most often."""
    cues: dict[str, Counter[str]] = {}
    for element in read.screenplay.elements:
        if element.kind == "character" and len(element.speaker) == 1:
            cues.setdefault(element.speaker[0], Counter())[element.name] += 1
    return {id_: titled(min(c, key=lambda name: (-c[name], name))) for id_, c in sorted(cues.items())}


def _in_words(id_: str) -> str:
    words = id_.rpartition(".")[2].replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]
