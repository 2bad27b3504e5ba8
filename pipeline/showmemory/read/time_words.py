"""Short lines that move the story clock: "TWO DAYS LATER", "The next morning.", "FLASHBACK TO:", "Night falls."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from showmemory.read.dayparts import DayWords, daypart_of, fold, part_in

_SHORT = 70  # a longer line of action is about something else
_EDGE = " .,:;!?\"“”'‘’«»()[]-–—…*"
_PIECES = re.compile(r"[.,;–—/]|-(?= )")
_TURNS = (("flashback", "flashback"), ("flashforward", "flash-forward"), ("dream", "dream"), ("present", "present"))
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class TimeWords:
    """A language's clock lexicon, ready for use; all of it folded."""

    days: DayWords
    passing: re.Pattern[str]
    numbers: Mapping[str, int]
    units: Mapping[str, int]
    back: frozenset[str]
    next_day: tuple[str, ...]
    turns: Mapping[str, str]
    titles: frozenset[str]
    weekdays: Mapping[str, int]
    falls: Mapping[str, str]
    any: frozenset[str]  # one of these stands in every line that says something of time


@dataclass(frozen=True, slots=True)
class Move:
    """What a line says of time. `days` pass; `back` is how a step back is worded; `turn`: flashback, dream, present."""

    days: int = 0
    part: str = ""
    turn: str = ""
    weekday: int = -1
    back: str = ""


def time_words(days: DayWords, lists: Mapping[str, tuple[str, ...]]) -> TimeWords:
    """Make a clock lexicon ready; one without words knows no passing of time but what headings say."""
    held = {name: tuple(fold(word) for word in words) for name, words in lists.items()}
    numbers = {word: int(value) for word, value in _pairs(held.get("numbers", ()))}
    units = {word: int(value) for word, value in _pairs(held.get("units", ()))}
    weekdays = {word: number for number, word in enumerate(held.get("weekdays", ()))}
    falls = {word: value.lower() for word, value in _pairs(held.get("falls", ()))}
    turns = {phrase: turn for name, turn in _TURNS for phrase in held.get(name, ())}
    phrases = (*days.dayparts, *days.marks, *units, *held.get("next_day", ()), *turns, *weekdays, *falls)
    return TimeWords(
        days,
        _passing(held, numbers, units),
        numbers,
        units,
        frozenset((*held.get("earlier", ()), *held.get("earlier_before", ()))),
        held.get("next_day", ()),
        turns,
        frozenset(held.get("titles", ())),
        weekdays,
        falls,
        frozenset(word for phrase in phrases for word in _WORD.findall(phrase)),
    )


def _pairs(words: Iterable[str]) -> list[tuple[str, str]]:
    return [(word, value) for word, found, value in (each.partition("=") for each in words) if found]


def _passing(held: Mapping[str, tuple[str, ...]], numbers: Iterable[str], units: Iterable[str]) -> re.Pattern[str]:
    def either(*lists: Iterable[str]) -> str:
        longest = sorted({word for words in lists for word in words}, key=lambda word: (-len(word), word))
        return "|".join(map(re.escape, longest)) or _NEVER

    return re.compile(
        rf"(?:(?P<before>{either(held.get('earlier_before', ()), held.get('later_before', ()))}) )?"
        rf"(?:(?P<number>\d{{1,4}}|{either(numbers)}) )?(?P<unit>{either(units)})"
        rf"(?: (?P<after>{either(held.get('earlier', ()), held.get('later', ()))}))?"
    )


def move_of(text: str, words: TimeWords) -> Move | None:
    """What a line says of time, or nothing when it is about something else."""
    if len(text) > _SHORT or (words.any.isdisjoint(_WORD.findall(text.upper())) and not _DIGIT.search(text)):
        return None
    label, colon, rest = text.partition(":")
    titled = bool(colon) and fold(label).strip(_EDGE) in words.titles
    said = fold((rest if titled else text).strip(_EDGE)).strip(_EDGE)
    if not said:
        return None
    return _turn(said, words) or _whole(said, words) or (_inside(said, words) if titled else None)


def _turn(said: str, words: TimeWords) -> Move | None:
    turn = words.turns.get(said)
    if turn:
        return Move(turn=turn)
    for cut in (" - ", " – ", ": ", " TO "):
        head, found, _ = said.partition(cut)
        if found and head in words.turns:
            return Move(turn=words.turns[head])
    return None


def _whole(said: str, words: TimeWords) -> Move | None:
    if len(said) < 40 and any(f" {phrase} " in f" {said} ".replace("'", " ") for phrase in words.next_day):
        return Move(1, part_in(said, words.days))
    part, _ = daypart_of(said, words.days)
    if part or said in words.falls:
        return Move(part=part or words.falls[said])
    first, _, more = said.partition(" ")
    if first in words.weekdays and (not more or part_in(more, words.days)):
        return Move(part=part_in(more, words.days), weekday=words.weekdays[first])
    found = words.passing.fullmatch(said)
    return _passed(found, words) if found else None


def _inside(said: str, words: TimeWords) -> Move | None:
    """A title card may say more: "London. Three weeks later."."""
    pieces = [piece.strip(_EDGE) for piece in _PIECES.split(said)]
    return next((move for piece in pieces if piece and (move := _whole(piece, words))), None)


def _passed(found: re.Match[str], words: TimeWords) -> Move | None:
    before, number, after = found["before"], found["number"] or "", found["after"]
    if not (before or after):
        return None
    days = (int(number) if number.isdigit() else words.numbers.get(number, 1)) * words.units[found["unit"]]
    if before in words.back or after in words.back:
        return Move(-days, back=found.group().lower())
    return Move(days)
