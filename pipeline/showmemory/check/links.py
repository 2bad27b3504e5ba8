"""A memory and its show -> what does not fit together: ids twice, places twice, links to what is not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from showmemory.check.finding import Finding
from showmemory.check.positions import Place
from showmemory.model.memory import OWNED, Entry, ShowMemory
from showmemory.model.show import Show

_FORMS = {
    "gag": ("bible", "running", "callback", "echo"),
    "catchphrase": ("phrase", "template", "address", "introduction", "oath"),
    "fact": ("fact", "term"),
}
_FOLLOW = "renamed? with `was: [OLD ID]` in the bible, what is remembered follows the new id"
_CUT = "ids the show no longer has"
_UNREAD = "episodes memory has not remembered"


def findings(memory: ShowMemory, show: Show) -> Iterator[Finding]:
    """Yield everything, errors and warnings, in the order of the file."""
    yield from _episodes(memory)
    yield from _twice(memory)
    known, remembered = _ids(memory, show), {record.id for record in memory.episodes}
    for number, entry in enumerate(memory.entries):
        at: Place = ("entries", number)
        yield from _named(entry, at)
        yield from _shaped(entry, at)
        yield from _about(entry, known, at)
        yield from _cited(entry, remembered, at)
    yield from _written(memory)


def _episodes(memory: ShowMemory) -> Iterator[Finding]:
    """A40: each remembered episode has its own place; and its own id."""
    places: dict[tuple[int, int], str] = {}
    ids: set[str] = set()
    for number, record in enumerate(memory.episodes):
        at: Place = ("episodes", number)
        if record.id in ids:
            yield Finding((*at, "id"), "error", f"{record.id} is listed twice", "keep one of the two")
        ids.add(record.id)
        other = places.setdefault((record.season, record.number), record.id)
        if other != record.id:
            where = f"season {record.season}, number {record.number}"
            move = f"showmemory place {record.id} gives it another"
            yield Finding((*at, "number"), "error", f"{record.id} has the place of {other}: {where}", move)


def _twice(memory: ShowMemory) -> Iterator[Finding]:
    """Each entry has its own id, and no two say they are the same thing."""
    ids: set[str] = set()
    keys: dict[tuple[str, str], str] = {}
    for number, entry in enumerate(memory.entries):
        at: Place = ("entries", number, "id")
        if entry.id in ids:
            yield Finding(at, "error", f"two entries are called {entry.id}", "give one of them another id")
        ids.add(entry.id)
        other = keys.setdefault((entry.kind, entry.key), entry.id) if entry.key else entry.id
        if other != entry.id:
            what = f"{entry.id} has the key of {other}: the passes take both for one thing"
            yield Finding(at, "warning", what, "take the key out of the one you wrote")
    for number, tomb in enumerate(memory.forgotten):
        if tomb.id in ids:
            what = f"{tomb.id} is forgotten, and still stands among the entries"
            yield Finding(("forgotten", number), "warning", what, f"showmemory restore {tomb.id} takes the one away")


def _named(entry: Entry, at: Place) -> Iterator[Finding]:
    """A38, A39: a synopsis names its episode and a summary its season."""
    if entry.kind == "synopsis" and not any(name.startswith("ep.") for name in entry.about):
        hint = 'about: ["ep.<id>"] names it'
        yield Finding(at, "error", f"{entry.id} is a synopsis and names no episode", hint)
    if entry.kind == "summary" and not any(_is_season(name) for name in entry.about):
        hint = 'about: ["season.<number>"] names it'
        yield Finding(at, "error", f"{entry.id} sums up a season and names none", hint)


def _shaped(entry: Entry, at: Place) -> Iterator[Finding]:
    """What the shape of its kind asks beyond its types."""
    forms = _FORMS.get(entry.kind, ())
    if entry.form and entry.form not in forms:
        hint = f"forms of a {entry.kind}: {', '.join(forms)}" if forms else f"a {entry.kind} has no forms"
        yield Finding((*at, "form"), "warning", f"{entry.id} is a {entry.kind}, and has the form {entry.form}", hint)
    if entry.status and entry.kind != "thread":
        yield Finding((*at, "status"), "warning", f"{entry.id} is a {entry.kind}; only a thread is {entry.status}")
    for name in sorted(set(entry.original) | set(entry.edited) - set(OWNED)):
        if name not in OWNED:
            yield Finding(at, "warning", f"{entry.id} says {name} was rewritten, which no person owns")


def _about(entry: Entry, known: set[str], at: Place) -> Iterator[Finding]:
    """A41, A43: cutting a character warns and never blocks the show."""
    gone = sorted({name for name in (*entry.about, *entry.holders) if _checkable(name, known)} - known)
    if gone:
        yield Finding((*at, "about"), "warning", f"{entry.id} is about {_and(gone)}, {_not_there(gone)}", _FOLLOW, _CUT)


def _cited(entry: Entry, remembered: set[str], at: Place) -> Iterator[Finding]:
    """A42: sources in episodes memory has not remembered."""
    dates = [date for date in (entry.since, entry.changed, entry.until) if date]
    cited = {source.episode for source in (*entry.sources, *entry.uses)} | set(entry.said) | set(dates)
    unread = sorted(cited - remembered)
    if unread:
        what = f"{entry.id} cites {_and(unread)}, which memory has not remembered"
        yield Finding(at, "warning", what, "showmemory status lists what is remembered", _UNREAD)


def _written(memory: ShowMemory) -> Iterator[Finding]:
    """What a pass wrote and is gone was deleted by hand: a notice, since the next run forgets it."""
    ids = {entry.id for entry in memory.entries}
    for name, fields in memory.written.items():
        at: Place = ("written", name)
        if name not in ids:
            what = f"{name} was deleted by hand, and will be forgotten"
            yield Finding(at, "notice", what, f"showmemory restore {name} brings it back", "deleted by hand")
        strange = sorted(set(fields) - set(OWNED))
        if strange:
            yield Finding(at, "warning", f"{name}: no pass keeps a fingerprint of {_and(strange)}")


def _ids(memory: ShowMemory, show: Show) -> set[str]:
    """Every id the show has: of its bible (old ones too), of who speaks, of its episodes and seasons."""
    bible = show.bible
    listed = (bible.characters, bible.groups, bible.places, bible.gags, bible.threads, bible.arcs)
    known = {name for group in listed for item in group for name in (item.id, *item.was)}
    for record in memory.episodes:
        known |= {record.id, f"season.{record.season}", *record.spoke}
    for episode in show.episodes:
        known |= {episode.id, f"season.{episode.season}"}
    return known


def _checkable(name: str, known: set[str]) -> bool:
    """Places come from headings too, which memory does not list: without places in the bible none is called gone."""
    return not name.startswith("place.") or any(id_.startswith("place.") for id_ in known)


def _is_season(name: str) -> bool:
    return name.startswith("season.") and name.removeprefix("season.").isdigit()


def _and(names: Iterable[str]) -> str:
    shown = list(names)
    rest = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    return ", ".join(shown[:4]) + rest


def _not_there(gone: list[str]) -> str:
    return "an id the show does not have" if len(gone) == 1 else "ids the show does not have"
