"""Which entry a new one is: the one that the rules would make of the same, where they would make one."""

from __future__ import annotations

from showmemory.ask.draft import DraftEntry
from showmemory.ask.record import Mark
from showmemory.model.ids import slug
from showmemory.model.memory import Form
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase

_FORMS: dict[str, Form] = {"gag": "running", "catchphrase": "phrase", "fact": "fact"}


def identity(entry: DraftEntry, about: tuple[str, ...], holders: tuple[str, ...], folding: Folding) -> Mark | str:
    """The identity of an entry that nothing shown was of, or why it can have none."""
    people = tuple(one for one in about if one.startswith("character."))
    own = next((one for one in about if one.startswith(f"{entry.kind}.")), "")
    if not (entry.text or entry.title):
        return "it has no words"
    if entry.kind == "gag" and own:
        return Mark(kind="gag", key=own, name=_tail(own), form="bible", about=(own,))
    if entry.kind == "thread" and own:
        return Mark(kind="thread", key=own, name=_tail(own), about=(own,))
    if entry.kind == "voice":
        return _voice(people)
    if entry.kind == "relationship":
        return _pair(tuple(sorted(people)))
    if entry.kind == "catchphrase" and not people:
        return "it is nobody's whom the show has"
    if entry.kind == "knowledge" and not holders:
        return "it is known to nobody whom the show has"
    return _fact(entry, about, folding) if entry.kind == "fact" and entry.field else _other(entry, about, folding)


def _voice(people: tuple[str, ...]) -> Mark | str:
    if not people:
        return "it is about nobody whom the show has"
    return Mark(kind="voice", key=people[0], name=_tail(people[0]), about=people[:1])


def _pair(pair: tuple[str, ...]) -> Mark | str:
    if len(pair) < 2:
        return "it is not between two whom the show has"
    return Mark(kind="relationship", key="|".join(pair), name=" ".join(map(_tail, pair)), about=pair)


def _fact(entry: DraftEntry, about: tuple[str, ...], folding: Folding) -> Mark:
    subject = about[0] if about else ""
    value = phrase(entry.value, folding) or phrase(entry.text, folding)
    name = f"{_tail(subject)} {entry.field} {value}".strip()
    key = f"{subject}|{slug(entry.field)}|{value}"
    return Mark(kind="fact", key=key, name=name, form="fact", about=about, field=entry.field)


def _other(entry: DraftEntry, about: tuple[str, ...], folding: Folding) -> Mark:
    words = entry.title or entry.text
    key = "|".join(["model", *sorted(about), phrase(words, folding) or slug(words)])
    return Mark(kind=entry.kind, key=key, name=words, form=_FORMS.get(entry.kind), about=about)


def _tail(id_: str) -> str:
    return id_.partition(".")[2]
