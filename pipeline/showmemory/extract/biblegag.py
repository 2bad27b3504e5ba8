"""Every time a gag of the bible plays: the outline serves it, the log records it, its payoff or its name is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from showmemory.extract.evidence import evidence, quoted_at
from showmemory.extract.passages import Passage, cite, heading, passages
from showmemory.extract.plot import played
from showmemory.extract.showids import ShowIds, show_ids
from showmemory.extract.stemming import Stemming
from showmemory.extract.stretch import Line, around, closest, ends, is_sentence
from showmemory.model.memory import Said, Source, Use
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.screenplay import scene_called
from showmemory.model.show import Bible, BibleGag
from showmemory.text.fold import Folding
from showmemory.text.tokens import tokens, words

VERSION = 1
READS = ("script", "cast", "gags", "outline", "continuity")

# The words that a payoff quotes: in double quotes, or in single ones that are no apostrophes.
_QUOTED = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(?<![^\W_])['‘](.+?)['’](?![^\W_])")
_PLAYED = frozenset({"speech", "action"})


@dataclass
class _Found:
    """One occurrence: where it stands, and which detectors saw it."""

    source: Source
    place: int
    scene: int
    how: set[str]


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation for each gag that plays, with one use for each time it does."""
    if not bible.gags:
        return []
    finder = _Finder(read, bible, rules)
    return [made for gag in sorted(bible.gags, key=lambda g: g.id) if (made := finder.observation(gag))]


class _Finder:
    """One episode's lines, folded and stemmed once for all gags."""

    def __init__(self, read: EpisodeRead, bible: Bible, rules: Rules) -> None:
        self.read, self.rule = read, rules.rule("biblegag")
        self.ids: ShowIds = show_ids(read, bible, "gags")
        self.folding, self.stemming = Folding.of(rules), Stemming.of(rules)
        self.lines: list[Line] = []
        for passage in passages(read.screenplay):
            if passage.kind in _PLAYED:
                held = tokens(passage.text, self.folding)
                self.lines.append(Line(passage, held, [self.stemming(token.word) for token in held]))

    def observation(self, gag: BibleGag) -> Observation | None:
        """The gag's uses in this episode, or None."""
        found: dict[int, _Found] = {}
        stale: list[Source] = []
        for how, seen in (("payoff", self._payoffs(gag)), ("name", self._named(gag))):
            for line, start, end in seen:
                self._add(found, how, cite(self.read, line.passage, start, end), line.passage)
        for scene, quoted in self._logged(gag):
            if words(quoted, self.folding):
                one = evidence(self.read, scene, quoted, self.folding)
                stale += one.missing
                self._add(found, "log", one.source, one.passage)
            else:
                self._served(found, "log", gag, scene)
        for scene in self._outlined(gag):
            self._served(found, "outline", gag, scene)
        if not found:
            return None
        uses = tuple(_use(one) for one in sorted(found.values(), key=lambda one: one.place))
        said = Said(rule="biblegag", title=gag.name, uses=uses, stale=tuple(dict.fromkeys(stale)))
        return Observation(
            rule="biblegag",
            episode=self.read.episode.id,
            kind="gag",
            form="bible",
            key=gag.id,
            name=gag.id.partition(".")[2],
            about=(gag.id,),
            said=said,
        )

    def _add(self, found: dict[int, _Found], how: str, source: Source, passage: Passage | None) -> None:
        """A passage holds one occurrence, however many detectors see it."""
        place = passage.places[0] if passage else len(self.read.screenplay.elements) + len(found)
        held = found.get(place)
        if held is None:
            scene = passage.scene if passage else -1
            found[place] = _Found(source, place, scene, {how})
        else:
            held.how.add(how)

    def _served(self, found: dict[int, _Found], how: str, gag: BibleGag, scene: str) -> None:
        """A scene is said to hold the gag: its occurrence there, else its best line, else the scene."""
        number = scene_called(self.read.screenplay, scene)
        if number is None:
            return
        here = sorted((one for one in found.values() if one.scene == number), key=lambda o: (-len(o.how), o.place))
        if here:
            here[0].how.add(how)
            return
        wanted = self._stems(gag)
        lines = [line for line in self.lines if line.passage.scene == number]
        best = max(lines, key=lambda line: len(wanted & set(line.stems)), default=None)
        if best and wanted & set(best.stems):
            self._add(found, how, cite(self.read, best.passage, *around(best, *ends(best, wanted))), best.passage)
            return
        held = self.read.screenplay.scenes[number]
        found[held.start] = _Found(heading(self.read, held), held.start, number, {how})

    def _payoffs(self, gag: BibleGag) -> Iterator[tuple[Line, int, int]]:
        """Speeches that hold the words the payoff quotes; a lone word must be a sentence of its own."""
        quotes = [words(double or single, self.folding) for double, single in _QUOTED.findall(gag.payoff)]
        alone = int(self.rule.values["alone_below"])
        for line in self.lines:
            for quote in quotes if line.passage.kind == "speech" else ():
                span = quoted_at([quote], line.held) if quote else None
                if span and (len(quote) >= alone or is_sentence(line, span)):
                    yield line, *span
                    break

    def _named(self, gag: BibleGag) -> Iterator[tuple[Line, int, int]]:
        """Lines that hold every word of the gag's name, in any form, within a few words of each other."""
        wanted = self._stems(gag)
        reach = int(self.rule.values["reach"])
        for line in self.lines:
            if wanted and wanted <= set(line.stems):
                first, last = closest(line.stems, wanted)
                if last - first < max(reach, len(wanted)):
                    yield line, *around(line, first, last)

    def _stems(self, gag: BibleGag) -> set[str]:
        name = words(gag.name, self.folding)
        content = [word for word in name if word not in self.stemming.function]
        # A name with one word of its own ("The Door") would be met in every door: it needs all of them.
        kept = content if len(content) >= int(self.rule.values["name_words"]) else name
        return {self.stemming(word) for word in kept}

    def _logged(self, gag: BibleGag) -> Iterator[tuple[str, str]]:
        for payoff in self.read.side.continuity.payoffs if self.read.side.continuity else ():
            if self.ids.id(payoff.gag, "gag") == gag.id:
                yield payoff.scene, payoff.words

    def _outlined(self, gag: BibleGag) -> Iterator[str]:
        for scene in played(self.read):
            if gag.id in self.ids.ids(scene.gags, "gag"):
                yield scene.scene


def _use(one: _Found) -> Use:
    return Use(**one.source.model_dump(), how=tuple(sorted(one.how)))
