"""What a run costs: `python bench/scale.py [FOLDER] [--sizes 200,2000] [--write]`.

Times the same changes on generated shows of so many episodes, or on every show of a FOLDER of shows (copied first), and
beside them sha256 over the scripts, doit, GNU make and ninja. Every step is a process of its own. Seconds are CPU
seconds, and wall time where that is said: a build's helpers are no children of the process that is measured. `--write`
puts the table into docs/performance.md.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generate import generate

DOCS = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
BEGIN, END = "<!-- bench/scale.py begins -->", "<!-- bench/scale.py ends -->"
SUFFIXES = {".fountain", ".fdx", ".pdf", ".txt"}
# Longer than the grain of any clock that stamps files: what is younger is not trusted, and hashed.
REST = 2.5
SHA = """
import hashlib, pathlib
for path in sorted(pathlib.Path("episodes").rglob("*")):
    path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest()
"""
RUN = """
import resource, sys
from pathlib import Path
from showmemory.flow import Options, remember
if __name__ == "__main__":
    remember(Path("."), Options(workers=int(sys.argv[1])))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
NO_OP = "import sys; sys.argv = ['showmemory', 'remember']; from showmemory.__main__ import main; sys.exit(main())"
LOAD = "from pathlib import Path; from showmemory.notebook import Notebook, dumps; dumps(Notebook(Path('.')).memory)"
ONE = """
import sys; from pathlib import Path
from showmemory import work; from showmemory.flow import Run
run = Run(Path("."))
run.parse()
e = run.show.episodes[-1]
wants = run.artifacts.wants[e.id]
work.do(work.Job(e, run.root / e.script, run.scripts[e.id], None, run.sides[e.id], wants), run.show.bible, run.rules)
"""
# What is measured, in CPU seconds, and what it is called.
ROWS = {
    "sha256": "sha256 of all scripts (seconds = 1)",
    "doit": "`doit list`, an empty dodo.py",
    "make": "GNU make, as many files, nothing to do",
    "ninja": "ninja, as many files, nothing to do",
    "no-op": "no-op",
    "memory": "memory.json read and written once",
    "one script": "opening the show and reading the newest script with every rule",
    "newest": "newest episode changed",
    "first": "first episode changed",
    "rule": "a rule that reads each episode changed",
    "threshold": "a threshold that only earning reads changed",
    "clean, one worker": "clean build, one worker",
}


@dataclass
class Cost:
    """CPU and wall seconds of a process and its children, and the most memory it held itself, in MB."""

    cpu: float = 0.0
    wall: float = 0.0
    memory: float = 0.0


@dataclass
class Measured:
    """One show: what it is, and what each step cost."""

    name: str
    episodes: int = 0
    scripts: int = 0
    store: int = 0
    notebook: int = 0
    costs: dict[str, Cost] = field(default_factory=dict)


def cost(command: Sequence[str], where: Path) -> Cost:
    """Run a command and say what it cost; its output is dropped but for a number it may end with."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 2):
        raise SystemExit(f"{' '.join(command)[:80]} in {where}: {done.stderr[-2000:]}")
    last = done.stdout.split()[-1] if done.stdout.split() else ""
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, time.perf_counter() - start, int(last) / 1024 if last.isdigit() else 0.0)


def scripts_of(show: Path) -> list[Path]:
    """A show's scripts, in the order of their names."""
    return sorted(p for p in (show / "episodes").rglob("*") if p.suffix in SUFFIXES)


def changed(path: Path) -> None:
    """Add a scene to a script."""
    scene = "\n\nINT. JETTY - DAY\n\nA new scene.\n\nIVO\nThe bell was rung before the ferry came.\n"
    path.write_text(path.read_text("utf-8") + scene, "utf-8")


def changed_rule(show: Path, name: str, line: str) -> None:
    """Lay another number over a rule's."""
    (show / "rules").mkdir(exist_ok=True)
    (show / "rules" / f"{name}.toml").write_text(line + "\n", "utf-8")


def measure(show: Path, name: str) -> Measured:
    """Take a show with no memory through every step."""
    scripts = scripts_of(show)
    made = Measured(name, len(scripts), sum(p.stat().st_size for p in scripts))
    program = show.with_name(show.name + "-run.py")
    program.write_text(RUN, "utf-8")

    def step(label: str, *command: str) -> None:
        made.costs[label] = cost([sys.executable, *command], show)
        print(f"{name}: {label}: {made.costs[label].cpu:.2f} s", file=sys.stderr, flush=True)

    def run(label: str, workers: int = 1) -> None:
        step(label, str(program), str(workers))

    run("clean, two workers", 2)
    for held in (".showmemory", "bible", "context"):
        shutil.rmtree(show / held)
    run("clean, one worker")
    made.store = sum(p.stat().st_size for p in (show / ".showmemory").glob("store*"))
    made.notebook = (show / "bible/memory.json").stat().st_size
    time.sleep(REST)
    step("settling", "-c", NO_OP)
    step("no-op", "-c", NO_OP)
    step("memory", "-c", LOAD)
    step("one script", "-c", ONE)
    # The first change after a first memory composes the pages once more: from then on episodes are known, not guessed.
    for label, path in (("newest, at first", scripts[-1]), ("newest", scripts[-1]), ("first", scripts[0])):
        changed(path)
        run(label)
    for label, rule, line in (("rule", "style", "manner_words = 4"), ("threshold", "callback", "bar = 8.5")):
        changed_rule(show, rule, line)
        run(label)
    others(show, made)
    return made


