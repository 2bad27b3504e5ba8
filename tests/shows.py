"""Small shows made in a folder, and runs over them, for tests that go end to end."""

from __future__ import annotations

import shutil
from pathlib import Path

from showmemory.flow import Options, Run, remember

SAMPLE = Path(__file__).parent.parent / "sample_show"
OUTPUT = ("bible/memory.json", "bible/memory.history.jsonl", "bible/proposal.json")


def sample(to: Path, *, bare: bool = True) -> Path:
    """A copy of the sample show without what a run writes (`bare`) or without the cache alone."""
    left_out = [".showmemory", "context", *[Path(o).name for o in OUTPUT]] if bare else [".showmemory"]
    shutil.copytree(SAMPLE, to, ignore=shutil.ignore_patterns(*left_out))
    return to


def clone(show: Path, to: Path) -> Path:
    """What a fresh clone holds: everything but the cache and the waiting proposal."""
    shutil.copytree(show, to, ignore=shutil.ignore_patterns(".showmemory", "proposal.json"))
    return to


def run(show: Path, **options: object) -> Run:
    """One run in this process."""
    return remember(show, Options(workers=1, **options))  # type: ignore[arg-type]


def outputs(show: Path) -> dict[str, bytes]:
    """Every byte a run decides, but for history's clock times."""
    found = {p.relative_to(show).as_posix(): p for p in (show / "context").rglob("*") if p.is_file()}
    found |= {o: show / o for o in OUTPUT if "history" not in o and (show / o).is_file()}
    return {name: path.read_bytes() for name, path in sorted(found.items())}


def script(*speeches: tuple[str, str], heading: str = "INT. PIER - DAY", action: str = "The pier.") -> str:
    """A scene in Fountain: a heading, an action line, and speeches of (cue, words)."""
    return "\n".join([heading, "", action, "", *(f"{who}\n{words}\n" for who, words in speeches)])


def tiny(to: Path, episodes: dict[str, str]) -> Path:
    """A bare folder of scripts: file name -> Fountain text."""
    (to / "episodes").mkdir(parents=True)
    for name, text in episodes.items():
        (to / "episodes" / name).write_text(text, encoding="utf-8")
    return to


ONE = script(("ADA", "Define safe."), ("BO", "Nobody counts the lighthouse keys twice."), ("ADA", "Define twice."))
TWO = script(("BO", "The kettle is a witness."), ("ADA", "Define witness. The lighthouse keys are gone."))
GAGS = "gags:\n  - name: Lighthouse keys\n  - name: The kettle is a witness\n"


def pier(to: Path) -> Path:
    """A bare show of two scripts and a bible of two gags."""
    made = tiny(to, {"s01e01.fountain": ONE, "s01e02.fountain": TWO})
    (made / "bible").mkdir()
    (made / "bible" / "bible.yaml").write_text(GAGS)
    return made


def memory_bytes(show: Path) -> bytes:
    return (show / "bible" / "memory.json").read_bytes()


def edit_second(show: Path) -> None:
    (show / "episodes" / "s01e02.fountain").write_text(TWO.replace("keys are gone", "keys are back"))


def add_third(show: Path) -> None:
    (show / "episodes" / "s01e03.fountain").write_text(script(("ADA", "Where are the lighthouse keys?")))
