"""A36: what reads well and is surely not meant is told at its line, and never changes what is remembered."""

from pathlib import Path

import pytest

from showmemory.flow import Options, remember
from showmemory.read.show import open_show
from showmemory.read.slips import find_slips

SCRIPT = "INT. KITCHEN - DAY\n\nADA\nThe kettle is lonely.\n"
CONFIG = """id = "kettle"
title = "Kettle"
language = "en"
scripts = "episodes"

[[episodes]]
id = "one"
season = 1
number = 1
script = "episodes/one.fountain"

[[episodes]]
id = "two"
season = 1
number = 2
script = "episodes/two.fountain"
"""
BIBLE = """characters:
  - id: character.ada
    name: Ada Finch
    aliases: [Ada]
  - id: character.bo
    name: Bo Larch
"""


@pytest.fixture
def show(tmp_path: Path) -> Path:
    (tmp_path / "episodes").mkdir()
    (tmp_path / "bible").mkdir()
    (tmp_path / "show.toml").write_text(CONFIG)
    (tmp_path / "bible/bible.yaml").write_text(BIBLE)
    for name in ("one", "two"):
        (tmp_path / f"episodes/{name}.fountain").write_text(SCRIPT)
    return tmp_path


def told(root: Path) -> list[str]:
    opened, problems = open_show(root)
    return [f"{p.span}: {p.severity}: {p.message}" for p in [*problems, *find_slips(opened, root)]]


def change(root: Path, path: str, old: str, new: str) -> None:
    held = (root / path).read_text()
    assert old in held
    (root / path).write_text(held.replace(old, new, 1))


def test_a_show_without_slips_is_told_nothing(show: Path) -> None:
    assert told(show) == []


@pytest.mark.parametrize(
    ("path", "old", "new", "said"),
    [
        ("show.toml", '"en"', '"klingon"', "show.toml:3: warning: expected a language there are word lists for"),
        ("show.toml", '"episodes"', '"nope"', "show.toml:4: warning: expected a folder nope, found none"),
        ("show.toml", "season = 1", "season = -1", "show.toml:8:1: error: expected a right season"),
        ("show.toml", "season = 1", "season = true", "show.toml:8:1: error: expected a whole number for season"),
        ("show.toml", '"one"', '" "', "show.toml:7:1: error: expected id to start ep., found text ' '"),
        ("show.toml", '"kettle"', '"my kettle"', "show.toml:1:1: error: expected id to be one word without blanks"),
        ("show.toml", "two.fountain", "one.fountain", "show.toml:16: error: expected a script of its own for ep.two"),
        ("show.toml", '"two"', '"one"', "show.toml:13: error: expected each id once, found ep.one again"),
        ("bible/bible.yaml", "r.bo", "r.ada", "bible/bible.yaml:5: error: expected each id once, found character.ada"),
        ("bible/bible.yaml", "Bo Larch", "ADA", "bible/bible.yaml:6: warning: expected a name of its own for"),
    ],
)
def test_a_slip_is_told_at_its_line(show: Path, path: str, old: str, new: str, said: str) -> None:
    change(show, path, old, new)
    assert any(line.startswith(said) for line in told(show)), told(show)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("three.outline.yaml", "warning: expected a script that this outline goes with, found none"),
        ("one.continuty.yaml", "warning: expected continuity.yaml, found continuty.yaml"),
    ],
)
def test_a_side_file_that_nothing_reads_is_told(show: Path, name: str, said: str) -> None:
    (show / "episodes" / name).write_text("{}\n")
    assert told(show) == [f"episodes/{name}: {said}"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("show.toml", "two.fountain", "one.fountain"),
        ("show.toml", '"two"', '"one"'),
        ("show.toml", "season = 1", "season = true"),
        ("bible/bible.yaml", "character.bo", "character.ada"),
    ],
)
def test_a_slip_that_makes_it_another_show_leaves_memory_as_it_is(show: Path, path: str, old: str, new: str) -> None:
    remember(show, Options())
    before = (show / "bible/memory.json").read_bytes()
    change(show, path, old, new)
    run = remember(show, Options())
    assert [p for p in run.problems if p.severity == "error"]
    assert not run.plan.changes
    assert (show / "bible/memory.json").read_bytes() == before
