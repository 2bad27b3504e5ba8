"""Help, and a run with nothing to do, load nothing heavy; what is installed holds the rules."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

HEAVY = (
    *(
        "pydantic",
        "jsonschema",
        "rich",
        "anthropic",
        "tiktoken",
        "dask",
        "distributed",
        "fsspec",
        "starlette",
        "jinja2",
    ),
    *("uvicorn", "mcp", "numpy", "wordfreq", "wordllama", "pypdf", "ruamel", "tomlkit", "snowballstemmer"),
)
COMMANDS = find_spec("showmemory.__main__") is not None

HELP = "import sys; sys.argv = ['showmemory', '--help']; from showmemory.__main__ import main; code = main()"
DOIT = """
import sys
from doit.cmd_base import ModuleTaskLoader
from doit.doit_cmd import DoitMain
from showmemory.tasks import tasks_for
code = DoitMain(ModuleTaskLoader(tasks_for('.'))).run(['remember'])
"""
LOADED = f"""
print('loaded:', *sorted(set(sys.modules) & set({HEAVY!r})))
print('code:', code)
"""


def run(program: str, cwd: Path) -> list[str]:
    """What a fresh interpreter prints."""
    command = [sys.executable, "-c", program + "\n" + LOADED]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def contents(show: Path) -> dict[Path, bytes]:
    """Every file but the note of what is up to date, which each look brings to the day."""
    return {p: p.read_bytes() for p in show.rglob("*") if p.is_file() and not p.name.startswith("uptodate")}


def test_importing_the_package(tmp_path: Path) -> None:
    """The package itself, and what doit loads of it, import nothing heavy."""
    for module in ("showmemory", "showmemory.tasks"):
        assert run(f"import sys, {module}; code = 0", tmp_path)[-2:] == ["loaded:", "code: 0"]


@pytest.mark.skipif(not COMMANDS, reason="the program has no commands yet")
def test_help_is_light(tmp_path: Path) -> None:
    """`showmemory --help` imports nothing heavy."""
    lines = run(HELP, tmp_path)
    assert lines[-2] == "loaded:"
    assert any("remember" in line for line in lines)


def test_a_run_with_nothing_to_do_is_light(sample_show: Path) -> None:
    """`doit remember` a second time does nothing, says so, and imports nothing heavy."""
    first = run(DOIT, sample_show)
    assert "pydantic" in first[-2]
    assert first[-1] in ("code: 0", "code: None")
    before = contents(sample_show)
    second = run(DOIT, sample_show)
    assert second[-2] == "loaded:"
    assert "everything is up to date" in second[-3]
    assert contents(sample_show) == before


def test_the_wheel_holds_rules_and_nothing_else(root: Path, tmp_path: Path) -> None:
    """A wheel carries the two packages with every TOML file, and no test, sample or cache."""
    hatchling = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(hatchling, cwd=root, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0].split("-")[0] for name in names} == {"showmemory", "showmemory_rules"}
    rules = {path.relative_to(root / "rules").as_posix() for path in (root / "rules").rglob("*.toml")}
    assert rules <= names
    assert "showmemory/py.typed" in names
    assert not [name for name in names if "__pycache__" in name]
