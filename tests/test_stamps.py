"""Time in memory: both readings of when something happened, when settings ask for it (C36, C37, C43 to C54)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands import Program
from lantern import ENTRIES, EPISODES, ODILE, SHOW, fact, notebook, use
from showmemory.context.context import memory_context
from showmemory.context.files import context_files
from showmemory.context.moment import moment_of
from showmemory.context.stamps import Stamps
from showmemory.model.canonical import plain
from showmemory.model.memory import Settings, ShowMemory
from showmemory.model.screenplay import Scene, Screenplay
from showmemory.read.profile import VARIABLE
from shows import run, script, tiny
from test_context_moment import rebuilt

ON: dict[str, Any] = {"time_in_memory": True, "measured_clock": True}


def play(*clocks: str) -> Screenplay:
    """A script whose scenes stand at these times."""
    scenes = (Scene(str(n), "INT. INN", n, n, n, clock=clock) for n, clock in enumerate(clocks, 1))
    return Screenplay((), tuple(scenes))


PLAYS = {
    "ep.101": play("Day 1, evening", "Day 2, dawn"),
    "ep.102": play("Day 1, morning", "Day 3, night", "Day 1, night (a week earlier)", "flashback"),
    "ep.104": play("Day 4, morning"),
    "ep.201": play("Day 1, midday", "Day 1, night"),
    "ep.203": play("Day 1, morning"),
    "ep.204": play("Day 1, dawn", "Day 1, evening"),
}


def stamps(until: str | None = None, **settings: Any) -> Stamps:
    memory = notebook(**{**ON, **settings})
    return Stamps(
        moment_of(SHOW, memory, until=until), memory.settings, PLAYS, measured=settings.get("measured_clock", True)
    )


def told(memory: ShowMemory, **options: Any) -> str:
    return memory_context(SHOW, memory, **{"budget_tokens": 4000, "timing": PLAYS, "scripts": {}, **options}).text


def test_off_as_it_comes_nothing_is_dated() -> None:
    """C36, C37, C49: both are off; with the clock on and time in memory off, contexts hold no date either."""
    assert (Settings().measured_clock, Settings().time_in_memory, Settings().days_per_episode) == (False, False, 1)
    before = memory_context(SHOW, notebook(), budget_tokens=4000).text
    assert "Day " not in before and "clock" not in before
    assert told(notebook()) == before == told(notebook(measured_clock=True))


def test_an_old_memory_keeps_its_bytes() -> None:
    """C53: settings that came later are written when they are set, and only then."""
    assert "measuredClock" not in plain(notebook())["settings"]
    assert plain(notebook(**ON))["settings"]["measuredClock"] is True
    assert plain(notebook(**ON))["settings"]["timeInMemory"] is True


def test_the_days_of_a_story() -> None:
    """C43, C50, C51: an episode begins the day after the last one ended; one without a script takes a day."""
    made = stamps()
    # In the story ep.203 stands first.
    assert made.at("ep.203") == "Day 1, morning — ten days ago"
    begins = {e: made.at(e).partition(" — ")[0] for e in EPISODES}
    assert begins == {
        "ep.203": "Day 1, morning",
        "ep.101": "Day 2, evening",
        "ep.102": "Day 4, morning",
        "ep.103": "Day 7",
        "ep.104": "Day 8, morning",
        "ep.201": "Day 9, midday",
        "ep.202": "Day 10",
        "ep.204": "Day 11, dawn",
    }
    assert str(made.now) == "Day 11, evening"


def test_both_readings() -> None:
    """C43, C46, C48: where in the story, and how far back; recent ones in words, coarse parts of day, no hours."""
    made = stamps()
    assert made.at("ep.204", "2") == "Day 11, evening — moments ago"
    assert made.at("ep.204", "1") == "Day 11, dawn — earlier today"
    assert made.at("ep.202") == "Day 10 — yesterday"
    assert made.at("ep.201", "2") == "Day 9, night — two days ago"
    assert made.at("ep.102", "3") == "Day 1, night (a week earlier)"
    assert made.at("ep.102", "4") == "flashback"
    assert made.at("ep.999") == ""


def test_the_flat_rate() -> None:
    """C49, C50: without the clock an episode is a day, or as many as are set: the scale is wrong, the order right."""
    made = stamps(measured_clock=False)
    assert [made.at(e).partition(" — ")[0] for e in ("ep.203", "ep.101", "ep.204")] == ["Day 1", "Day 2", "Day 8"]
    assert stamps(measured_clock=False, days_per_episode=7).at("ep.101") == "Day 8 — one month ago"
    days = [int(made.at(e).split()[1]) for e in ("ep.203", *(e for e in EPISODES if e != "ep.203"))]
    assert days == sorted(days)


def test_a_context_says_when() -> None:
    """C44, C45: facts, ties, gags, threads and episodes carry the stamp, and the frame the clock."""
    text = told(notebook(**ON))
    assert "The story's clock: Day 11, evening.\n" in text
    assert "- Will owns a boat. (s02e04, Day 11, dawn — earlier today)" in text
    assert "last s02e01, Day 9, midday — two days ago" in text
    assert "last moved s02e03, Day 1, morning" in text
    assert "- s02e04 Night 204 (Day 11, dawn — earlier today): " in text


def test_what_a_person_added_and_what_they_dated() -> None:
    """C47: stamped at the moment it was added; a person's own `when` holds over the scripts'."""
    dated = fact("flood", "ep.202", "The cellar floods.", ODILE).model_copy(update={"when": "Day 9, night"})
    text = told(notebook((*ENTRIES, dated), **ON))
    assert "The inn is insured. (s01e02, Day 6, night — five days ago)" in text
    assert "The cellar floods. (s02e02, Day 9, night — two days ago)" in text


def test_a_scene_at_its_own_time() -> None:
    """C43: what is cited from a scene is stamped with that scene."""
    late = fact("late", "ep.204", "The lamp is out.")
    said = late.said["ep.204"].model_copy(update={"sources": (use("ep.204").model_copy(update={"scene": "2"}),)})
    late = late.model_copy(update={"said": {"ep.204": said}})
    assert "The lamp is out. (s02e04, Day 11, evening — moments ago)" in told(notebook((*ENTRIES, late), **ON))


@pytest.mark.parametrize("at", range(len(EPISODES)))
def test_as_of_is_a_rebuild(at: int) -> None:
    """D27 with C43: as of every episode the dates are those of a rebuild from the scripts up to there."""
    until = EPISODES[at]
    again = rebuilt(EPISODES[: at + 1])
    for measured in (True, False):
        settings = notebook(time_in_memory=True, measured_clock=measured).settings
        whole, less = (m.model_copy(update={"settings": settings}) for m in (notebook(), again))
        upto = {e: p for e, p in PLAYS.items() if e in EPISODES[: at + 1]}
        assert told(whole, as_of=until) == told(less, as_of=until, timing=upto)


def test_a_witness_has_no_clock_of_scenes_they_did_not_see() -> None:
    """B3 with C43: other times in unseen scenes change no byte of somebody's own view."""
    memory = notebook(**ON)
    other = {**PLAYS, "ep.101": play("Day 1, evening", "Day 40, night")}
    assert told(memory, witness=ODILE) == told(memory, witness=ODILE, timing=other)


