"""Asking again, the further passes on the same seam (rewrite, voice, diary, season), a provider of another package."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asking_show import answers, cite, claim, draft, model_show, set_model
from fake_messages import Answer, Fake, reply, serving
from showmemory import desk
from showmemory.context.context import memory_context
from showmemory.flow import Run
from showmemory.model.memory import Entry
from showmemory.notebook import Notebook
from showmemory.rewriting import write_again
from shows import outputs, run, script

ADA, BO = "character.ada", "character.bo"
SYNOPSIS = "mem.synopsis.s01e02"


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serving(Answer(reply(draft()))) as server:
        yield server


@pytest.fixture
def show(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> Path:
    return model_show(tmp_path / "show", fake.url, monkeypatch)


def held(show: Path, id_: str) -> Entry:
    memory = Notebook(show).memory
    assert memory is not None
    return next(e for e in memory.entries if e.id == id_)


def again(text: str, *cites: dict[str, Any]) -> Answer:
    return Answer(reply({"text": text, "cites": list(cites)}))


def test_an_entry_is_written_again(show: Path, fake: Fake) -> None:
    """C18, C19: one entry's words anew; it waits, it says it is rewritten, its lines are kept, undo takes it back."""
    run(show)
    fake.answers = [again("Bo trades the keys away.\nAda sees the dark coming.", cite(12, "sold them to the harbour"))]
    made = write_again(show, SYNOPSIS)
    assert made.problems == []
    assert "rewrite of ep.s01e02: 1 entry, $0.03 (claude-sonnet-5-5)" in made.lines
    assert "1 change for you to decide: showmemory review" in made.lines
    read = "".join(block["text"] for block in fake.asked[1]["messages"][0]["content"])
    assert "<entry>\nsynopsis" in read and "Bo sells the lighthouse keys" in read
    assert held(show, SYNOPSIS).text.startswith("Bo sells")
    desk.decide(show, [SYNOPSIS])
    entry = held(show, SYNOPSIS)
    assert entry.text == "Bo trades the keys away.\nAda sees the dark coming."
    assert (entry.said["ep.s01e02"].rule, entry.by) == ("rewrite", "model")
    command = [sys.executable, "-m", "showmemory", "show", "--kind", "synopsis"]
    shown = subprocess.run(command, cwd=show, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "Bo trades the keys away. [rewritten]" in shown and shown.count("[rewritten]") == 1
    assert "I sold them to the harbour" in {s.words for s in entry.sources}
    desk.undo(show)
    assert held(show, SYNOPSIS).text.startswith("Bo sells")


def test_words_of_the_rules_are_written_again(show: Path, fake: Fake) -> None:
    """C18: also an entry that only the rules spoke of."""
    set_model(show, name="")
    run(show)
    set_model(show, name="claude-sonnet-5-5")
    fake.answers = [again("Ada asks, Bo answers.", cite(6, "Define safe"))]
    write_again(show, "mem.synopsis.s01e01")
    run(show, apply="auto", model="off")
    entry = held(show, "mem.synopsis.s01e01")
    assert (entry.text, entry.by) == ("Ada asks, Bo answers.", "model")


def test_a_new_page_takes_the_place_of_a_rewrite(show: Path, fake: Fake) -> None:
    """A82: the newest of each; a rewrite holds until the episode is asked about again."""
    run(show)
    fake.answers = [again("Again.", cite(12, "bicycle"))]
    write_again(show, SYNOPSIS)
    fake.answers = [
        Answer(reply(draft(synopsis={"line": "Anew.", "text": "", "cites": [cite(12, "bicycle")]}, changes=[])))
    ]
    made = write_again(show, "ep.s01e02")
    assert made.lines[0] == "memory of ep.s01e02: 1 entry, $0.03 (claude-sonnet-5-5)"
    run(show, apply="auto")
    assert held(show, SYNOPSIS).text == "Anew."
    assert [a["pass"] for a in answers(show)] == ["memory", "rewrite", "memory"]
    assert answers(show)[0]["key"] == answers(show)[2]["key"]


@pytest.mark.parametrize(
    ("action", "state", "hint"),
    [("lock", "locked", "unlock"), ("pin", "pinned", "unpin"), ("retire", "retired", "restore")],
)
def test_what_may_not_change_is_not_asked(show: Path, fake: Fake, action: Any, state: str, hint: str) -> None:
    """A85, C18: a protected entry costs nothing."""
    run(show)
    desk.change(show, action, SYNOPSIS)
    (problem,) = write_again(show, SYNOPSIS).problems
    assert problem.message == f"expected an entry that may change, found {SYNOPSIS}, which is {state}"
    assert problem.hint == f"showmemory {hint} {SYNOPSIS}"
    assert len(fake.asked) == 1


def test_a_rewrite_of_words_that_are_yours(show: Path, fake: Fake) -> None:
    """A83, C7: the person's words stand; the new ones are the pass's own, for revert."""
    run(show)
    desk.change(show, "edit", SYNOPSIS, fields={"text": "Mine."})
    fake.answers = [again("Again.", cite(12, "bicycle"))]
    made = write_again(show, SYNOPSIS)
    assert f"your own words stand over it; showmemory revert {SYNOPSIS} takes the new ones" in made.lines
    run(show, apply="auto")
    entry = held(show, SYNOPSIS)
    assert (entry.text, entry.original["text"]) == ("Mine.", "Again.")


def test_a_rewrite_that_fails_changes_nothing(show: Path, fake: Fake) -> None:
    """A80, C18: the message, exit by a problem, memory as it was."""
    run(show)
    before = outputs(show)
    fake.answers = [Answer("", 413)]
    (problem,) = write_again(show, SYNOPSIS).problems
    said = "no rewrite pass by claude-sonnet-5-5: the request is larger than the service takes (413)"
    assert (problem.message, problem.hint) == (f"ep.s01e02: {said}", "nothing was changed")
    assert outputs(show) == before


def test_voices(show: Path, fake: Fake) -> None:
    """A72: off by default; asked besides, over the same kept text; words for a voice, its numbers kept."""
    set_model(show, passes=["voice"])
    voices = {"voices": [{"who": BO, "text": "Confesses in one breath.", "cites": [cite(12, "I sold them")]}]}
    voices["voices"].append({"who": "character.cy", "text": "Nobody.", "cites": [cite(3, "The lamp")]})
    fake.answers = [Answer(reply(draft())), Answer(reply(voices))]
    made = run(show)
    page, voice = fake.asked
    assert page["messages"][0]["content"][:2] == voice["messages"][0]["content"][:2]
    assert page["messages"][0]["content"][1]["cache_control"] == {"type": "ephemeral"}
    assert made.plan.dropped == ("ep.s01e02: voice of character.cy: the show has nobody called that",)
    entry = held(show, "mem.voice.bo")
    assert (entry.text, entry.by, entry.about) == ("Confesses in one breath.", "model", (BO,))
    run(show)
    assert len(fake.asked) == 2


def test_diaries(show: Path, fake: Fake) -> None:
    """C38, C39: off by default; a first-person entry of each who was there, known to its writer alone."""
    run(show)
    assert len(fake.asked) == 1
    set_model(show, passes=["diary"])
    told = {"who": BO, "text": "I sold the keys today. I want them back.", "cites": [cite(12, "I sold them")]}
    fake.answers = [Answer(reply({"entries": [told]}))]
    run(show, apply="auto")
    assert len(fake.asked) == 2
    (entry,) = [e for e in Notebook(show).memory.entries if e.said.get("ep.s01e02", None) and e.title == "Bo's diary"]  # type: ignore[union-attr]
    assert (entry.kind, entry.holders, entry.about) == ("knowledge", (BO,), ("ep.s01e02",))
    made = Run(show)
    made.close()
    for who, there in ((BO, True), (ADA, False)):
        text = memory_context(made.show, made.book.memory, characters=(who,), witness=who, budget_tokens=1500).text
        assert ("I want them back." in text) is there


def test_seasons(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A18, A101: off by default; a finished season in a few sentences, from its synopses, once."""
    show = model_show(tmp_path / "x", fake.url, monkeypatch)
    (show / "episodes/s02e01.fountain").write_text(script(("ADA", "A new lamp, and a new dog.")))
    row = '[[episodes]]\nid = "ep.s02e01"\nseason = 2\nnumber = 1\nscript = "episodes/s02e01.fountain"\n'
    path = show / "show.toml"
    path.write_text(path.read_text().replace("[model]", row + "[model]"))
    set_model(show, passes=["season"])
    page = draft(synopsis={"line": "A dog.", "text": "", "cites": [cite(6, "new lamp")]}, changes=[])
    season = {"text": "The keys went and the coast grew dark.", "episodes": ["ep.s01e02", "ep.s09e09"]}
    fake.answers = [Answer(reply(page)), Answer(reply(season))]
    made = run(show)
    assert made.plan.dropped == ("ep.s01e02: summary of season.1: ep.s09e09 is no episode of it",)
    read = "".join(b["text"] for b in fake.asked[1]["messages"][0]["content"])
    assert "<season>\nep.s01e01\n" in read and "A dog." not in read
    entry = held(show, "mem.summary.season-1")
    assert (entry.text, entry.about, entry.since) == (season["text"], ("season.1",), "ep.s01e02")
    run(show, apply="auto")
    assert len(fake.asked) == 2
    before = run(show).book.memory
    assert before is not None and [e.id for e in before.entries if e.kind == "summary"] == ["mem.summary.season-1"]


def test_a_provider_of_another_package(show: Path, fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A69: found by its entry point; the seam is all it needs to know."""
    site = tmp_path / "site"
    (site / "oracle-1.0.dist-info").mkdir(parents=True)
    (site / "oracle-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: oracle\nVersion: 1.0\n")
    (site / "oracle-1.0.dist-info/entry_points.txt").write_text("[showmemory.providers]\noracle = oracle_show:Oracle\n")
    (site / "oracle_show.py").write_text(
        "import json\n"
        "from showmemory.ask.seam import Reply, Usage\n"
        "class Oracle:\n"
        "    def __init__(self, access): self.access = access\n"
        "    def body(self, request): return {'model': request.model}\n"
        "    def count(self, request): return None\n"
        f"    def ask(self, request): return Reply({json.dumps(json.dumps(draft()))}, Usage(10, 5))\n"
    )
    monkeypatch.syspath_prepend(str(site))
    price = {"input": 1.0, "output": 1.0}
    set_model(show, provider="oracle", name="delphi", base_url="https://example.org", price=price)
    made = run(show)
    assert made.plan.dropped == () and fake.asked == []
    assert held(show, SYNOPSIS).by == "model"
    assert answers(show)[0]["provider"] == "oracle"
    assert "oracle_show" in sys.modules


def test_kinds_the_show_does_not_keep(show: Path, fake: Fake) -> None:
    """A30: a pass is told, and writes none of a group that is off."""
    set_model(show, name="")
    run(show)
    desk.change(show, "set", fields={"kinds": ["story", "characters"]})
    set_model(show, name="claude-sonnet-5-5")
    fake.answers = [Answer(reply(draft(claim("fact", "Out.", cite(3, "lamp is out")))))]
    run(show, apply="auto")
    assert (
        "keeps no entries of these kinds: gag, tone, fact, thread."
        in fake.asked[0]["messages"][0]["content"][2]["text"]
    )
    memory = Notebook(show).memory
    assert memory is not None and {e.kind for e in memory.entries if e.by == "model"} == {"synopsis"}
