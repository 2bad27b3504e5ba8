"""G2: citations follow their words; gone words are listed, with the person's text untouched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from showmemory import desk
from showmemory.flow import Run
from showmemory.following import gone
from showmemory.merge.stale import Scripts, followed, stale
from showmemory.model.canonical import dumps
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Source
from showmemory.notebook import Notebook
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay
from showmemory.search import Wanted, find
from shows import outputs, run, script, tiny

RULES = read_rules()[0]
ONE = script(("ADA", "Define safe."), ("BO", "The keys hang\nbehind the door."), ("ADA", "Define safe."))
TWO = script(("BO", "Nobody asked."), heading="EXT. PIER - NIGHT")


def scripts(**texts: str) -> Scripts:
    plays = {f"ep.{name}": read_screenplay(text.encode(), f"{name}.fountain", RULES) for name, text in texts.items()}
    return Scripts(plays.get, list(plays))


def cite(words: str, line: int, episode: str = "ep.one", scene: str = "1") -> Source:
    return Source(episode=episode, scene=scene, line=line, words=words)


@pytest.mark.parametrize(
    ("words", "line", "now"),
    [
        ("Define safe.", 6, 6),
        ("Define safe.", 99, 13),
        ("Define safe.", 1, 6),
        ("The keys hang behind the door.", 40, 9),
        ("behind the door.", 1, 10),
        ("hang\n  behind", 3, 9),
        ("The pier.", 1, 3),
    ],
)
def test_a_citation_is_where_its_words_stand(words: str, line: int, now: int) -> None:
    """Of several places the nearest; across the lines of a speech; blanks count as one."""
    found = scripts(one=ONE, two=TWO).follow(cite(words, line))
    assert found is not None and (found.episode, found.line, found.scene) == ("ep.one", now, "1")


def test_words_that_are_gone_are_gone() -> None:
    assert scripts(one=ONE, two=TWO).follow(cite("Define danger.", 6)) is None


def test_a_citation_follows_into_another_episode_only_where_its_words_stand_once() -> None:
    """DESIGN §2: a split script."""
    found = scripts(one=TWO, two=ONE).follow(cite("The keys hang", 9))
    assert found is not None and (found.episode, found.line) == ("ep.two", 9)
    assert scripts(one=TWO, two=ONE).follow(cite("Define safe.", 6)) is None
    assert scripts(one=TWO, two=ONE, three=ONE).follow(cite("The keys hang", 9)) is None


def test_a_script_that_cannot_be_looked_at_changes_nothing() -> None:
    """DESIGN §11: what is remembered of it stays."""
    held = Scripts(lambda _: None, ["ep.one"])
    assert held.follow(cite("Define safe.", 6)) == cite("Define safe.", 6)
    assert scripts(one=ONE).follow(cite("", 6)) == cite("", 6)


def memory(**more: Any) -> ShowMemory:
    entry = Entry(id="mem.fact.keys", kind="fact", key="keys", text="Where the keys are.", by="person", since="ep.one")
    entry = entry.model_copy(update=more)
    episodes = (EpisodeRecord(id="ep.one", season=1, number=1), EpisodeRecord(id="ep.two", season=1, number=2))
    return ShowMemory(id="memory.x", episodes=episodes, entries=(entry,))


def test_a_persons_own_citation_moves_and_a_stale_one_stays_listed() -> None:
    """G2, F13: the text untouched, nothing stored of staleness."""
    held = memory(sources=(cite("The keys hang", 3), cite("The keys are gone", 4)))
    made = followed(held, scripts(one=ONE, two=TWO))
    assert [(s.line, s.words) for s in made.entries[0].sources] == [(9, "The keys hang"), (4, "The keys are gone")]
    assert made.entries[0].text == "Where the keys are."
    assert [s.source.words for s in stale(made, scripts(one=ONE, two=TWO))] == ["The keys are gone"]
    assert followed(made, scripts(one=ONE, two=TWO)) is made


@pytest.mark.parametrize("flag", ["pinned", "locked", "retired"])
def test_a_frozen_entry_is_known_to_be_stale_and_keeps_its_bytes(flag: str) -> None:
    """F13, A85."""
    held = memory(sources=(cite("The keys hang", 3), cite("The keys are gone", 4)), **{flag: True})
    assert followed(held, scripts(one=ONE, two=TWO)) is held
    assert [s.source.words for s in stale(held, scripts(one=ONE, two=TWO))] == ["The keys are gone"]


def test_what_a_pass_withdrew_and_still_stands_is_cited_by_the_person() -> None:
    """G2: the pass finds no gag any more, and the person's words still lean on the line."""
    cites = (cite("The keys hang", 3), cite("The keys are gone", 4), cite("Nobody asked.", 5))
    said = {"ep.one": Said(rule="gag", stale=cites)}
    held = memory(said=said, edited={"text": "ep.one"})
    now = scripts(one=ONE, two=TWO)
    made = followed(held, now).entries[0]
    assert made.text == "Where the keys are."
    assert [(s.line, s.words) for s in made.said["ep.one"].sources] == [(9, "The keys hang")]
    assert [s.words for s in made.said["ep.one"].stale] == ["The keys are gone"]
    assert [(s.episode, s.line) for s in made.said["ep.two"].sources] == [("ep.two", 6)]
    assert followed(followed(held, now), now) == followed(held, now)
    back = followed(followed(held, now), scripts(one=ONE + "\n\nThe keys are gone\n", two=TWO)).entries[0]
    assert not back.said["ep.one"].stale and len(back.said["ep.one"].sources) == 2


