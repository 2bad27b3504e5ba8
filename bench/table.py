"""The table of bench/finding.py, its lists, and its place in docs/finding.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from finding import Measured, Truth

DOCS = Path(__file__).resolve().parent.parent / "docs" / "finding.md"
BEGIN, END = "<!-- bench/finding.py begins -->", "<!-- bench/finding.py ends -->"
PLACES = {"catchphrase": (10, 20, 50), "gag": (40, 100, 200), "callback": (5, 10)}
# What two studies published for the recipe this started from, on four series of which two are not here; percentages.
PUBLISHED = {
    "catchphrase": "53 / 60 / 71 with nothing from outside, 60 / 70 / 75 beside other shows",
    "gag": "at 100 / 200: sitcoms 53, 32, 57 / 67, 56, 77; drama 24 / 42",
    "callback": "sitcoms 68, 60, 57 / 83, 79, 74; drama 24 / 37 to 40",
}


def table_of(shows: Sequence[Measured]) -> str:
    """Everything that is measured, in Markdown."""
    names = " | ".join(one.name for one in shows)
    rows = [f"| | {names} | all | published, % |", f"| --- |{' --- |' * (len(shows) + 2)}"]
    rows.append(_row("episodes", [str(one.episodes) for one in shows], ""))
    rows.append(_row("words spoken", [f"{one.words:,}" for one in shows], f"{sum(one.words for one in shows):,}"))
    for kind, places in PLACES.items():
        ranks = [[at for truth, at in one.ranks if truth.kind == kind] for one in shows]
        name = f"{kind}s known, found in the first {' / '.join(map(str, places))}"
        rows.append(_ranked(name, ranks, places, PUBLISHED[kind]))
        if kind == "catchphrase":
            literal = [[at for _, at in one.literal] for one in shows]
            rows.append(_ranked("the same by the literal rule", literal, places, "18 / 22 / 31"))
            runs = [f"{one.runs:,}" for one in shows]
            rows.append(_row("runs the literal rule reports", runs, "", "34,000 to 84,000 a sitcom"))
    rows += _lists(shows)
    return "\n".join(rows)


def _ranked(name: str, ranks: Sequence[Sequence[int]], places: Sequence[int], published: str) -> str:
    cells = [_found(held, places) for held in ranks]
    return _row(name, cells, _found([at for held in ranks for at in held], places), published)


def _lists(shows: Sequence[Measured]) -> Iterator[str]:
    shown = [_shown(one) for one in shows]
    for kind in ("catchphrase", "running", "callback", "echo", "term"):
        name = {"running": "running gags", "echo": "echoes", "catchphrase": "catchphrases"}.get(kind, f"{kind}s")
        yield _row(f"{name} shown", [str(held.get(kind, 0)) for held in shown], "")
    yield _row("catchphrases shown, the six leads", [_leads(one) for one in shows], "")
    yield _row("generic phrases among them", ["; ".join(one.generic) or "none" for one in shows], "")
    yield _row("clip shows", [", ".join(one.clips) or "none" for one in shows], "")
    for after in (20, 80):
        told = [f"{one.turnover[after]:.2f}" if after in one.turnover else "" for one in shows]
        old = {20: "1.77 early", 80: "0.19 late"}[after]
        yield _row(f"new entries in a lead's first ten per episode, after the {after}th", told, "", old)
    yield _row("seconds on one core, reading included", [f"{one.seconds:.1f}" for one in shows], "")
    yield _row("the same for 500,000 words", [f"{one.seconds * 5e5 / one.words:.1f}" for one in shows], "")
    yield _row("peak memory, MB", [f"{one.memory:.0f}" for one in shows], "")
    yield _row("the same for 500,000 words", [f"{one.memory * 5e5 / one.words:.0f}" for one in shows], "")


def _shown(one: Measured) -> dict[str, int]:
    made: dict[str, int] = {}
    for row in one.rows:
        if not row.held:
            kind = "catchphrase" if row.entry.kind == "catchphrase" else str(row.entry.form)
            made[kind] = made.get(kind, 0) + 1
    return made


def _leads(one: Measured) -> str:
    """How many each of the six with the longest lists shows."""
    counts: dict[str, int] = {}
    for row in one.rows:
        if row.entry.kind == "catchphrase" and not row.held:
            counts[row.entry.about[0]] = counts.get(row.entry.about[0], 0) + 1
    return ", ".join(str(count) for count in sorted(counts.values(), reverse=True)[:6])


def _found(ranks: Sequence[int], places: Sequence[int]) -> str:
    if not ranks:
        return "none known"
    found = [sum(0 < at <= most for at in ranks) for most in places]
    percent = " / ".join(f"{100 * count / len(ranks):.0f}" for count in found)
    return f"{' / '.join(map(str, found))} of {len(ranks)}: {percent}%"


def _row(name: str, cells: Iterable[str], whole: str, published: str = "") -> str:
    return f"| {name} | {' | '.join(cells)} | {whole} | {published} |"


def written(page: str, table: str) -> str:
    """The page with the table between its markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def lists_of(one: Measured, *, lists: bool, misses: bool) -> Iterator[str]:
    """The lists of a show, for reading; and where the known items stand that are not among the first."""
    yield one.name
    for truth, at in one.ranks if misses else ():
        if truth.kind in PLACES and not 0 < at <= PLACES[truth.kind][-2 if truth.kind == "gag" else 0]:
            yield f"  {truth.kind} {truth.speaker} {_told(truth)}: {at or 'not in the ranking'}"
    name = ""
    for row in one.rows if lists else ():
        here = row.entry.about[0] if row.entry.kind == "catchphrase" else str(row.entry.form)
        if here != name:
            name = here
            yield f"  {name}"
        score = "" if row.score is None else f"{row.score:.1f}"
        mark = "-" if row.held else " "
        yield f"   {mark} {score} {row.entry.title!r} {list(row.entry.variants)} x{len(row.entry.uses)} {row.held}"


def _told(truth: Truth) -> str:
    return " / ".join(truth.wordings)
