"""What a hand-written file says that surely is not meant: a name given twice, a file that no script goes with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from showmemory.model.show import Bible, Show
from showmemory.model.span import Problem
from showmemory.read.episodes import UNSOUND
from showmemory.read.link import bible_path, told
from showmemory.read.names import key
from showmemory.read.rules import languages
from showmemory.read.scan import scripts_folder
from showmemory.read.sidefiles import KINDS, SUFFIXES
from showmemory.read.yaml import Loc

CONFIG = "show.toml"
Slip = tuple[Loc, str, str]
_KINDS = ("characters", "groups", "places", "gags", "threads", "arcs")


def find_slips(show: Show, root: Path) -> list[Problem]:
    """What is surely not meant, each with its line and what becomes of it; an id given twice is an error."""
    path = bible_path(root)
    twice = [told(loc, said, hint, path, root, UNSOUND) for loc, said, hint in _twice(show.bible)]
    made = [replace(problem, severity="error") for problem in twice]
    made += [told(loc, said, hint, path, root) for loc, said, hint in _in_bible(show.bible)]
    made += [told(loc, said, hint, CONFIG, root) for loc, said, hint in _in_config(show, root)]
    return made + [told((), said, hint, path, None) for path, said, hint in _astray(show, root)]


def _twice(bible: Bible) -> Iterator[Slip]:
    for kind in _KINDS:
        ids: set[str] = set()
        for at, thing in enumerate(getattr(bible, kind)):
            if thing.id in ids:
                yield (
                    (kind, at, "id"),
                    f"expected each id once, found {thing.id} again",
                    "give one of the two another id",
                )
            ids.add(thing.id)


def _in_bible(bible: Bible) -> Iterator[Slip]:
    for kind in _KINDS:
        called: dict[str, str] = {}
        for at, thing in enumerate(getattr(bible, kind)):
            where: Loc = (kind, at)
            for field, names in (("name", (thing.name,)), ("aliases", getattr(thing, "aliases", ()))):
                for name in names:
                    other = called.setdefault(key(name), thing.id)
                    if other != thing.id:
                        said = f"expected a name of its own for {thing.id}, found {name}, which is {other} already"
                        yield (*where, field), said, f"what is said of {name} goes to {other}"
    for at, group in enumerate(bible.groups):
        if not group.members:
            yield ("groups", at), f"expected members of {group.name}, found none", "list their ids under members:"


def _in_config(show: Show, root: Path) -> Iterator[Slip]:
    known = languages()
    language = show.config.language
    if language not in known and not (root / "rules" / language).is_dir():
        hint = "without word lists for it little is found; a show may bring its own in rules/" + language
        yield (
            ("language",),
            f"expected a language there are word lists for ({', '.join(known)}), found {language}",
            hint,
        )
    # The folder need not be there until it is asked for: a show may lie open, its scripts beside show.toml.
    if "scripts" in show.config.model_fields_set and not scripts_folder(root, show.config.scripts):
        yield (
            ("scripts",),
            f"expected a folder {show.config.scripts}, found none",
            "scripts are looked for beside show.toml",
        )


def _astray(show: Show, root: Path) -> Iterator[tuple[str, str, str]]:
    """Side files which no script goes with, and files whose name is nearly that of a side file."""
    taken = {getattr(episode, kind) for episode in show.episodes for kind in KINDS}
    for folder in sorted({PurePosixPath(episode.script).parent.as_posix() for episode in show.episodes}):
        for name in _names(root / folder):
            path = name if folder == "." else f"{folder}/{name}"
            stem, suffix = os.path.splitext(name)
            kind = stem.rpartition(".")[2]
            if path in taken or suffix not in SUFFIXES:
                continue
            near = get_close_matches(kind, KINDS, 1, 0.8)
            if kind in KINDS and "." in stem:
                yield (
                    path,
                    f"expected a script that this {kind} goes with, found none",
                    "it is named as its script is, and not read until there is one",
                )
            elif near and kind not in KINDS:
                yield path, f"expected {near[0]}{suffix}, found {kind}{suffix}", "it is not read under this name"


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
