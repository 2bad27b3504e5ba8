"""The first files of a show as text: show.toml, dodo.py, a bible of the cast that was found, .gitignore. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tomlkit
from tomlkit.items import AoT, Item, Table

from showmemory.model.show import EpisodeEntry

DODO = 'from showmemory.tasks import tasks_for\nglobals().update(tasks_for("."))\n'
IGNORED = (".showmemory/", "bible/proposal.json", "report.html")
_ABOUT_MODEL = """\

# A model may read the newest episode too. Without this part everything is done by fixed rules and costs nothing.
# [model]
# provider = ""
# name = ""
# budget_usd = 1.0
"""


def show_toml(id_: str, title: str, scripts: str, episodes: Sequence[EpisodeEntry]) -> str:
    """A new show.toml."""
    document = tomlkit.document()
    document.add(
        tomlkit.comment("What showmemory reads here. Yours to edit: `showmemory init` only updates the episodes.")
    )
    document["id"] = id_
    document["title"] = title
    document["language"] = "en"
    document["scripts"] = scripts or "."
    document["episodes"] = _tables(episodes)
    return tomlkit.dumps(document).rstrip("\n") + "\n" + _ABOUT_MODEL


def with_episodes(text: str, episodes: Sequence[EpisodeEntry]) -> str:
    """A hand-written show.toml with its episode list brought up to date; every other byte and comment stays.

    A listed episode keeps its id, title and place, and takes the script of the same id; new ones are added in order.
    """
    document = tomlkit.parse(text)
    held = document.get("episodes")
    wanted = {entry.id: entry for entry in episodes}
    if not isinstance(held, AoT):
        if held is not None:
            wanted = {**{str(one["id"]): _entry(one) for one in held}, **wanted}
            del document["episodes"]
        document["episodes"] = _tables(list(wanted.values()))
        return tomlkit.dumps(document)
    known = set()
    for table in held:
        known.add(str(table.get("id")))
        entry = wanted.get(str(table.get("id")))
        if entry and table.get("script") != entry.script:
            table["script"] = entry.script
    for entry in episodes:
        if entry.id not in known:
            held.append(_table(entry))
    return tomlkit.dumps(document)


@dataclass(frozen=True)
class Speaker:
    """Somebody who speaks: the id memory gives them, the cue, and how many speeches they have."""

    id: str
    cue: str
    lines: int


def bible_yaml(cast: Sequence[Speaker], title: str = "") -> str:
    """A first bible: who speaks, the most talkative first, with how much; everything else is left to the person."""
    rows = [
        f"# The bible of {title or 'the show'}: what you mean it to be. Drafted from the scripts, yours from here on.",
        "# A character may also have aliases, a voice and catchphrases. The bible may also have groups, places, gags,",
        "# tone, threads and arcs.",
        "characters:" if cast else "characters: []",
    ]
    for one in cast:
        rows.append(f"  - id: {_quoted(one.id)}")
        rows.append(f"    name: {_quoted(_name(one.cue))}  # {one.lines} line{'' if one.lines == 1 else 's'}")
    return "\n".join(rows) + "\n"


def _name(cue: str) -> str:
    """A shouted cue as a name is written: DR. VALE is Dr. Vale, J.J. stays."""
    if cue != cue.upper():
        return cue
    return " ".join(word if "." in word[:-1] or not word.isascii() else word.capitalize() for word in cue.split())


def gitignore(text: str) -> str:
    """.gitignore with the lines for what is only cached or only waits; nothing that stands there is touched."""
    there = {line.strip() for line in text.splitlines()}
    missing = [line for line in IGNORED if line not in there and line.rstrip("/") not in there]
    if not missing:
        return text
    start = text if not text or text.endswith("\n") else text + "\n"
    return start + "\n".join(missing) + "\n"


def _tables(episodes: Sequence[EpisodeEntry]) -> Item:
    made = tomlkit.aot()
    for entry in episodes:
        made.append(_table(entry))
    return made


def _table(entry: EpisodeEntry) -> Table:
    table = tomlkit.table()
    table["id"] = entry.id
    table["season"] = entry.season
    table["number"] = entry.number
    if entry.title:
        table["title"] = entry.title
    table["script"] = entry.script
    if entry.story is not None:
        table["story"] = entry.story
    return table


def _entry(held: object) -> EpisodeEntry:
    return EpisodeEntry.model_validate(held)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