def others(show: Path, made: Measured) -> None:
    """sha256 over the scripts, doit with an empty dodo.py, make and ninja on as many files."""
    made.costs["sha256"] = cost([sys.executable, "-c", SHA], show)
    with tempfile.TemporaryDirectory(dir=show.parent) as held:
        folder = Path(held)
        (folder / "dodo.py").write_text("", "utf-8")
        made.costs["doit"] = cost([sys.executable, "-m", "doit", "list"], folder)
        names = [f"{number:05}" for number in range(made.episodes)]
        for name in names:
            (folder / f"{name}.in").write_bytes(b"")
            (folder / f"{name}.out").write_bytes(b"")
        outs = " ".join(f"{name}.out" for name in names)
        rules = "".join(f"{name}.out: {name}.in\n\ttouch $@\n" for name in names)
        (folder / "Makefile").write_text(f"all: {outs}\n{rules}", "utf-8")
        builds = "".join(f"build {name}.out: touch {name}.in\n" for name in names)
        (folder / "build.ninja").write_text(f"rule touch\n  command = touch $out\n{builds}", "utf-8")
        for tool in ("make", "ninja"):
            if found := shutil.which(tool):
                subprocess.run([found], cwd=folder, capture_output=True, check=True)
                made.costs[tool] = cost([found], folder)


def table_of(shows: Sequence[Measured]) -> str:
    """The table: a column for each show."""
    rows = [f"| | {' | '.join(one.name for one in shows)} |", f"| --- |{' --- |' * len(shows)}"]

    def row(name: str, cells: Iterable[str]) -> None:
        rows.append(f"| {name} | {' | '.join(cells)} |")

    row("episodes", (f"{one.episodes:,}" for one in shows))
    row("scripts, MB", (f"{one.scripts / 1e6:.1f}" for one in shows))
    for label, name in ROWS.items():
        row(name, (_seconds(one, label) for one in shows))
    for label in ("clean, one worker", "clean, two workers"):
        row(f"wall time of a {label.replace(',', ' build,')}", (f"{one.costs[label].wall:.1f} s" for one in shows))
    row("clean build: wall time with one worker over that with two", (_speed(one) for one in shows))
    row("no-op over sha256 of the scripts", (_over(one, "no-op", "sha256") for one in shows))
    row("no-op over a doit start with nothing to do", (_over(one, "no-op", "doit") for one in shows))
    parts = ("no-op", "memory", "one script")
    row("newest changed over no-op + memory.json read and written + that script read", (
        _over(one, "newest", *parts) for one in shows))  # fmt: skip
    row("peak memory of the main process, clean build, MB", (_memory(one, "clean, one worker") for one in shows))
    row("the same, newest changed", (_memory(one, "newest") for one in shows))
    row("store over scripts, bytes", (f"{one.store / one.scripts:.1f}" for one in shows))
    row("memory.json, MB", (f"{one.notebook / 1e6:.1f}" for one in shows))
    return "\n".join(rows)


def _seconds(one: Measured, label: str) -> str:
    if label not in one.costs:
        return "not on this machine"
    base = one.costs["sha256"].cpu
    return f"{one.costs[label].cpu:.2f} s = {one.costs[label].cpu / base:.1f}"


def _over(one: Measured, label: str, *under: str) -> str:
    return f"{one.costs[label].cpu / sum(one.costs[part].cpu for part in under):.2f}"


def _speed(one: Measured) -> str:
    return f"{one.costs['clean, one worker'].wall / one.costs['clean, two workers'].wall:.2f}"


def _memory(one: Measured, label: str) -> str:
    return f"{one.costs[label].memory:.0f}"


def written(page: str, table: str) -> str:
    """The page with the table between its markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Measure and print, or write, the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="a folder of shows; without it shows are generated")
    parser.add_argument("--sizes", default="200,2000", help="episodes of the generated shows")
    parser.add_argument("--words", type=int, default=5_000, help="spoken words an episode")
    parser.add_argument("--write", action="store_true", help=f"write the table into {DOCS.name}")
    asked = parser.parse_args(arguments)
    shows = []
    with tempfile.TemporaryDirectory(prefix="scale") as held:
        for name, show in _shows(asked, Path(held)):
            shows.append(measure(show, name))
            shutil.rmtree(show)
    table = table_of(shows)
    print(table)
    if asked.write:
        DOCS.write_text(written(DOCS.read_text("utf-8"), table), "utf-8")
    return 0


def _shows(asked: argparse.Namespace, where: Path) -> Iterator[tuple[str, Path]]:
    """Each show to measure, made or copied into a folder of its own, its memory left out."""
    if asked.folder is not None:
        for number, folder in enumerate(sorted(p.parent for p in asked.folder.glob("*/episodes"))):
            shutil.copytree(folder / "episodes", where / f"show{number}" / "episodes")
            yield folder.name, where / f"show{number}"
        return
    for size in map(int, asked.sizes.split(",")):
        generate(where / f"of{size}", size, asked.words)
        yield f"{size:,} episodes", where / f"of{size}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
