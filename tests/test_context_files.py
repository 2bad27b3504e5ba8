"""The context files: which there are, that each is its context, that only content changes them (A109 to A113)."""

from __future__ import annotations

import json
from pathlib import Path

from lantern import EPISODES, LOG, SHOW, gag, notebook
from showmemory.context.context import memory_context
from showmemory.context.files import context_files
from showmemory.context.tokens import count
from showmemory.model.intent import NextStep
from showmemory.model.memory import ShowMemory, Spoke
from showmemory.model.show import Outline, Show, SideFiles
from showmemory.notebook import write_context

MEMORY = notebook()
FILES = context_files(SHOW, MEMORY, logs={"ep.204": LOG})
# The contexts; a change list is none, and has no budget.
PAGES = {path: text for path, text in FILES.items() if path.endswith(".md") and "/changes/" not in path}


def test_which_files_there_are():
    """DESIGN 2: the show, what comes next, each lead, each of the newest episodes, and their receipts; change lists."""
    names = {path.removesuffix(".md") for path in PAGES}
    assert names == {
        "context/show",
        "context/current",
        *(f"context/characters/character.{who}" for who in ("odile-marsh", "tam-reed", "will")),
        *(f"context/episodes/{episode}" for episode in EPISODES),
    }
    assert {path for path in FILES if path.endswith(".json")} == {f"{name}.receipt.json" for name in names}


def test_a_file_is_its_context():
    """A93, A109, A113: the files hold what the one function gives, byte for byte."""
    logs = {"ep.204": LOG}
    assert FILES["context/show.md"] == memory_context(SHOW, MEMORY, logs=logs).text
    for episode in EPISODES:
        assert FILES[f"context/episodes/{episode}.md"] == memory_context(SHOW, MEMORY, logs=logs, episode=episode).text
    tam = memory_context(SHOW, MEMORY, logs=logs, characters=["Tam"]).text
    assert FILES["context/characters/character.tam-reed.md"] == tam


def test_a_receipt_beside_each():
    """G3: short form: state, reason, id and tokens; the tokens of what is in sum to those of the file."""
    for path, text in PAGES.items():
        made = json.loads(FILES[path.removesuffix(".md") + ".receipt.json"])
        assert sum(sum(ids.values()) for ids in made["in"].values()) == count(text) == made["tokens"]
        assert made["encoding"] == "o200k_base"


def test_context_episodes_counts_the_newest():
    """A32 beside it: `contextEpisodes` says for how many of the newest episodes a file is written."""
    made = context_files(SHOW, notebook(context_episodes=2))
    assert {p for p in made if "/episodes/" in p and p.endswith(".md")} == {
        "context/episodes/ep.203.md",
        "context/episodes/ep.204.md",
    }
    assert not any("/episodes/" in p for p in context_files(SHOW, notebook(context_episodes=0)))


def test_the_budget_is_memorys():
    """A31, A109: files hold to memory's budget."""
    made = context_files(SHOW, notebook(budget_tokens=500))
    assert all(count(text) <= 500 for path, text in made.items() if path.endswith(".md"))


def test_current_is_for_the_first_outline_without_a_script():
    """D55: before each writing session, what the next episode needs; without an outline, what follows the newest."""
    coming = SHOW.episodes[-1].model_copy(update={"id": "ep.205", "number": 5, "script": "", "title": "The Audit"})
    show = SHOW.model_copy(update={"episodes": (*SHOW.episodes, coming)})
    logs = {"ep.205": SideFiles(outline=Outline(cast=("Will",)))}
    text = context_files(show, MEMORY, logs=logs)["context/current.md"]
    assert text.splitlines()[0].endswith("for s02e05 The Audit")
    assert "### Will\n" in text
    handed = memory_context(SHOW, MEMORY, logs={"ep.204": LOG}, handing=True)
    assert FILES["context/current.md"] == handed.text


