"""The house style of one script, in counts; its words are made when all are added up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from showmemory.extract.passages import passages
from showmemory.extract.showids import show_ids
from showmemory.model.memory import Said
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible
from showmemory.text.fold import Folding
from showmemory.text.stems import stem
from showmemory.text.tokens import words

VERSION = 1
READS = ("script", "cast")

_CAPITALS = re.compile(r"[^\W\d_]{2,}")


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation: lengths of paragraphs and lines, how often parentheticals come and which, sounds in capitals."""
    rule, folding = rules.rule("style"), Folding.of(rules)
    numbers: Counter[str] = Counter()
    sounds: Counter[str] = Counter()
    heard = _sound_stems(rules)
    cast = {word for name in show_ids(read, bible, "cast").names.values() for word in words(name, folding)}
    for passage in passages(read.screenplay):
        if passage.kind == "action" and (count := len(passage.text.split())):
            numbers["paragraphs"] += 1
            numbers["action_words"] += count
            sounds.update(_sounds(passage.text, heard, cast, rules.language))
    manners: Counter[str] = Counter()
    for speech in read.screenplay.speeches():
        numbers["lines"] += 1
        numbers["words"] += len(speech.text.split())
        numbers["parens"] += bool(speech.parens)
        manners.update(_manners((p.text for p in speech.parens), int(rule.values["manner_words"]), rules))
    if not numbers["lines"] and not numbers["paragraphs"]:
        return []
    numbers["scripts"] = 1
    tallies = {"sounds": dict(sorted(sounds.items())), "parentheticals": dict(sorted(manners.items()))}
    said = Said(
        rule="style",
        title="House style",
        numbers={k: numbers[k] for k in sorted(numbers)},
        tallies={name: counts for name, counts in tallies.items() if counts},
    )
    return [
        Observation(rule="style", episode=read.episode.id, kind="style", key="house", name="house-style", said=said)
    ]


def _sound_stems(rules: Rules) -> frozenset[str]:
    return frozenset(stem(word, rules.language) for word in rules.words("sounds", "sounds"))


def _sounds(text: str, heard: frozenset[str], cast: set[str], language: str) -> Iterator[str]:
    """Sounds that stand in capitals among words that do not; a paragraph all in capitals stresses nothing."""
    if text == text.upper():
        return
    for match in _CAPITALS.finditer(text):
        written = match.group()
        low = written.lower()
        if written == written.upper() and low not in cast and stem(low, language) in heard:
            yield written


def _manners(parens: Iterator[str], most: int, rules: Rules) -> Iterator[str]:
    aimed = rules.words("fillers", "aimed")
    for paren in parens:
        held = paren.strip().strip("()").strip().lower()
        if held and len(held.split()) <= most and held.split(" ", 1)[0] not in aimed:
            yield held
