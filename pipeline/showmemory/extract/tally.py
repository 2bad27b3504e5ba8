"""One episode -> what it says, as numbers: folded words, who says them in which scene, and where each stands."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, Screenplay, Speech
from showmemory.text.fold import Folding
from showmemory.text.frequency import rarity
from showmemory.text.tokens import tokens, words

VERSION = 1
# A bound beside those of text.tokens: the first token of a run that was spoken without a break in the script.
OPENS = 128
BREAK = -1
NOBODY = -1

Ints = NDArray[np.signedinteger[Any]]
# These mostly grow by little, so the steps are kept.
_GROWING = frozenset({"start", "end", "speech", "lines"})
_ARRAYS = ("rare", "word", "bounds", "start", "end", "speech", "speaker", "scene", "lines", "action", "heading")


@dataclass(frozen=True, eq=False)
class Tally:
    """What one episode says. Token arrays run in script order; `word` indexes `vocab`, `start` and `end` cut `text`.

    `speaker` and `scene` are per speech; words said by several at once have speaker `NOBODY`. `lines` has a row
    (offset in text, line, page, paragraph) for each spoken element. `action` and `heading` are the words of the
    action and the headings, with `BREAK` between two elements.
    """

    episode: str
    season: int
    number: int
    vocab: tuple[str, ...]
    speakers: tuple[str, ...]
    names: tuple[str, ...]
    scenes: tuple[str, ...]
    text: str
    rare: Ints
    word: Ints
    bounds: Ints
    start: Ints
    end: Ints
    speech: Ints
    speaker: Ints
    scene: Ints
    lines: Ints
    action: Ints
    heading: Ints

    def to_bytes(self) -> bytes:
        """The tally as bytes: a line of JSON, then the arrays in as few bytes as their numbers need, packed."""
        kept = {name: _steps(getattr(self, name)) if name in _GROWING else getattr(self, name) for name in _ARRAYS}
        packed = {name: array.astype(_least(array)) for name, array in kept.items()}
        head = {name: getattr(self, name) for name in ("episode", "season", "number", "vocab", "speakers", "names")}
        head |= {"scenes": self.scenes, "text": self.text}
        head["arrays"] = [(array.dtype.str, array.shape) for array in packed.values()]
        parts = [json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"), b"\n"]
        parts += [array.tobytes() for array in packed.values()]
        return zlib.compress(b"".join(parts), 6)

    @staticmethod
    def from_bytes(raw: bytes) -> Tally:
        """Read back what `to_bytes` wrote."""
        plain = zlib.decompress(raw)
        cut = plain.index(b"\n") + 1
        head: dict[str, Any] = json.loads(plain[:cut].decode("utf-8", "surrogatepass"))
        fields: dict[str, Any] = {}
        for name, (kind, shape) in zip(_ARRAYS, head.pop("arrays"), strict=True):
            size = int(np.prod(shape)) * np.dtype(kind).itemsize
            array = np.frombuffer(plain[cut : cut + size], kind).astype(np.int32).reshape(shape)
            fields[name] = _small(np.cumsum(array, axis=0, dtype=np.int32) if name in _GROWING else array)
            cut += size
        for name, value in head.items():
            fields[name] = tuple(map(intern, value)) if isinstance(value, list) else value
        return Tally(**fields)


def tally(read: EpisodeRead, rules: Rules) -> Tally:
    """Count nothing yet: lay the episode's words out so that `earn` can."""
    folding = Folding.of(rules)
    play = read.screenplay
    pages = _Pages()
    for speech in play.speeches():
        pages.add(speech, folding)
    action = _elsewhere(play, "action", folding)
    heading = _elsewhere(play, "heading", folding)
    vocab = tuple(sorted(set(pages.words) | {w for w in action if w} | {w for w in heading if w}))
    index = {word: number for number, word in enumerate(vocab)} | {"": BREAK}
    named = _cast(play)
    place = {speaker: number for number, speaker in enumerate(named)}
    episode = read.episode
    return Tally(
        episode=episode.id,
        season=episode.season,
        number=episode.number,
        vocab=vocab,
        speakers=tuple(named),
        names=tuple(named.values()),
        scenes=tuple(scene.id for scene in play.scenes),
        text="".join(pages.text),
        rare=_ints([rarity(word, rules.language) for word in vocab]),
        word=_ints([index[word] for word in pages.words]),
        bounds=_ints(pages.bounds),
        start=_ints(pages.starts),
        end=_ints(pages.ends),
        speech=_ints(pages.speech),
        speaker=_ints([place[who[0]] if len(who) == 1 else NOBODY for who in pages.who]),
        scene=_ints(pages.scene),
        lines=_ints(pages.lines).reshape(-1, 4),
        action=_ints([index[w] for w in action]),
        heading=_ints([index[w] for w in heading]),
    )


