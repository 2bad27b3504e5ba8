"""What a person does to memory.json by hand: each time a line in the history, and an undo that gives back what was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from showmemory import desk
from showmemory.store import history
from shows import add_third, memory_bytes, pier, run

Edit = Callable[[dict[str, Any]], object]
GAG = "mem.gag.lighthouse-keys"


@pytest.fixture
def show(tmp_path: Path) -> Path:
    made = pier(tmp_path / "show")
    run(made)
    return made


def by_hand(show: Path, edit: Edit, indent: int | None = None) -> None:
    memory = json.loads(memory_bytes(show))
    edit(memory)
    text = json.dumps(memory, indent=indent, ensure_ascii=False)
    (show / "bible" / "memory.json").write_text(text, encoding="utf-8")


def gag(memory: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = next(e for e in memory["entries"] if e["id"] == GAG)
    return made


def said(show: Path) -> list[str]:
    return [change["did"] for change in history.read(show)]


def title(words: str) -> Edit:
    return lambda memory: gag(memory).__setitem__("title", words)


def test_a_second_edit_of_a_field_is_a_change_of_its_own(show: Path) -> None:
    """A21, law 4: undo gives back the person's first words, then the pass's, then there is no memory."""
    first = memory_bytes(show)
    for words in ("First.", "Second."):
        by_hand(show, title(words))
        run(show)
    assert said(show)[1:] == [f"{GAG}: title was rewritten by hand: yours"] * 2
    seen = []
    for _ in range(2):
        assert desk.undo(show).lines == [f"taken back: {GAG}: title was rewritten by hand: yours"]
        seen.append(gag(json.loads(memory_bytes(show)))["title"])
    assert seen == ["First.", "Lighthouse keys"] and memory_bytes(show) == first
    desk.redo(show)
    desk.redo(show)
    assert gag(json.loads(memory_bytes(show)))["title"] == "Second."


def add(memory: dict[str, Any]) -> None:
    memory["entries"].append({"id": "mem.fact.mine", "kind": "fact", "text": "Mine."})


EDITS: dict[str, tuple[Edit, str]] = {
    "a flag": (lambda m: gag(m).__setitem__("locked", True), f"{GAG}: locked changed by hand: yours"),
    "a setting": (
        lambda m: m["settings"].__setitem__("restAfter", 3),
        "the setting rest_after was changed by hand: yours",
    ),
    "own words": (
        lambda m: m["entries"][0].__setitem__("text", "Other."),
        "mem.fact.mine: text was rewritten by hand: yours",
    ),
    "own entry gone": (lambda m: m["entries"].pop(0), "mem.fact.mine was taken out by hand"),
}


@pytest.mark.parametrize("kind", EDITS)
def test_whatever_is_changed_by_hand_has_its_line_and_its_undo(show: Path, kind: str) -> None:
    """A20, A21: flags, settings, an entry of the person's own rewritten or taken out."""
    by_hand(show, add)
    run(show)
    before = memory_bytes(show)
    by_hand(show, EDITS[kind][0])
    run(show)
    assert said(show)[-1] == EDITS[kind][1]
    assert memory_bytes(show) != before
    desk.undo(show)
    assert memory_bytes(show) == before


def test_only_laid_out_otherwise_is_no_change(show: Path) -> None:
    before = memory_bytes(show)
    by_hand(show, lambda _: None, indent=8)
    run(show)
    assert memory_bytes(show) == before and len(said(show)) == 1


def test_all_entries_taken_out_by_hand_are_one_change_with_a_short_line(show: Path) -> None:
    """A22: each is forgotten; one undo gives all of them back."""
    before = memory_bytes(show)
    by_hand(show, lambda memory: memory["entries"].clear())
    made = run(show)
    assert len(made.hand) == 5
    assert said(show)[1:] == [
        "mem.gag.lighthouse-keys was removed by hand: forgotten; "
        "mem.gag.the-kettle-is-a-witness was removed by hand: forgotten; and 3 more by hand"
    ]
    desk.undo(show)
    assert memory_bytes(show) == before


def test_what_only_follows_the_scripts_is_taken_back_with_the_change_before_it(show: Path) -> None:
    """An undo takes back a decision, never numbers alone, which the next run would only bring again."""
    run(show)
    before = memory_bytes(show)
    desk.change(show, "pin", GAG)
    script = show / "episodes" / "s01e02.fountain"
    script.write_text(script.read_text() + "\n")
    run(show)
    assert history.read(show)[-1]["kind"] == history.FOLLOWED
    assert "no pass changes it" in desk.undo(show).lines[0]
    assert memory_bytes(show) == before
    assert desk.redo(show).lines[0].startswith("made again")


def test_an_undo_that_finds_nothing_left_says_so_and_the_next_goes_on(show: Path) -> None:
    """What another hand changed since is left; undo is never stuck before it."""
    for words in ("First.", "Second."):
        desk.change(show, "edit", GAG, fields={"title": words})
    lines = (show / history.PATH).read_text().splitlines()
    last = json.loads(lines[-1])
    (show / history.PATH).write_text("\n".join([*lines[:-1], json.dumps(last | {"undo": {}, "redo": ""})]) + "\n")
    assert desk.undo(show).lines[0].startswith("nothing of it could be taken back")
    told = [desk.undo(show).lines[0] for _ in range(2)]
    assert told[1] == "nothing of it could be taken back: first memory of 2 episodes"
    assert desk.undo(show).problems[0].message == "nothing to undo"


def test_the_history_without_its_last_line_still_tells_nothing_wrong(show: Path) -> None:
    """A history that was lost makes no hand edits up."""
    (show / history.PATH).unlink()
    add_third(show)
    assert run(show).hand == ()
