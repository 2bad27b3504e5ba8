"""What a person means: the entry, episode, people and settings that their words on a command line stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from showmemory.context.names import names_of
from showmemory.flow import Run
from showmemory.look import find_episode, no_episode
from showmemory.model.ids import slug
from showmemory.model.memory import Entry, Settings, ShowMemory
from showmemory.model.span import Problem, Span

WHERE = Span("bible/memory.json")
_PEOPLE = ("about", "holders")


def entry_named(root: Path, name: str, *, forgotten: bool = False) -> str | Problem:
    """The id of the entry meant: an id with or without mem., or the only one whose title or wording it is."""
    run = Run(root)
    run.close()
    memory = run.book.memory
    if memory is None:
        return run.errors[0] if run.errors else Problem(WHERE, "error", "nothing is remembered yet", "doit remember")
    held = list(memory.entries)
    ids = {entry.id for entry in held}
    if forgotten:
        held += [tomb.entry for tomb in memory.forgotten if tomb.entry]
        ids |= {tomb.id for tomb in memory.forgotten} | {refusal.id for refusal in memory.declined}
    for id_ in (name, f"mem.{name}"):
        if id_ in ids:
            return id_
    called = [entry.id for entry in held if slug(name) in _called(entry)]
    if len(called) == 1:
        return called[0]
    return _unclear(name, called, sorted(ids))


def episode_named(root: Path, name: str) -> str | Problem:
    """The id of the remembered episode meant."""
    run = Run(root)
    run.close()
    episodes = run.book.memory.episodes if run.book.memory else ()
    return find_episode(episodes, name) or no_episode(episodes, name)


def meant(root: Path, raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Fields of an entry with names of people, groups, places, gags and threads as their ids."""
    run = Run(root)
    run.close()
    names = names_of(run.show, run.book.memory)
    fields, problems = dict(raw), []
    for name in _PEOPLE:
        if name in fields:
            found = {word: names.id_of(word) or (word if "." in word else None) for word in fields[name]}
            problems += [_nobody(word) for word, id_ in found.items() if id_ is None]
            fields[name] = tuple(id_ for id_ in found.values() if id_)
    if "since" in fields and run.book.memory:
        since = find_episode(run.book.memory.episodes, fields["since"])
        if since is None:
            problems.append(no_episode(run.book.memory.episodes, fields["since"]))
        fields["since"] = since
    return fields, problems


def settings(pairs: Sequence[str]) -> tuple[dict[str, Any], list[Problem]]:
    """Settings as a person writes them (restAfter=3, apply=auto, kinds=gags,tone) by the names types have."""
    known = {slug(name).replace("-", ""): name for name in Settings.model_fields}
    fields: dict[str, Any] = {}
    problems = []
    for pair in pairs:
        name, equals, value = pair.partition("=")
        found = known.get(name.replace("_", "").replace("-", "").casefold())
        if found is None or not equals:
            near = get_close_matches(name.casefold(), list(known), 1, 0.6)
            told = ", ".join(info.alias or name for name, info in Settings.model_fields.items())
            hint = f"did you mean {Settings.model_fields[known[near[0]]].alias}=…?" if near else f"there are: {told}"
            problems.append(Problem(WHERE, "error", f"expected SETTING=VALUE, found {pair}", hint))
            continue
        fields[found] = tuple(part.strip() for part in value.split(",") if part.strip()) if found == "kinds" else value
    return fields, problems


def current(root: Path) -> tuple[ShowMemory | None, list[Problem]]:
    """Memory as it is now."""
    run = Run(root)
    run.close()
    return run.book.memory, run.errors


def _called(entry: Entry) -> set[str]:
    return {slug(words) for words in (entry.title, *entry.variants) if words}


def _unclear(name: str, called: Sequence[str], ids: Sequence[str]) -> Problem:
    if called:
        hint = f"which of {', '.join(called[:6])}?"
        return Problem(WHERE, "error", f"expected one entry, found {len(called)} called {name}", hint)
    near = [id_ for id_ in ids if slug(name) in id_][:4] or get_close_matches(name, ids, 3, 0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else "showmemory show lists what is remembered"
    return Problem(WHERE, "error", f"expected an entry, found {name}", hint)


def _nobody(word: str) -> Problem:
    hint = "showmemory cast lists who speaks"
    return Problem(WHERE, "error", f"expected somebody or something the show has, found {word}", hint)
