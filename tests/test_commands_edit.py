"""Deciding and editing: plan, review, undo, redo, log, and every edit by its name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commands import GOAT, Out, Program, with_bible
from showmemory.commands.settings import SECTIONS
from showmemory.model.memory import Settings
from shows import run

GAG = "The goat gets in"
GAG_ID = "mem.gag.the-goat-gets-in"


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = with_bible(tmp_path_factory.mktemp("shows") / "brine")
    run(root)
    return root


@pytest.fixture
def program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, remembered: Path
) -> Program:
    monkeypatch.chdir(shutil.copytree(remembered, tmp_path / "brine"))
    return Program(capsys)


def memory() -> dict[str, Any]:
    held: dict[str, Any] = json.loads(Path("bible/memory.json").read_text(encoding="utf-8"))
    return held


def entry(id_: str) -> dict[str, Any]:
    return next((one for one in memory()["entries"] if one["id"] == id_), {})


def done(out: Out) -> Out:
    assert out.code == 0, out.aside
    return out


FLAGS = [
    ("pin", "pinned", True, "unpin"),
    ("lock", "locked", True, "unlock"),
    ("retire", "retired", True, "restore"),
    ("rest", "rested", True, "unrest"),
    ("keep", "keep", "keep", "clear"),
    ("drop", "keep", "drop", "clear"),
]


@pytest.mark.parametrize(("action", "field", "value", "back"), FLAGS, ids=[row[0] for row in FLAGS])
def test_flags_are_set_and_taken_off(program: Program, action: str, field: str, value: object, back: str) -> None:
    """A116, C12 to C14: by title or by id; the other command takes it off."""
    done(program(action, GAG))
    assert entry(GAG_ID)[field] == value
    done(program(back, GAG_ID))
    assert field not in entry(GAG_ID)


def test_words_are_rewritten_and_reverted(program: Program) -> None:
    """C6 to C8: the person's words stay, and the pass's own come back on request."""
    before = entry(GAG_ID)
    done(program("edit", GAG, "--text", "The goat always gets in.", "--about", "Odile"))
    assert entry(GAG_ID)["text"] == "The goat always gets in."
    assert entry(GAG_ID)["about"] == ["character.odile"]
    done(program("revert", GAG_ID))
    assert entry(GAG_ID).get("text") == before.get("text")
    assert "edited" not in entry(GAG_ID)
    assert program("edit", GAG).code == 1


def test_an_entry_of_ones_own(program: Program) -> None:
    """C9, A116: added with names for ids, and with the episode from which it holds."""
    done(program("add", "--text", "Odile was born at sea.", "--about", "Odile", "--kind", "fact", "--since", "s01e02"))
    made = next(one for one in memory()["entries"] if one.get("text") == "Odile was born at sea.")
    assert (made["by"], made["about"], made["since"]) == ("person", ["character.odile"], "ep.s01e02")
    out = program("add", "--text", "x", "--about", "Nobody")
    assert (out.code, "expected somebody or something the show has, found Nobody" in out.aside) == (1, True)


def test_forget_and_restore(program: Program) -> None:
    """C15, F3: gone from every reader, back on request, by its title too."""
    done(program("forget", GAG))
    assert entry(GAG_ID) == {}
    assert [one["id"] for one in program("show", "--filter", "forgotten", "--json").json["entries"]] == [GAG_ID]
    done(program("restore", GAG))
    assert entry(GAG_ID)["title"] == GAG


def test_an_agent_neither_locks_nor_changes_what_is_locked(program: Program) -> None:
    """A117: locking is the person's."""
    assert program("lock", GAG, "--as", "agent").code == 1
    done(program("lock", GAG))
    assert program("pin", GAG, "--as", "agent").code == 1
    assert "pinned" not in entry(GAG_ID)
    assert program("pin", GAG, "--as", "robot").code == 1


def test_an_episode_is_placed_by_hand(program: Program) -> None:
    """A37: by any of its names; a taken place is refused."""
    done(program("place", "Fog", "--season", "2", "--number", "1"))
    placed = next(one for one in memory()["episodes"] if one["id"] == "ep.s01e03")
    assert (placed["season"], placed["number"], placed["placed"]) == (2, 1, True)
    assert program("place", "Goat", "--number", "2").code == 1
    assert "expected --number to be a number, found two" in program("place", "Goat", "--number", "two").aside
    assert "expected --season, --number or --story" in program("place", "Goat").aside


