"""Places of words -> the uses of an entry, in the writer's spelling, each where it stands."""

from __future__ import annotations

import numpy as np

from showmemory.extract.corpus import Corpus
from showmemory.extract.ledger import Found, Member
from showmemory.extract.standing import Standing
from showmemory.model.memory import Use

ANYBODY = -1


def uses(stand: Standing, found: Found, since: int, upto: int, owner: int = ANYBODY) -> dict[int, list[Use]]:
    """The uses of an entry by `owner` in the episodes `since` to `upto`, per episode, in script order.

    Where wordings overlap in the script, the one known first counts.
    """
    taken: list[tuple[int, int]] = []
    made: dict[int, list[tuple[int, Use]]] = {}
    corpus = stand.corpus
    low, high = corpus.base[since], corpus.base[upto + 1]
    for number, member in enumerate(found.members):
        size = len(member.words)
        for place in _places(stand, member, int(low), int(high)):
            if owner != ANYBODY and corpus.speaker[place] != owner:
                continue
            if any(place < end and start < place + size for start, end in taken):
                continue
            taken.append((place, place + size))
            variant = " ".join(member.words) if number else ""
            made.setdefault(int(corpus.episode[place]), []).append((place, use(corpus, place, size, variant)))
    return {episode: [u for _, u in sorted(held, key=lambda pair: pair[0])] for episode, held in sorted(made.items())}


def _places(stand: Standing, member: Member, low: int, high: int) -> list[int]:
    if member.places is not None:
        return [place for place in member.places if low <= place < high]
    places = stand.grams.places(member.run)
    first, last = np.searchsorted(places, (low, high))
    return [int(place) for place in places[first:last]]


def spelling(stand: Standing, member: Member, upto: int, owner: int = ANYBODY) -> str:
    """How the writer most often spells a wording, up to an episode; of equals the first in the story."""
    corpus = stand.corpus
    counted: dict[str, int] = {}
    for place in _places(stand, member, 0, int(corpus.base[upto + 1])):
        if owner == ANYBODY or corpus.speaker[place] == owner:
            words = " ".join(use(corpus, place, len(member.words)).words.split())
            counted[words] = counted.get(words, 0) + 1
    return max(counted, key=lambda words: counted[words], default=" ".join(member.words))


def standing_at(stand: Standing, words: tuple[str, ...]) -> tuple[int, ...]:
    """Every place where `words` are said, recurring or not, outside footage shown again."""
    corpus = stand.corpus
    numbers = [stand.index.get(word) for word in words]
    if not words or None in numbers:
        return ()
    there = (corpus.room >= len(words)) & ~stand.reuse.hidden
    for step, number in enumerate(numbers):
        there &= np.append(corpus.word[step:], np.full(step, -1)) == number
    return tuple(np.flatnonzero(there).tolist())


def use(corpus: Corpus, place: int, size: int, variant: str = "", *, setup: bool = False) -> Use:
    """The use that stands at token `place`, `size` words long."""
    number = int(corpus.episode[place])
    tally = corpus.tallies[number]
    token = place - int(corpus.base[number])
    start, end = int(tally.start[token]), int(tally.end[token + size - 1])
    row = tally.lines[int(np.searchsorted(tally.lines[:, 0], start, side="right")) - 1]
    speech = int(tally.speech[token])
    who = int(tally.speaker[speech])
    return Use(
        episode=tally.episode,
        scene=tally.scenes[int(tally.scene[speech])],
        line=int(row[1]),
        page=int(row[2]),
        paragraph=int(row[3]),
        words=tally.text[start:end],
        speaker=tally.speakers[who] if who >= 0 else "",
        variant=variant,
        setup=setup,
    )
