"""The program itself: help, codes, mistakes on the line, terminals, pipes, and a fault of ours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Program, bare, with_bible
from showmemory.commands.all import COMMANDS, PARTS
from showmemory.commands.screen import cut, width, wrapped
from shows import run

NAMES = [command.get_name() for command in COMMANDS]
# fmt: off
CONTRACT = {
    "init", "remember", "status", "read", "cast", "show", "context", "why", "plan", "review", "undo",
    "redo", "log", "check", "add", "edit", "pin", "unpin", "keep", "drop", "clear", "lock",
    "unlock", "rest", "unrest", "retire", "restore", "forget", "revert", "place", "set", "reset",
}
# fmt: on


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    monkeypatch.chdir(bare(tmp_path / "brine"))
    return Program(capsys)


def test_every_command_of_the_contract_is_there(program: Program) -> None:
    """A114 to A120: and each stands in the help, with its own."""
    assert set(NAMES) >= CONTRACT
    out = program("--help")
    assert out.code == 0
    assert all(f"\n  {name} " in out.text for name in NAMES)
    assert {command.part for command in COMMANDS} == set(PARTS)
    assert max(map(len, out.text.splitlines())) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help(program: Program, name: str) -> None:
    """A114: how it is called and each option, and help does nothing."""
    out = program(name, "--help")
    assert out.code == 0
    assert f"showmemory {name}" in out.text
    assert out.text == program("help", name).text
    assert not Path("show.toml").exists()


MISTAKES = [
    (["shwo"], "showmemory: expected a command, found shwo\n    did you mean show?\n"),
    (
        ["show", "--kin", "gag", "--jsn"],
        "showmemory: expected an option of showmemory show, found --jsn\n    did you mean --json?\n",
    ),
    (["show", "--kind"], "showmemory: expected a value after --kind, found none\n"),
    (["read"], "showmemory: expected FILE, found nothing\n    showmemory read --help\n"),
    (["status", "now"], "showmemory: expected no words, found now too\n    showmemory status --help\n"),
    (["show", "-C", "/nowhere"], "showmemory: expected a folder, found /nowhere\n"),
    (["remember", "nowhere"], "showmemory: expected a folder of scripts, found nowhere\n"),
    (["remember", "--apply", "later"], "showmemory: expected --apply to be review or auto or manual, found later\n"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES)
def test_a_mistake_on_the_line_is_told_with_the_nearest(program: Program, words: list[str], said: str) -> None:
    """A121: what was expected, what was found; exit 1, no traceback, nothing on standard output."""
    out = program(*words)
    assert (out.code, out.text, out.aside) == (1, "", said)


def test_options_may_stand_after_words_and_equals_signs_are_kept(program: Program) -> None:
    """A114: `read FILE --json`, `set a=b`."""
    assert program("read", "101 Goat.fountain", "--json").json["elements"]
    assert "expected SETTING=VALUE, found nothing=1" in program("set", "nothing=1").aside


def test_remember_runs_the_stages_and_each_has_its_name(program: Program) -> None:
    """A87, A92: as doit does; the second time there is nothing to do; a bare folder's guesses are shown."""
    out = program("remember")
    assert out.code == 0
    assert out.text.startswith("Brine: 4 scripts in this folder, 3 episodes\n")
    assert "first memory" in out.text
    assert Path("bible/memory.json").is_file()
    assert program("parse").code == 0
    told = program("remember", "--json", "--dry-run").json
    assert (told["episodes"], told["waiting"], told["first"]) == (3, [], False)
    out = program("list")
    assert out.code == 0
    assert "remember" in out.text


