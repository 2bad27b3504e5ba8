"""Reviewing: on a real terminal, entry by entry; by name; and never a plan that is another by now."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commands import BELL, GOAT, Program, with_bible
from showmemory import desk
from showmemory.commands.beside import beside
from showmemory.commands.screen import width
from showmemory.flow import up_to_merge
from shows import run
from terminals import typed

BELL_SYNOPSIS, BARN = "mem.synopsis.s01e02@ep.s01e02", "mem.catchphrase.odile-not-a-barn@ep.s01e04"
EEL, STYLE = "mem.synopsis.s01e04@ep.s01e04", "mem.style.house-style@ep.s01e04"


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A remembered show, then one script changed and a new one: four decisions wait."""
    root = with_bible(tmp_path_factory.mktemp("shows") / "brine")
    run(root)
    (root / "104 Eel.fountain").write_text(GOAT.replace("Goat", "Eel").replace("goat", "eel"))
    (root / "102 Bell BLUE.fountain").write_text(BELL.replace("INT. CELLAR", "INT. ATTIC"))
    run(root)
    return root


@pytest.fixture
def root(tmp_path: Path, waiting: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(shutil.copytree(waiting, tmp_path / "brine"))
    return tmp_path / "brine"


@pytest.fixture
def program(root: Path, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def entry(root: Path, name: str) -> dict[str, Any]:
    held = json.loads((root / "bible/memory.json").read_text())["entries"]
    return next((one for one in held if one["id"] == name.split("@")[0]), {})


def left(root: Path) -> set[str]:
    made = up_to_merge(root)
    made.close()
    return {change.id for change in made.plan.changes}


def test_the_four_that_wait(root: Path) -> None:
    """What the other tests stand on."""
    assert left(root) == {BELL_SYNOPSIS, BARN, STYLE, EEL}


def test_entry_by_entry_on_a_terminal(root: Path) -> None:
    """A89, A129, G13: old and new words side by side, the script around each line; approve, later, reject, later."""
    code, text = typed(root, "review", keys="alrl")
    assert code == 0, text
    assert "1 of 4   synopsis, changed   deterministic" in text
    sides = next(line for line in text.splitlines() if "- Cellar (Odile)" in line)
    assert "- Attic (Odile)" in sides.partition("- Cellar")[2]
    assert (
        "104 Eel.fountain:15\n       EXT. JETTY - DAY\n       ODILE\n  >      It is a lighthouse, not a barn." in text
    )
    assert "1 approved, 1 rejected; 2 still wait   (showmemory undo takes it back)" in text
    assert "Attic" in entry(root, BELL_SYNOPSIS)["text"]
    assert left(root) == {BARN, EEL}
    run(root)
    assert STYLE not in left(root), "what was turned down is not asked again"


def test_a_narrow_terminal(root: Path) -> None:
    """Issue 6.1: one above the other, and nothing wider than the terminal."""
    _, text = typed(root, "review", keys="q", columns=60)
    rows = [line for line in text.splitlines() if "pprove" not in line]
    assert max(map(width, rows)) <= 60
    assert [row.split()[0] for row in rows if row.startswith(("  was ", "  now "))] == ["was", "now"]


def test_all_of_a_kind_back_and_what_the_keys_are(root: Path) -> None:
    """A129: A decides the other synopsis too, which is not asked any more; b goes back; ? and ^D decide nothing."""
    _, text = typed(root, "review", keys="?xlbA")
    assert "A  approve all of this kind that still wait" in text and "4 of 4" not in text
    assert text.count("1 of 4") == 2 and text.count("2 of 4") == 2 and "3 of 4" not in text
    assert left(root) == {BARN, STYLE}
    before = (root / "bible/memory.json").read_bytes()
    _, text = typed(root, "review")
    assert "nothing was decided" in text and (root / "bible/memory.json").read_bytes() == before


def test_edit_first_types_the_words(root: Path) -> None:
    """C7, D41: approved under the person's words, in one change, the pass's own underneath; one undo takes it back."""
    before = (root / "bible/memory.json").read_bytes()
    _, text = typed(root, "review", keys=["e", "Bells, and more bells.", "q"])
    assert "1 approved, 1 reworded; 3 still wait" in text
    made = entry(root, BELL_SYNOPSIS)
    assert made["text"] == "Bells, and more bells." and made["edited"] == {"text": "ep.s01e03"}
    assert "Attic" in made["original"]["text"]
    assert desk.undo(root).problems == [] and (root / "bible/memory.json").read_bytes() == before


def test_edit_first_in_the_editor(root: Path, tmp_path: Path) -> None:
    """Issue 6.1: $EDITOR is given the words; saved as they were, nothing is decided and the question stands."""
    edits = tmp_path / "an editor"
    edits.write_text('#!/bin/sh\nsed -i s/Attic/Belfry/ "$1"\n')
    edits.chmod(0o755)
    _, text = typed(root, "review", keys="eq", EDITOR=f"'{edits}'")
    assert "1 approved, 1 reworded" in text
    assert "Belfry" in entry(root, BELL_SYNOPSIS)["text"]
    _, text = typed(root, "review", keys="eq", EDITOR="true")
    assert "no other words: nothing was decided of it" in text and "nothing was decided\n" in text


def test_what_changed_while_it_was_looked_at_is_not_decided(root: Path) -> None:
    """Issue 6.1, G13: made against another memory or script, a plan is made anew and never applied blindly."""
    made = up_to_merge(root)
    made.close()
    seen = {change.id: change for change in made.plan.changes}
    script = root / "102 Bell BLUE.fountain"
    script.write_text(script.read_text().replace("INT. ATTIC", "INT. VAULT"))
    done = desk.decide(root, [BELL_SYNOPSIS, EEL], seen=seen)
    assert done.problems == []
    assert f"{BELL_SYNOPSIS} is another by now, and was not decided: showmemory review" in done.lines
    assert "Cellar" in entry(root, BELL_SYNOPSIS)["text"] and entry(root, EEL)
    assert BELL_SYNOPSIS in left(root) and EEL not in left(root)


def test_several_names_after_one_option(program: Program, root: Path) -> None:
    """Issue 6.1: --approve ID… --reject ID…, with or without mem."""
    out = program("review", "--approve", BELL_SYNOPSIS, "synopsis.s01e04", "--reject", STYLE)
    assert (out.code, out.text) == (0, "2 approved, 1 rejected; 1 still waits   (showmemory undo takes it back)\n")
    assert left(root) == {BARN}


def test_all_but_what_is_rejected(program: Program, root: Path) -> None:
    """Issue 6.1: --all takes everything that is not named otherwise."""
    assert program("review", "--all", "--reject", EEL).code == 0
    assert left(root) == set() and not entry(root, EEL) and "Attic" in entry(root, BELL_SYNOPSIS)["text"]


REFUSED = [
    (["--approve", EEL, "--reject", EEL], f"expected one decision on {EEL}, found it approved and rejected"),
    (["--approve", EEL, "--reject", EEL.split("@")[0]], "expected one decision on"),
    (["--all", "--approve", EEL, "--reject", EEL], "expected one decision on"),
    (["--approve", "mem.synopsis.s01e05"], "expected something that waits, found mem.synopsis.s01e05"),
    (["--approve", EEL, "mem.gag.none"], "expected something that waits, found mem.gag.none"),
    ([EEL], f"expected --approve or --reject before the names, found {EEL}"),
]


@pytest.mark.parametrize(("words", "says"), REFUSED, ids=[" ".join(words) for words, _ in REFUSED])
def test_contradictions_and_unknown_names_decide_nothing(
    program: Program, root: Path, words: list[str], says: str
) -> None:
    """Issue 6.1: nothing of it is done, also not what was named rightly."""
    before = (root / "bible/memory.json").read_bytes()
    out = program("review", *words)
    assert out.code == 1 and says in out.aside
    assert (root / "bible/memory.json").read_bytes() == before


def test_an_unknown_name_is_told_with_the_nearest(program: Program) -> None:
    """A118: as everywhere."""
    aside = program("review", "--approve", "mem.synopsis.s01e05").aside
    assert aside.splitlines()[1].strip() == "did you mean mem.synopsis.s01e04?"


def test_the_plan_reads_well_in_a_pull_request(program: Program) -> None:
    """Issue 6.1: what a change says, its name, the words before and after, and path:line."""
    text = program("plan").text
    assert "~ synopsis   Bell: s01e02, now: Odile and Bastien, mostly at Lamp Room and Attic." in text
    assert "    was  Odile and Bastien, mostly at Lamp Room and Cellar." in text
    assert "    102 Bell BLUE.fountain:12   INT. ATTIC - NIGHT" in text
    assert "ep.s01e04:7" not in text and text.count("104 Eel.fountain:7 ") == 1


def test_what_is_said_no_more_is_told_with_where_it_was(program: Program, root: Path) -> None:
    """A86, G2: a use that a rewrite cut is shown as it stood, and no other line of the script in its place."""
    assert program("review", "--all").code == 0
    script = root / "101 Goat.fountain"
    script.write_text(script.read_text().replace("ODILE\nWho let the goat up here?", "ODILE\nIs that a goat?", 1))
    out = program("remember")
    assert "gag        The goat gets in: no longer in s01e01" in out.text, out.text
    code, text = typed(root, "review", keys="lllll")
    part = text.partition("The goat gets in: no longer in s01e01")[2].partition("[a]pprove")[0]
    assert code == 0 and part.split("\n")[1:3] == ["  101 Goat.fountain:7", "  >    Who let the goat up here?"]
    (root / "show.toml").write_text(
        'id = "brine"\n[[episodes]]\nid = "ep.s01e02"\nseason = 1\nnumber = 2\ntitle = "The Bell"\n'
        'script = "102 Bell BLUE.fountain"\n'
    )
    assert "called The Bell, was Bell" in program("plan").text


def test_side_by_side() -> None:
    """A row holds both texts from 80 columns on; the second column begins at one place."""
    rows = beside("It was short.", "It is somewhat longer than it was before, and wraps.", 80)
    assert rows[0].split() == ["was", "now"] and rows[1].startswith("It was short.")
    at = rows[0].index("now")
    assert [row[at:].strip() for row in rows[1:]] == ["It is somewhat longer than it was", "before, and wraps."]
    assert beside("", "New.", 80) == ["now  New."] and beside("Old.", "", 0) == ["was  Old."]
    assert beside("a\nb\nc\nd", "a\nb\nx\nd", 0) == ["was  …", "     c", "     d", "now  …", "     x", "     d"]
