"""Measure reading, and say how it conforms: `python bench/reading.py [--write] [--cases FOLDER] [--scripts FOLDER]`.

`--write` puts both tables between their markers in docs/reading.md. `--cases` reads a folder of cases with an
expected.json and lists what differs. `--scripts` reads every script of a folder and says what is odd in it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from libraries import LIBRARIES, Rows, ours  # noqa: E402
from printing import pdf  # noqa: E402
from showmemory.model.rules import Rules  # noqa: E402
from showmemory.model.screenplay import Screenplay  # noqa: E402
from showmemory.model.show import Bible  # noqa: E402
from showmemory.read.cast import near_names, resolve  # noqa: E402
from showmemory.read.fdx import read_fdx  # noqa: E402
from showmemory.read.fountain import read_fountain  # noqa: E402
from showmemory.read.rules import read_rules  # noqa: E402
from showmemory.read.screenplay import SUFFIXES, read_screenplay  # noqa: E402

PAGE = ROOT / "docs/reading.md"
SCRIPTS = sorted((ROOT / "sample_show/episodes").glob("*/*.fountain"))
LINES_A_PAGE = 46  # of a Fountain file: what prints to 54 lines, without the wrapping
FDX_TYPES = {
    "heading": "Scene Heading", "action": "Action", "character": "Character", "dialogue": "Dialogue",
    "paren": "Parenthetical", "transition": "Transition",
}  # fmt: skip


@cache
def rules() -> Rules:
    return read_rules("en")[0]


def conformance() -> Iterator[str]:
    """One row a kind of thing; a library that raises or hangs is our finding too."""
    yield "| | showmemory | " + " | ".join(LIBRARIES) + " |"
    yield "| --- |" + " --- |" * (1 + len(LIBRARIES))
    right: Counter[str] = Counter()
    cases = tomllib.loads((ROOT / "tests/cases/conformance.toml").read_text("utf-8"))["reads"]
    for case in cases:
        row = []
        for name, read in {"showmemory": ours, **LIBRARIES}.items():
            good = _reads(read, case["text"]) == [tuple(pair) for pair in case["as"]]
            right[name] += good
            row.append("yes" if good else "no")
        yield f"| {case['about']} | {' | '.join(row)} |"
    names = ("showmemory", *LIBRARIES)
    yield f"| **of {len(cases)}** | " + " | ".join(f"**{right[name]}**" for name in names) + " |"


def _reads(read: Callable[[str], Rows], text: str) -> Rows | None:
    try:
        return read(text)
    except Exception:
        return None


def best(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The least processor time of each, taken in turns: what else the machine does then falls on all alike."""
    least = [1e9] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            begin = time.process_time()
            work()
            least[number] = min(least[number], time.process_time() - begin)
    return least


def script_of(pages: int) -> str:
    """The sample show, over and over, to so many pages."""
    lines: list[str] = []
    texts = [path.read_text("utf-8").split("\n\n", 1)[1] for path in SCRIPTS]
    while len(lines) < pages * LINES_A_PAGE:
        for text in texts:
            lines += text.split("\n")
    return "\n".join(lines[: pages * LINES_A_PAGE])


def final_draft(play: Screenplay) -> bytes:
    rows = (
        f'    <Paragraph Type="{FDX_TYPES[e.kind]}">\n      <Text>{escape(e.text)}</Text>\n    </Paragraph>\n'
        for e in play.elements
        if e.kind in FDX_TYPES
    )
    return f"<FinalDraft>\n  <Content>\n{''.join(rows)}  </Content>\n</FinalDraft>\n".encode()


def empty_handlers(data: bytes) -> None:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: None
    parser.EndElementHandler = lambda name: None
    parser.CharacterDataHandler = lambda text: None
    parser.Parse(data, True)


def speed() -> Iterator[str]:
    """Milliseconds for scripts of growing length, each the best of several, all in one run."""
    try:
        parse = import_module("fountain_parser").parse
    except ImportError:
        parse = None
    heads = ("pages", "lines", "Fountain, elements", "fountain-parser", "whole reading", "with the cast")
    heads += ("Final Draft, elements", "expat, empty handlers")
    yield f"| {' | '.join(heads)} |"
    yield "|" + " ---: |" * len(heads)
    for pages in (120, 600, 3000, 10000):
        text = script_of(pages)
        data = text.encode()
        play = read_screenplay(data, "a.fountain", rules())
        fdx = final_draft(play)
        took = best(
            [
                lambda: read_fountain(text, "a.fountain", rules()),  # noqa: B023 - run at once
                lambda: parse(text) if parse else None,  # noqa: B023
                lambda: read_screenplay(data, "a.fountain", rules()),  # noqa: B023
                lambda: resolve(read_screenplay(data, "a.fountain", rules()), Bible(), rules()),  # noqa: B023
                lambda: read_fdx(fdx, "a.fdx", rules()),  # noqa: B023
                lambda: empty_handlers(fdx),  # noqa: B023
            ],
            {120: 25, 600: 9}.get(pages, 3),
        )
        yield (f"| {pages} | {text.count(chr(10)) + 1} | " + " | ".join(f"{t * 1000:.1f}" for t in took) + " |")


