"""When the end of a run suggests a checkpoint (E1, E2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from showmemory.model.show import Episode
from showmemory.summary import end_lines, season_over
from shows import TWO, run, script, tiny

WHERE = ": showmemory checkpoint says where it stands, for whoever goes on"
BIBLE = "stage: premise\nnext: {step: Write it., entry: episodes/s01e01.fountain}\n"


@pytest.mark.parametrize(
    ("there", "newest", "expected"),
    [
        ("11 12", "12", 0),
        ("11 12 13 21 22", "22", 0),
        ("11 12 21 22", "22", 2),
        ("11 12 21", "12", 1),
        ("11 12 13 21", "12", 0),
        ("11 12 21", "21", 1),
        ("11 12 21 22 31", "31", 2),
        ("21", "21", 0),
    ],
)
def test_when_a_season_is_over(there: str, newest: str, expected: int) -> None:
    """E1: the last of its season, with a later one planned or as many in the one before; or the first of a new one."""
    codes = [(code, int(code[0]), int(code[1])) for code in there.split()]
    listed = [Episode(id=f"ep.{code}", season=season, number=number, script="x") for code, season, number in codes]
    assert season_over(listed, next(e for e in listed if e.id == f"ep.{newest}")) == expected


def pauses(show: Path, **options: object) -> list[str]:
    return [row.removesuffix(WHERE) for row in end_lines(run(show, **options)) if row.endswith(WHERE)]


def test_the_end_of_a_run_suggests_a_checkpoint_once(tmp_path: Path) -> None:
    """E1, E2: where a season ends or the stage is another one; not at first, not for one more script, not again."""
    long = script(*(("ADA", f"Word {n} of a script that is longer than its checkpoint by far.") for n in range(80)))
    show = tiny(tmp_path / "pier", {"s01e01.fountain": long, "s01e02.fountain": TWO})
    (show / "bible").mkdir()
    bible = show / "bible/bible.yaml"
    bible.write_text(BIBLE)
    assert pauses(show) == [], "a first memory"
    (show / "episodes/s02e01.fountain").write_text(TWO)
    assert pauses(show, apply="auto") == ["Season 1 is over"]
    (show / "episodes/s01e02.fountain").write_text(TWO + "\nBO\nOne more.\n")
    assert pauses(show, apply="auto") == []
    assert (show / "context/checkpoint.json").is_file()
    bible.write_text(BIBLE.replace("premise", "scene"))
    assert pauses(show, apply="auto") == ["The stage is scene now, and was premise"]
    bible.write_text(BIBLE.replace("premise", "scene").replace("Write it", "Write it all"))
    assert pauses(show, apply="auto") == []
