"""What the documents say is true: links, paths, blocks, commands, and a test for each behaviour that is owed."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from showmemory.model.show import ShowConfig

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = find_spec("showmemory.__main__") is not None
# What the pipeline's first form owes, and the tests are to name.
OWED = {f"A{n}" for n in (*range(1, 68), *range(82, 109))}


def block(language: str) -> str:
    """The first fenced block of the README in that language."""
    return README.split(f"```{language}\n")[1].split("```")[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_paths_are_there(page: Path) -> None:
    """Every link of a page leads somewhere, and every file of ours that it names exists."""
    text = page.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []
    named = re.findall(r"`((?:pipeline|rules/showmemory_rules|tests|docs|schemas|sample_show)/[\w./-]*)`", text)
    assert [
        path for path in named if not path.isupper() and not re.search(r"[A-Z]{3}", path) and not (ROOT / path).exists()
    ] == []


@pytest.mark.parametrize("maker", ["make_rules", "make_shown"])
def test_pages_are_what_their_makers_write(maker: str) -> None:
    """STYLE 25: docs/rules.md, and all that the README shows of the program, are what `make docs` writes."""
    done = subprocess.run([sys.executable, f"docs/{maker}.py", "--check"], cwd=ROOT, check=False, timeout=120)
    assert done.returncode == 0, "run make docs"


def test_readme_dodo_is_the_sample_shows() -> None:
    """A46: the two lines the README shows are the two lines that work."""
    assert block("python") == (ROOT / "sample_show/dodo.py").read_text(encoding="utf-8")


def test_readme_show_toml_loads() -> None:
    """A46: the show.toml of the README is one."""
    config = ShowConfig.model_validate(tomllib.loads(block("toml")))
    assert [episode.id for episode in config.episodes] == ["ep.kettle"]


@pytest.mark.skipif(not COMMANDS, reason="the program has no commands yet")
def test_commands_of_the_readme_are_there() -> None:
    """Every command the README names is in the program's help, and every one there has a line of help."""
    command = [sys.executable, "-m", "showmemory", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    listed = dict(re.findall(r"^\s*(?:showmemory )?([a-z][a-z-]+)\s{2,}(\S.*)$", done.stdout, re.MULTILINE))
    assert all(listed.values())
    named = set(re.findall(r"^ +showmemory ([a-z][a-z-]+)", README, re.MULTILINE)) | set(
        re.findall(r"`showmemory ([a-z][a-z-]+)", README)
    )
    assert named - set(listed) == set()


def test_every_behaviour_owed_has_a_test() -> None:
    """A1 to A67, A82 to A108: each number is named by a test, alone or in a range."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    text = text.replace("OWED", "").replace(test_every_behaviour_owed_has_a_test.__doc__ or "", "")
    named = set(re.findall(r"\bA\d+\b", text)) | {f"A{n}" for n in re.findall(r"def test_a(\d+)_", text)}
    for first, last in re.findall(r"\bA(\d+)(?: to |–|-| through )A(\d+)\b", text):
        named |= {f"A{n}" for n in range(int(first), int(last) + 1)}
    assert sorted(OWED - named, key=lambda name: int(name[1:])) == []
