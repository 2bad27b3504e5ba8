"""Parts of day as a heading or a line names them: NIGHT, DAY 3, 6:30 AM, LATER THAT NIGHT."""

from __future__ import annotations

import re
from dataclasses import dataclass

DAYPARTS = ("dawn", "morning", "midday", "afternoon", "evening", "night", "day")
_HOURS = ((4, "night"), (6, "dawn"), (11, "morning"), (13, "midday"), (17, "afternoon"), (21, "evening"), (24, "night"))
_HOUR = re.compile(r"(?:\D{0,12}\s)?(\d{1,2})(?:[:.H]\d\d)?\s?([AP])\.?M\.?|(?:\D{0,12}\s)?(\d{1,2})[:H]\d\d(?: ?UHR)?")
_COUNTED = re.compile(r"(\D{1,30}?)\s*\(?#?(\d{1,3})\)?")


@dataclass(frozen=True, slots=True)
class DayWords:
    """A language's words for parts of day, and the marks (CONTINUOUS, FLASHBACK) that stand where those stand."""

    dayparts: dict[str, str]
    marks: frozenset[str]


def fold(text: str) -> str:
    """Upper case, straight quotes, no closing punctuation, single spaces: how lexicon words are compared."""
    return " ".join(text.replace("’", "'").upper().strip(" .:;!*").split())


def day_words(lists: dict[str, tuple[str, ...]]) -> DayWords:
    """Take the words for time out of a heading lexicon."""
    dayparts = {fold(word): part for part in DAYPARTS for word in lists.get(part, ())}
    return DayWords(dayparts, frozenset(fold(word) for word in lists.get("marks", ())))


def daypart_of(part: str, words: DayWords) -> tuple[str, int]:
    """The part of day that a folded piece names, and the number of its day where it has one (DAY 3)."""
    if part in words.dayparts:
        return words.dayparts[part], 0
    if part in words.marks:
        return part_in(part, words), 0
    counted = _COUNTED.fullmatch(part)
    if counted:
        named = words.dayparts.get(counted.group(1).strip(" (#"), "")
        return named, int(counted.group(2)) if named else 0
    clock = _HOUR.fullmatch(part)
    return (_by_hour(clock), 0) if clock else ("", 0)


def part_in(said: str, words: DayWords) -> str:
    """The part of day that one word of `said` names; DAY alone names none."""
    held = (words.dayparts.get(word, "") for word in said.replace("-", " ").split())
    return next((part for part in held if part not in ("", "day")), "")


def _by_hour(clock: re.Match[str]) -> str:
    hour = int(clock.group(1) or clock.group(3))
    if clock.group(2):
        hour = hour % 12 + (12 if clock.group(2) == "P" else 0)
    return next((part for before, part in _HOURS if hour < before), "")