class _Pages:
    """The spoken text as it grows, speech by speech; a run is what stands under a cue without a break."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.length = 0
        self.words: list[str] = []
        self.bounds: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.speech: list[int] = []
        self.who: list[tuple[str, ...]] = []
        self.scene: list[int] = []
        self.lines: list[tuple[int, int, int, int]] = []

    def add(self, speech: Speech, folding: Folding) -> None:
        number = len(self.who)
        self.who.append(speech.speakers)
        self.scene.append(speech.scene)
        for run in _runs(speech):
            base = self.length
            for element in run:
                self.lines.append((self.length, element.line, element.page, element.paragraph))
                self.length += len(element.text) + 1
            text = " ".join(element.text for element in run)
            self.text.append(text + "\n")
            said = tokens(text, folding)
            opening = len(self.bounds)
            self.words += [token.word for token in said]
            self.bounds += [token.bounds for token in said]
            self.starts += [token.start + base for token in said]
            self.ends += [token.end + base for token in said]
            self.speech += [number] * len(said)
            if said:
                self.bounds[opening] |= OPENS


def _runs(speech: Speech) -> list[list[Element]]:
    """The lines of a speech, cut where something stands between them: words are only cited as they stand."""
    found: list[list[Element]] = []
    asides = [(paren.page, paren.line) for paren in speech.parens]
    for element in speech.lines:
        last = found[-1][-1] if found else element
        between = any((last.page, last.line) < aside < (element.page, element.line) for aside in asides)
        if found and element.joins and not between:
            found[-1].append(element)
        else:
            found.append([element])
    return found


def _elsewhere(play: Screenplay, kind: str, folding: Folding) -> list[str]:
    """The words of all elements of one kind, an empty one between two elements."""
    found: list[str] = []
    for element in play.elements:
        if element.kind == kind:
            found += [*words(element.text, folding), ""]
    return found


def _cast(play: Screenplay) -> dict[str, str]:
    """Speaker ids, sorted, with the name their first cue gives them."""
    named: dict[str, str] = {}
    for speech in play.speeches():
        for speaker in speech.speakers:
            named.setdefault(speaker, speech.cue.name if len(speech.speakers) == 1 else "")
    return dict(sorted(named.items()))


def _steps(array: Ints) -> Ints:
    return np.asarray(
        np.diff(array.astype(np.int32), axis=0, prepend=np.zeros_like(array[:1], dtype=np.int32)), np.int32
    )


def _least(array: Ints) -> str:
    """The least type that holds all numbers."""
    most = int(np.abs(array, dtype=np.int64).max(initial=0))
    return "<i1" if most < 128 else "<i2" if most < 32768 else "<i4"


def _ints(values: Any) -> Ints:
    """The numbers, in two bytes each where they fit."""
    made = np.asarray(values, dtype=np.int32)
    return _small(made)


def _small(made: NDArray[np.int32]) -> Ints:
    return made.astype(np.int16) if not len(made) or (made.min() > -32768 and made.max() < 32768) else made
