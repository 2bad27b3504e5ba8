"""A script coordinator's hour, through the real commands and real git: it ends with exactly the memory they meant."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from commands import BELL, FOG, Out, Program, with_bible
from showmemory.model.canonical import dumps
from showmemory.model.memory import Entry, ShowMemory
from showmemory.notebook import Notebook

GIT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": f"{who}@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
MEMORY = Path("bible/memory.json")
GOAT_IN, BARN, RING = "mem.gag.the-goat-gets-in", "mem.gag.house-rules", "mem.gag.ring-the-bell"
SYNOPSIS, PINNED = "mem.synopsis.s01e02", "mem.catchphrase.odile-not-a-barn"
BELL_FACT = "mem.fact.bastien-bell-cracked"
# The bell goes from whole to cracked; the log of the new draft of Fog adds what the coordinator will turn down.
LOG = """\
facts:
  - {text: The bell is cracked., about: [Bastien], field: bell, value: cracked, words: The bell is cracked}
"""
GAGS = """\
  - {name: House rules, payoff: '"It is a lighthouse"'}
  - {name: Ring the bell, payoff: '"Ring the bell"'}
"""
EELS = "facts:\n  - {text: Eels sleep in the lamp., about: [Odile], words: keep eels in it}\n"
FOG_TWO = FOG + "\nODILE\nWho let the goat up here?\n"
BELL_TWO = "\n".join(
    [*BELL.split("\n")[:5], "Rain on the lamp.", "", *BELL.split("\n")[5:-6], "INT. CELLAR - NIGHT", "", "Nobody."]
)
LAMP = """\
Title: Brine
Episode Title: Lamp

INT. LAMP ROOM - NIGHT

BASTIEN
Who let the goat up here?

