"""What one episode changed: a change list an episode, as a file and as a command (D53, D55)."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import Program
from lantern import ENTRIES, EPISODES, ODILE, SHOW, TAM, WILL, entry, fact, notebook, said
from showmemory.context.changes_page import changes_page, changes_plain
from showmemory.context.files import context_files
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.model.memory import Entry
from showmemory.read.profile import VARIABLE
from shows import run, sample
from test_context_moment import rebuilt

SOLD = entry("sold", "knowledge", {"ep.202": said(text="Will sold it.", about=(WILL,), holders=(TAM, ODILE))})
FIRST = fact("keeper", "ep.101", "Odile keeps the lamp.", ODILE, value="Odile", field="keeper")
NEXT = fact("keeper-2", "ep.202", "Tam keeps the lamp.", ODILE, value="Tam", field="keeper")
MORE = (*ENTRIES, SOLD, FIRST.model_copy(update={"until": "ep.202"}), NEXT)


def listed(episode: str, *entries: Entry, until: str | None = None) -> list[str]:
    memory = notebook(entries or MORE)
    ready = Ready(SHOW, moment_of(SHOW, memory, until=until or episode), {})
    rows = changes_page(ready, episode).splitlines()
    assert not rows or rows[0].startswith("# Lantern Row: what s"), rows
    return [row.removeprefix("- ") for row in rows[1:]]


def test_what_gave_way_what_was_learned_what_is_new() -> None:
    """D53, D48: the old value beside the new one first; who learned what; what was let go or retired is not told."""
    told = listed("ep.202")
    assert told[0].startswith("Was: Odile keeps the lamp; now: Tam keeps the lamp.")
    assert any(row.startswith("Tam Reed and Odile Marsh learn: Will sold it.") for row in told)
    assert not [row for row in told if row.startswith("Established: Tam keeps the lamp")], "told once"
    for gone in ({"keep": "drop"}, {"retired": True}):
        assert listed("ep.202", SOLD.model_copy(update=gone)) == []
    assert listed("ep.202", SOLD) and not listed("ep.103", SOLD)


@pytest.mark.parametrize("at", range(len(EPISODES)))
def test_as_of_is_a_rebuild(at: int) -> None:
    """D27: the files up to an episode, and so the lists of the episodes before it, are those of a rebuild."""
    until = EPISODES[at]
    whole = Ready(SHOW, moment_of(SHOW, notebook(MORE), until=until), {})
    again = Ready(SHOW, moment_of(SHOW, rebuilt(EPISODES[: at + 1], MORE), until=until), {})
    assert changes_page(whole, until) == changes_page(again, until)
    assert changes_plain(whole, until) == changes_plain(again, until)
    files = context_files(SHOW, notebook(MORE))
    assert files.get(f"context/changes/{until}.md", "") == changes_page(whole, until)


def test_a_page_for_writing_an_episode_knows_nothing_of_what_it_changed() -> None:
    """D27: the list stands apart; so many of the newest have one as have a page, and none that changed nothing."""
    without = tuple(e for e in MORE if e is not SOLD)
    made, less = (context_files(SHOW, notebook(entries)) for entries in (MORE, without))
    assert made["context/episodes/ep.202.md"] == less["context/episodes/ep.202.md"]
    assert made["context/changes/ep.202.md"] != less["context/changes/ep.202.md"]
    lists = {path for path in context_files(SHOW, notebook(MORE, context_episodes=3)) if "/changes/" in path}
    assert lists <= {f"context/changes/{e}.md" for e in EPISODES[-3:]} and lists
    assert not any("/changes/" in path for path in context_files(SHOW, notebook((SOLD,), context_episodes=2)))


def test_the_command_prints_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """D55: `show --episode ID --changed`, by any name of an episode; as JSON; every line with its place."""
    monkeypatch.setenv(VARIABLE, "")
    show, program = sample(tmp_path / "sample_show"), Program(capsys)
    run(show)
    monkeypatch.chdir(show)
    out = program("show", "--changed", "--episode", "s02e05")
    assert out.code == 0 and out.text == Path("context/changes/ep.vote.md").read_text("utf-8")
    assert out.text.startswith("# One Paying Soul: what s02e05 The Vote changed\n- Was: Bea Hasp keeps the toll booth")
    made = program("show", "--changed", "--episode", "The Vote", "--json").json
    assert made["episode"] == "ep.vote" and len(made["changes"]) == out.text.count("\n- ")
    assert all(row["cite"].startswith("episodes/s02e05-the-vote.fountain:") for row in made["changes"])
    assert program("show", "--changed").code == 1 and program("show", "--changed", "--episode", "s09e09").code == 1
    before = Path("context/changes/ep.vote.md").stat().st_mtime_ns
    program("pin", "mem.gag.soup")
    assert Path("context/changes/ep.vote.md").stat().st_mtime_ns == before, "E1: written when its bytes change"
