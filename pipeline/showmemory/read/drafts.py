"""Drafts of one episode: what marks them in a name or on a title page, and which is the newest by those alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

COLOURS = ("white", "blue", "pink", "yellow", "green", "goldenrod", "buff", "salmon", "cherry", "tan")
STAGES = {
    "outline": 0,
    "rough": 1,
    "writer": 2,
    "writers": 2,
    "first": 3,
    "1st": 3,
    "second": 4,
    "2nd": 4,
    "third": 5,
    "3rd": 5,
    "studio": 6,
    "network": 7,
    "table": 8,
    "preproduction": 9,
    "production": 10,
    "shooting": 10,
}
FORMATS = (".fountain", ".spmd", ".fdx", ".highland", ".pdf", ".txt")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = "(" + "|".join(_MONTHS) + r")[a-z]*\.?"
_DATES = (
    (re.compile(r"(?<!\d)((?:19|20)\d\d)[-._ /](\d\d?)[-._ /](\d\d?)(?!\d)"), "ymd"),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)(?!\d)"), "ymd"),
    (re.compile(r"(?<!\d)(\d\d?)[-._/](\d\d?)[-._/]((?:19|20)\d\d|\d\d)(?!\d)"), "mdy"),
    (re.compile(rf"(?i)(?<!\d)(\d\d?)(?:st|nd|rd|th)?[-._ ]*{_MONTH}[-._ ,]*((?:19|20)\d\d)(?!\d)"), "dMy"),
    (re.compile(rf"(?i)(?<![a-z]){_MONTH}[-._ ]*(\d\d?)(?:st|nd|rd|th)?[-._ ,]*((?:19|20)\d\d)(?!\d)"), "Mdy"),
)
_REVISION = re.compile(
    r"(?<![a-z0-9])(?:(?:rev(?:ision|ised)?|version|ver|draft)[\s._\-#]*|[vd])(\d{1,3})(?:\.(\d{1,2}))?(?![0-9a-z])",
    re.IGNORECASE,
)
_ROUND = {"double": 2, "2nd": 2, "second": 2, "triple": 3, "3rd": 3, "third": 3}
_COLOUR = re.compile(
    r"(?<![a-z])(?:(double|2nd|second|triple|3rd|third)[\s._\-]*)?(" + "|".join(COLOURS) + r")(?![a-z])", re.IGNORECASE
)

Date = tuple[int, int, int]


@dataclass(frozen=True, order=True)
class Mark:
    """What a draft says of itself. `colour` counts rounds: blue is 1, double blue 11; -1 where none is named."""

    colour: int = -1
    revision: tuple[int, int] = (-1, -1)
    stage: int = -1
    date: Date = (0, 0, 0)
    final: bool = False

    def __str__(self) -> str:
        said = [] if self.colour < 0 else [colour_name(self.colour)]
        if self.revision[0] >= 0:
            said.append(f"rev {self.revision[0]}" + (f".{self.revision[1]}" if self.revision[1] >= 0 else ""))
        if any(self.date):
            said.append("{:04d}-{:02d}-{:02d}".format(*self.date))
        return ", ".join(said)


NO_MARK = Mark()


def colour_name(colour: int) -> str:
    """`colour` in words: 2 is pink, 12 double pink."""
    rounds, which = divmod(colour, len(COLOURS))
    return f"{('', 'double ', 'triple ')[min(rounds, 2)]}{COLOURS[which]}"


def date_in(text: str) -> tuple[Date, str]:
    """The newest date `text` names, and the text without any date. Month first, as on American title pages."""
    found: list[Date] = []
    for pattern, order in _DATES:

        def take(match: re.Match[str], order: str = order) -> str:
            date = _date(match, order)
            if date is None:
                return match[0]
            found.append(date)
            return " "

        text = pattern.sub(take, text)
    return max(found, default=(0, 0, 0)), text


def _date(match: re.Match[str], order: str) -> Date | None:
    parts = dict(zip(order, match.groups(), strict=True))
    year = int(parts["y"]) + (2000 if len(parts["y"]) == 2 else 0)
    month = _MONTHS.index(parts["M"].lower()) + 1 if "M" in parts else int(parts["m"])
    day = int(parts["d"])
    if "m" in parts and month > 12 >= day:
        month, day = day, month
    return (year, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def revision_in(text: str) -> tuple[int, int]:
    """The highest revision number `text` names: rev3, v2.1, draft 4."""
    found = [(int(m[1]), int(m[2]) if m[2] else -1) for m in _REVISION.finditer(text)]
    return max(found, default=(-1, -1))


def colours_in(text: str) -> list[int]:
    """Every revision colour `text` names, as numbers in the order the rounds go."""
    found = []
    for match in _COLOUR.finditer(text):
        rounds = _ROUND.get((match[1] or "").lower(), 1) - 1
        found.append(rounds * len(COLOURS) + COLOURS.index(match[2].lower()))
    return found


def stage_in(text: str) -> int:
    """The stage of writing `text` names before the word draft (writer's, network, shooting …), else -1."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'s", "s").replace("’s", "s"))
    found = [
        STAGES[word] for word, after in zip(words, [*words[1:], ""], strict=False) if word in STAGES and after in _DRAFT
    ]
    return max(found, default=-1)


_DRAFT = frozenset({"draft", "script", "revision", "rev", "revised", "polish"})


@dataclass(frozen=True)
class Draft:
    """One file that may be an episode's script: `path` relative to the show."""

    path: str
    mark: Mark


@dataclass(frozen=True)
class Picked:
    """The draft to use, why, and whether the names leave no doubt."""

    path: str
    why: str
    clear: bool
    others: tuple[str, ...] = ()


def pick(drafts: Sequence[Draft]) -> Picked:
    """The newest draft by colour, then revision number, stage and date in name or title page; never by file time."""
    ranked = sorted(drafts, key=_rank, reverse=True)
    first, rest = ranked[0], ranked[1:]
    others = tuple(draft.path for draft in rest)
    if not rest:
        return Picked(first.path, "", True)
    tied = [draft for draft in rest if draft.mark == first.mark]
    if tied and all(_stem(draft.path) == _stem(first.path) for draft in tied):
        # The same draft saved in two formats: the one that keeps lines best is read.
        return Picked(first.path, f"read as {first.path.rpartition('.')[2]}", True, others)
    if tied:
        return Picked(first.path, "nothing in their names says which is newer", False, others)
    against = [draft for draft in rest if any(first.mark.date) and draft.mark.date > first.mark.date]
    if against:
        return Picked(
            first.path, f"{_why(first.mark, rest[0].mark)}, but {against[0].path} has a later date", False, others
        )
    return Picked(first.path, _why(first.mark, rest[0].mark), True, others)


def _rank(draft: Draft) -> tuple[object, ...]:
    # A name without a colour is older than any colour; "final" settles only what nothing else does.
    mark = draft.mark
    suffix = "." + draft.path.rpartition(".")[2].lower()
    format_rank = -FORMATS.index(suffix) if suffix in FORMATS else -len(FORMATS)
    # Of names that say the same, the shorter: "104 Kettle" before "104 Kettle copy".
    name = (-len(draft.path), tuple(-ord(c) for c in draft.path))
    return (mark.colour, mark.revision, mark.stage, mark.date, mark.final, format_rank, name)


def _why(first: Mark, second: Mark) -> str:
    if first.colour != second.colour:
        return "newest colour"
    if first.revision != second.revision:
        return "highest revision"
    if first.stage != second.stage:
        return "latest draft"
    return "latest date" if first.date != second.date else "called final"


def _stem(path: str) -> str:
    return path.rpartition(".")[0].lower()
