"""The story clock: days and parts of day, and what stands outside them."""

from __future__ import annotations

from functools import cache

import pytest

from showmemory.model.rules import Rules
from showmemory.model.storytime import StoryTime, ago, both, parse
from showmemory.read.clock import placed
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay


@cache
def rules(language: str) -> Rules:
    return read_rules(language)[0]


def clocks(text: str, language: str = "en") -> list[str]:
    blocks = "\n\n".join(line.strip() for line in text.strip().split("|"))
    return [s.clock for s in read_screenplay(blocks.encode(), "a.fountain", rules(language)).scenes if s.heading]


@pytest.mark.parametrize(
    ("script", "wanted"),
    [
        ("INT. A|INT. B", ["Day 1, morning", "Day 1, morning"]),
        ("INT. A - NIGHT", ["Day 1, night"]),
        ("FADE IN:|INT. A - DUSK", ["Day 1, evening"]),
        ("INT. A - DAY|INT. B - NIGHT|INT. C - DAY", ["Day 1, morning", "Day 1, night", "Day 2, morning"]),
        ("INT. A - AFTERNOON|INT. B - DAY|INT. C - CONTINUOUS", ["Day 1, afternoon"] * 3),
        ("INT. A - EVENING|INT. B - MORNING|INT. C - NOON", ["Day 1, evening", "Day 2, morning", "Day 2, midday"]),
        ("INT. A - NIGHT|INT. B - DAWN", ["Day 1, night", "Day 2, dawn"]),
        ("INT. A - DAY|INT. B - NEXT MORNING", ["Day 1, morning", "Day 2, morning"]),
        ("INT. A - NIGHT|INT. B - THE NEXT DAY", ["Day 1, night", "Day 2, morning"]),
        ("INT. A - DAY|TWO DAYS LATER|INT. B - NIGHT", ["Day 1, morning", "Day 3, night"]),
        ('INT. A|A bun.|SUPER: "Three weeks later"|INT. B', ["Day 1, morning", "Day 22, morning"]),
        ("INT. A - DAY|CHYRON: London. One year later.|Rain.|INT. B", ["Day 366, morning"] * 2),
        ("INT. A|Night falls.|INT. B", ["Day 1, morning", "Day 1, night"]),
        (
            "INT. A - NIGHT|Night falls on all of us sooner or later, thinks the bun, and it rolls.|INT. B",
            ["Day 1, night"] * 2,
        ),
        ("INT. A - DAY 3|INT. B - NIGHT 3|INT. C - DAY 5", ["Day 3, morning", "Day 3, night", "Day 5, morning"]),
        ("SUPER: MONDAY|INT. A|INT. B|THURSDAY MORNING|INT. C", ["Day 1, morning", "Day 1, morning", "Day 4, morning"]),
        ("INT. A - 6:30 PM|INT. B - 3 A.M.", ["Day 1, evening", "Day 1, night"]),
        (
            "INT. A - DAY|INT. B - NIGHT (FLASHBACK)|INT. C - DAY",
            ["Day 1, morning", "night (flashback)", "Day 1, morning"],
        ),
        ("INT. A|INT. B - DAY (FLASHBACK - 1998)|INT. C", ["Day 1, morning", "flashback, 1998", "Day 1, morning"]),
        (
            "INT. A|FLASHBACK TO:|INT. B|INT. C|END FLASHBACK.|INT. D",
            ["Day 1, morning", "flashback", "flashback", "Day 1, morning"],
        ),
        ("INT. A|FLASHBACK TO:|INT. B|INT. C", ["Day 1, morning", "flashback", "Day 1, morning"]),
        (
            "INT. A|DREAM SEQUENCE|INT. B - NIGHT|BACK TO SCENE|INT. C",
            ["Day 1, morning", "night (dream)", "Day 1, morning"],
        ),
        (
            "INT. A - NIGHT|THREE WEEKS EARLIER|INT. B - DAY|INT. C - NIGHT|BACK TO PRESENT|INT. D",
            [
                "Day 1, night",
                "Day 1, morning (three weeks earlier)",
                "Day 1, night (three weeks earlier)",
                "Day 1, night",
            ],
        ),
        ("INT. A|INT. B - TWO DAYS LATER - NIGHT", ["Day 1, morning", "Day 3, night"]),
        ("INT. A|A FEW DAYS LATER|INT. B", ["Day 1, morning", "Day 4, morning"]),
        ("INT. A|TEN MINUTES LATER|INT. B", ["Day 1, morning", "Day 1, morning"]),
    ],
)
def test_clock(script: str, wanted: list[str]) -> None:
    """C43, C45, C48, C51, C52: the opening scene starts the clock; coarse parts of day; flashbacks stand apart."""
    assert clocks(script) == wanted


