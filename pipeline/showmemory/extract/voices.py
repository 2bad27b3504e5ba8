"""Voices over the whole show, in one pass in story order: what sets each apart, three lines that stand for it, drift.

What is said at an episode depends on the episodes up to it alone. A speaker has a voice from the episode on in which
their running words pass the floor; a small part never has one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2, sqrt
from typing import Any

from showmemory.extract.keyness import Keyness
from showmemory.extract.rates import RATES, difference, rate
from showmemory.extract.voice import ALL_WORDS
from showmemory.model.memory import Source
from showmemory.model.observation import Observation
from showmemory.model.rules import Lexicon, Rule, Rules
from showmemory.text.fold import Folding
from showmemory.text.tokens import words

VERSION = 1


@dataclass
class _Counts:
    """Running counts of one speaker, or of all together.

    `met`: word -> in how many episodes it was said; `peak`: how often in one; `often`: words said often enough to
    weigh; `pool`: the lines that may stand for the voice, each with its folded words.
    """

    numbers: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    peak: dict[str, int] = field(default_factory=dict)
    often: set[str] = field(default_factory=set)
    episodes: int = 0
    pool: list[tuple[Source, tuple[str, ...]]] = field(default_factory=list)

    def add(self, seen: Observation, uses: int) -> None:
        """Add what the speaker said in one more episode."""
        spoken = seen.said.tallies.get(ALL_WORDS, {})
        self.numbers.update(seen.said.numbers)
        self.words.update(spoken)
        self.met.update(spoken.keys())
        self.episodes += 1
        for word, count in spoken.items():
            if count > self.peak.get(word, 0):
                self.peak[word] = count
            if self.words[word] >= uses:
                self.often.add(word)

    def plain(self) -> dict[str, Any]:
        """As JSON values; a word stands there once, with its counts in the same place of three lists."""
        counts = [[held[word] for word in self.words] for held in (self.words, self.met, self.peak)]
        pool = [line.model_dump(exclude_defaults=True) for line, _ in self.pool]
        return {
            "numbers": self.numbers,
            "words": "\n".join(self.words),
            "counts": counts,
            "episodes": self.episodes,
            "pool": pool,
        }

    @staticmethod
    def of(held: Mapping[str, Any], uses: int, folding: Folding) -> _Counts:
        """The counts that those JSON values stand for."""
        spoken = held["words"].split("\n") if held["words"] else []
        said, met, peak = (dict(zip(spoken, counts, strict=True)) for counts in held["counts"])
        often = {word for word, count in said.items() if count >= uses}
        pool = [(Source(**line), words(line["words"], folding)) for line in held["pool"]]
        return _Counts(Counter(held["numbers"]), Counter(said), Counter(met), peak, often, held["episodes"], pool)

    def offer(self, lines: Iterable[tuple[Source, tuple[str, ...]]]) -> None:
        """Take lines into the pool; the same words twice only once."""
        known = {spoken for _, spoken in self.pool}
        for line, spoken in lines:
            if spoken not in known:
                known.add(spoken)
                self.pool.append((line, spoken))


@dataclass
class _Show:
    """All voices up to an episode. `names`: the words of all speakers' names, which are nobody's own words."""

    voices: dict[str, _Counts] = field(default_factory=dict)
    everyone: _Counts = field(default_factory=_Counts)
    names: set[str] = field(default_factory=set)

    def leads(self, floor: int) -> dict[str, _Counts]:
        """Those who have said enough to have a voice."""
        return {who: held for who, held in self.voices.items() if held.numbers["words"] >= floor}


class Voicing:
    """A pass through a show's episodes in story order; it can be left after any of them and taken up there again.

    `heard`: an episode's number -> its id and what was counted of it (other kinds are passed over); `held`: what the
    same pass held after an episode, the ones up to it being what they were.
    """

    def __init__(
        self, heard: Callable[[int], tuple[str, Sequence[Observation]]], rules: Rules, held: bytes = b""
    ) -> None:
        self.next = 0
        self._heard, self._rule, self._folding = heard, rules.rule("voice"), Folding.of(rules)
        self._uses = int(self._rule.values["word_uses"])
        function = rules.lexicons.get("function", Lexicon("function", {}))
        self._small = frozenset(word for lines in function.lists.values() for word in lines)
        self._show = _Show()
        if held:
            kept, known = json.loads(held), (self._uses, self._folding)
            self.next = kept["next"]
            voices = {who: _Counts.of(counts, *known) for who, counts in kept["voices"].items()}
            self._show = _Show(voices, _Counts.of(kept["everyone"], *known), set(kept["names"]))

    def step(self) -> tuple[str, list[Observation]]:
        """Take in the next episode: its id, and each of its voices as of it."""
        episode, observations = self._heard(self.next)
        self.next += 1
        rule, show, uses = self._rule, self._show, self._uses
        spoken = [seen for seen in observations if seen.kind == "voice"]
        before = {seen.key: Counter(show.voices[seen.key].numbers) for seen in spoken if seen.key in show.voices}
        for seen in spoken:
            held = show.voices.setdefault(seen.key, _Counts())
            held.add(seen, uses)
            held.offer((line, words(line.words, self._folding)) for line in seen.said.exemplars)
            show.everyone.add(seen, uses)
            show.names.update(words(seen.said.title or "", self._folding))
        leads = show.leads(int(rule.values["floor_words"]))
        return episode, [_earned(o, leads, show, before.get(o.key, Counter()), self._small, rule) for o in spoken]

    def held(self) -> bytes:
        """What this pass needs to be taken up after the last episode it took in."""
        show = self._show
        voices = {who: counts.plain() for who, counts in show.voices.items()}
        kept = {"next": self.next, "voices": voices, "everyone": show.everyone.plain(), "names": sorted(show.names)}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def earn_voices(
    heard: Iterable[tuple[str, Sequence[Observation]]], rules: Rules
) -> Iterator[tuple[str, list[Observation]]]:
    """Per-episode observations in story order (other kinds are passed over) -> each episode's voices as of it."""
    episodes = list(heard)
    voicing = Voicing(episodes.__getitem__, rules)
    yield from (voicing.step() for _ in episodes)


