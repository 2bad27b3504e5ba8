"""The guesses for all scripts of a folder -> its episodes: drafts grouped, each with a place of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from showmemory.model.ids import digest, slug
from showmemory.read.drafts import Draft, Picked, pick
from showmemory.read.filenames import as_title
from showmemory.read.identity import Guess, natural

_PILOT = "pilot"


@dataclass(frozen=True)
class Found:
    """An episode found in a folder: where it seems to belong, and which of its drafts is read and why."""

    id: str
    season: int
    number: int
    title: str
    picked: Picked
    numbered: bool = True
    doubt: str = ""

    @property
    def script(self) -> str:
        """The draft that is read."""
        return self.picked.path

    @property
    def paths(self) -> tuple[str, ...]:
        """Every draft of the episode, the one that is read first."""
        return (self.picked.path, *self.picked.others)


def settle(guesses: Sequence[Guess]) -> list[Found]:
    """Episodes in story order. Scripts that say no number follow in name order."""
    settled = _with_seasons(guesses)
    groups: dict[tuple[int, int, str], list[Guess]] = {}
    for one in settled:
        groups.setdefault(_group(one), []).append(one)
    numbered = [_found(group) for key, group in groups.items() if key[1] >= 0]
    rest = sorted((group for key, group in groups.items() if key[1] < 0), key=_in_name_order)
    taken = {(one.season, one.number) for one in numbered}
    for group in rest:
        season = group[0].season or 1
        number = _free(season, group[0].title, taken)
        taken.add((season, number))
        numbered.append(_found([replace(one, season=season, number=number) for one in group], numbered=False))
    return _distinct(sorted(numbered, key=lambda one: (one.season, one.number, natural(one.script))))


def show_title(guesses: Sequence[Guess]) -> str:
    """The title that stands on most title pages, when several agree."""
    titles = Counter(" ".join(one.show.split()) for one in guesses if one.show)
    best = min(titles, key=lambda title: (-titles[title], title), default="")
    if titles[best] < 2 and len(guesses) > 1:
        return ""
    return as_title(best) if best == best.upper() else best


def titled(guesses: Sequence[Guess], show: str) -> list[Guess]:
    """The guesses, with the title page's one title as the episode's where it is not the show's."""
    return [
        one if one.title or one.show in ("", show) else replace(one, title=" ".join(one.show.split()))
        for one in guesses
    ]


def _with_seasons(guesses: Sequence[Guess]) -> list[Guess]:
    """Read 104 as season 1, episode 4, unless the folder counts its episodes through."""
    codes = [one.number for one in guesses if one.code and one.number is not None]
    plain = [one for one in guesses if one.number is not None and not one.code and one.season is None]
    through = bool(codes) and (len(plain) > 1 or any(code % 100 > 60 for code in codes))
    made = []
    for one in guesses:
        if one.code and one.number is not None and not through:
            one = replace(one, season=one.number // 100, number=one.number % 100)
        if one.number is not None and one.season is None:
            one = replace(one, season=1)
        made.append(one)
    return made


def _group(one: Guess) -> tuple[int, int, str]:
    if one.number is not None:
        return (one.season or 0, one.number, "")
    name = one.title or one.path
    return (one.season or 1, -1, slug(name))


def _in_name_order(group: list[Guess]) -> tuple[object, ...]:
    return (group[0].title.casefold() != _PILOT, natural(group[0].path))


def _free(season: int, title: str, taken: set[tuple[int, int]]) -> int:
    if title.casefold() == _PILOT and (season, 1) not in taken:
        return 1
    return max((number for at, number in taken if at == season), default=0) + 1


def _found(group: list[Guess], *, numbered: bool = True) -> Found:
    if len(group) == 1 and group[0].shade:
        # A lone "Deep Pink" is a title; a colour beside it would have made it a draft.
        one = group[0]
        group = [replace(one, title=f"{one.title} {one.shade}".strip(), mark=replace(one.mark, colour=-1))]
    picked = pick([Draft(one.path, one.mark) for one in group])
    first = next(one for one in group if one.path == picked.path)
    title = first.title or next((one.title for one in group if one.title), "")
    season, number = first.season or 0, first.number or 0
    name = f"s{season:02d}e{number:02d}" if numbered else slug(title or first.path)
    return Found(f"ep.{name}", season, number, title, picked, numbered, _doubt(group))


def _doubt(group: list[Guess]) -> str:
    titles = [frozenset(slug(one.title).split("-")) for one in group if one.title]
    if len(titles) > 1 and any(not (titles[0] & other) for other in titles[1:]):
        return "their titles have no word in common"
    return ""


def _distinct(found: list[Found]) -> list[Found]:
    seen: set[str] = set()
    made = []
    for one in found:
        if one.id in seen:
            one = replace(one, id=f"{one.id}-{digest(one.script)[:6]}")
        seen.add(one.id)
        made.append(one)
    return made