def test_settings(program: Program) -> None:
    """A29 to A34, A119: by the names people write; a wrong one is told with the nearest."""
    done(program("set", "restAfter=3", "apply=auto", "kinds=gags,world"))
    told = program("set", "--json").json
    assert (told["apply"], told["kinds"], told["restAfter"]) == ("auto", ["gags", "world"], 3)
    out = program("set", "restafter=3", "rest_afte=3")
    assert (out.code, out.aside.splitlines()[1].strip()) == (1, "did you mean restAfter=…?")
    assert program("set", "budgetTokens=much").code == 1


def test_every_setting_is_listed_with_what_it_does(program: Program) -> None:
    """C32 to C36, C40, C41: each with its value and what it needs; the time of a story that is not told is hidden."""
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(Settings.model_fields), "a new setting stands under a heading"
    assert all(info.description for info in Settings.model_fields.values())
    told = program("set").text
    heads = [row for row in told.splitlines() if row.isupper()]
    assert heads == ["A RUN", "WHAT IS SENT", "TIME IN THE STORY", "ADVANCED"]
    rows = {row.split()[0]: row for row in told.splitlines() if row not in heads}
    assert rows["restAfter"].split() == "restAfter 2 what played in each of so many latest episodes rests".split()
    assert rows["memoryCap"].endswith("(does nothing without semantic)")
    done(program("set", "semantic=true", "memoryCap=4", "kinds=gags"))
    told = program("set").text
    assert "(as it comes: 12)" in told and "does nothing without semantic" not in told
    assert "measuredClock" not in told and "measuredClock" in program("set", "--json").json
    done(program("set", "measuredClock=true"))
    assert "measuredClock   true" in program("set").text


def test_undo_redo_and_the_log(program: Program) -> None:
    """A119: every change is noted and can be taken back and made again."""
    before = Path("bible/memory.json").read_bytes()
    done(program("pin", GAG))
    after = Path("bible/memory.json").read_bytes()
    done(program("undo"))
    assert Path("bible/memory.json").read_bytes() == before
    done(program("redo"))
    assert Path("bible/memory.json").read_bytes() == after
    told = program("log", "--json").json["changes"]
    assert [one["by"] for one in told] == ["person", "person", "person", "pass"]
    assert GAG in program("log").text


def test_reset_asks_first(program: Program) -> None:
    """C16: everything back, but only when told so."""
    done(program("pin", GAG))
    assert program("reset").code == 1
    assert entry(GAG_ID)["pinned"]
    done(program("reset", "--yes"))
    assert "pinned" not in entry(GAG_ID)


def test_what_waits_is_decided_by_name(program: Program) -> None:
    """A89, A118, A129: the plan lists each decision; approve and reject take its name, or its entry's."""
    Path("104 Eel.fountain").write_text(GOAT.replace("Goat", "Eel").replace("goat", "eel"), encoding="utf-8")
    run(Path.cwd())
    before = Path("bible/memory.json").read_bytes()
    waiting = program("review", "--json").json["waiting"]
    assert len(waiting) >= 2
    assert Path("bible/memory.json").read_bytes() == before
    first = waiting[0]["name"]
    assert first in program("plan").text
    done(program("review", "--approve", first))
    left = [one["name"] for one in program("review", "--json").json["waiting"]]
    assert first not in left
    done(program("review", "--reject", left[0].split("@")[0]))
    done(program("review", "--all"))
    assert program("review").text == "Nothing waits.\n"
    assert "ep.s01e04" in {one["id"] for one in memory()["episodes"]}
    out = program("review", "--approve", "mem.gag.nothing")
    assert (out.code, "expected something that waits, found mem.gag.nothing" in out.aside) == (1, True)


def test_names_that_mean_nothing_are_told(program: Program) -> None:
    """A116: with the nearest there is."""
    out = program("pin", "mem.gag.the-goat-gets-out")
    assert (out.code, out.aside.splitlines()[1].strip()) == (1, f"did you mean {GAG_ID}?")
    assert program("pin").code == 1
    assert program("undo", "twice").code == 1
