"""Scene headings: how they open, and what setting, place and part of day they name, by the language's lexicon."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from showmemory.model.rules import Lexicon, Rules
from showmemory.read.dayparts import day_words, daypart_of, fold
from showmemory.read.time_words import Move, TimeWords, move_of, time_words

_Lists = tuple[tuple[str, tuple[str, ...]], ...]
_SETTINGS = (("interior", "INT"), ("exterior", "EXT"), ("both", "INT/EXT"), ("establishing", "EXT"))
# Openings that are words of the language ("Innen ist es kalt") open a scene in capitals only.
_ANY_CASE = re.compile(r"(?:INT|EXT|EST|[IEA])(?:\.?\s?/\s?(?:INT|EXT|EST|[IEA]))?")
_CUT = re.compile(r"\s+[-–—]+\s+|\s*[–—]+\s*|\s+[-–—]+|\s+/\s+|\.\s+|,\s+|\s*[()\[\]]\s*")
_YEAR = re.compile(r"1[5-9]\d\d|2[01]\d\d")
_NUMBER = re.compile(r"[\w.\-)(/ ]{1,40}")


@dataclass(frozen=True, slots=True)
class HeadingWords:
    """A language's heading lexicon, ready for use."""

    opening: re.Pattern[str]
    starts: frozenset[str]  # the letters that an opening may begin with
    settings: dict[str, str]
    time: TimeWords
    ends: tuple[str, ...]
    transitions: frozenset[str]
    omitted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading taken apart. `marks`: what it says about time (LATER, FLASHBACK), upper case; `day`: 3 in DAY 3."""

    setting: str = ""
    place: str = ""
    daypart: str = ""
    omitted: bool = False
    marks: tuple[str, ...] = field(default=())
    day: int = 0
    year: str = ""
    moves: tuple[Move, ...] = field(default=())


def heading_words(rules: Rules) -> HeadingWords:
    """The heading lexicon of the show's language; one that is missing reads INT and EXT all the same."""
    held = (rules.lexicons.get(name) or Lexicon(name, {}) for name in ("headings", "clock"))
    return _ready(*(tuple(sorted(lexicon.lists.items())) for lexicon in held))


@lru_cache(maxsize=16)
def _ready(headings: _Lists, clock: _Lists) -> HeadingWords:
    held = dict(headings)
    settings: dict[str, str] = {"INT": "INT", "EXT": "EXT"}
    for name, setting in _SETTINGS:
        # Both spellings of AUßEN: its capital is two letters.
        settings |= {form: setting for word in held.get(name, ()) for form in (word, word.upper())}
    longest = sorted(settings, key=lambda word: (-len(word), word))
    anyhow = [f"(?i:{re.escape(word)})" if _ANY_CASE.fullmatch(word) else re.escape(word) for word in longest]
    opening = re.compile(rf"({'|'.join(anyhow)})(?:[.:]\s*|\s+|$)")
    return HeadingWords(
        opening,
        frozenset(letter for word in settings for letter in (word[0], word[0].lower())),
        settings,
        time_words(day_words(held), dict(clock)),
        tuple(word.upper() for word in held.get("transition_ends", ("TO:",))),
        frozenset(fold(word) for word in held.get("transitions", ())),
        frozenset(fold(word) for word in held.get("omitted", ("OMITTED",))),
    )


def opens_scene(text: str, words: HeadingWords) -> bool:
    """Whether `text` begins as a scene heading does."""
    return text[:1] in words.starts and words.opening.match(text) is not None


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
    setting = words.settings.get(found.group(1)) or words.settings.get(found.group(1).upper(), "") if found else ""
    rest = text[found.end() :] if found else text
    places: list[tuple[int, int]] = []
    marks: list[str] = []
    moves: list[Move] = []
    day, daypart, year = 0, "", ""
    at = 0
    for cut in [*_CUT.finditer(rest), None]:
        end = cut.start() if cut else len(rest)
        part = fold(rest[at:end])
        move = move_of(part, words.time)
        if move or part in words.time.days.marks:
            named, counted = daypart_of(part, words.time.days)
            daypart, day = daypart or named or (move.part if move else ""), day or counted
            marks.append(part)
            moves += [move] if move else []
        elif _YEAR.fullmatch(part):
            year = part
            marks.append(part)
        elif part:
            places.append((at, end))
        at = cut.end() if cut else end
    place = _place(rest, places)
    if not marks:
        place, daypart = _tail(place, words)
    return Heading(setting, place, daypart, False, tuple(marks), day, year, tuple(moves))


def _tail(place: str, words: HeadingWords) -> tuple[str, str]:
    """Take a part of day off the end of a place that no dash or comma sets apart: "BAR NIGHT", "HALL-NIGHT"."""
    for mark in ("-", " "):
        start, found, end = place.rpartition(mark)
        named = words.time.days.dayparts.get(end.upper(), "")
        if found and start and named:
            return start.strip(" -"), named
    return place, ""


def _place(rest: str, places: list[tuple[int, int]]) -> str:
    """The pieces that name a place, with what the writer put between pieces that stood side by side."""
    if not places:
        return ""
    made = rest[places[0][0] : places[0][1]]
    for (_, before), (start, end) in pairwise(places):
        between = rest[before:start]
        made += (between if len(between.strip()) <= 1 else " - ") + rest[start:end]
    return " ".join(made.split()).strip(" -–—.")
