"""What a model's words are worth, without a judge model: every recorded answer of a show held against its script.

    python -m bench.ask SHOW [SHOW …]        or: python bench/ask.py sample_show

Prints one row an answer and their sum: how many claims it makes, of how many the words stand at the line they name,
how many ids it made up, whether it had to be repaired, and what it cost. The script as it is now is what counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from showmemory import answerbook
from showmemory.ask.record import Recorded
from showmemory.flow import Options, Run


@dataclass(frozen=True)
class Score:
    """One answer: cites and how many fell, claims kept and dropped, ids the show has not, repaired, dollars."""

    name: str
    cites: int = 0
    fell: int = 0
    claims: int = 0
    dropped: int = 0
    ids: int = 0
    repaired: int = 0
    failed: int = 0
    usd: float = 0.0
    answers: int = 1

    def __add__(self, other: Score) -> Score:
        sums = {n: getattr(self, n) + getattr(other, n) for n in vars(self) if n != "name"}
        return Score(self.name, **sums)

    def row(self) -> tuple[str, ...]:
        valid = f"{1 - self.fell / self.cites:.1%}" if self.cites else "-"
        stand = f"{self.claims / (self.claims + self.dropped):.1%}" if self.claims + self.dropped else "-"
        repaired = f"{self.repaired / self.answers:.0%}"
        cost = f"${self.usd / self.answers:.4f}"
        return (
            self.name,
            str(self.cites),
            valid,
            str(self.claims),
            stand,
            str(self.ids),
            repaired,
            str(self.failed),
            cost,
        )


HEAD = ("answer", "cites", "valid", "claims", "stand", "made-up ids", "repaired", "failed", "cost each")


def scores(root: Path) -> Iterator[Score]:
    """Every recorded answer of a show, in story order; what a model failed to give counts with its cost."""
    run = Run(root, Options(workers=1, model="off"))
    run.parse()
    run.extract()
    run.ask()
    assert run.asking is not None
    for episode in run.read:
        answers, _, _ = answerbook.load(run.root, run.asking.places[episode.id], episode)
        reading = run.asking.reading(episode) if answers and answers.answers else None
        for recorded in answers.answers if answers and reading else ():
            assert reading is not None
            name = f"{episode.id} {recorded.pass_} {recorded.model or recorded.marked or '?'}"
            if recorded.failed:
                yield Score(name, failed=1, repaired=int(recorded.repaired), usd=recorded.used.usd)
                continue
            yield _score(name, recorded, reading.one(recorded))
    run.close()


def _score(name: str, recorded: Recorded, made: object) -> Score:
    from showmemory.ask.observe import Observed

    assert isinstance(made, Observed)
    made_up = sum("the show has no" in line for line in made.dropped)
    lost = sum("not at the lines" in line for line in made.dropped)
    fell = len(made.fell) or len(recorded.fell)
    repaired, usd = int(recorded.repaired), recorded.used.usd
    return Score(name, made.cited, fell, len(made.observations), lost, made_up, repaired, 0, usd)


def table(shows: list[Path]) -> list[tuple[str, ...]]:
    """The rows to print."""
    found = [score for show in shows for score in scores(show)]
    if not found:
        return []
    whole = Score("all", answers=0)
    for score in found:
        whole += score
    return [HEAD, *(score.row() for score in found), whole.row()]


def main() -> int:
    """Print the table."""
    rows = table([Path(name) for name in sys.argv[1:]] or [Path("sample_show")])
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))] if rows else []
    for row in rows:
        cells = [
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        sys.stdout.write("  ".join(cells) + "\n")
    if not rows:
        sys.stdout.write("no answer is recorded there\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
