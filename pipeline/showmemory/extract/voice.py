"""How each speaker talks in one episode, in counts; `voices` makes a voice of them over the whole show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from showmemory.extract.passages import Passage, cite, passages
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


@dataclass
class _Heard:
    """What one speaker has said so far in the episode."""

    numbers: Counter[str] = field(default_factory=Counter)
    tallies: dict[str, Counter[str]] = field(default_factory=dict)
    lines: list[tuple[float, Source]] = field(default_factory=list)


@dataclass(frozen=True)
class _Ear:
    """What a voice is listened to with: the rule, the folding, and the language's lists."""

    rule: Rule
    language: str
    folding: Folding
    fillers: frozenset[tuple[str, ...]]
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
            frozenset(words(phrase, folding) for phrase in rules.words("fillers", "fillers")),
            frozenset(rules.words("fillers", "openers")),
            rules.words("fillers", "contractions"),
            frozenset(rules.words("fillers", "pauses")),
            frozenset(rules.words("fillers", "aimed")),
        )


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation a speaker, not yet earned: counts, the words said, and short lines that may stand for a voice."""
    ear = _Ear.of(rules)
    heard: dict[str, _Heard] = {}
    for speech in read.screenplay.speeches():
        if len(speech.speakers) == 1:
            _listen(heard.setdefault(speech.speakers[0], _Heard()), speech, ear)
    for source, weight in _short_lines(read, ear):
        if source.speaker in heard:
            heard[source.speaker].lines.append((weight, source))
    names = show_ids(read, bible, "cast")
    return [_observation(read, who, names.name(who), held, ear.rule) for who, held in sorted(heard.items())]


def _observation(read: EpisodeRead, who: str, name: str, held: _Heard, rule: Rule) -> Observation:
    best = sorted(held.lines, key=lambda one: (-one[0], one[1].page, one[1].line))[: int(rule.values["kept_lines"])]
    said = Said(
        rule="voice",
        title=name,
        earned=False,
        numbers={k: held.numbers[k] for k in sorted(held.numbers)},
        tallies={k: dict(sorted(c.items())) for k, c in sorted(held.tallies.items()) if c},
        exemplars=tuple(source for _, source in best),
    )
    key = who.partition(".")[2] or who
    return Observation(rule="voice", episode=read.episode.id, kind="voice", key=who, name=key, about=(who,), said=said)


def _listen(held: _Heard, speech: Speech, ear: _Ear) -> None:
    said = tokens(speech.text, ear.folding)
    if not said:
        return
    held.numbers["lines"] += 1
    held.numbers["words"] += len(said)
    _sentences(held.numbers, said, int(ear.rule.values["short_words"]))
    ending = speech.text.rstrip("\"”’')")
    held.numbers["cut"] += ending.endswith(("-", "–", "—"))
    held.numbers["trailing"] += ending.endswith(("...", "…"))
    held.numbers["contractions"] += sum(token.word.endswith(ear.endings) for token in said) if ear.endings else 0
    fillers = list(_fillers(said, ear))
    _tally(held, "fillers", fillers)
    _tally(held, ALL_WORDS, [t.word for t in said if not t.bounds & CAPITAL or t.word.split("'")[0] == "i"])
    _tally(held, ALL_WORDS, [filler for filler in fillers if " " in filler])
    _tally(held, "openings", [t.word for t in said[:1] if t.word in ear.openers])
    manners = [m for paren in speech.parens if (m := _manner(paren.text, ear))]
    held.numbers["parens"] += bool(speech.parens)
    _tally(held, "parentheticals", manners)


def _tally(held: _Heard, name: str, items: list[str]) -> None:
    held.tallies.setdefault(name, Counter()).update(items)


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


def _fillers(said: list[Token], ear: _Ear) -> Iterator[str]:
    spoken = [token.word for token in said]
    for at in range(len(spoken)):
        for width in (1, 2, 3):
            run = tuple(spoken[at : at + width])
            if len(run) == width and run in ear.fillers:
                yield " ".join(run)


def _manner(paren: str, ear: _Ear) -> str:
    """How a line is spoken, as its parenthetical says; a pause, or whom it is spoken to, is no manner."""
    held = paren.strip().strip("()").strip().lower()
    first = held.split(" ", 1)[0].rstrip(",;:")
    if held in ear.aside or first in ear.aside | ear.aimed or len(held.split()) > int(ear.rule.values["manner_words"]):
        return ""
    return held


def _short_lines(read: EpisodeRead, ear: _Ear) -> Iterator[tuple[Source, float]]:
    """Whole speeches of a few words, with the weight of their rarer words."""
    least, most = ear.rule.values["line_words"]
    for passage in passages(read.screenplay):
        count = passage.text.count(" ") + 1
        if len(passage.speakers) != 1 or not least <= count <= most or not _whole(passage):
            continue
        said = words(passage.text, ear.folding)
        weight = sum(min(3.0, max(0.0, 6.0 - common(word, ear.language))) for word in said) / max(1, len(said)) ** 0.5
        yield cite(read, passage), round(weight, 6)


def _whole(passage: Passage) -> bool:
    return passage.kind == "speech" and passage.reach(0, 0) == len(passage.text)