def _earned(
    seen: Observation,
    leads: Mapping[str, _Counts],
    show: _Show,
    before: Counter[str],
    small: frozenset[str],
    rule: Rule,
) -> Observation:
    tallies = {name: counts for name, counts in seen.said.tallies.items() if name != ALL_WORDS}
    said = seen.said.model_copy(update={"tallies": tallies, "exemplars": ()})
    held = leads.get(seen.key)
    if held is None:
        return seen.model_copy(update={"said": said})
    own = _own_words(held, show, small, rule)
    told = sorted(own, key=lambda word: (-own[word], word))[: int(rule.values["own_words"])]
    measures = {
        "voices": len(leads),
        **_apart(seen.key, leads, show.everyone, rule),
        **{f"word.{word}": own[word] for word in told},
        **_drift(seen, before, rule),
    }
    update = {"earned": True, "measures": measures, "exemplars": _exemplars(held, own, rule)}
    return seen.model_copy(update={"said": said.model_copy(update=update)})


def _apart(who: str, leads: Mapping[str, _Counts], everyone: _Counts, rule: Rule) -> dict[str, float]:
    """Where this voice stands apart from all others together; `.rank` 1 or -1: more, or less, than any other voice."""
    held, values = leads[who], rule.values
    rest = Counter(everyone.numbers)
    rest.subtract(held.numbers)
    made: dict[str, float] = {}
    for name in RATES:
        z = difference(name, held.numbers, rest)
        own, usual = rate(name, held.numbers), rate(name, rest)
        # A trait is worth telling where it is common in this voice, or where the lack of it is.
        rare = max(own, usual) < float(values["often"].get(name, 0.0))
        if rare or abs(z) < float(values["mark"]) or max(own, usual) < float(values["apart"]) * min(own, usual):
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


def _own_words(held: _Counts, show: _Show, small: frozenset[str], rule: Rule) -> dict[str, float]:
    """The words and fillers that are this voice's own: doublings over the others' rate, times doublings of episodes.

    They are said often, over several episodes, not piled up in one; names are nobody's; small words need more.
    """
    values = rule.values
    keyness = Keyness(held.words, show.everyone.words, float(values["prior_words"]))
    spread = max(float(values["word_episodes"]), float(values["word_spread"]) * held.episodes)
    mark, peak = float(values["word_mark"]), float(values["word_peak"])
    found = {}
    for word in sorted(held.often):
        if held.met[word] < spread or held.peak[word] > peak * held.words[word]:
            continue
        if word.removesuffix("'s") in show.names:
            continue
        times = keyness.doublings(word)
        if times < float(values["small_doublings" if word in small else "word_doublings"]):
            continue
        if keyness(word) >= mark:
            found[word] = round(times * log2(1 + held.met[word]), 2)
    return found


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


def _exemplars(held: _Counts, own: Mapping[str, float], rule: Rule) -> tuple[Source, ...]:
    """Three lines for the voice: those whose words are most its own, from different episodes while there are such."""
    usual = rate("line_words", held.numbers)
    weighed = []
    for source, spoken in held.pool:
        told = sum(own[word] for word in set(spoken) if word in own) / sqrt(max(1, len(spoken)))
        weighed.append((round((1 + told) / (1 + abs(len(spoken) - usual) / max(usual, 1)), 4), source, spoken))
    weighed.sort(key=lambda one: -one[0])
    held.pool = [(source, spoken) for _, source, spoken in weighed[: int(rule.values["pool"])]]
    most = int(rule.values["exemplars"])
    chosen: list[Source] = []
    for fresh in (True, False):
        for source, _ in held.pool:
            known = any(source.words == one.words or (fresh and source.episode == one.episode) for one in chosen)
            if not known and len(chosen) < most:
                chosen.append(source)
    return tuple(chosen)
