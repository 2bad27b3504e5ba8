"""Whom a piece of knowledge concerns and who was never told of it, as far as memory goes (E21, D53)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from showmemory.context.ready import Ready
from showmemory.context.scene import by_talk
from showmemory.fold.likeness import same, telling
from showmemory.model.memory import Entry
from showmemory.text.fold import bare
from showmemory.text.frequency import common

# Whoever is named in so many first words of a text is whose doing it tells.
OPENING = 3
# On the Zipf scale, as "has" and "from": words so common say nothing of a bond.
COMMON = 6.0


def unaware(ready: Ready, entry: Entry) -> list[str]:
    """Those an entry of knowledge concerns and who were not told of it.

    What is about oneself is known to oneself: whoever the words begin with knows what they did, those whom a text
    without a name is about know it of themselves, and two people know what their own bond says.
    """
    concerned = _people(ready, entry.about)
    text = entry.text or entry.title
    named = _named(ready, text, concerned)
    if not named:
        return []
    opening = _named(ready, " ".join(text.split()[:OPENING]), concerned)
    knowing = {*opening, *_told(ready, entry, text), *_bound(ready, named, concerned, text)}
    speaking = frozenset(by_talk(ready.moment))
    return [who for who in concerned if who in speaking - knowing]


def _named(ready: Ready, text: str, concerned: Iterable[str]) -> set[str]:
    """Whom a text names. A first word that may be no name, as Will, is one where the text concerns who is called so."""
    first = bare(text.partition(" ")[0]).removesuffix("'s")
    called = {who for who in concerned if first in _called(ready, (who,))}
    return {who for who in ready.names.found(text) if who.startswith("character.")} | called


def _told(ready: Ready, entry: Entry, text: str) -> set[str]:
    """Those who learned it, be it as another entry has it."""
    known = (e for e in ready.entries if e.kind == "knowledge" and not e.retired)
    told = (e for e in known if e.id == entry.id or _says(e, entry, text, ready.show.config.language))
    return {who for e in told for who in _people(ready, e.holders)}


def _says(one: Entry, other: Entry, text: str, language: str) -> bool:
    """Whether an entry of knowledge says what another says: it is about the very same, or in nearly the same words."""
    if one.about == other.about:
        return True
    return not frozenset(one.about).isdisjoint(other.about) and same(one.text or one.title, text, language)


def _bound(ready: Ready, named: set[str], concerned: list[str], text: str) -> set[str]:
    """Those who stand to somebody named in just the way the text says: "The Captain has a sister" is no news to her.

    Held against what memory has between the two: every telling word of the text but the names.
    """
    language = ready.show.config.language
    names = telling(" ".join(_called(ready, named)), language)
    says = {w for w in telling(text, language) - names if common(w, language) < COMMON}
    bonds = [e for e in ready.entries if e.kind == "relationship" and not e.retired]
    told = [frozenset(e.about) for e in bonds if says and says <= telling(e.text or e.title, language)]
    return {who for who in concerned for pair in told if who in pair and not pair.isdisjoint(named - {who})}


def _called(ready: Ready, people: Iterable[str]) -> Iterator[str]:
    """All that these are called."""
    wanted = frozenset(people)
    return (" ".join(key) for key, who in ready.names.keys.items() if who in wanted)


def _people(ready: Ready, ids: Iterable[str]) -> list[str]:
    """The characters among ids, groups by their members; each once."""
    groups = {g.id: ready.names.ids(g.members) for g in ready.show.bible.groups}
    return list(dict.fromkeys(who for i in ids for who in groups.get(i, (i,)) if who.startswith("character.")))
