"""The ids a show has, as far as an episode knows them: what an answer may be about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from showmemory.model.ids import slug
from showmemory.model.show import Bible


@dataclass(frozen=True)
class Ids:
    """Id -> its name as a person reads it."""

    names: Mapping[str, str]

    def known(self, written: Iterable[str], kinds: tuple[str, ...] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Those of `written` that the show has (of these kinds), each once, and those it has not (A75)."""
        kept: dict[str, None] = {}
        lost: dict[str, None] = {}
        for one in written:
            if one in self.names and (not kinds or one.partition(".")[0] in kinds):
                kept[one] = None
            elif one:
                lost[one] = None
        return tuple(kept), tuple(lost)

    def name(self, id_: str) -> str:
        """The name of an id."""
        return self.names.get(id_, id_)


def ids_of(bible: Bible, speakers: Iterable[str], episodes: Mapping[str, str]) -> Ids:
    """The bible's ids, whoever spoke up to this episode, and the episodes themselves (id -> title)."""
    names = {who: _in_words(who) for who in speakers if "." in who}
    names |= {id_: title or id_ for id_, title in episodes.items()}
    for part in (bible.characters, bible.groups, bible.places, bible.gags, bible.threads, bible.arcs):
        names |= {one.id: one.name for one in part}
    return Ids(dict(sorted(names.items())))


def _in_words(id_: str) -> str:
    return " ".join(word.capitalize() for word in slug(id_.partition(".")[2]).split("-"))
