"""Recorded answers: asked for once, read ever after, followed through rewrites, and the same from any clone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asking_show import KEY, answers, cite, claim, draft, model_show, set_model
from fake_messages import Answer, Fake, reply, serving
from showmemory import uptodate
from showmemory.flow import Run
from showmemory.fold.fold import as_of
from showmemory.model.memory import Entry
from showmemory.notebook import Notebook
from shows import clone, outputs, run

ADA, BO = "character.ada", "character.bo"


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serving(Answer(reply(draft()))) as server:
        yield server


@pytest.fixture
def show(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> Path:
    return model_show(tmp_path / "show", fake.url, monkeypatch)


def answered(fake: Fake, *entries: dict[str, Any], **fields: Any) -> None:
    fake.answers = [Answer(reply(draft(*entries, **fields)))]


def entry(show: Path, kind: str, by: str = "model") -> Entry:
    memory = Notebook(show).memory
    assert memory is not None
    (found,) = [e for e in memory.entries if e.kind == kind and e.by == by]
    return found


def rewrite_second(show: Path, old: str, new: str) -> None:
    path = show / "episodes/s01e02.fountain"
    path.write_text(path.read_text().replace(old, new))


def test_never_asked_twice(show: Path, fake: Fake, tmp_path: Path) -> None:
    """A68, G12: not by a second run, not without the cache, not in a fresh clone; and all give the same bytes."""
    run(show)
    before = outputs(show)
    run(show)
    shutil.rmtree(show / ".showmemory")
    run(show)
    again = clone(show, tmp_path / "clone")
    run(again)
    assert len(fake.asked) == 1
    assert outputs(show) == outputs(again) == before


def test_a_run_after_the_pass_has_nothing_to_do(show: Path, fake: Fake) -> None:
    """A68: the answer is written before the run ends, so the next one is up to date; a spend file changes nothing."""
    run(show)
    assert uptodate.is_up_to_date(show)
    assert [p.name for p in (show / "spend").iterdir()]


def test_a_rebuild_from_answers_alone(show: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A82: recorded answers are inputs: a first memory made of them, without model or key, is the same to the byte."""
    run(show)
    before = (show / "bible/memory.json").read_bytes()
    for folder in ("bible", "context", ".showmemory"):
        shutil.rmtree(show / folder)
    path = show / "show.toml"
    path.write_text(path.read_text().partition("[model]")[0])
    monkeypatch.delenv(KEY)
    made = run(show)
    assert (show / "bible/memory.json").read_bytes() == before
    assert made.errors == [] and len(fake.asked) == 1


def test_another_model_is_another_question(show: Path, fake: Fake) -> None:
    """A79, A82: model, effort and script are in the key; the newest answer is folded, whatever it was asked with."""
    run(show)
    set_model(show, effort="low")
    fake.answers = [
        Answer(reply(draft(synopsis={"line": "Bo has a bicycle.", "text": "", "cites": [cite(12, "bicycle")]})))
    ]
    run(show, apply="auto")
    assert len(fake.asked) == 2 and fake.asked[1]["output_config"]["effort"] == "low"
    assert entry(show, "synopsis").text.startswith("Bo has a bicycle.")
    path = show / "show.toml"
    path.write_text(path.read_text() + '[model.stages.writers_room]\nname = "claude-haiku-5-5"\neffort = "high"\n')
    run(show, apply="auto")
    assert (fake.asked[2]["model"], fake.asked[2]["output_config"]["effort"]) == ("claude-haiku-5-5", "high")
    assert [a["model"] for a in answers(show)] == ["claude-sonnet-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"]


