"""What the scripts themselves say that bears on a scene: their own sentences, by who, where and words (D23, D46).

Memory keeps what recurs and what somebody noted. A detail that was said once stands in the scripts alone.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from showmemory.context.names import place_words
from showmemory.context.piece import Piece, Section, Step
from showmemory.context.quote import quoted
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.spoken import Sentence, Spoken
from showmemory.text.brief import titled
from showmemory.text.fold import bare

# So many scenes are looked through, and so many sentences of them may be told, each in so many words at most.
SCENES, LINES, WORDS = 40, 60, 40
# What stands so many sentences before or after lends a sentence up to half of its weight.
AROUND, NEAR = 3, 0.5
PERSON, NAMED, PLACE = 2.0, 0.5, 1.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked for: stems, the cast, who is named, the places and the place as the heading has it."""

    words: frozenset[str]
    cast: frozenset[str]
    named: frozenset[str]
    places: frozenset[str]
    place: str


@dataclass(frozen=True, slots=True)
class _Found:
    weight: float
    scene: int
    at: int
    words: tuple[str, ...]


def lines(ready: Ready, scene: Scene) -> Section:
    """Sentences, best first; those of one scene are told in one row, in their order."""
    past = ready.spoken if scene.asked else ()
    found = _best(ready, scene, past) if past else []
    steps: list[Step] = []
    told: dict[int, list[_Found]] = defaultdict(list)
    for one in found:
        told[one.scene].append(one)
    pieces = {n: _piece(ready, past[n], own) for n, own in told.items()}
    taken: Counter[int] = Counter()
    for one in found:
        steps.append(Step(pieces[one.scene], taken[one.scene]))
        taken[one.scene] += 1
    return Section("lines", "From the scripts", tuple(steps))


def _best(ready: Ready, scene: Scene, past: Sequence[Spoken]) -> list[_Found]:
    named = frozenset(i for i in ready.names.found(scene.brief) if i.startswith("character."))
    place = bare(place_words(scene.heading))
    asked = _Asked(scene.asked, frozenset(scene.cast), named, frozenset(scene.places), place)
    weights = _of_scenes(ready, past, asked)
    near = sorted(weights, key=lambda n: (-weights[n], -n))[:SCENES]
    rare = _rarity(asked.words, (s.stems for n in near for s in past[n].sentences))
    found = [one for n in near for one in _sentences(ready, n, past[n].sentences, weights[n], rare, asked)]
    found.sort(key=lambda one: (-one.weight, -one.scene, one.at))
    return _once(found, past)[:LINES]


def _of_scenes(ready: Ready, past: Sequence[Spoken], asked: _Asked) -> dict[int, float]:
    """How far each scene is about the same: by the letters of the words, which also finds the deck in the foredeck."""
    weights = dict.fromkeys(range(len(past)), 0.0)
    for word in sorted(asked.words):
        places = [n for n, one in enumerate(past) if word in one.bare]
        for n in places:
            weights[n] += math.log((len(past) + 1) / (len(places) + 0.5))
    for n, one in enumerate(past):
        place = place_words(one.scene.heading)
        if place and (bare(place) == asked.place or ready.names.id_of(place) in asked.places):
            weights[n] += PLACE
    return {n: round(weight, 6) for n, weight in weights.items()}


def _rarity(words: frozenset[str], documents: Iterable[Iterable[str]]) -> dict[str, float]:
    """Words weighed by how few of the documents hold them."""
    held = [words.intersection(document) for document in documents]
    count = Counter(word for found in held for word in found)
    return {word: math.log((len(held) + 1) / (n + 0.5)) for word, n in sorted(count.items())}


def _sentences(
    ready: Ready, number: int, own: Sequence[Sentence], weight: float, rare: Mapping[str, float], asked: _Asked
) -> Iterable[_Found]:
    lent = _lent(own, rare)
    for n, sentence in enumerate(own):
        about = frozenset((*sentence.who, *ready.named_in(sentence.text)))
        people = PERSON * len(about & asked.cast) + NAMED * len(about & asked.named)
        shared = tuple(sorted(rare.keys() & sentence.stems, key=lambda w: (-rare[w], w)))
        yield _Found(round(weight + lent[n] + people, 6), number, n, shared)


def _lent(own: Sequence[Sentence], rare: Mapping[str, float]) -> list[float]:
    """What each sentence weighs by its own words and by those of the sentences around it."""
    nearest: list[dict[str, int]] = [{} for _ in own]
    for n, sentence in enumerate(own):
        for word in rare.keys() & sentence.stems:
            for at in range(max(0, n - AROUND), min(len(own), n + AROUND + 1)):
                nearest[at][word] = min(abs(at - n), nearest[at].get(word, AROUND))
    parts = [1.0, *(NEAR * (1 - (away - 1) / AROUND) for away in range(1, AROUND + 1))]
    return [sum(rare[word] * parts[away] for word, away in sorted(held.items())) for held in nearest]


def _once(found: Iterable[_Found], past: Sequence[Spoken]) -> list[_Found]:
    """What is said in the same words again and again is told once (D21)."""
    seen: set[str] = set()
    made = []
    for one in found:
        words = past[one.scene].sentences[one.at].text.casefold()
        if words not in seen:
            seen.add(words)
            made.append(one)
    return made


def _piece(ready: Ready, past: Spoken, found: Sequence[_Found]) -> Piece:
    words = dict.fromkeys(word for one in found[:4] for word in one.words[:3])
    reason = f"shares {', '.join(tuple(words)[:4])}" if words else "who is there, and where"
    id_ = f"lines.{past.episode.removeprefix('ep.')}.{past.scene.id}"
    place = (ready.place[past.episode], past.scene.line, past.scene.start)
    tell = cache(partial(_forms, ready, past, tuple(one.at for one in found)))
    return Piece(id_, "lines", tell, reason, past.scene.heading, "past scene", place=place)


def _forms(ready: Ready, past: Spoken, ranked: Sequence[int]) -> tuple[str, ...]:
    """A scene by its best sentence, its best two, and so on, in the order of the script."""
    place = titled(place_words(past.scene.heading))
    head = f"{ready.moment.label(past.episode)}{f' {place}' if place else ''}: "
    return tuple(head + _told(past, sorted(ranked[: n + 1])) for n in range(len(ranked)))


def _told(past: Spoken, places: Sequence[int]) -> str:
    """Each turn in quotes of its own, with who says it; what was left out within a turn is marked."""
    turns: dict[int, list[int]] = defaultdict(list)
    for place in places:
        turns[past.sentences[place].turn].append(place)
    made = []
    for held in turns.values():
        parts = [past.sentences[held[0]].text]
        for before, here in pairwise(held):
            parts += [*(["…"] if here > before + 1 else []), past.sentences[here].text]
        cue = past.sentences[held[0]].cue
        made.append(f"{cue}: {quoted(' '.join(parts), WORDS)}" if cue else quoted(" ".join(parts), WORDS))
    return " ".join(made)
