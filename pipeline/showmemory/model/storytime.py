"""Story time: "Day 3, evening", and how far back that is: C43, C46, C48. Never a clock reading."""

from __future__ import annotations

import re
from dataclasses import dataclass

PARTS = ("dawn", "morning", "midday", "afternoon", "evening", "night")
_WORDS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TEXT = re.compile(
    rf"(?:[Dd]ay (?P<day>\d{{1,5}}))?(?:(?:^|, ?)(?P<part>{'|'.join(PARTS)}))?(?:(?:^| )\(?(?P<aside>[^()]+)\)?)?"
)


@dataclass(frozen=True, slots=True)
class StoryTime:
    """A moment of the story. `day` counts from 1, 0 is unknown. `aside`: flashback, a week earlier."""

    day: int = 0
    part: str = ""
    aside: str = ""

    def __str__(self) -> str:
        """Print as ``Day 3, evening``, ``Day 1, night (three weeks earlier)`` or ``flashback``."""
        main = ", ".join(piece for piece in (f"Day {self.day}" if self.day else "", self.part) if piece)
        if not self.aside:
            return main
        return f"{main} ({self.aside})" if main else self.aside


def parse(text: str) -> StoryTime | None:
    """Read back what `StoryTime` prints, or what a person wrote in its place."""
    found = _TEXT.fullmatch(text.strip())
    if not found or not text.strip():
        return None
    return StoryTime(int(found["day"] or 0), found["part"] or "", (found["aside"] or "").strip())


def ago(then: StoryTime, now: StoryTime) -> str:
    """How far back `then` is from `now`, in words; empty where the two stand on different lines or days are unknown."""
    if not then.day or not now.day or then.aside != now.aside:
        return ""
    days = now.day - then.day
    if days == 0:
        return _same_day(then.part, now.part)
    return f"{_span(days)} ago" if days > 1 else "yesterday" if days == 1 else f"in {_span(-days)}"


def both(then: StoryTime, now: StoryTime) -> str:
    """Both readings: ``Day 3, evening — two days ago``."""
    back = ago(then, now)
    return f"{then} — {back}" if back else str(then)


def _same_day(then: str, now: str) -> str:
    if then == now or then not in PARTS or now not in PARTS:
        return "moments ago"
    return "earlier today" if PARTS.index(then) < PARTS.index(now) else "later today"


def _span(days: int) -> str:
    for length, unit in ((365, "year"), (30, "month"), (7, "week"), (1, "day")):
        if days >= 2 * length or (length == 1 and days) or (length > 7 and days >= length):
            count = days // length
            word = _WORDS[count] if count < len(_WORDS) else str(count)
            return f"{word} {unit}{'s' if count > 1 else ''}"
    return "no time"
