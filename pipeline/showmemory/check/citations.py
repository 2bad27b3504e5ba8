"""A memory and the scripts it was read from -> a Problem for each citation whose words do not stand where it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from showmemory.model.memory import Entry, ShowMemory, Source
from showmemory.model.screenplay import SPOKEN, Element, Screenplay
from showmemory.model.span import Problem, Severity, Span

# These stand between two lines of one speech or paragraph without ending it.
_BETWEEN = frozenset({"note", "boneyard", "pagebreak"})


def check_citations(memory: ShowMemory, screenplays: Mapping[str, Screenplay]) -> list[Problem]:
    """Hold every source and use against its script: words, line, paragraph, page and scene.

    `screenplays`: episode id -> the script memory read (the caller leaves out those that changed since). A citation
    in any other episode is passed over here; A42 warns of it.
    """
    indexes = {episode: _Index.of(script) for episode, script in screenplays.items()}
    problems: list[Problem] = []
    seen: set[tuple[str | int, ...]] = set()
    for entry in memory.entries:
        # No pass moves what a frozen entry cites: that it is stale is known, and nothing is wrong (F13).
        severity: Severity = "warning" if entry.by == "person" or entry.frozen else "error"
        for source in _cited(entry):
            at = (source.episode, source.scene, source.line, source.page, source.paragraph, source.words)
            index = indexes.get(source.episode)
            if index is None or (entry.id, *at) in seen:
                continue
            seen.add((entry.id, *at))
            wrong = index.wrong(source)
            if wrong:
                problems.append(_problem(entry, source, index, wrong, severity))
    return problems


def words_stand(screenplay: Screenplay, source: Source) -> bool:
    """Whether one citation holds in its script."""
    return not _Index.of(screenplay).wrong(source)


def _cited(entry: Entry) -> Iterator[Source]:
    yield from entry.sources
    yield from entry.uses
    for said in entry.said.values():
        yield from said.sources
        yield from said.uses
        yield from said.exemplars


@dataclass(frozen=True, slots=True)
class _Index:
    """A script with its elements by line, so that thousands of citations are looked up, not searched."""

    script: Screenplay
    by_line: Mapping[int, tuple[int, ...]]
    scenes: frozenset[str]

    @classmethod
    def of(cls, script: Screenplay) -> _Index:
        by_line: dict[int, list[int]] = {}
        for number, element in enumerate(script.elements):
            by_line.setdefault(element.line, []).append(number)
        held = {line: tuple(numbers) for line, numbers in by_line.items()}
        return cls(script, held, frozenset(scene.id for scene in script.scenes))

    def wrong(self, source: Source) -> str:
        """Say what is wrong with a citation; nothing when it holds."""
        if source.scene and source.scene not in self.scenes:
            return f"cites scene {source.scene}, which this script does not have"
        if not source.line:
            return f"cites {_quoted(source.words)} and no line" if source.words else ""
        here = [number for number in self.by_line.get(source.line, ()) if self._there(number, source)]
        if not here:
            return "cites this line, where nothing of the script stands"
        wanted = " ".join(source.words.split())
        if wanted and not any(self._begins(number, wanted) for number in here):
            return f"cites {_quoted(wanted)}, which does not stand here"
        if source.scene and not any(self._in_scene(number, source.scene) for number in here):
            return f"cites this line as scene {source.scene}, which it is not in"
        return ""

    def _there(self, number: int, source: Source) -> bool:
        element = self.script.elements[number]
        return source.page in (0, element.page) and source.paragraph in (0, element.paragraph)

    def _begins(self, number: int, wanted: str) -> bool:
        """Whether the words stand in what begins at this element, and start on it."""
        first = " ".join(self.script.elements[number].text.split())
        joined = self._joined(number, len(first) + len(wanted) + 1)
        return 0 <= joined.find(wanted) < max(1, len(first))

    def _joined(self, number: int, enough: int) -> str:
        """The element's text and what goes on from it: the rest of its speech, or of its paragraph."""
        elements = self.script.elements
        first = elements[number]
        parts = " ".join(first.text.split())
        for element in elements[number + 1 :]:
            if len(parts) >= enough:
                break
            if _goes_on(first, element):
                parts = f"{parts} {' '.join(element.text.split())}"
            elif not _between(first, element):
                break
        return parts

    def _in_scene(self, number: int, scene: str) -> bool:
        return any(each.id == scene and each.start <= number < each.end for each in self.script.scenes)


def _goes_on(first: Element, element: Element) -> bool:
    if first.kind in SPOKEN:
        return element.kind in SPOKEN
    return element.joins and element.kind == first.kind


def _between(first: Element, element: Element) -> bool:
    return element.kind in _BETWEEN or (first.kind in SPOKEN and element.kind == "paren")


def _quoted(words: str) -> str:
    return f'"{words}"' if len(words) <= 60 else f'"{words[:60]}…"'


def _problem(entry: Entry, source: Source, index: _Index, wrong: str, severity: Severity) -> Problem:
    script = index.script
    span = Span(script.path, source.line, source.line, scene=source.scene, page=source.page, paragraph=source.paragraph)
    here = " / ".join(script.elements[number].text for number in index.by_line.get(source.line, ()))
    hint = "" if severity == "warning" else "showmemory remember reads the script anew"
    return Problem(span, severity, f"{entry.id} {wrong}", hint, here)
