"""Which words are names, and whose, as of each episode: from cues, from the bible, and from how people give theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from showmemory.extract.corpus import Ints, Longs
from showmemory.extract.events import Events, recurring
from showmemory.extract.standing import Standing
from showmemory.extract.tally import NOBODY
from showmemory.text.tokens import phrase

SELF, NAME = "SELF", "NAME"
# From these shares of capitals inside sentences a word of a cue, and one that stands beside a name, are names.
_CUED, _BESIDE = 0.6, 0.8
# A nickname is said so often, this part of it after a greeting.
_USES, _GREETED = 12, 0.12
# A word belongs to a name beside which it stands in this part of its uses.
_PART = 0.3


@dataclass(eq=False)
class Names:
    """`since`: the first episode as of which each word is a name (the number of episodes: never); `cues`: is in a cue.

    `own` maps (speaker, word) to the first episode as of which the word is in that speaker's own name.
    """

    stand: Standing
    since: Ints
    cues: Ints
    own: dict[tuple[int, int], int] = field(default_factory=dict)

    def skeleton(self, words: tuple[str, ...], owner: int, episode: int) -> tuple[str, ...]:
        """The phrase with the speaker's own name and other names taken out; names side by side are one."""
        made: list[str] = []
        for word in words:
            number = self.stand.index[word]
            sign = word
            if self.own.get((owner, number), episode + 1) <= episode:
                sign = SELF
            elif self.since[number] <= episode:
                sign = NAME
            if sign == word or not made or made[-1] != sign:
                made.append(sign)
        return tuple(made)


def names_of(stand: Standing) -> Names:
    """Read the names off a show."""
    never = len(stand.corpus.tallies)
    names = Names(stand, np.full(len(stand.corpus.vocab), never, dtype=np.int32), _in_cues(stand))
    cued = _cued(stand)
    for speaker, number, since in cued:
        _learn(names, speaker, number, since)
    # Who says "this is *" of somebody of the cast does not give their own name: the word must be in no cue by then.
    given = [found for found in _given(stand) if names.cues[found[1]] > found[2]]
    beside = [found for found in _beside(stand, [*cued, *given]) if names.cues[found[1]] > found[2]]
    for speaker, number, since in [*given, *beside, *_called(stand)]:
        _learn(names, speaker, number, since)
    return names


def _in_cues(stand: Standing) -> Ints:
    """The first episode with each word in a cue, a possessive counted as its word."""
    found = np.full(len(stand.corpus.vocab), len(stand.corpus.tallies), dtype=np.int32)
    for number in range(len(stand.corpus.tallies) - 1, -1, -1):
        for name in stand.corpus.tallies[number].names:
            for word in phrase(name, stand.folding).split():
                for form in (word, word + "'s"):
                    if form in stand.index:
                        found[stand.index[form]] = number
    return found


def _learn(names: Names, speaker: int, number: int, since: int) -> None:
    """Note a name, its possessive with it."""
    word = names.stand.corpus.vocab[number]
    for form in (number, names.stand.index.get(word + "'s")):
        if form is not None:
            names.since[form] = min(int(names.since[form]), since)
            if speaker == NOBODY:
                continue
            names.own[speaker, form] = min(names.own.get((speaker, form), since), since)


def _cued(stand: Standing) -> list[tuple[int, int, int]]:
    """Words of cues and of the bible's names, each from when it is known and mostly written with a capital."""
    titles = {word for text in stand.rules.words("function", "titles") for word in text.split()}
    speakers = {speaker: number for number, speaker in enumerate(stand.corpus.speakers)}
    known: dict[tuple[int, str], int] = {}
    for character in stand.bible.characters:
        for name in (character.name, *character.aliases):
            for word in phrase(name, stand.folding).split():
                known.setdefault((speakers.get(character.id, -1), word), 0)
    for at, tally in enumerate(stand.corpus.tallies):
        for who, name in zip(tally.speakers, tally.names, strict=True):
            for word in phrase(name, stand.folding).split():
                known.setdefault((speakers[who], word), at)
    found = []
    for (speaker, word), first in sorted(known.items()):
        since = _capitalised_since(stand, word, first) if len(word) > 1 and word not in titles else None
        if since is not None:
            found.append((speaker, stand.index[word], since))
    return found


