"""Nothing raw of a script, a bible or a name reaches the terminal, and whatever goes wrong --json is JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from showmemory.text.visible import visible
from shows import pier

ORDERS = "\x1b]0;mine\x07\x1b[2J\x9b31m\x7f"


def program(show: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "showmemory", *words]
    return subprocess.run(command, cwd=show, capture_output=True, encoding="utf-8", timeout=60, check=False)


@pytest.fixture(scope="module")
def show(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Orders to a terminal in a script, in the bible, and in memory by hand."""
    made = pier(tmp_path_factory.mktemp("terminal") / "show")
    (made / "episodes" / "s01e03.fountain").write_text(
        f"INT. PIER {ORDERS} - DAY\n\nA{ORDERS} boat.\n\nADA\nThe lighthouse keys {ORDERS} are here.\n",
        encoding="utf-8",
    )
    (made / "bible" / "bible.yaml").write_text('gags:\n  - name: "Lighthouse \\e[31m keys"\n')
    program(made, "remember")
    memory = json.loads((made / "bible" / "memory.json").read_text())
    memory["entries"].append({"id": "mem.fact.mine", "kind": "fact", "text": f"Mine {ORDERS}."})
    (made / "bible" / "memory.json").write_text(json.dumps(memory))
    return made


@pytest.mark.parametrize(
    "words",
    ["remember", "status", "show", "show --json", "context", "read episodes/s01e03.fountain", "cast", "check", "log"],
)
def test_nothing_raw_reaches_the_terminal(show: Path, words: str) -> None:
    """DESIGN §11: text from outside gives a terminal no orders."""
    made = program(show, *words.split())
    for text in (made.stdout, made.stderr):
        assert text == visible(text)


def test_what_a_script_says_to_a_terminal_reaches_no_context(show: Path) -> None:
    """The reader leaves it out, with a warning; so memory and the pages are free of it too."""
    program(show, "remember")
    pages = [page.read_text(encoding="utf-8") for page in (show / "context").rglob("*.md")]
    assert any("The pier." in page for page in pages)
    assert not [page for page in pages if visible(page.replace(ORDERS, "")) != page.replace(ORDERS, "")]


@pytest.mark.parametrize("words", ["emit", "list", "run", "remember --nope", "nope", "show --kind zzz", "pin"])
def test_with_json_a_refusal_is_json_too(show: Path, words: str) -> None:
    """G5: one JSON object and nothing else; doit's own words for it stay inside."""
    made = program(show, *words.split(), "--json")
    assert made.returncode == 1
    assert list(json.loads(made.stdout)) == ["problems"]
    assert "CmdOption" not in made.stderr