def test_claims_follow_a_rewrite(show: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A82, G2: after a rewrite, words that stand move with their line, others are stale; none is removed."""
    answered(
        fake,
        claim("fact", "The lamp is out.", cite(3, "The lamp is out")),
        claim("fact", "Bo owns a bicycle.", cite(12, "for a bicycle")),
        claim("fact", "There is a moon.", cite(3, "a moon")),
    )
    run(show)
    monkeypatch.delenv(KEY)
    rewrite_second(show, "INT. LAMP ROOM - NIGHT", "\n\nINT. LAMP ROOM - NIGHT")
    rewrite_second(show, "for a bicycle", "for a boat")
    run(show, apply="auto")
    memory = Notebook(show).memory
    assert memory is not None
    held = {e.text: e.said["ep.s01e02"] for e in memory.entries if e.kind == "fact"}
    assert sorted(held) == ["Bo owns a bicycle.", "The lamp is out."]
    lamp, bicycle = held["The lamp is out."], held["Bo owns a bicycle."]
    assert ([s.line for s in lamp.sources], lamp.stale) == ([5], ())
    assert (bicycle.sources, [s.words for s in bicycle.stale]) == ((), ["for a bicycle"])
    assert entry(show, "synopsis").text.startswith("Bo sells")


def test_a_claim_that_fell_does_not_rise(show: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A74: what was never there when it was asked is not made true by a later draft."""
    answered(fake, claim("fact", "A moon.", cite(3, "a moon")))
    run(show)
    monkeypatch.delenv(KEY)
    rewrite_second(show, "The lamp is out.", "The lamp is out. There is a moon.")
    run(show, apply="auto")
    memory = Notebook(show).memory
    assert memory is not None and not [e for e in memory.entries if e.kind == "fact"]


def test_answers_keep_the_two_laws(show: Path, fake: Fake, tmp_path: Path) -> None:
    """F7, A82: as of an episode is what its scripts and answers alone give; step by step gives what a clone gives."""
    first = draft(synopsis={"line": "Ada asks.", "text": "", "cites": [cite(6, "Define safe")]}, changes=[])
    fake.answers = [Answer(reply(first)), Answer(reply(draft(claim("fact", "Out.", cite(3, "lamp is out")))))]
    run(show, episode="ep.s01e01")
    run(show, apply="auto")
    memory = Notebook(show).memory
    assert memory is not None
    alone = clone(show, tmp_path / "alone")
    for path in ("episodes/s01e02.fountain", "episodes/s01e02.answers.json", "bible/memory.json"):
        (alone / path).unlink()
    shutil.rmtree(alone / "spend")
    (alone / "bible/memory.history.jsonl").unlink()
    path = alone / "show.toml"
    path.write_text(path.read_text().split('[[episodes]]\nid = "ep.s01e02"')[0])
    made = run(alone).memory
    assert made is not None and as_of(memory, "ep.s01e01").entries == made.entries
    rewrite_second(show, "INT. LAMP ROOM - NIGHT", "\n\nINT. LAMP ROOM - NIGHT")
    set_model(show, name="")
    run(show, apply="auto")
    run(again := clone(show, tmp_path / "clone"), apply="auto")
    assert outputs(again) == outputs(show)


def test_a_commit_takes_answers_and_bills_along(show: Path, fake: Fake) -> None:
    """G12: what a model answered is committed with memory, or a clone would pay for it again."""
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(show)]
    subprocess.run([*git, "init", "--quiet"], check=True, timeout=30)
    subprocess.run([*git, "config", "user.name", "A"], check=True, timeout=30)
    subprocess.run([*git, "config", "user.email", "a@example.org"], check=True, timeout=30)
    command = [sys.executable, "-m", "showmemory", "remember", "--commit"]
    assert subprocess.run(command, cwd=show, capture_output=True, check=False, timeout=60).returncode == 0
    held = subprocess.run([*git, "ls-files"], capture_output=True, text=True, check=True, timeout=30).stdout
    assert "episodes/s01e02.answers.json" in held and "spend/" in held and len(fake.asked) == 1


def test_a_rewritten_older_episode_is_listed_not_asked(show: Path, fake: Fake) -> None:
    """A92: only the newest is asked about by itself."""
    fake.answers = [Answer(reply(draft(synopsis={"line": "Ada asks.", "text": "", "cites": [cite(6, "Define safe")]})))]
    run(show, episode="ep.s01e01")
    answered(fake)
    run(show)
    path = show / "episodes/s01e01.fountain"
    path.write_text(path.read_text().replace("one kettle", "two kettles"))
    made = Run(show)
    for stage in ("parse", "extract"):
        made.stage(stage)
    line = made.stage("ask")
    made.close()
    assert line == "rewritten since they were asked about: ep.s01e01 (remember --episode ID asks again)"
    assert len(fake.asked) == 2