ODILE
It is a lighthouse, not a barn.
"""


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], env=GIT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def memory() -> ShowMemory:
    held = Notebook(Path()).memory
    assert held is not None
    return held


def entry(id_: str) -> Entry:
    return next(e for e in memory().entries if e.id == id_)


def fine(out: Out) -> str:
    assert out.code == 0, out.text + out.aside
    return out.text


def decide(program: Program) -> None:
    """One decision each, as a coordinator makes them; then the corrections. The same in the hour and after it."""
    fine(program("edit", SYNOPSIS, "--text", "They ring a bell that cannot ring."))
    fine(program("add", "--text", "The goat is called Mère.", "--about", "Odile", "--since", "s01e02"))
    fine(program("pin", PINNED))
    fine(program("forget", RING))
    fine(program("rest", GOAT_IN))


def commit(message: str) -> None:
    git("add", "-A")
    git("commit", "-qm", message)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    with_bible(tmp_path / "brine")
    bible = tmp_path / "brine/bible/bible.yaml"
    bible.write_text(bible.read_text().replace("gags:\n", f"gags:\n{GAGS}"))
    (tmp_path / "brine/102 Bell BLUE.continuity.yaml").write_text(LOG)
    monkeypatch.chdir(tmp_path / "brine")
    for name, value in GIT.items():
        monkeypatch.setenv(name, value)
    return Program(capsys)


def take_over(program: Program) -> None:
    """A folder of scripts becomes a show, and its memory is made at once."""
    fine(program("init", "--yes", "--git"))
    assert "first memory" in fine(program("remember"))
    git("checkout", "-qb", "main")
    commit("the show as we took it over")


def review(program: Program) -> str:
    """A new draft of Fog brings one more use of the gag, and a fact that is nonsense; returns the id of that."""
    Path("103 Fog.fountain").write_text(FOG_TWO)
    Path("103 Fog.continuity.yaml").write_text(EELS)
    before = MEMORY.read_bytes()
    fine(program("remember"))
    waiting = {change["entry"] for change in program("plan", "--json").json["changes"]}
    eels = next(id_ for id_ in waiting if "eels" in id_)
    assert GOAT_IN in waiting and MEMORY.read_bytes() == before
    fine(program("review", "--reject", eels))
    fine(program("review", "--all"))
    assert "Nothing waits" in fine(program("plan"))
    return eels


def correct(program: Program) -> str:
    """Words, pins, tombstones, and the title of the gag by hand in the file; returns the bytes of what is locked."""
    decide(program)
    MEMORY.write_text(MEMORY.read_text().replace('"title": "The goat gets in"', '"title": "The goat, again"', 1))
    fine(program("remember"))
    held = entry(GOAT_IN)
    assert (held.title, held.rested, "title" in held.edited) == ("The goat, again", True, True)
    fine(program("lock", BELL_FACT))
    commit("corrected")
    return dumps(entry(BELL_FACT))


def rewrite(program: Program, locked: str) -> None:
    """Lines move and words are cut; what is pinned or locked stays, and that is told."""
    Path("102 Bell BLUE.fountain").write_text(BELL_TWO)
    Path("102 Bell BLUE.continuity.yaml").write_text("facts: []\n")
    fine(program("remember"))
    assert [note["entry"] for note in program("plan", "--json").json["notes"]] == [PINNED, BELL_FACT]
    fine(program("review", "--all"))
    assert dumps(entry(BELL_FACT)) == locked
    held = entry(SYNOPSIS)
    assert held.text == "They ring a bell that cannot ring." and held.original["text"]
    assert program("check", "--citations").code == 0


def rebuild(program: Program, gone: str) -> None:
    """Every cache deleted, and not a byte is other; what was thrown out stays out."""
    before = MEMORY.read_bytes()
    shutil.rmtree(".showmemory")
    fine(program("remember"))
    assert MEMORY.read_bytes() == before and not {gone, RING} & {e.id for e in memory().entries}
    commit("the bell, rewritten")


def two_branches(program: Program) -> None:
    """A colleague remembers a new episode and keeps a gag; we settle something else meanwhile."""
    git("checkout", "-qb", "colleague")
    Path("104 Lamp.fountain").write_text(LAMP)
    fine(program("init", "--yes"))
    fine(program("remember", "--apply", "auto"))
    fine(program("keep", BARN))
    commit("lamp")
    git("checkout", "-q", "main")
    fine(program("set", "restAfter=3"))
    fine(program("edit", "mem.synopsis.s01e01", "--text", "The goat gets in."))
    commit("meanwhile")
    git("merge", "-q", "--no-edit", "colleague")
    assert git("status", "--porcelain") == ""
    fine(program("remember", "--apply", "auto"))
    assert [e.id for e in memory().episodes] == [f"ep.s01e0{n}" for n in (1, 2, 3, 4)]


def slip(program: Program) -> None:
    """Two slips of the last minute are taken back; one of them is made again on second thought, and not after all."""
    ended = MEMORY.read_bytes()
    fine(program("forget", SYNOPSIS))
    fine(program("retire", BARN))
    assert "taken back" in fine(program("undo"))
    assert "taken back" in fine(program("undo"))
    assert MEMORY.read_bytes() == ended
    fine(program("redo"))
    assert SYNOPSIS not in {e.id for e in memory().entries}
    fine(program("undo"))
    assert MEMORY.read_bytes() == ended


def test_the_hour(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 6, done means: take over, review, correct, pin, forget, rewrite, rebuild, merge two branches, undo."""
    take_over(program)
    eels = review(program)
    locked = correct(program)
    rewrite(program, locked)
    rebuild(program, eels)
    two_branches(program)
    slip(program)
    here = memory()
    # What they meant: the same show as it ended, remembered without any detour, and the same decisions.
    meant = straight(program, tmp_path, monkeypatch)
    free = {e.id: dumps(e) for e in here.entries if not e.frozen}
    assert free == {e.id: dumps(e) for e in meant.entries if e.id != eels and not e.frozen}
    assert {e.id: e.pinned for e in here.entries if e.frozen} == {PINNED: True, BELL_FACT: False}
    assert next(dumps(e) for e in here.entries if e.id == BELL_FACT) == locked
    assert [t.id for t in here.forgotten] == [t.id for t in meant.forgotten] == [RING]
    assert [r.id for r in here.declined] == [eels]
    assert (here.settings, here.episodes) == (meant.settings, meant.episodes)
    assert {id_: here.written.get(id_) for id_ in free} == {id_: meant.written.get(id_) for id_ in free}


