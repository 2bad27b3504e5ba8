"""Which episode a script is: season, number, title and draft, guessed from its name, its folder and its title page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from showmemory.read.drafts import NO_MARK, Mark, colours_in, date_in, revision_in, stage_in
from showmemory.read.filenames import BOTH, NOT_SCRIPTS, PLAIN_NAMES, SAID_EPISODE, SEASON, read_name

# The title page's keys that may name a draft.
_DATED = frozenset(
    ("draft date", "draft", "date", "revision", "revisions", "revised", "version", "notes", "colour", "revision colour")
)
_NUMBERED = ("episode", "episode number", "episode no", "number", "ep", "production", "production number")


@dataclass(frozen=True)
class Guess:
    """What one file says of its episode. `number` may still be a whole code (104) until the folder is seen (`settle`).

    `code`: the number may hold the season (104 is season 1, episode 4). `shade`: the title's last word is a revision
    colour, written as a title would be; it counts as a colour only where another draft stands beside it.
    `show`: what the title page gives as the title.
    """

    path: str
    season: int | None = None
    number: int | None = None
    title: str = ""
    mark: Mark = NO_MARK
    code: bool = False
    shade: str = ""
    show: str = ""


def guess(path: str, head: Mapping[str, str] | None = None, below: str = "") -> Guess:
    """Guess from `path` (with /) and the title page's keys, lower case. `below`: the path under the scripts folder."""
    *folders, file = (below or path).split("/")
    said = read_name(_telling(folders, file.rpartition(".")[0]))
    season, number, code = said.season, said.number, said.code
    seasons = [int(at[1]) for folder in folders if (at := SEASON.search(folder))]
    if season is None and seasons:
        season, code = seasons[-1], False
        number = _in_season(season, number)
    found = Guess(path, season, number, said.title, said.mark, code, said.shade)
    return _with_head(found, head) if head else found


def is_paper(name: str) -> bool:
    """Whether a file's name is that of a paper about the show (bible, outline, notes) and not of a script."""
    words = re.findall(r"[a-z]+", name.rpartition(".")[0].lower())
    return any(word in NOT_SCRIPTS for word in (*words, "".join(words))) and read_name(name).number is None


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key in which 9 comes before 10, whatever the locale."""
    parts = [part for part in re.split(r"(\d+)", text.casefold()) if part]
    key = [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]
    return (*key, (2, 0, text))


def _telling(folders: list[str], stem: str) -> str:
    """The part of the path that names the episode: the file's name, or its folder's where the file is `script`."""
    if not folders or SEASON.fullmatch(folders[-1].strip()):
        return stem
    if "".join(re.findall(r"[a-z]+", stem.lower())) in PLAIN_NAMES:
        return f"{folders[-1]} {stem}" if any(c.isdigit() for c in stem) else folders[-1]
    if read_name(stem).number is None and read_name(folders[-1]).number is not None:
        return f"{folders[-1]} {stem}"
    return stem


def _with_head(found: Guess, head: Mapping[str, str]) -> Guess:
    """`found` with what the title page says: it fills what the name leaves open, and its quoted title is the title."""
    season, number, code = found.season, found.number, found.code
    if number is None:
        season, number, code = _head_place(head, season)
    elif season is None:
        season = _season(head)
        number = _in_season(season, number)
        code = code and season is None
    show, title = _head_title(head)
    mark = _head_mark(found.mark, {key: value for key, value in head.items() if key in _DATED})
    return replace(found, season=season, number=number, code=code, title=title or found.title, mark=mark, show=show)


def _head_mark(mark: Mark, said: Mapping[str, str]) -> Mark:
    """`mark` from the name, and from the title page what the name does not say."""
    text = "\n".join(said.values())
    numbered = "\n".join(f"{key} {value}" for key, value in said.items())
    date, _ = date_in(text)
    return Mark(
        mark.colour if mark.colour >= 0 else max(colours_in(text), default=-1),
        mark.revision if mark.revision[0] >= 0 else revision_in(date_in(numbered)[1]),
        mark.stage if mark.stage >= 0 else stage_in(text),
        mark.date if any(mark.date) else date,
        mark.final,
    )


def _in_season(season: int | None, number: int | None) -> int | None:
    """104 in a folder called Season 1 is episode 4; 130 of a long Season 2 stays 130."""
    return number % 100 if number and season and number // 100 == season else number


def _season(head: Mapping[str, str]) -> int | None:
    said = re.search(r"\d{1,2}", head.get("season", head.get("series", "")))
    return int(said[0]) if said else None


def _head_place(head: Mapping[str, str], season: int | None) -> tuple[int | None, int | None, bool]:
    for text in (head[key] for key in _NUMBERED if key in head):
        both = next((found for pattern in BOTH if (found := pattern.search(text))), None)
        if both:
            return int(both[1]), int(both[2]), False
        plain = re.search(r"\d{1,4}", text)
        if plain:
            season = _season(head) or season
            return season, _in_season(season, int(plain[0])), season is None and int(plain[0]) >= 100
    for text in head.values():
        both = BOTH[0].search(text)
        if both:
            return int(both[1]), int(both[2]), False
        said = SAID_EPISODE.search(text)
        if said and said[1]:
            return season, int(said[1]), season is None and int(said[1]) >= 100
    return season, None, False


def _head_title(head: Mapping[str, str]) -> tuple[str, str]:
    """(the show's title, the episode's title) of a title page."""
    title = head.get("title", "")
    for key in ("episode title", "episode name"):
        if head.get(key):
            return title, " ".join(head[key].split())
    if head.get("episode") and not re.search(r"\d", head["episode"]):
        return title, " ".join(head["episode"].strip('"“”').split())
    quoted = re.search(r"[\"“]([^\"”\n]{2,80})[\"”]", "\n".join(head.values()))
    if quoted:
        return title.replace(quoted[0], "").strip(" \n-–—:"), quoted[1].strip()
    return title, ""
