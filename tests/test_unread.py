"""What stands where a script should and is none: one Problem, the exit code says so, and the other scripts go on."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from showmemory.checking import check
from showmemory.flow import Run
from showmemory.look import read_script, state
from shows import add_third, memory_bytes, pier, run

STAYS = "what is remembered of it stays; the other scripts are read"
Put = Callable[[Path], object]


def link_out(path: Path) -> None:
    outside = path.parents[2] / "outside.fountain"
    outside.write_text("INT. PIER - DAY\n\nADA\nOut here.\n")
    path.symlink_to(outside)


WRONG: dict[str, tuple[Put, str]] = {
    "empty": (lambda path: path.write_bytes(b""), "an empty file"),
    "folder": (lambda path: path.mkdir(), "a folder"),
    "dangling link": (lambda path: path.symlink_to("nowhere.fountain"), "a link to nothing"),
    "pipe": (os.mkfifo, "a pipe"),
    "link out of the show": (link_out, "one that leads out of it"),
}


@pytest.fixture
def show(tmp_path: Path) -> Path:
    return pier(tmp_path / "show")


@pytest.mark.parametrize("kind", WRONG)
def test_in_place_of_a_remembered_script_it_is_one_problem_and_nothing_is_forgotten(show: Path, kind: str) -> None:
    """DESIGN §2, §11: what is remembered stays, the others go on, `check` says what the run says."""
    run(show)
    script = show / "episodes" / "s01e02.fountain"
    script.unlink()
    WRONG[kind][0](script)
    add_third(show)
    made = run(show, apply="auto")
    assert [p.span.path for p in made.errors] == ["episodes/s01e02.fountain"]
    assert made.errors[0].message.endswith(f"found {WRONG[kind][1]}")
    assert made.book.memory is not None
    assert [e.id for e in made.book.memory.episodes] == ["ep.s01e01", "ep.s01e02", "ep.s01e03"]
    assert made.plan.changes == ()
    told = check(show)
    assert [p.span.path for p in told.problems if p.severity == "error"] == ["episodes/s01e02.fountain"]
    assert told.behind == []


@pytest.mark.parametrize("kind", ["empty", "dangling link", "pipe", "link out of the show"])
def test_beside_the_scripts_it_stops_none_of_them(show: Path, kind: str) -> None:
    """DESIGN §11: one bad script never stops the others."""
    WRONG[kind][0](show / "episodes" / "s01e04.fountain")
    made = run(show)
    assert [p.span.path for p in made.errors] == ["episodes/s01e04.fountain"]
    assert made.first and made.applied


def test_a_listed_script_that_is_a_folder_is_told_once(show: Path) -> None:
    (show / "show.toml").write_text(
        '[[episodes]]\nid = "ep.a"\nseason = 1\nnumber = 9\nscript = "episodes/a.fountain"\n'
    )
    (show / "episodes" / "a.fountain").mkdir()
    assert [str(p) for p in run(show).errors] == [
        f"episodes/a.fountain: error: expected a script, found a folder\n    {STAYS}"
    ]


def test_a_pipe_is_never_waited_for(show: Path) -> None:
    """DESIGN §11: limits on time; a pipe without a writer would hold a run for good, wherever it stands."""
    run(show)
    os.mkfifo(show / "x.fountain")
    assert [str(p) for p in read_script(show / "x.fountain").problems] == [
        f"{show}/x.fountain: error: expected a script, found a pipe"
    ]
    os.mkfifo(show / "episodes" / "s01e01.outline.yaml")
    (show / "rules").mkdir()
    os.mkfifo(show / "rules" / "gag.toml")
    assert {p.span.path for p in run(show).errors} == {"episodes/s01e01.outline.yaml", "rules/gag.toml"}


@pytest.mark.parametrize("name", ["s01e03 a\nb", "s01e03 \x1b[31mred"])
def test_a_name_that_breaks_a_line_is_a_problem_and_is_not_read(show: Path, name: str) -> None:
    """DESIGN §11: nothing of it reaches memory, the contexts or a citation."""
    (show / "episodes" / f"{name}.fountain").write_text("INT. PIER - DAY\n\nADA\nHello.\n")
    made = run(show)
    assert len(made.errors) == 1 and made.errors[0].hint == "rename it; the other scripts are read"
    assert len(str(made.errors[0]).splitlines()) == 2
    assert made.first and len(Run(show).show.episodes) == 2
    assert b"red" not in memory_bytes(show)


def test_check_says_fine_while_only_a_review_waits(show: Path) -> None:
    """README, exit codes: a review that waits is a notice; with --strict it is behind; a later edit is behind again."""
    run(show)
    add_third(show)
    assert check(show).behind
    run(show)
    told = check(show)
    assert told.behind == [] and told.lines == ["4 changes wait: showmemory review", "fine"]
    assert not state(show).behind
    assert check(show, strict=True).behind == ["4 changes wait for a decision (showmemory review)"]
    (show / "episodes" / "s01e03.fountain").write_text("INT. PIER - DAY\n\nADA\nAnother.\n")
    assert check(show).behind == ["episodes/s01e03.fountain is not remembered"]
    (show / "bible" / "proposal.json").unlink()
    assert check(show).behind
