"""A script's name in its parts: the place it says, the marks of its draft, and the title that is left."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from showmemory.read.drafts import COLOURS, NO_MARK, Mark, colours_in, date_in, revision_in, stage_in

# How a name may say where its episode belongs, surest first. Each gives (season, number).
BOTH = (
    re.compile(
        r"(?<![a-z0-9])s(?:eason|eries)?[\s._\-]*(\d{1,2})[\s._\-,]*(?:e|ep|episode)[\s._\-#]*(\d{1,3})(?!\d)",
        re.IGNORECASE,
    ),
    re.compile(r"(?<![a-z0-9])(\d{1,2})x(\d{1,3})(?![a-z0-9])", re.IGNORECASE),
    # Production codes of the form 2ACX01, but not a date like 12MAY04.
    re.compile(
        r"(?<![A-Za-z0-9])(\d{1,2})(?!JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]{2,4}(\d{2})(?![A-Za-z0-9])"
    ),
)
SAID_EPISODE = re.compile(
    r"(?<![a-z])(?:episode|epis|ep|chapter|e(?=\d))[\s._\-]*#?[\s._\-]*(\d{1,4})(?![\da-z])|#\s*(\d{1,4})(?!\d)",
    re.IGNORECASE,
)
SEASON = re.compile(r"(?<![a-z])s(?:eason|eries)?[\s._\-]*(\d{1,2})(?![\da-z])", re.IGNORECASE)
_LEADING = re.compile(r"^\W*(?:[A-Z]{1,5}[\s._\-]*|(?!the\b)[a-z]{1,4}[_\-]?)?(?<!\d)(\d{1,4})[A-Za-z]?(?=[\s._\-]|$)")
_BETWEEN = re.compile(r"\s[-–—]\s*(\d{1,4})\s*[-–—]\s|[\s_\-](\d(?!00)[0-3]\d)(?=[\s_\-])")
_TRAILING = re.compile(r"(?:^|[\s._\-])(\d{1,4})$")
_MORE = re.compile(r"^(?:\s*[-&+]\s*(?:e|ep)?\d{1,3}|e\d{1,3})(?![\da-z])", re.IGNORECASE)
# fmt: off
PLAIN_NAMES = frozenset((
    "screenplay", "script", "episode", "draft", "teleplay", "main", "index", "current", "latest", "rev", "revision",
))
NOT_SCRIPTS = frozenset((
    "bible", "outline", "beatsheet", "beats", "treatment", "notes", "readme", "castlist", "schedule", "budget",
    "oneliner", "sides", "pitch", "license",
))
# Words that mark a draft at the end of a name whatever stands before them, and those that do beside another mark.
_SURE = frozenset(("draft", "pages", "final", "revised", "revisions", "revision", "rev", "clean", "collated"))
_LIKELY = frozenset((
    "production", "shooting", "table", "network", "studio", "writer", "writers", "first", "second", "third", "1st",
    "2nd", "3rd", "full", "script", "double", "triple", "version", "copy", "locked", "polish", "rough", "read",
    "preproduction",
))
_COUNTED = frozenset(("rev", "revision", "draft", "version", "ver", "v"))
# fmt: on
_SMALL = frozenset(
    {"a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)


@dataclass(frozen=True)
class FileName:
    """What a name says. `code`: the number may hold the season; `shade`: a colour that may be the title's last word."""

    season: int | None = None
    number: int | None = None
    title: str = ""
    mark: Mark = NO_MARK
    code: bool = False
    shade: str = ""


def read_name(name: str) -> FileName:
    """Read a file's or folder's name (without suffix)."""
    date, text = date_in(name)
    text, shade, mark = _without_marks(text)
    season, number, code, text = _place_in(text)
    return FileName(season, number, as_title(text), replace(mark, date=date), code, shade)