def printed() -> Iterator[str]:
    """How much of the sample show comes back from paper."""
    from test_read_pdf import paragraphs, same

    shares, pages, took = [], 0, 0.0
    for path in SCRIPTS:
        play = read_screenplay(path.read_bytes(), path.name, rules())
        data = pdf(play.elements, title="A\nB", numbered=True, stars=True)
        begin = time.perf_counter()
        again = read_screenplay(data, "a.pdf", rules())
        took += time.perf_counter() - begin
        pages += max(e.page for e in again.elements)
        shares.append(same(paragraphs(play), paragraphs(again)))
    yield (
        f"The sample show printed with scene numbers and revision stars ({len(SCRIPTS)} episodes, {pages} pages):"
        f" {min(shares):.1%} of the elements or more come back from each PDF, at {1000 * took / pages:.0f} ms a page."
    )


def expected(folder: Path) -> Iterator[str]:
    """Each case of a folder against its expected.json."""
    cases = json.loads((folder / "expected.json").read_text("utf-8"))
    differ = 0
    for name, case in cases.items():
        play = read_screenplay((folder / f"{name}.fountain").read_bytes(), f"{name}.fountain", rules())
        found = _grouped((e.kind, e.line, e.text) for e in play.elements if e.kind not in ("note", "boneyard"))
        wanted = _grouped((kind, line, text) for kind, line, text in case["expected"])
        if found != wanted:
            differ += 1
            yield f"{name}: {case['note']}\n  expected {wanted}\n  found    {found}"
    yield f"{len(cases) - differ} of {len(cases)} as expected"


def _grouped(rows: Iterator[tuple[str, int, str]]) -> list[tuple[str, int, list[str]]]:
    made: list[tuple[str, int, list[str]]] = []
    for kind, line, text in rows:
        if made and made[-1][0] == kind and kind not in ("character", "heading", "pagebreak"):
            made[-1][2].extend(text.split())
        else:
            made.append((kind, line, text.split()))
    return made


def odd(folder: Path) -> Iterator[str]:
    """What is odd in a folder of scripts: problems by group, and cue names that are nearly another."""
    problems: Counter[str] = Counter()
    names: Counter[str] = Counter()
    took = 0.0
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in SUFFIXES]
    for path in paths:
        data = path.read_bytes()
        begin = time.perf_counter()
        play = resolve(read_screenplay(data, path.name, rules()), Bible(), rules())
        took += time.perf_counter() - begin
        problems.update(problem.group or problem.message for problem in play.problems)
        names.update(e.name for e in play.elements if e.kind == "character")
    yield f"{len(paths)} scripts, {1000 * took / max(len(paths), 1):.1f} ms each; {len(names)} cue names"
    yield from (f"{count:6} {group}" for group, count in problems.most_common())
    yield from (f"       {near}" for near in near_names(names, Bible())[:40])


def write(name: str, rows: list[str]) -> None:
    text = PAGE.read_text("utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    head, rest = text.split(begin)
    tail = rest.split(end)[1]
    body = "\n".join(rows)
    PAGE.write_text(f"{head}{begin}\n{body}\n\n{end}{tail}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the tables into docs/reading.md")
    parser.add_argument("--cases", type=Path, help="a folder of cases with expected.json")
    parser.add_argument("--scripts", type=Path, help="a folder of scripts")
    given = parser.parse_args()
    if given.cases or given.scripts:
        for rows in (expected(given.cases) if given.cases else (), odd(given.scripts) if given.scripts else ()):
            print(*rows, sep="\n")
        return
    for name, rows in (("conformance", list(conformance())), ("speed", list(speed())), ("printed", list(printed()))):
        print(*rows, "", sep="\n")
        if given.write:
            write(name, rows)


if __name__ == "__main__":
    main()