def test_files_and_command_agree_on_a_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """C44, C54: switched on with `set`; files and command say the same; a script that changed is at the flat rate until
    memory has taken it up, and then by its new opening."""
    monkeypatch.setenv(VARIABLE, "")
    first = script(("ADA", "Define safe."), ("BO", "Nobody counts the keys."), heading="INT. PIER - NIGHT")
    show = tiny(
        tmp_path / "pier", {"s01e01.fountain": first, "s01e02.fountain": script(("BO", "A kettle is a witness."))}
    )
    run(show)
    program = Program(capsys)
    assert "clock" not in (show / "context/show.md").read_text()
    for name in ("timeInMemory", "measuredClock"):
        assert program("set", f"{name}=true", "-C", str(show)).code == 0
    text = (show / "context/show.md").read_text()
    assert "The story's clock: Day 2, morning.\n" in text
    assert "s01e01 (Day 1, night — yesterday)" in text
    assert program("context", "-C", str(show)).text == text
    (show / "episodes/s01e01.fountain").write_text(first.replace("NIGHT", "DAWN"))
    run(show)
    assert "s01e01 (Day 1 — yesterday)" in (show / "context/show.md").read_text()
    assert program("review", "--all", "-C", str(show)).code == 0
    assert "s01e01 (Day 1, dawn — yesterday)" in (show / "context/show.md").read_text()


def test_what_is_looked_at_is_dated_by_the_clock_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """C43, C45, C47, C49: with the clock on `show`, `notes` and `why` carry both readings, as contexts would, and say
    where the story stands; with the clock off they date nothing, though what is sent is dated."""
    monkeypatch.setenv(VARIABLE, "")
    scripts = {
        "s01e01.fountain": script(("ADA", "Define safe."), ("BO", "Nobody counts the keys."), heading="EXT. A - NIGHT"),
        "s01e02.fountain": script(("ADA", "Define safe."), ("BO", "A kettle."), heading="INT. PIER - EVENING"),
    }  # fmt: skip
    show, program = tiny(tmp_path / "pier", scripts), Program(capsys)
    run(show)
    monkeypatch.chdir(show)
    assert program("add", "--text", "The pier is rotten.").code == 0
    assert program("set", "timeInMemory=true").code == 0
    for words in (("show",), ("notes",), ("why", "mem.fact.the-pier-is-rotten")):
        assert "Day " not in program(*words).text, "C49: the clock is off"
    assert "(s01e02, Day 2 — moments ago)" in Path("context/show.md").read_text()
    assert program("set", "timeInMemory=false", "measuredClock=true").code == 0
    assert "Day " not in Path("context/show.md").read_text(), "C44: that is for time in memory"
    told = program("show").text
    assert told.startswith("The story's clock: Day 2, evening\n")
    assert "Day 1, night — yesterday" in told and "Day 2, evening — moments ago" in told
    entries = {e["id"]: e.get("when") for e in program("show", "--json").json["entries"]}
    assert entries["mem.synopsis.s01e01"] == "Day 1, night — yesterday"
    assert entries["mem.fact.the-pier-is-rotten"] == "Day 2, evening — moments ago"
    assert "since s01e02, Day 2, evening — moments ago" in program("notes").text
    assert "in the story: Day 1, night — yesterday" in program("why", "mem.synopsis.s01e01").text


def test_no_script_is_needed_while_it_is_off() -> None:
    """C36: files of a show that does not ask for it are the same with and without scripts."""
    assert context_files(SHOW, notebook()) == context_files(SHOW, notebook(), timing=PLAYS)
