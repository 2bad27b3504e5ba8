"""Voices over the whole show, in one pass in story order: what sets each apart, three lines that stand for it, drift.

What is said at an episode depends on the episodes up to it alone. A speaker has a voice from the episode on in which
their running words pass the floor; a small part never has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from showmemory.extract.keyness import Keyness
from showmemory.extract.rates import RATES, difference, rate
from showmemory.extract.voice import ALL_WORDS
from showmemory.model.memory import Source
from showmemory.model.observation import Observation
from showmemory.model.rules import Rule, Rules
from showmemory.text.fold import Folding
from showmemory.text.tokens import words

VERSION = 1


@dataclass
class _Counts:
    """Running counts of one speaker, or of all together; `met`: word -> in how many episodes it was said."""

    numbers: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    peak: Counter[str] = field(default_factory=Counter)
    episodes: int = 0
    pool: list[tuple[Source, tuple[str, ...]]] = field(default_factory=list)

    def add(self, seen: Observation) -> None:
        """Add what the speaker said in one more episode."""
        said = seen.said
        spoken = said.tallies.get(ALL_WORDS, {})
        self.numbers.update(said.numbers)
        self.words.update(spoken)
        self.met.update(spoken.keys())
        self.episodes += 1
        for word, count in spoken.items():
            self.peak[word] = max(self.peak[word], count)


def earn_voices(
    heard: Iterable[tuple[str, Sequence[Observation]]], rules: Rules
) -> Iterator[tuple[str, list[Observation]]]:
    """Per-episode observations in story order (other kinds are passed over) -> each episode's voices as of it."""
    rule, folding = rules.rule("voice"), Folding.of(rules)
    floor = int(rule.values["floor_words"])
    voices: dict[str, _Counts] = {}
    everyone = _Counts()
    for episode, observations in heard:
        spoken = [seen for seen in observations if seen.kind == "voice"]
        before = {seen.key: Counter(voices[seen.key].numbers) for seen in spoken if seen.key in voices}
        for seen in spoken:
            voices.setdefault(seen.key, _Counts()).add(seen)
            everyone.add(seen)
        leads = {who: held for who, held in voices.items() if held.numbers["words"] >= floor}
        made = []
        for seen in spoken:
            held = voices[seen.key]
            held.pool += [(line, words(line.words, folding)) for line in seen.said.exemplars]
            made.append(_earned(seen, leads, everyone, before.get(seen.key, Counter()), rule))
        yield episode, made


def _earned(
    seen: Observation, leads: Mapping[str, _Counts], everyone: _Counts, before: Counter[str], rule: Rule
) -> Observation:
    tallies = {name: counts for name, counts in seen.said.tallies.items() if name != ALL_WORDS}
    said = seen.said.model_copy(update={"tallies": tallies, "exemplars": ()})
    held = leads.get(seen.key)
    if held is None:
        return seen.model_copy(update={"said": said})
    keyness = Keyness(held.words, everyone.words, float(rule.values["prior_words"]))
    measures = {
        **_apart(seen.key, leads, everyone, rule),
        **_own_words(held, keyness, rule),
        **_drift(seen, before, rule),
    }
    update = {"earned": True, "measures": measures, "exemplars": _exemplars(held, keyness, rule)}
    return seen.model_copy(update={"said": said.model_copy(update=update)})


def _apart(who: str, leads: Mapping[str, _Counts], everyone: _Counts, rule: Rule) -> dict[str, float]:
    """Where this voice stands apart from all others together; `.rank` 1 or -1: more, or less, than any other voice."""
    held, mark, apart = leads[who], float(rule.values["mark"]), float(rule.values["apart"])
    rest = Counter(everyone.numbers)
    rest.subtract(held.numbers)
    made: dict[str, float] = {}
    for name in RATES:
        z = difference(name, held.numbers, rest)
        own, usual = rate(name, held.numbers), rate(name, rest)
        if abs(z) < mark or max(own, usual) < apart * min(own, usual):
            continue
        made[f"{name}.others"] = round(usual, 4)
        made[f"{name}.z"] = round(z, 2)
        others = [rate(name, one.numbers) for other, one in leads.items() if other != who]
        if len(others) > 1 and (rank := _rank(own, others)):
            made[f"{name}.rank"] = rank
    return made


def _rank(own: float, others: list[float]) -> float:
    if own > max(others):
        return 1.0
    return -1.0 if own < min(others) else 0.0


def _own_words(held: _Counts, keyness: Keyness, rule: Rule) -> dict[str, float]:
    """The few words, or fillers, that are this voice's own: said often, over several episodes, not piled up in one."""
    values = rule.values
    spread = max(float(values["word_episodes"]), float(values["word_spread"]) * held.episodes)
    found = []
    for word, count in held.words.items():
        if count < values["word_uses"] or held.met[word] < spread:
            continue
        if held.peak[word] > float(values["word_peak"]) * count:
            continue
        z = keyness(word)
        if z >= float(values["word_mark"]):
            found.append((-round(z, 2), word))
    return {f"word.{word}": -z for z, word in sorted(found)[: int(values["own_words"])]}


def _drift(seen: Observation, before: Counter[str], rule: Rule) -> dict[str, float]:
    """By which measures this episode departs from the voice as it was before; `was.` holds the old value."""
    values, numbers = rule.values, seen.said.numbers
    if before["words"] < values["floor_words"] or numbers.get("lines", 0) < values["drift_lines"]:
        return {}
    made: dict[str, float] = {}
    for name in RATES:
        z = difference(name, numbers, before)
        if abs(z) >= float(values["drift_mark"]):
            made[f"drift.{name}"] = round(z, 2)
            made[f"was.{name}"] = round(rate(name, before), 4)
    return made


def _exemplars(held: _Counts, keyness: Keyness, rule: Rule) -> tuple[Source, ...]:
    """Three lines for the voice: those whose words are most its own, from different episodes while there are such."""
    usual = rate("line_words", held.numbers)
    weighed = []
    for source, spoken in held.pool:
        own = sum(min(5.0, max(0.0, keyness(word))) for word in set(spoken)) / sqrt(max(1, len(spoken)))
        weighed.append((-round(own / (1 + abs(len(spoken) - usual) / max(usual, 1)), 4), source, spoken))
    weighed.sort(key=lambda one: one[0])
    held.pool = [(source, spoken) for _, source, spoken in weighed[: int(rule.values["pool"])]]
    most = int(rule.values["exemplars"])
    chosen: list[Source] = []
    for fresh in (True, False):
        for source, _ in held.pool:
            known = any(source.words == one.words or (fresh and source.episode == one.episode) for one in chosen)
            if not known and len(chosen) < most:
                chosen.append(source)
    return tuple(chosen)