@pytest.mark.parametrize(
    ("language", "script", "wanted"),
    [
        ("fr", "INT. A - NUIT|TROIS JOURS PLUS TARD|INT. B - MATIN", ["Day 1, night", "Day 4, morning"]),
        ("fr", "INT. A - JOUR|EXT. B - LE LENDEMAIN MATIN", ["Day 1, morning", "Day 2, morning"]),
        ("fr", "INT. A|FLASH-BACK|INT. B|FIN DU FLASH-BACK|INT. C", ["Day 1, morning", "flashback", "Day 1, morning"]),
        ("de", "INNEN. A - NACHT|Zwei Wochen später.|AUSSEN. B - ABEND", ["Day 1, night", "Day 15, evening"]),
        ("de", "INNEN. A - TAG|INNEN. B - AM NÄCHSTEN MORGEN", ["Day 1, morning", "Day 2, morning"]),
        ("es", "INT. A - NOCHE|DOS DÍAS DESPUÉS|INT. B - TARDE", ["Day 1, night", "Day 3, afternoon"]),
        ("es", "INT. A|HACE TRES AÑOS|INT. B", ["Day 1, morning", "Day 1, morning (hace tres años)"]),
        ("it", "INT. A - NOTTE|DUE SETTIMANE DOPO|EST. B - SERA", ["Day 1, night", "Day 15, evening"]),
        ("it", "INT. A - GIORNO|EST. B - LA MATTINA DOPO", ["Day 1, morning", "Day 2, morning"]),
    ],
)
def test_clock_in_other_languages(language: str, script: str, wanted: list[str]) -> None:
    """C43: time is read in the show's language."""
    assert clocks(script, language) == wanted


def test_a_person_places_a_scene() -> None:
    """C53, G7: a time that a person gave a scene stands, whatever the script tells."""
    scenes = read_screenplay(b"INT. A - DAY\n\nINT. B - NIGHT\n", "a.fountain", rules("en")).scenes
    assert [s.clock for s in placed(scenes, {"2": "Day 9, dawn"})] == ["Day 1, morning", "Day 9, dawn"]


@pytest.mark.parametrize(
    ("then", "now", "words"),
    [
        (StoryTime(3, "evening"), StoryTime(5, "morning"), "Day 3, evening — two days ago"),
        (StoryTime(3, "evening"), StoryTime(4, "morning"), "Day 3, evening — yesterday"),
        (StoryTime(3, "morning"), StoryTime(3, "night"), "Day 3, morning — earlier today"),
        (StoryTime(3, "night"), StoryTime(3, "night"), "Day 3, night — moments ago"),
        (StoryTime(3, "night"), StoryTime(3, "dawn"), "Day 3, night — later today"),
        (StoryTime(1, "dawn"), StoryTime(15, "dawn"), "Day 1, dawn — two weeks ago"),
        (StoryTime(1, "dawn"), StoryTime(32, "dawn"), "Day 1, dawn — one month ago"),
        (StoryTime(1, "dawn"), StoryTime(800, "dawn"), "Day 1, dawn — two years ago"),
        (StoryTime(9, "dawn"), StoryTime(6, "dawn"), "Day 9, dawn — in three days"),
        (StoryTime(0, "night", "flashback"), StoryTime(6, "dawn"), "night (flashback)"),
        (StoryTime(1, "night", "a week earlier"), StoryTime(6, "dawn"), "Day 1, night (a week earlier)"),
    ],
)
def test_both_readings(then: StoryTime, now: StoryTime, words: str) -> None:
    """C43, C46: where in the story, and how far back; nothing is said of what stands on another line."""
    assert both(then, now) == words


@pytest.mark.parametrize(
    "moment",
    [
        StoryTime(3, "evening"),
        StoryTime(12),
        StoryTime(0, "dawn"),
        StoryTime(0, "", "flashback"),
        StoryTime(0, "night", "flashback"),
        StoryTime(2, "midday", "three weeks earlier"),
        StoryTime(0, "", "flashback, 1998"),
    ],
)
def test_story_time_is_read_back(moment: StoryTime) -> None:
    """C45: what is printed is what is parsed; other words are no time."""
    assert parse(str(moment)) == moment
    assert parse("") is None
    assert ago(moment, moment) in ("moments ago", "")
