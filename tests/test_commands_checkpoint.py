"""`checkpoint` and `resume` as somebody calls them: pages, JSON, refusals at their line, exit codes (E3 to E18)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import BIBLE, Program, with_bible
from showmemory.context.tokens import count
from showmemory.read.profile import VARIABLE
from shows import run, sample

MORE = """\
stage: scene
decisions:
  - The goat never leaves the lighthouse.
hypotheses:
  - The bell may ring once more.
next:
  step: The goat is found.
  entry: 103 Fog.fountain:6
"""


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample show, remembered."""
    show = sample(tmp_path_factory.mktemp("checkpoint") / "sample_show")
    run(show)
    return show


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setenv(VARIABLE, "")
    return Program(capsys)


def brine(root: Path, more: str = MORE) -> Path:
    """Three scripts with a bible that holds what a checkpoint hands over, remembered; `more` is short of talk."""
    show = with_bible(root / "brine")
    (show / "bible/bible.yaml").write_text(BIBLE + more, encoding="utf-8")
    run(show)
    return show


def test_a_page_and_its_json_say_the_same(ferry: Path, program: Program) -> None:
    """E3, E15, E16: page and object of one checkpoint; the page costs what it may and no more."""
    page, plain = program("checkpoint", "-C", str(ferry)), program("checkpoint", "-C", str(ferry), "--json").json
    assert (page.code, page.aside) == (0, "")
    assert count(page.text) <= 900
    assert plain["kind"] == "story_memory_checkpoint" and plain["problems"] == []
    assert plain["nextStep"]["lines"][0]["cite"] == "episodes/s02e05-the-vote.fountain:345"
    for name in ("stage", "nextStep", "openQuestions", "arcBudget", "driftWarnings"):
        assert f"- {plain[name]['lines'][0]['text']}" in page.text
        assert plain[name]["source"] in page.text
    small = program("checkpoint", "-C", str(ferry), "--budget", "700")
    assert count(small.text) <= 700 and "Left out for room: " in small.text


def test_options(ferry: Path, program: Program) -> None:
    """E9, E20 to E22: purpose, focus, reader, moment."""
    assert (
        "# One Paying Soul: checkpoint for a review"
        in program("checkpoint", "-C", str(ferry), "--purpose", "review").text
    )
    assert "## Active wants (" in program("checkpoint", "-C", str(ferry), "--focus", "character").text
    runner = program("checkpoint", "-C", str(ferry), "--reader", "showrunner", "--as-of", "s01e03", "--json").json
    assert "To come: He gives back the good spanner" in runner["arcBudget"]["lines"][2]["text"]
    then = program("checkpoint", "-C", str(ferry), "--as-of", "s01e03", "--json").json
    assert then["span"] == {"from": "s01e01 One Paying Soul", "to": "s01e03 Fresh Water", "episodes": 3}
    wrong = program("checkpoint", "-C", str(ferry), "--focus", "plot")
    assert "expected --focus to be event or character or world, found plot" in wrong.aside
    assert program("checkpoint", "-C", str(ferry), "--as-of", "s09e09").code == 1


def test_somebody_lost_is_asked_first(ferry: Path, program: Program) -> None:
    """E18: one anchor, and no compression of the rest."""
    asked = program("checkpoint", "-C", str(ferry), "--certainty", "lost")
    assert asked.code == 0 and len(asked.text.splitlines()) == 3
    found = program(
        "checkpoint", "-C", str(ferry), "--certainty", "lost", "Figgis", "likes", "soup", "wanted", "--json"
    ).json
    assert found["anchor"]["id"] == "mem.fact.figgis-and-soup"