def _place_in(text: str) -> tuple[int | None, int | None, bool, str]:
    """(season, number, number may hold the season, the rest of the name)."""
    for pattern in BOTH:
        found = pattern.search(text)
        if found:
            return int(found[1]), int(found[2]), False, _rest(text, found)
    season = SEASON.search(text)
    said = SAID_EPISODE.search(text)
    if said:
        number = int(said[1] or said[2])
        rest = _rest(text, said)
        return (int(season[1]) if season else None), number, number >= 100, SEASON.sub(" ", rest) if season else rest
    for pattern in (_LEADING, _BETWEEN, _TRAILING):
        found = pattern.search(text)
        number = int(next(group for group in found.groups() if group)) if found else 0
        if found and not 1900 <= number <= 2099:
            return None, number, number >= 100, _rest(text, found)
    return None, None, False, text


def _rest(text: str, found: re.Match[str]) -> str:
    before, after = text[: found.start()], text[found.end() :]
    more = _MORE.match(after)
    after = after[more.end() :] if more else after
    # What stands before the number is the show's code (LR_206) unless nothing stands after it.
    return after if re.search(r"[^\W\d_]", after) else before


def _without_marks(name: str) -> tuple[str, str, Mark]:
    """The name without the draft marks at its end (and shouted ones anywhere), and what they said."""
    words = re.findall(r"[^\s_,()\[\]]+", _JOINED.sub(" ", _COPY.sub("", name)))
    shouted = name.upper() == name
    kept: list[str] = []
    marks: list[str] = []
    while words and _is_mark(words, marks):
        marks.insert(0, words.pop())
    shade = ""
    if len(marks) == 1 and marks[0].istitle() and colours_in(marks[0]) and words:
        shade = marks[0]
    for at, word in enumerate(words):
        loud = colours_in(word) and word.isupper() and not shouted
        first = at == 0 and colours_in(word) and len(words) > 1 and words[1][:1].isdigit()
        (marks if loud or first or re.fullmatch(r"(?i)(?:rev|v)\d+", word) else kept).append(word)
    said = " ".join(marks)
    mark = Mark(
        max(colours_in(said), default=-1), revision_in(said), stage_in(said), (0, 0, 0), "final" in said.lower().split()
    )
    return " ".join(kept), shade, mark


# Dots and hyphens that join words; those inside 101-102 and v2.1 stay.
_JOINED = re.compile(r"(?<=\D)\.(?=\D)|(?<=\w)-(?=[^\W\d])|(?<=[^\W\d])-(?=\d)|(?<=\d)-(?=\D)")
_COPY = re.compile(r"(?:[\s_\-]*(?:\(\d{1,2}\)|copy(?:[\s_]*\d{1,2})?))+$", re.IGNORECASE)


def _is_mark(words: list[str], marks: list[str]) -> bool:
    """Whether the last of `words` marks a draft, with `marks` after it."""
    word = re.sub(r"['’]", "", words[-1].strip(".").lower())
    if not word or word in {"-", "–", "—", "~", "+"}:
        return True
    if len(words) == 1:
        return word in _COUNTED and bool(marks) and marks[0].isdecimal()
    if (
        word in COLOURS
        or word in _SURE
        or re.fullmatch(r"(?:rev|revision|v|ver|version|draft|d)\.?\d+(?:\.\d+)?", word)
    ):
        return True
    if word.isdecimal():
        return words[-2].strip(".").lower() in _COUNTED
    return (word in _LIKELY and bool(marks)) or (word in _COUNTED and bool(marks) and marks[0].isdecimal())


def as_title(text: str) -> str:
    """Words as a title is written: shouted ones and slugs are given their capitals, empty when nothing is a word."""
    words = [word.strip("-–—.'\"“”") for word in re.split(r"[\s_]+", text)]
    words = [word for word in words if word]
    if not any(any(c.isalpha() for c in word) for word in words):
        return ""
    if all(word == word.lower() for word in words) or all(word == word.upper() for word in words):
        words = [
            w.lower() if at and w.lower() in _SMALL else w[:1].upper() + w[1:].lower() for at, w in enumerate(words)
        ]
    return " ".join(words)
