"""The sample show against its labels, where everything must be found and nothing else: gags, threads, log, presence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from episode_reading import RULES, SAMPLE, sample_reads
from showmemory.extract.per_episode import MECHANISMS
from showmemory.model.memory import Source
from showmemory.model.observation import Observation
from shows import run, sample

LABELS: dict[str, Any] = YAML(typ="safe", pure=True).load((SAMPLE / "labels.yaml").read_text("utf-8"))
EPISODES = [read.episode.id for read in sample_reads()[1]]


@cache
def observed(name: str) -> tuple[Observation, ...]:
    bible, reads = sample_reads()
    return tuple(one for read in reads for one in MECHANISMS[name].find(read, bible, RULES))


def of(labels: Iterable[dict[str, Any]], episode: str) -> list[dict[str, Any]]:
    return [label for label in labels if label["episode"] == episode]


def within(words: str, cited: str) -> bool:
    """Whether labelled words are in the cited ones, or the other way about: a label may stop at the end of its line."""
    first, second = (" ".join(text.split()).strip(" .!?…,") for text in (words, cited))
    return first in second or second in first


@pytest.mark.parametrize("gag", list(LABELS["bible_gags"]))
def test_bible_gags(gag: str) -> None:
    """A57 to A60: every use, by exactly the detectors that see it, at its line; no other use."""
    uses = [use for one in observed("biblegag") if one.key == gag for use in one.said.uses]
    found = sorted(
        (u.episode, u.scene, u.how, *((0, "") if u.how == ("outline",) else (u.line, u.speaker))) for u in uses
    )
    assert found == sorted(_labelled(gag))
    for label in LABELS["bible_gags"][gag]:
        if label["detectors"] != ["outline"]:
            use = next(u for u in uses if (u.episode, u.line) == (label["episode"], label["line"]))
            assert within(label["words"], use.words), (label["words"], use.words)


def _labelled(gag: str) -> Iterator[tuple[Any, ...]]:
    for label in LABELS["bible_gags"][gag]:
        how = tuple(sorted(label["detectors"]))
        yield label["episode"], label["scene"], how, *_spot(how, label["line"], label.get("speaker", ""))


def _spot(how: tuple[str, ...], line: int, speaker: str) -> tuple[int, str]:
    """An outline names a scene and no line: what it alone sees is met by any line of its scene."""
    return (0, "") if how == ("outline",) else (line, speaker)


@pytest.mark.parametrize("thread", list(LABELS["threads"]))
def test_threads(thread: str) -> None:
    """A65: every episode in which it moved, its last step there, and a line for each step; no other."""
    labels = LABELS["threads"][thread]
    found = {one.episode: one.said for one in observed("thread") if one.key == thread}
    assert list(found) == [episode for episode in EPISODES if of(labels, episode)]
    for episode, said in found.items():
        steps = of(labels, episode)
        assert said.move == steps[-1]["move"]
        assert said.status == ("resolved" if said.move == "resolved" else "open")
        assert len(said.sources) == len(steps)
        lined = [(step["scene"], step["line"], step["words"]) for step in steps if "line" in step]
        assert _all_cited(lined, said.sources), (episode, lined, said.sources)


def _all_cited(labels: Iterable[tuple[str, int, str]], sources: Iterable[Source]) -> bool:
    held = list(sources)
    return all(any((s.scene, s.line) == at[:2] and within(at[2], s.words) for s in held) for at in labels)


def test_facts() -> None:
    """A66: every fact of the logs at its line, with its subject, field, value, canon and story time; no other."""
    names = ("field", "value", "when")
    wanted = sorted(
        (at["episode"], at["scene"], at["line"], tuple(at["about"]), *(at.get(name) for name in names))
        for at in LABELS["facts"]
    )
    found = sorted(
        (one.episode, source.scene, source.line, one.about, one.field, one.said.value, one.said.when)
        for one in observed("fact")
        for source in one.said.sources
    )
    assert _texts(found) == _texts(wanted)
    doubted = {(at["episode"], at["line"]): at["canon"] for at in LABELS["facts"] if "canon" in at}
    for one in observed("fact"):
        at = (one.episode, one.said.sources[0].line)
        assert one.said.canon == doubted.get(at, "established")


def test_a_new_value_closes_the_old_one(tmp_path: Path) -> None:
    """G8, D32: in the notebook each labelled value holds until the labelled episode, and no other value is closed."""
    memory = run(sample(tmp_path / "show")).memory
    assert memory is not None
    wanted = {
        (at["about"][0], at["field"], str(at["value"])): at.get("until") for at in LABELS["facts"] if "field" in at
    }
    held = {(e.about[0], e.field, e.value): e.until for e in memory.entries if e.kind == "fact" and e.field}
    assert held == wanted


def test_knowledge() -> None:
    """A67, D50: who learned it, whom it concerns, at which line; no other."""
    wanted = sorted(
        (at["episode"], at["scene"], at["line"], tuple(at["holders"]), tuple(at["about"])) for at in LABELS["knowledge"]
    )
    found = sorted(
        (one.episode, source.scene, source.line, one.said.holders, one.about)
        for one in observed("knowledge")
        for source in one.said.sources
    )
    assert found == wanted


def test_relationships() -> None:
    """A67: every pair whose relationship changed, at its line; no other."""
    wanted = sorted(
        (at["episode"], at["scene"], at["line"], tuple(sorted(at["about"]))) for at in LABELS["relationships"]
    )
    found = sorted(
        (one.episode, source.scene, source.line, one.about)
        for one in observed("relationship")
        for source in one.said.sources
    )
    assert found == wanted


def test_presence() -> None:
    """F9: who is in each labelled scene, and who is only heard; every scene of the labelled episodes is labelled."""
    labelled = {at["episode"] for at in LABELS["presence"]}
    wanted = {(at["episode"], at["scene"]): (at["line"], at["present"], at["heard"]) for at in LABELS["presence"]}
    found = {
        (read.episode.id, scene.id): (scene.line, sorted(scene.present), sorted(scene.heard))
        for read in sample_reads()[1]
        if read.episode.id in labelled
        for scene in read.screenplay.scenes
        if scene.heading
    }
    assert found == {at: (line, sorted(present), sorted(heard)) for at, (line, present, heard) in wanted.items()}


def _texts(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Values as the script writes them: a label's number is its text."""
    return [tuple("" if cell is None else cell if isinstance(cell, tuple) else str(cell) for cell in r) for r in rows]
