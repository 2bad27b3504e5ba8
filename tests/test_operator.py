"""Who is writing: first in what is printed to a person, silent when empty, never in the show's files (B38 to B41)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Program, with_bible
from lantern import SHOW, notebook
from showmemory.context.context import memory_context
from showmemory.context.tokens import count
from showmemory.model.operator import Operator
from showmemory.read.profile import NAME, VARIABLE, operator, profile_path

PROFILE = 'name = "Ada Quill"\nabout = "I keep the <script> of Brine.\\nI break long lines."\n'
SAYS = "You are working with Ada Quill, who says: I keep the <script> of Brine. I break long lines."


@pytest.fixture
def profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A profile in a configuration folder, where nobody names another."""
    made = tmp_path / "config" / NAME
    made.parent.mkdir(parents=True)
    made.write_text(PROFILE, encoding="utf-8")
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return made


def test_who_is_writing_in_one_line() -> None:
    """B38, B41: name and bio; a first or last name alone is enough; nothing is made up, an empty profile is silent."""
    assert Operator(name="Ada", about="I type.").says == "You are working with Ada, who says: I type."
    assert Operator(name=" Quill ").says == "You are working with Quill."
    assert Operator(about="I type.").says == "You are working with somebody who says: I type."
    assert Operator(about=" \n ").says == "" == Operator().says


@pytest.mark.parametrize("form", ["markdown", "plain", "xml", "json"])
@pytest.mark.parametrize("budget", [300, 1500])
def test_first_in_a_context_and_counted(form: str, budget: int) -> None:
    """B38, B40: before everything, in each form, its tokens in the budget to the last one; no block is torn."""
    made = memory_context(SHOW, notebook(), format=form, budget_tokens=budget, operator=SAYS)  # type: ignore[arg-type]
    first = {
        "markdown": "You are working with Ada Quill, who says: I keep the &lt;script>",
        "plain": "You are working with Ada Quill, who says: I keep the ‹script›",
        "xml": "<memory>\n<operator>You are working with Ada Quill, who says: I keep the &lt;script&gt;",
        "json": '{"operator":"You are working with Ada Quill, who says: I keep the \\u003cscript>',
    }
    assert made.text.startswith(first[form])
    assert made.tokens == count(made.text) == sum(r.tokens for r in made.receipt.rows if r.state == "in")
    assert made.tokens <= budget
    if form == "json":
        assert json.loads(made.text)["operator"] == SAYS
    bare = memory_context(SHOW, notebook(), format=form, budget_tokens=budget, operator="")  # type: ignore[arg-type]
    assert bare == memory_context(SHOW, notebook(), format=form, budget_tokens=budget)  # type: ignore[arg-type]


def test_where_a_profile_is() -> None:
    """B39: outside every show; a variable names another, or none."""
    assert profile_path({VARIABLE: "/p.toml", "HOME": "/ada"}) == Path("/p.toml")
    assert profile_path({VARIABLE: "", "HOME": "/ada"}) is None
    assert profile_path({"XDG_CONFIG_HOME": "/config", "HOME": "/ada"}) == Path("/config") / NAME
    assert profile_path({"XDG_CONFIG_HOME": "config", "HOME": "/ada"}) == Path("/ada/.config") / NAME
    assert profile_path({}) is None
    assert operator({}) == (Operator(), [])


def test_printed_to_a_person_and_never_written(
    tmp_path: Path, profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """B39, B40: `context` begins with it; no file of the show holds the name, before or after."""
    show, program = with_bible(tmp_path / "brine"), Program(capsys)
    assert program("remember", str(show)).code == 0
    printed = program("context", "-C", str(show))
    assert printed.text.startswith("You are working with Ada Quill, who says: ")
    assert program("context", "-C", str(show), "--json").json["text"].startswith("You are working with Ada Quill")
    files = [p for p in show.rglob("*") if p.is_file()]
    assert len(files) > 10
    assert not [p for p in files if b"Quill" in p.read_bytes()]
    profile.write_text("", encoding="utf-8")
    assert program("context", "-C", str(show)).text.startswith("# Brine")


def test_a_slip_in_the_profile_is_a_warning(tmp_path: Path, profile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """B41: it is said with its place, and the context comes all the same, without a name."""
    show, program = with_bible(tmp_path / "brine"), Program(capsys)
    profile.write_text('nam = "Ada"\n', encoding="utf-8")
    printed = program("context", "-C", str(show))
    assert printed.code == 0 and "Ada" not in printed.text
    assert f"{profile}:1:1: warning: expected a key that is known here, found nam" in printed.aside
    assert "did you mean name?" in printed.aside