def test_refused_at_its_line(tmp_path: Path, program: Program) -> None:
    """E15: without an entry, with an entry that is nowhere, with a hypothesis among canon: exit 1, and no page."""
    show = brine(tmp_path, MORE.replace("  entry: 103 Fog.fountain:6\n", "") + 'questions: ["Who rang?"]\n')
    done = program("checkpoint", "-C", str(show))
    assert (done.code, done.text) == (1, "")
    assert "bible/bible.yaml:15: error: expected where the next step begins, found only what it is" in done.aside
    (show / "bible/bible.yaml").write_text(BIBLE + MORE.replace("103 Fog", "104 Fog"), encoding="utf-8")
    done = program("checkpoint", "-C", str(show))
    assert "bible/bible.yaml:17: error: expected the file or episode in which the next step begins" in done.aside
    mixed = MORE.replace("The bell may ring once more", "Perhaps the goat never leaves the lighthouse")
    (show / "bible/bible.yaml").write_text(BIBLE + mixed, encoding="utf-8")
    done = program("checkpoint", "-C", str(show), "--json")
    assert done.code == 1
    assert done.json["refused"][0].startswith("expected a hypothesis that is nowhere held as canon")
    assert "bible/bible.yaml:14: error: expected a hypothesis" in done.aside


def test_too_little_to_hand_over(tmp_path: Path, program: Program) -> None:
    """E15, E16: three scenes are read sooner than their checkpoint, and nothing is made up to fill it."""
    done = program("checkpoint", "-C", str(brine(tmp_path)))
    assert done.code == 1 and "expected scripts that speak at least twice the" in done.aside


def test_check_holds_what_is_handed_over(tmp_path: Path, program: Program) -> None:
    """E15: `check` refuses a hypothesis among canon, warns where there is nowhere to begin, and asks others nothing."""
    show = brine(tmp_path)
    assert program("check", "-C", str(show)).code == 0
    mixed = MORE.replace("The bell may ring once more", "Perhaps the goat never leaves the lighthouse")
    (show / "bible/bible.yaml").write_text(BIBLE + mixed, encoding="utf-8")
    done = program("check", "-C", str(show))
    assert done.code == 1 and "bible/bible.yaml:14: error: expected a hypothesis" in done.text + done.aside
    (show / "bible/bible.yaml").write_text(BIBLE + "stage: scene\n", encoding="utf-8")
    done = program("check", "-C", str(show))
    assert done.code == 0 and "warning: expected the next step and where it begins" in done.text + done.aside
    (show / "bible/bible.yaml").write_text(BIBLE, encoding="utf-8")
    assert "next step" not in program("check", "-C", str(show)).text


def test_resume_flags_what_is_new(ferry: Path, tmp_path: Path, program: Program) -> None:
    """E6, E8: holds: exit 0; what contradicts: exit 1 and the decision's line; a handed checkpoint is compared."""
    assert program("resume", "-C", str(ferry)).code == 0
    against = program(
        "resume", "-C", str(ferry), "Mr.", "Ullage", "is", "not", "dead", "from", "the", "first", "episode"
    )
    assert against.code == 1
    assert "bible/bible.yaml:192: error: expected a locked decision that holds, found it contradicted" in against.aside
    held = tmp_path / "handed.json"
    held.write_text(program("checkpoint", "-C", str(ferry), "--as-of", "s02e03", "--json").text, encoding="utf-8")
    since = program("resume", "-C", str(ferry), "--from", str(held), "--json").json
    assert [row["text"] for row in since["since"]["lines"]] == [
        "Remembered since: s02e04 Low Water.",
        "Remembered since: s02e05 The Vote.",
    ]
    held.write_text("{", encoding="utf-8")
    assert "expected a checkpoint as JSON, found none" in program("resume", "-C", str(ferry), "--from", str(held)).aside
    held.write_text(json.dumps({"kind": "letter"}), encoding="utf-8")
    assert program("resume", "-C", str(ferry), "--from", str(held)).code == 1


def test_who_is_writing_comes_first(
    ferry: Path, tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B38, B40: in a checkpoint and when going on, counted; never in the files of the show."""
    profile = tmp_path / "me.toml"
    profile.write_text('name = "Ada Zwicky"', encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(profile))
    page = program("checkpoint", "-C", str(ferry), "--budget", "800").text
    assert page.startswith("You are working with Ada Zwicky.\n# ") and count(page) <= 800
    assert program("resume", "-C", str(ferry)).text.startswith("You are working with Ada Zwicky.\n# ")
    assert program("checkpoint", "-C", str(ferry), "--json").json["operator"] == "You are working with Ada Zwicky."
    assert not [p for p in ferry.rglob("*") if p.is_file() and b"Zwicky" in p.read_bytes()]
