"""Scene headings: how they open, and what setting, place and part of day they name, by the language's lexicon."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from showmemory.model.rules import Lexicon, Rules

DAYPARTS = ("dawn", "morning", "midday", "afternoon", "evening", "night", "day")
_SETTINGS = (("interior", "INT"), ("exterior", "EXT"), ("both", "INT/EXT"), ("establishing", "EXT"))
_CUT = re.compile(r"\s+[-–—]+\s+|\s*[–—]+\s*|\s+[-–—]+|\s+/\s+|\.\s+|,\s+|\s*[()\[\]]\s*")
_NUMBER = re.compile(r"[\w.\-)(/ ]{1,40}")
_DAY_COUNT = re.compile(r"(.*\D)\s*\(?#?\d{1,3}\)?$")


@dataclass(frozen=True, slots=True)
class HeadingWords:
    """A language's heading lexicon, ready for use."""

    opening: re.Pattern[str]
    settings: dict[str, str]
    dayparts: dict[str, str]
    marks: frozenset[str]
    ends: tuple[str, ...]
    transitions: frozenset[str]
    omitted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading taken apart. `marks`: what else it says about time (LATER, FLASHBACK), upper case."""

    setting: str = ""
    place: str = ""
    daypart: str = ""
    omitted: bool = False
    marks: tuple[str, ...] = field(default=())


def heading_words(rules: Rules) -> HeadingWords:
    """The heading lexicon of the show's language; one that is missing reads INT and EXT all the same."""
    held = rules.lexicons.get("headings") or Lexicon("headings", {})
    return _ready(tuple(sorted((name, words) for name, words in held.lists.items())))


@lru_cache(maxsize=16)
def _ready(lists: tuple[tuple[str, tuple[str, ...]], ...]) -> HeadingWords:
    held = dict(lists)
    settings: dict[str, str] = {"INT": "INT", "EXT": "EXT"}
    for name, setting in _SETTINGS:
        settings |= {word.upper(): setting for word in held.get(name, ())}
    longest = sorted(settings, key=lambda word: (-len(word), word))
    opening = re.compile(rf"({'|'.join(map(re.escape, longest))})(?:[.:]\s*|\s+|$)", re.IGNORECASE)
    dayparts = {fold(word): part for part in DAYPARTS for word in held.get(part, ())}
    return HeadingWords(
        opening,
        settings,
        dayparts,
        frozenset(fold(word) for word in held.get("marks", ())),
        tuple(word.upper() for word in held.get("transition_ends", ("TO:",))),
        frozenset(fold(word) for word in held.get("transitions", ())),
        frozenset(fold(word) for word in held.get("omitted", ("OMITTED",))),
    )


def fold(text: str) -> str:
    """Upper case, straight quotes, no closing punctuation, single spaces: how lexicon words are compared."""
    return " ".join(text.replace("’", "'").upper().strip(" .:;!*").split())


def opens_scene(text: str, words: HeadingWords) -> bool:
    """Whether `text` begins as a scene heading does."""
    return words.opening.match(text) is not None


def is_transition(text: str, words: HeadingWords) -> bool:
    """Whether a line that stands alone is a transition: in capitals and ending as one, or one of the known ones."""
    if not text.isupper():
        return False
    return text.endswith(words.ends) or fold(text) in words.transitions


def split_number(text: str) -> tuple[str, str]:
    """Take the scene number off a heading: "INT. BAR - DAY #12A#" gives the heading and 12A."""
    at = text.rfind("#", 0, -1)
    if at < 1 or text[-1] != "#" or not _NUMBER.fullmatch(text, at + 1, len(text) - 1):
        return text, ""
    return text[:at].rstrip(), text[at + 1 : -1].strip()


def take_apart(text: str, words: HeadingWords) -> Heading:
    """Read setting, place and part of day off a heading."""
    text = " ".join(text.split())
    if fold(text) in words.omitted:
        return Heading(omitted=True)
    found = words.opening.match(text)
    setting = words.settings.get(found.group(1).upper(), "INT") if found else ""
    rest = text[found.end() :] if found else text
    places: list[tuple[int, int]] = []
    marks: list[str] = []
    daypart = ""
    at = 0
    for cut in [*_CUT.finditer(rest), None]:
        end = cut.start() if cut else len(rest)
        part = fold(rest[at:end])
        named = daypart_of(part, words)
        if named:
            daypart = daypart or named
            marks.append(part)
        elif part in words.marks:
            marks.append(part)
        elif part:
            places.append((at, end))
        at = cut.end() if cut else end
    return Heading(setting, _place(rest, places), daypart, False, tuple(marks))


def daypart_of(part: str, words: HeadingWords) -> str:
    """The part of day that a folded piece of a heading names (NIGHT, DAY 3, LATE AFTERNOON), else nothing."""
    if part in words.dayparts:
        return words.dayparts[part]
    counted = _DAY_COUNT.fullmatch(part)
    if counted:
        return words.dayparts.get(counted.group(1).strip(" (#"), "")
    return ""


def _place(rest: str, places: list[tuple[int, int]]) -> str:
    """The pieces that name a place, with what the writer put between pieces that stood side by side."""
    if not places:
        return ""
    made = rest[places[0][0] : places[0][1]]
    for (_, before), (start, end) in pairwise(places):
        between = rest[before:start]
        made += (between if len(between.strip()) <= 1 else " - ") + rest[start:end]
    return " ".join(made.split()).strip(" -–—.")
