"""How each speaker talks in one episode, in counts; `voices` makes a voice of them over the whole show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt

from showmemory.extract.showids import show_ids
from showmemory.model.memory import Said, Source
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rule, Rules
from showmemory.model.screenplay import Speech
from showmemory.model.show import Bible
from showmemory.text.fold import Folding
from showmemory.text.frequency import common
from showmemory.text.tokens import ASKED, CAPITAL, ENDS, SHOUTED, Token, tokens, words

VERSION = 1
READS = ("script", "cast")
# The tally of all words, which `voices` weighs and does not hand on.
ALL_WORDS = "words"
_TALLIES = (ALL_WORDS, "fillers", "openings", "parentheticals")


@dataclass
class _Heard:
    """What one speaker has said so far in the episode: counts, words to be tallied, short whole speeches by weight."""

    numbers: Counter[str] = field(default_factory=Counter)
    tallies: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in _TALLIES})
    lines: list[tuple[float, Speech]] = field(default_factory=list)


@dataclass(frozen=True)
class _Ear:
    """What a voice is listened to with: the rule, the folding, and the language's lists."""

    rule: Rule
    language: str
    folding: Folding
    fillers: Mapping[str, tuple[tuple[str, ...], ...]]
    openers: frozenset[str]
    endings: tuple[str, ...]
    aside: frozenset[str]
    aimed: frozenset[str]

    @staticmethod
    def of(rules: Rules) -> _Ear:
        folding = Folding.of(rules)
        return _Ear(
            rules.rule("voice"),
            rules.language,
            folding,
            _by_first(words(phrase, folding) for phrase in rules.words("fillers", "fillers")),
            frozenset(rules.words("fillers", "openers")),
            rules.words("fillers", "contractions"),
            frozenset(rules.words("fillers", "pauses")),
            frozenset(rules.words("fillers", "aimed")),
        )


def _by_first(runs: Iterable[tuple[str, ...]]) -> dict[str, tuple[tuple[str, ...], ...]]:
    made: dict[str, tuple[tuple[str, ...], ...]] = {}
    for run in runs:
        made[run[0]] = (*made.get(run[0], ()), run)
    return made


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation a speaker, not yet earned: counts, the words said, and short lines that may stand for a voice."""
    ear = _Ear.of(rules)
    heard: dict[str, _Heard] = {}
    for speech in read.screenplay.speeches():
        if len(speech.speakers) == 1:
            _listen(heard.setdefault(speech.speakers[0], _Heard()), speech, ear)
    names = show_ids(read, bible, "cast")
    return [_observation(read, who, names.name(who), held, ear.rule) for who, held in sorted(heard.items())]


def _observation(read: EpisodeRead, who: str, name: str, held: _Heard, rule: Rule) -> Observation:
    lines: dict[str, tuple[float, Speech]] = {}
    for weight, speech in held.lines:
        lines.setdefault(speech.text, (weight, speech))
    best = sorted(lines.values(), key=lambda one: -one[0])[: int(rule.values["kept_lines"])]
    counts = {name: Counter(items) for name, items in held.tallies.items() if items}
    said = Said(
        rule="voice",
        title=name,
        earned=False,
        numbers={k: held.numbers[k] for k in sorted(held.numbers)},
        tallies={k: dict(sorted(counts[k].items())) for k in sorted(counts)},
        exemplars=tuple(_source(read, speech) for _, speech in best),
    )
    key = who.partition(".")[2] or who
    return Observation(rule="voice", episode=read.episode.id, kind="voice", key=who, name=key, about=(who,), said=said)


def _source(read: EpisodeRead, speech: Speech) -> Source:
    first = speech.lines[0]
    return Source(
        episode=read.episode.id,
        scene=read.screenplay.scenes[speech.scene].id,
        line=first.line,
        words=speech.text.strip(),
        page=first.page,
        paragraph=first.paragraph,
        speaker=speech.speakers[0],
    )


def _listen(held: _Heard, speech: Speech, ear: _Ear) -> None:
    text = speech.text
    said = tokens(text, ear.folding)
    if not said:
        return
    spoken = [token.word for token in said]
    numbers, tallies = held.numbers, held.tallies
    numbers["lines"] += 1
    numbers["words"] += len(said)
    _sentences(numbers, said, int(ear.rule.values["short_words"]))
    ending = text.rstrip("\"”’')")
    numbers["cut"] += ending.endswith(("-", "–", "—"))
    numbers["trailing"] += ending.endswith(("...", "…"))
    numbers["contractions"] += sum(word.endswith(ear.endings) for word in spoken) if ear.endings else 0
    numbers["parens"] += bool(speech.parens)
    fillers = list(_fillers(spoken, ear))
    tallies["fillers"] += fillers
    # A word that has its capital within a sentence is a name: it tells of the subject, not of the voice.
    tallies[ALL_WORDS] += [t.word for t in said if not t.bounds & CAPITAL or t.word.split("'")[0] == "i"]
    tallies[ALL_WORDS] += [filler for filler in fillers if " " in filler]
    tallies["openings"] += [word for word in spoken[:1] if word in ear.openers]
    tallies["parentheticals"] += [manner for paren in speech.parens if (manner := _manner(paren.text, ear))]
    least, most = ear.rule.values["line_words"]
    if least <= len(text.split()) <= most and _unbroken(speech):
        held.lines.append((_weight(spoken, ear.language), speech))


def _unbroken(speech: Speech) -> bool:
    """Whether the speech can be cited whole: nothing stands between its lines."""
    first, last = speech.lines[0], speech.lines[-1]
    return all(line.joins for line in speech.lines[1:]) and not any(
        first.line < paren.line < last.line and paren.page == first.page for paren in speech.parens
    )


def _weight(spoken: list[str], language: str) -> float:
    """How much the rarer words of a line tell, its length allowed for."""
    return sum(min(3.0, max(0.0, 6.0 - common(word, language))) for word in spoken) / sqrt(len(spoken))


def _sentences(numbers: Counter[str], said: list[Token], short: int) -> None:
    length = 0
    for token in said:
        length += 1
        if token.bounds & ENDS:
            numbers["sentences"] += 1
            numbers["questions"] += bool(token.bounds & ASKED)
            numbers["exclamations"] += bool(token.bounds & SHOUTED)
            numbers["short"] += length <= short
            length = 0


def _fillers(spoken: list[str], ear: _Ear) -> Iterator[str]:
    for at, word in enumerate(spoken):
        for run in ear.fillers.get(word, ()):
            if len(run) == 1 or tuple(spoken[at : at + len(run)]) == run:
                yield " ".join(run)


def _manner(paren: str, ear: _Ear) -> str:
    """How a line is spoken, as its parenthetical says; a pause, or whom it is spoken to, is no manner."""
    held = paren.strip().strip("()").strip().lower()
    first = held.split(" ", 1)[0].rstrip(",;:")
    if held in ear.aside or first in ear.aside | ear.aimed or len(held.split()) > int(ear.rule.values["manner_words"]):
        return ""
    return held