def straight(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ShowMemory:
    """The scripts as they ended, in an order of work without reviews, rewrites, branches or undos."""
    skip = shutil.ignore_patterns(".git", ".showmemory", "memory*", "proposal.json", "context", "104 Lamp.fountain")
    shutil.copytree(Path(), tmp_path / "straight", ignore=skip)
    monkeypatch.chdir(tmp_path / "straight")
    text = Path("show.toml").read_text()
    head, *blocks = text.split("[[episodes]]")
    kept = [block for block in blocks if "104 Lamp" not in block]
    tail = "" if len(kept) == len(blocks) else "\n# " + blocks[-1].partition("\n# ")[2]
    Path("show.toml").write_text("[[episodes]]".join([head, *kept]) + tail)
    fine(program("remember"))
    decide(program)
    fine(program("edit", GOAT_IN, "--title", "The goat, again"))
    fine(program("edit", "mem.synopsis.s01e01", "--text", "The goat gets in."))
    shutil.copy(tmp_path / "brine/104 Lamp.fountain", "104 Lamp.fountain")
    Path("show.toml").write_text(text)
    fine(program("remember", "--apply", "auto"))
    fine(program("keep", BARN))
    fine(program("set", "restAfter=3"))
    return memory()


def test_a_new_value_and_a_value_of_ones_own(program: Program) -> None:
    """D32, G8, F8: closed where the new one begins; both stay readable as of their own time."""
    fine(program("init", "--yes"))
    fine(program("remember"))
    said = fine(program("supersede", BELL_FACT, "--value", "mended", "--since", "s01e03"))
    assert said.startswith("bell: cracked until ep.s01e03, then mended (mem.fact.")
    new = next(e for e in memory().entries if e.value == "mended")
    assert (new.text, new.since, new.by, entry(BELL_FACT).until) == (
        "The bell is mended.",
        "ep.s01e03",
        "person",
        "ep.s01e03",
    )
    assert "The bell is mended." in Path("context/show.md").read_text()
    assert "The bell is cracked." in fine(program("context", "--as-of", "s01e02"))
    assert "The bell is cracked." not in fine(program("context"))
    fine(program("edit", new.id, "--since", "s01e02"))
    assert program("supersede", GOAT_IN, "--value", "x").aside.startswith(
        "bible/memory.json: error: expected an entry that has a field"
    )


def test_two_people_decided_otherwise(program: Program) -> None:
    """Issue 6.6: the merge stops, tells both versions, and the command it offers takes theirs."""
    fine(program("init", "--yes", "--git"))
    fine(program("remember"))
    git("checkout", "-qb", "main")
    commit("first")
    git("checkout", "-qb", "colleague")
    fine(program("edit", SYNOPSIS, "--text", "Theirs."))
    commit("theirs")
    git("checkout", "-q", "main")
    fine(program("edit", SYNOPSIS, "--text", "Ours."))
    commit("ours")
    done = subprocess.run(
        ["git", "merge", "--no-edit", "colleague"], env=GIT, capture_output=True, text=True, check=False
    )
    says = done.stdout + done.stderr
    assert done.returncode == 1 and 'ours stands: "Ours."' in says
    offered = next(line for line in says.splitlines() if "take it: " in line).partition("take it: showmemory ")[2]
    assert offered == f"edit {SYNOPSIS} --text Theirs."
    fine(program(*offered.split()))
    assert entry(SYNOPSIS).text == "Theirs."
    git("commit", "-qam", "theirs it is")
    assert len(program("log", "--json").json["changes"]) == 4
    assert json.loads(MEMORY.read_text())["version"] == 1