def test_only_content_changes_a_file():
    """A107, G12: one more use of one gag changes the files that tell of it, and no file of an earlier moment."""
    more = (
        *(e for e in MEMORY.entries if e.id != "mem.gag.kettle"),
        gag("kettle", "The kettle apology", ("ep.104", "ep.203")),
    )
    changed = context_files(SHOW, notebook(more), logs={"ep.204": LOG})
    differing = {path for path in FILES if FILES[path] != changed[path]}
    assert "context/show.md" in differing
    assert not differing & {f"context/episodes/{e}.md" for e in EPISODES if e <= "ep.203"}


def test_bit_parts_get_no_file_of_their_own():
    """A109: a file for the bible's characters and for those who speak in more than one episode."""
    first, *rest = MEMORY.episodes
    guest = first.model_copy(update={"spoke": {**first.spoke, "character.guest": Spoke(lines=1, words=3)}})
    made = context_files(SHOW, MEMORY.model_copy(update={"episodes": (guest, *rest)}))
    assert "context/characters/character.guest.md" not in made
    assert "context/characters/character.will.md" in made


def test_no_path_leads_outside():
    """An id is a file's name, whatever it holds."""
    odd = SHOW.model_copy(update={"episodes": (SHOW.episodes[0].model_copy(update={"id": "ep.../../x y"}),)})
    made = context_files(odd, ShowMemory(id="memory.x"))
    assert "context/episodes/ep.-.-x-y.md" in made


def test_a_show_without_memory_and_one_without_anything():
    """A44: files are written all the same."""
    assert "There is no memory of this show yet" in context_files(SHOW, None)["context/show.md"]
    assert set(context_files(Show(), None)) == {
        "context/show.md",
        "context/show.receipt.json",
        "context/current.md",
        "context/current.receipt.json",
    }


def test_a_checkpoint_is_written_where_it_is_one() -> None:
    """E1, E15: page and JSON beside the contexts; without a next step there is none, and its files go."""
    assert not any("checkpoint" in path for path in FILES)
    bible = SHOW.bible.model_copy(
        update={"next": NextStep(step="The lamp is found.", entry="episodes/ep.204.fountain")}
    )
    whole, memory = SHOW.model_copy(update={"bible": bible}), MEMORY
    made = context_files(whole, memory)
    plain = json.loads(made["context/checkpoint.json"])
    assert plain["kind"] == "story_memory_checkpoint" and plain["refused"] == []
    assert made["context/checkpoint.md"].startswith("# Lantern Row: checkpoint to go on from\n")
    cost = json.loads(made["context/checkpoint.receipt.json"])
    assert cost["tokens"] == count(made["context/checkpoint.md"]) <= cost["budget"] == 900
    for name, lines in cost["lines"].items():
        there = plain[name]["lines"] if isinstance(plain[name]["lines"], list) else []
        assert lines["in"] + lines["out"] == len(there)
        assert all(one["text"] in made["context/checkpoint.md"] for one in there[: lines["in"]])
    assert {path for path in made if "checkpoint" not in path} == set(FILES)


def test_files_are_written_when_their_bytes_change_and_go_when_orphaned(tmp_path: Path) -> None:
    """A109, E1: a second writing touches nothing; a renamed character's page and a refused checkpoint go."""
    assert write_context(tmp_path, FILES) == (list(FILES), [])
    stamps = {path: (tmp_path / path).stat().st_mtime_ns for path in FILES}
    assert write_context(tmp_path, FILES) == ([], [])
    assert stamps == {path: (tmp_path / path).stat().st_mtime_ns for path in FILES}
    (tmp_path / "context/checkpoint.md").write_text("x")
    (tmp_path / "context/characters/character.bo.md").write_text("x")
    (tmp_path / "context/notes.txt").write_text("mine")
    gone = ["context/characters/character.bo.md", "context/checkpoint.md"]
    assert write_context(tmp_path, FILES) == ([], gone)
    assert (tmp_path / "context/notes.txt").exists()