def test_remember_another_folder(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A46: `remember FOLDER`, from anywhere."""
    monkeypatch.chdir(tmp_path)
    assert program("remember", "brine").code == 0
    assert (tmp_path / "brine/context/show.md").is_file()
    assert not (tmp_path / "bible").exists()


def test_the_show_is_found_from_inside_it(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A114: as git finds its repository."""
    program("init", "--yes")
    Path("notes").mkdir()
    monkeypatch.chdir("notes")
    assert program("status").text.startswith("Brine\n")


def test_a_fault_of_ours_is_short(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A121: exit 3 and no traceback, but for who asks for one."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the lamp fell")

    monkeypatch.setattr("showmemory.look.state", fail)
    out = program("status")
    assert out.code == 3
    assert out.aside.splitlines()[0] == "showmemory: a fault of ours: RuntimeError: the lamp fell"
    assert "Traceback" not in out.aside
    monkeypatch.setenv("SHOWMEMORY_TRACEBACK", "1")
    assert "Traceback" in program("status").aside


def test_a_pipe_gets_plain_text_in_utf8(tmp_path: Path) -> None:
    """A107: no colour codes, and no letter lost, whatever the locale; a reader that stops early is no error."""
    root = with_bible(tmp_path / "brine")
    run(root)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "showmemory", "init", "-C", str(root)]
    done = subprocess.run(command, capture_output=True, env=env, timeout=60, check=False)
    assert done.returncode == 0
    assert "101 … 103" in done.stdout.decode("utf-8")
    assert b"\x1b" not in done.stdout
    show = subprocess.Popen(
        [*command[:3], "show", "-C", str(root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    assert show.stdout is not None
    show.stdout.close()
    assert show.wait(timeout=60) == 0
    assert show.stderr is not None
    assert show.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are opened otherwise there")
@pytest.mark.parametrize("columns", [50, 90])
def test_a_terminal_gets_colour_and_no_row_is_wider(tmp_path: Path, columns: int) -> None:
    """A128: coloured on a terminal, never wider than it; with CI set it is plain."""
    root = with_bible(tmp_path / "brine")
    run(root)
    said = on_terminal(columns, {}, "show", "-C", str(root))
    assert "\x1b[1m" in said
    rows = re.sub(r"\x1b\[[0-9;]*m", "", said).replace("\r", "").split("\n")
    assert max(map(width, rows)) <= columns
    assert "\x1b" not in on_terminal(columns, {"CI": "true"}, "show", "-C", str(root))


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are opened otherwise there")
def test_review_asks_one_by_one(tmp_path: Path) -> None:
    """A129: approve, reject, later, by one key each, on a terminal."""
    root = with_bible(tmp_path / "brine")
    run(root)
    (root / "104 Eel.fountain").write_text((root / "101 Goat.fountain").read_text().replace("Goat", "Eel"))
    run(root)
    said = on_terminal(90, {}, "review", "-C", str(root), answers="a\nr\nq\n")
    assert "1 of " in said
    assert "1 approved, 1 rejected" in said


def on_terminal(columns: int, env: dict[str, str], *words: str, answers: str = "") -> str:
    """Everything the program prints on a terminal that wide."""
    import pty

    pid, terminal = pty.fork()
    if pid == 0:
        held = {k: v for k, v in os.environ.items() if k not in ("CI", "NO_COLOR", "FORCE_COLOR")}
        held |= {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", "COLUMNS": str(columns), **env}
        os.execve(sys.executable, [sys.executable, "-m", "showmemory", *words], held)
    if answers:
        os.write(terminal, answers.encode())
    said = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.waitpid(pid, 0)
    return said.decode("utf-8", "replace")


def test_text_is_wrapped_between_words_and_counted_in_columns() -> None:
    """A128: wide letters take two columns, accents none; aligned blanks stay where a row is not broken."""
    assert width("日本") == 4
    assert width("e\u0301") == 1
    assert cut("the long kettle", 8) == "the lon…"
    assert wrapped("  a  b", 40, None) == ["  a  b"]
    assert wrapped("  one two three", 9, None) == ["  one two", "    three"]
    assert wrapped("abcdefghij", 4, None) == ["abcd", "  ef", "  gh", "  ij"]
    assert all(width(row) <= 12 for row in wrapped("日本語 " * 9 + "x" * 30, 12, 4))
