"""Opening a show for the first time, or again: the episodes found in a folder, and the first files written there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from showmemory.cast import Person, cast_of
from showmemory.model.ids import slug
from showmemory.model.show import EpisodeEntry
from showmemory.model.span import Problem
from showmemory.notebook import Notebook
from showmemory.read.initial import DODO, Speaker, bible_yaml, gitignore, show_toml, with_episodes
from showmemory.read.places import Found
from showmemory.read.show import CONFIG, open_show, survey
from showmemory.read.sidefiles import SUFFIXES
from showmemory.store.files import write_text

# How git merges what we write: memory by our driver, the history by taking the lines of both, and what is made anew
# from the two by leaving it as it is until the next run.
ATTRIBUTES = (
    "bible/memory.json text eol=lf merge=showmemory",
    "bible/memory.history.jsonl text eol=lf merge=union",
    "context/** merge=showmemory-written",
)
_CALL = "merge-driver %O %A %B %P"
# A first bible holds the people of the show, not everybody who once opened a door.
_BIBLE_MOST = 60


@dataclass(frozen=True)
class Opening:
    """What a folder seems to hold. `entries` are its episodes as show.toml will list them, in story order."""

    root: Path
    id: str
    title: str
    folder: str
    scripts: int
    entries: tuple[EpisodeEntry, ...]
    drafts: Mapping[str, Found]
    listed: bool = False
    news: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def unclear(self) -> list[EpisodeEntry]:
        """Episodes with several scripts whose names do not say which is newest."""
        return [e for e in self.entries if (found := self.drafts.get(e.id)) and (found.doubt or not found.picked.clear)]

    def choose(self, episode: str, script: str) -> Opening:
        """The same with another draft for one episode."""
        entries = tuple(e.model_copy(update={"script": script}) if e.id == episode else e for e in self.entries)
        return replace(self, entries=entries)


_ONE_OF_MANY = re.compile(r"\S\s+#?\d+$")


@dataclass
class Opened:
    """What was written, and the cast that was found."""

    wrote: list[str] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def look_at(root: Path) -> Opening:
    """Look at a folder without writing anything."""
    root = root.resolve()
    memory = Notebook(root).memory
    show, problems = open_show(root, memory.episodes if memory else ())
    seen = survey(root, everything=True)
    drafts = {path: found for found in seen.found for path in found.paths}
    listed = {entry.id: entry for entry in seen.config.episodes}
    entries, news = [], []
    for episode in show.episodes:
        found = drafts.get(episode.script)
        entry = EpisodeEntry(
            id=episode.id,
            season=episode.season,
            number=episode.number,
            script=episode.script,
            title=episode.title,
            story=episode.story,
        )
        if episode.id in listed and found and found.picked.clear and found.script != episode.script:
            entry = entry.model_copy(update={"script": found.script})
            news.append(f"{label(entry)}: now {found.script} ({found.picked.why})")
        elif episode.id not in listed and listed:
            news.append(f"{label(entry)}: new, {episode.script}")
        entries.append(entry)
    title = seen.config.title or root.name or "Show"
    id_ = seen.config.id if seen.listed or seen.config.title else slug(title)
    told = [p for p in problems if p.group not in ("not listed", "later drafts", "drafts")]
    return Opening(
        root,
        id_,
        title,
        _folder(seen.scripts, seen.config.scripts),
        len(seen.scripts),
        tuple(entries),
        {e.id: drafts[e.script] for e in entries if e.script in drafts},
        seen.listed,
        tuple(news),
        tuple(told),
    )


def table(opening: Opening, *, doubts: bool = True) -> list[tuple[str, str, str, str]]:
    """One row a season (season, how many, from to, what is odd), and one more for each further thing to say of it.

    `doubts`: also drafts whose names leave a doubt, where nothing else tells of them.
    """
    rows: list[tuple[str, str, str, str]] = []
    for season in sorted({e.season for e in opening.entries}):
        here = [e for e in opening.entries if e.season == season]
        codes = [code(e) for e in here]
        span = codes[0] if len(codes) == 1 else f"{codes[0]} … {codes[-1]}"
        said = [*_drafts(here, opening, doubts=doubts), *_gaps(here)]
        rows.append(
            (f"season {season}", f"{len(here)} episode{'' if len(here) == 1 else 's'}", span, said[0] if said else "")
        )
        rows += [("", "", "", more) for more in said[1:]]
    return rows


def code(entry: EpisodeEntry) -> str:
    """The short code of an episode: 104."""
    return f"{entry.season}{entry.number:02d}"


def label(entry: EpisodeEntry) -> str:
    """The long code of an episode: s01e04."""
    return f"s{entry.season:02d}e{entry.number:02d}"


def write(opening: Opening, *, git: bool = False) -> Opened:
    """Write the first files, or bring the list in show.toml up to date; what a person wrote is left as it is."""
    root, made = opening.root, Opened()
    if git and not _in_git(root) and _git(root, "init", "--quiet"):
        made.wrote.append("a git repository")
    path = root / CONFIG
    if opening.listed:
        text = with_episodes(path.read_text(encoding="utf-8"), opening.entries)
    else:
        text = show_toml(opening.id, opening.title, opening.folder, opening.entries)
    _put(root, CONFIG, text, made)
    if not (root / "dodo.py").exists():
        _put(root, "dodo.py", DODO, made)
    made.people, made.problems = cast_of(root)
    if not any((root / f"bible/bible{suffix}").exists() for suffix in SUFFIXES):
        held = [Speaker(one.id, one.name, one.lines) for one in main_cast(made.people, len(opening.entries))]
        _put(root, "bible/bible.yaml", bible_yaml(held, opening.title), made)
    ignore = root / ".gitignore"
    _put(root, ".gitignore", gitignore(ignore.read_text(encoding="utf-8") if ignore.is_file() else ""), made)
    if git and _in_git(root):
        _merge_driver(root, made)
    return made


def main_cast(people: Sequence[Person], episodes: int) -> list[Person]:
    """Those who belong in a bible: who come back, or talk much in the one episode they are in."""
    known = [
        p
        for p in people
        if p.lines >= 40
        or (len(p.episodes) > 1 and (p.lines >= 10 or 2 * len(p.episodes) > episodes))
        or (episodes < 3 and p.lines > 4)
    ]
    # GUARD #2 is one of many; R2D2 and 007 are somebody.
    return [p for p in known if not _ONE_OF_MANY.search(p.name)][:_BIBLE_MOST]


def cast_line(people: Sequence[Person], episodes: int) -> str:
    """How many speak how often, in one sentence."""
    most = sum(2 * len(person.episodes) > episodes for person in people)
    return f"Cast: {most} speak in most episodes, {len(people) - most} in some."


def _drafts(entries: Iterable[EpisodeEntry], opening: Opening, *, doubts: bool) -> list[str]:
    said = []
    for entry in entries:
        found = opening.drafts.get(entry.id)
        if not found or len(found.paths) == 1 or (not doubts and (found.doubt or not found.picked.clear)):
            continue
        name = entry.script.rpartition("/")[2]
        why = found.doubt or found.picked.why
        said.append(f'{code(entry)}: {len(found.paths)} drafts, using "{name}"' + (f" ({why})" if why else ""))
    return said


def _gaps(entries: Sequence[EpisodeEntry]) -> list[str]:
    numbers = {e.number for e in entries}
    missing = [n for n in range(1, max(numbers)) if n not in numbers]
    if not missing or len(missing) > len(numbers):
        return []
    season = entries[0].season
    return ["no " + ", ".join(f"{season}{n:02d}" for n in missing[:12]) + (" …" if len(missing) > 12 else "")]


def _folder(scripts: Sequence[str], named: str) -> str:
    """The folder the scripts are in, as show.toml names it."""
    if not scripts or any(path.startswith(f"{named}/") for path in scripts):
        return named
    tops = Counter(path.split("/")[0] for path in scripts if "/" in path)
    top = min(tops, key=lambda name: (-tops[name], name), default="")
    return top if top and tops[top] == len(scripts) else "."


def _put(root: Path, name: str, text: str, made: Opened) -> None:
    if write_text(root / name, text):
        made.wrote.append(name)


def _merge_driver(root: Path, made: Opened) -> None:
    path = root / ".gitattributes"
    held = path.read_text(encoding="utf-8") if path.is_file() else ""
    missing = [line for line in ATTRIBUTES if line not in held.splitlines()]
    if missing:
        start = held if held.endswith("\n") or not held else f"{held}\n"
        _put(root, ".gitattributes", start + "\n".join(missing) + "\n", made)
    _git(root, "config", "merge.showmemory.name", "showmemory: two memories as one, entry by entry")
    _git(root, "config", "merge.showmemory.driver", _driver())
    _git(root, "config", "merge.showmemory-written.name", "showmemory: as it is, doit remember writes it anew")
    _git(root, "config", "merge.showmemory-written.driver", "true")


def _driver() -> str:
    """The command git runs through a shell: the program on the path, else this one, else git's own merge by lines.

    Without the last a git that does not find us would leave ours alone in the file, and theirs would go unseen.
    """
    here = shlex.quote(Path(sys.executable).as_posix())
    lines = "git merge-file -L ours -L base -L theirs %A %O %B"
    return (
        f"if command -v showmemory >/dev/null; then showmemory {_CALL}; "
        f"elif [ -x {here} ]; then {here} -m showmemory {_CALL}; else {lines}; fi"
    )


def _in_git(root: Path) -> bool:
    return _git(root, "rev-parse", "--git-dir")


def _git(root: Path, *words: str) -> bool:
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
