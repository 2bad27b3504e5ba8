"""Which of what recurs is shown, in which order, and why the rest is held back: computed when read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from showmemory.model.memory import Entry
from showmemory.model.rules import Rules

RANKED = ("running", "callback", "echo", "phrase", "template", "address", "introduction", "oath", "term")


@dataclass(frozen=True)
class Cut:
    """Where lists stop; the defaults are those of the rule files.

    A catchphrase is shown while its score is `stay` of what earning one takes, `floor` + `slope` * log2(episodes / 10),
    `each` a speaker; of the other `lists` the first `few` while the show is `young`, then the first `many`, where lists
    are `uneven` as far as they score `share` of the third best.
    """

    floor: float = 13.0
    slope: float = 1.0
    stay: float = 0.9
    each: int = 12
    young: int = 20
    few: int = 10
    many: int = 40
    share: float = 0.35
    lists: tuple[str, ...] = field(default=("running", "echo", "term"))
    uneven: tuple[str, ...] = field(default=("running", "term"))


def cut_of(rules: Rules) -> Cut:
    """Where the rules of a show stop its lists."""
    bar, lists = rules.rule("catchphrase").values["bar"], rules.rule("gag").values["shown"]
    return Cut(floor=bar["floor"], slope=bar["slope"], stay=bar["stay"], each=bar["most"], **lists)


@dataclass(frozen=True, slots=True)
class Shown:
    """An entry at its place: `score` is its latest, None where a person named it; `held` why it is not shown."""

    entry: Entry
    score: float | None
    held: str = ""


def shown(entries: Iterable[Entry], aired: Sequence[str], cut: Cut = Cut()) -> list[Shown]:
    """All entries that are ranked, list by list, best first, as of the last of the `aired` episodes."""
    lists: dict[tuple[str, str], list[Shown]] = {}
    place = {episode: at for at, episode in enumerate(aired)}
    for entry in entries:
        if entry.form in RANKED:
            score, held = _latest(entry, place)
            who = entry.about[0] if entry.kind == "catchphrase" and entry.about else ""
            name = "" if entry.kind == "catchphrase" else str(entry.form)
            lists.setdefault((f"{entry.kind} {name}", who), []).append(Shown(entry, score, held))
    made: list[Shown] = []
    for (name, _), rows in sorted(lists.items()):
        rows.sort(key=lambda row: (_rank(row), row.entry.title, row.entry.id))
        made += _cut(name, rows, len(aired), cut)
    return made


def latest(entry: Entry, aired: Sequence[str]) -> tuple[float | None, str]:
    """The latest score a pass stored for an entry, and the reason the latest one gave for holding it back."""
    return _latest(entry, {episode: at for at, episode in enumerate(aired) if episode in entry.said})


def _latest(entry: Entry, place: Mapping[str, int]) -> tuple[float | None, str]:
    scored = [(place[e], step) for e, step in entry.said.items() if step.score is not None and e in place]
    if not scored:
        return None, ""
    step = max(scored, key=lambda one: one[0])[1]
    return step.score, step.held or ""


def bar(episodes: int, cut: Cut = Cut()) -> float:
    """The score below which a catchphrase is held back in a show of so many episodes."""
    return cut.stay * (cut.floor + cut.slope * max(0.0, math.log2(max(episodes, 1) / 10)))


def _rank(row: Shown) -> float:
    return -math.inf if row.score is None else -row.score


def _own(row: Shown) -> bool:
    """Whether a person named it, added it or holds on to it: no cut applies."""
    entry = row.entry
    return row.score is None or entry.by == "person" or entry.pinned or entry.locked or entry.keep == "keep"


def _cut(name: str, rows: list[Shown], episodes: int, cut: Cut) -> Iterable[Shown]:
    catchphrases = name.startswith("catchphrase")
    listed = catchphrases or name.split(" ")[-1] in cut.lists
    most = cut.each if catchphrases else cut.few if episodes < cut.young else cut.many
    best = [row.score for row in rows if row.score is not None and not row.held]
    ranked = cut.share * best[2] if name.split(" ")[-1] in cut.uneven and len(best) > 2 else 0.0
    least = bar(episodes, cut) if catchphrases else ranked
    place = 0
    for row in rows:
        held = "" if _own(row) else row.held
        if not held and not _own(row) and row.score is not None and row.score < least:
            held = f"scores {row.score:.1f}, and {least:.1f} is needed by now"
        if not held and not _own(row) and listed and place >= most:
            held = f"only the first {most} of a list are shown"
        place += not held
        yield Shown(row.entry, row.score, held)