def _capitalised_since(stand: Standing, word: str, first: int) -> int | None:
    """The first episode from `first` on as of which most uses inside sentences have a capital."""
    run = stand.unit[stand.index[word]] if word in stand.index else -1
    if run < 0:
        return None
    rows = np.arange(*np.searchsorted(stand.show.run, (run, run + 1)))
    within, raised = stand.capitals
    ok = (within[rows] > 0) & (raised[rows] >= _CUED * within[rows]) & (stand.show.episode[rows] >= first)
    return int(stand.show.episode[rows[ok][0]]) if ok.any() else None


def _given(stand: Standing) -> Iterator[tuple[int, int, int]]:
    """Names that people give as theirs ("this is *", "* here") in a second episode."""
    own = stand.own
    again = own.since() >= 2
    first = stand.grams.place[own.row]
    size = stand.grams.size[own.row]
    for form in stand.rules.words("names", "introductions"):
        words = form.split()
        numbers = [stand.index.get(word, -1) if word != "*" else None for word in words]
        if -1 in numbers:
            continue
        rows = np.flatnonzero((size == len(words)) & again)
        for step, number in enumerate(numbers):
            if number is not None:
                rows = rows[stand.corpus.word[first[rows] + step] == number]
        slot = stand.corpus.word[first[rows] + words.index("*")]
        yield from _names_at(stand, own, rows, slot, np.asarray(own.owner[rows]))


def _beside(stand: Standing, cued: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Words that mostly stand before or after a name of the cast: surnames, and first names of who has those."""
    show = stand.show
    whose: dict[int, list[tuple[int, int]]] = {}
    for speaker, number, since in cued:
        whose.setdefault(number, []).append((speaker, since))
    known = np.zeros(len(stand.corpus.vocab), dtype=bool)
    known[list(whose)] = True
    back = recurring(show)
    pairs = np.flatnonzero((stand.grams.size[show.row] == 2) & (stand.show_count >= 2) & back)
    place = stand.grams.place[show.row[pairs]]
    for step in (0, 1):
        name, other = stand.corpus.word[place + step], stand.corpus.word[place + 1 - step]
        kept = known[name]
        rows, whom, slot = pairs[kept], name[kept], other[kept]
        unit, _ = show.find(stand.unit[slot], 0, show.episode[rows])
        part = stand.show_count[rows] >= _PART * stand.show_count[unit]
        rows, whom, slot = rows[part], whom[part], slot[part]
        for who, number, when in _names_at(stand, show, rows, slot, whom):
            for speaker, since in whose[who]:
                yield speaker, number, max(when, since)


def _called(stand: Standing) -> Iterator[tuple[int, int, int]]:
    """Nicknames: words that are written like names and greeted often ("hey *"), nobody's in particular."""
    show, corpus = stand.show, stand.corpus
    greeting = stand.lexicon("greetings", of="names")
    place = stand.grams.place[show.row]
    pairs = np.flatnonzero((stand.grams.size[show.row] == 2) & recurring(show) & greeting[corpus.word[place]])
    oaths = {word for text in stand.rules.words("oaths", "oaths") for word in text.split()}
    counts: dict[int, dict[int, float]] = {}
    found: set[int] = {stand.index[word] for word in oaths if word in stand.index}
    for row in pairs[np.argsort(show.episode[pairs], kind="stable")].tolist():
        word = int(corpus.word[place[row] + 1])
        if word in found or greeting[word]:
            continue
        greeted = counts.setdefault(word, {})
        greeted[int(show.run[row])] = float(stand.show_count[row])
        at, _ = show.find(stand.unit[[word]], 0, show.episode[[row]])
        said = float(stand.show_count[at[0]])
        if said >= _USES and sum(greeted.values()) >= _GREETED * said:
            for _, number, since in _names_at(stand, show, np.asarray([row]), np.asarray([word]), np.asarray([NOBODY])):
                found.add(number)
                yield NOBODY, number, since


def _names_at(stand: Standing, table: Events, rows: Longs, slot: Ints, owner: Ints) -> Iterator[tuple[int, int, int]]:
    """Of words that fill a name's place at some events: those that are written like names as of then."""
    titles = stand.lexicon("titles")
    within, raised = stand.capitals
    unit, _ = stand.show.find(stand.unit[slot], 0, table.episode[rows])
    ok = (within[unit] > 0) & (raised[unit] >= _BESIDE * within[unit]) & ~stand.small[slot] & ~titles[slot]
    for who, number, episode in zip(owner[ok], slot[ok], table.episode[rows[ok]], strict=True):
        yield int(who), int(number), int(episode)