def test_what_a_model_says_is_left_to_its_pass() -> None:
    """A83: only what no pass stands for is followed here."""
    held = memory(said={"ep.one": Said(by="model", text="x", stale=(cite("The keys hang", 3),))}, by="model")
    assert followed(held, scripts(one=ONE, two=TWO)) is held


GAGS = "gags:\n  - name: Lighthouse keys\n"
OFTEN = ("CY", "What are we doing here, Bo?")
PIER = script(("ADA", "The lighthouse keys."), ("BO", "They hang behind the galley door."), OFTEN)
NIGHT = script(("BO", "Nobody asked."), OFTEN, OFTEN, heading="EXT. PIER - NIGHT")
CUT = script(("ADA", "Nothing."), OFTEN)


@pytest.fixture
def show(tmp_path: Path) -> Path:
    made = tiny(tmp_path / "show", {"s01e01.fountain": PIER, "s01e02.fountain": NIGHT})
    (made / "bible").mkdir()
    (made / "bible" / "bible.yaml").write_text(GAGS)
    run(made)
    source = {"episode": "ep.s01e01", "scene": "1", "line": 9, "words": "They hang behind the galley door."}
    desk.change(made, "add", fields={"text": "Where the keys are.", "sources": (source,)})
    desk.change(made, "edit", KEYS, fields={"text": "Mine."})
    return made


KEYS, OWN = "mem.gag.lighthouse-keys", "mem.fact.where-the-keys-are"


def entry(show: Path, id_: str) -> Entry:
    memory = Notebook(show).memory
    assert memory is not None
    return next(e for e in memory.entries if e.id == id_)


def rewrite(show: Path, text: str, name: str = "s01e01") -> None:
    (show / "episodes" / f"{name}.fountain").write_text(text)


def listed(show: Path) -> list[tuple[str, str]]:
    made = Run(show)
    made.parse()
    assert made.book.memory is not None
    return [(s.entry, s.source.words) for s in gone(made.book.memory, made.artifacts, made.read, made.scripts)]


def test_a_rewrite_that_moves_lines_moves_the_citations(show: Path) -> None:
    """G2: with the approval of the episode, and not before (A89)."""
    before = (show / "bible/memory.json").read_bytes()
    rewrite(show, script(("BO", "Wait."), ("BO", "Wait, I said.")) + "\n" + PIER.partition("\n\n")[2])
    run(show)
    assert (show / "bible/memory.json").read_bytes() == before
    desk.decide(show, all_=True)
    text = (show / "episodes/s01e01.fountain").read_text().split("\n")
    moved = entry(show, OWN).sources[0]
    assert moved.line > 9 and text[moved.line - 1] == moved.words
    assert listed(show) == [] and entry(show, OWN).text == "Where the keys are."
    after = outputs(show)
    run(show)
    assert outputs(show) == after


def test_a_rewrite_that_cuts_words_leaves_the_persons_text_and_lists_them(show: Path) -> None:
    """G2: stale and listed, both the person's own entry and the words they rewrote."""
    rewrite(show, CUT)
    run(show, apply="auto")
    assert [(entry(show, id_).text, entry(show, id_).by) for id_ in (OWN, KEYS)] == [
        ("Where the keys are.", "person"), ("Mine.", "person"),
    ]  # fmt: skip
    assert listed(show) == [(OWN, "They hang behind the galley door."), (KEYS, "The lighthouse keys.")]
    after = outputs(show)
    run(show, apply="auto")
    assert outputs(show) == after
    rewrite(show, PIER)
    run(show, apply="auto")
    assert listed(show) == [] and len(entry(show, KEYS).uses) == 1


def test_a_split_script_takes_the_citation_along(show: Path) -> None:
    """DESIGN §2: into the other episode, where its words stand once."""
    rewrite(show, CUT)
    rewrite(show, NIGHT + "\n\n" + PIER, "s01e02")
    run(show, apply="auto")
    assert [(s.episode, s.scene) for s in entry(show, OWN).sources] == [("ep.s01e02", "2")]
    assert listed(show) == []


def test_a_locked_entry_keeps_its_bytes_through_a_cut(show: Path) -> None:
    """F13, G2, A85."""
    desk.change(show, "lock", OWN)
    desk.change(show, "lock", KEYS)
    before = [dumps(entry(show, id_)) for id_ in (OWN, KEYS)]
    rewrite(show, CUT)
    made = run(show, apply="auto")
    assert [dumps(entry(show, id_)) for id_ in (OWN, KEYS)] == before
    assert listed(show) == [(OWN, "They hang behind the galley door."), (KEYS, "The lighthouse keys.")]
    assert [n.entry for n in made.plan.notes] == [KEYS]
    assert [row.entry.id for row in find(show, Wanted(state="stale")).rows] == [KEYS, OWN]
