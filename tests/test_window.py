"""Windows between two moments, on both axes, and the record, which has no dates (B28 to B37, D40, D51)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from commands import Program
from showmemory.context.atoms import SECTIONS
from showmemory.context.tokens import count
from showmemory.context.window import LEVELS
from showmemory.fold.fold import as_of, order
from showmemory.model.canonical import dumps
from showmemory.model.memory import ShowMemory
from showmemory.window import View, record, window
from shows import pier, run, sample


@pytest.fixture(scope="module")
def show(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample show, remembered."""
    made = sample(tmp_path_factory.mktemp("window") / "sample")
    assert not run(made).errors
    return made


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def memory_of(show: Path) -> ShowMemory:
    return ShowMemory.model_validate_json((show / "bible/memory.json").read_bytes())


def statements(memory: ShowMemory, episodes: set[str]) -> set[tuple[str, str]]:
    """Everything that is said of these episodes: each entry and episode, a person's own at its `since`."""
    said = {(e.id, episode) for e in memory.entries for episode in e.said if episode in episodes}
    return said | {(e.id, e.since) for e in memory.entries if not e.said and e.since in episodes}


def test_every_atom_of_the_span_and_no_other(show):
    """B28, B29, B30, B34: all kinds by default, each statement once, also what no list shows; nothing earned later."""
    seen = window(show, "s02e01", "s02e03", View("story"))
    told = [(atom["entry"], atom["episode"]) for atom in seen.data["atoms"]]
    assert set(told) == statements(as_of(memory_of(show), "ep.inquiry"), {"ep.hen", "ep.stock", "ep.inquiry"})
    assert len(told) == len(set(told))
    kinds = {atom["kind"] for atom in seen.data["atoms"]}
    assert kinds >= {"synopsis", "voice", "catchphrase", "gag", "fact", "thread", "relationship", "knowledge", "style"}
    assert any(atom.get("mark") == "held back" for atom in seen.data["atoms"])
    assert any(atom.get("mark") == "planned" for atom in seen.data["atoms"])


def test_what_was_so_what_moved_and_what_it_came_to(show):
    """B19, B28: the state before the span, its moves, the state at its end; a value replaced within it is both."""
    seen = window(show, "s02e02", "s02e02", View("story", "whole"))
    text = seen.told.text
    began, rest = text.split("## The story\n")
    moved, came_to = rest.split("## What it came to\n")
    assert "- Open: Why is the water in the bilge fresh?; Will the County" in began
    assert "### Why is the water in the bilge fresh?\n- s02e02: resolved: It was soup.\n" in moved
    assert "- Settled: Why is the water in the bilge fresh?\n" in came_to
    assert "The soup has been on since 1998" not in came_to and "The soup was lit in 1961" in came_to


def test_told_by_what_holds_it(show):
    """B35: collected atom by atom, told container by container: everything of a person stands under their name."""
    text = window(show, "s02e01", "s02e03", View("story", "whole")).told.text
    people = text.split("## People\n")[1].split("\n## ")[0]
    figgis = people.split("### Figgis\n")[1].split("### ")[0]
    assert '- s02e01, s02e02, s02e03: Says "Back in my merchant days" (once).' in figgis
    assert "- s02e02: Knows: The soup was their mother's." in figgis
    assert figgis.count("Own words: chickpea") >= 1
    assert text.index("## The story") < text.index("## Threads") < text.index("## People") < text.index("## Gags")


@pytest.mark.parametrize("budget", [0, 900, 2000, 4000, 9000, 40000])
def test_density_by_abstraction_never_by_dropping_kinds(show, budget):
    """B32: at every budget each section stands and each entry is named; what differs is how fully it is told."""
    seen = window(show, "s02e01", "s02e03", View("story", budget=budget))
    titles = [title for name, title in SECTIONS if any(a["section"] == name for a in seen.data["atoms"])]
    assert [title for title in titles if f"## {title}\n" not in seen.told.text] == []
    assert {a["section"] for a in seen.data["atoms"]} | {"state"} == set(seen.told.levels)
    assert seen.told.tokens <= budget or set(seen.told.levels.values()) == {"names"}
    if budget == 40000:
        assert set(seen.told.levels.values()) == {"whole"}


def test_each_level_tells_more(show):
    """B32: names, brief, whole: each costs more than the one before, and names every thread and gag."""
    told = [window(show, "s02e01", "s02e03", View("story", level)).told for level in LEVELS]
    assert told[0].tokens < told[1].tokens < told[2].tokens
    for one in told:
        for name in ("Will the County close the ferry?", "The invisible bridge", "Figgis", "The Inquiry"):
            assert name in one.text


def test_size_is_told_in_tokens_span_and_what_is_alive_in_it(show):
    """B36, B37: what it costs to read, exactly; the period; which of its episodes say something. Nothing is tallied."""
    seen = window(show, "s01e01", "s01e06", View())
    head = seen.told.text.splitlines()
    assert head[0] == "# One Paying Soul: s01e01 One Paying Soul to s01e06 Sunset"
    assert (
        head[1]
        == f"6 episodes of season 1, 38 scenes, each of which says something; {seen.told.tokens} tokens to read."
    )
    assert seen.told.tokens == count(seen.told.text) == seen.data["tokens"]
    assert "As it began" not in seen.told.text
    small = window(show, "s01e01", "s01e06", View(budget=10))
    assert f"tokens to read, {small.told.tokens - 10} over what was asked: no kind is left out." in small.told.text


@pytest.mark.parametrize("at", range(11))
def test_a_window_holds_nothing_from_after_its_end(show, at, tmp_path):
    """D27, D51, G7: up to any episode it is, to the byte, what a memory that ends there gives."""
    memory = memory_of(show)
    end = order(memory.episodes)[at]
    label = next(f"s{e.season:02d}e{e.number:02d}" for e in memory.episodes if e.id == end)
    then = window(show, "s01e01", label, View("story", "whole"))
    made = sample(tmp_path / "cut")
    (made / "bible/memory.json").write_text(dumps(as_of(memory, end)), encoding="utf-8")
    again = window(made, "s01e01", label, View("story", "whole"))
    assert then.data["atoms"] == again.data["atoms"] and then.data["end"] == again.data["end"]
    assert (
        then.told.text.split("## Not in")[0].splitlines()[2:] == again.told.text.split("## Not in")[0].splitlines()[2:]
    )


def test_what_stands_outside_is_said(show, tmp_path):
    """B33: later episodes, entries of no episode, other branches: none of it is dropped without a word."""
    made = tmp_path / "show"
    subprocess.run(["cp", "-r", str(show), str(made)], check=True)
    memory = json.loads((made / "bible/memory.json").read_text(encoding="utf-8"))
    memory["entries"].insert(0, {"id": "mem.fact.aa", "kind": "fact", "text": "The river is wet.", "by": "person"})
    (made / "bible/memory.json").write_text(json.dumps(memory), encoding="utf-8")
    git(made, "init", "-q", "-b", "main")
    git(made, "add", "bible", "episodes", "show.toml")
    git(made, "commit", "-q", "-m", "canon")
    git(made, "checkout", "-q", "-b", "what-if")
    fact = {"id": "mem.fact.zz", "kind": "fact", "text": "The boat sank.", "by": "person", "since": "ep.hen"}
    memory["entries"].append(fact)
    (made / "bible/memory.json").write_text(json.dumps(memory), encoding="utf-8")
    git(made, "commit", "-q", "-a", "-m", "what if")
    git(made, "checkout", "-q", "main")
    off = window(made, "s02e01", "s02e02", View()).data["notHere"]
    assert off == [
        "Of no episode: The river is wet.",
        "Later: 3 remembered episodes.",
        "On branch what-if alone: 1 statement on these episodes.",
    ]
    assert "## Not in this window\n- Of no episode: The river is wet.\n" in window(made, "s02e01", "", View()).told.text


def test_what_a_person_did_and_what_waits(show, tmp_path, program):
    """B29: what was rewritten, added and thrown out in these episodes, and what waits there, stand beside the rest."""
    made = tmp_path / "show"
    subprocess.run(["cp", "-r", str(show), str(made)], check=True)
    assert program("edit", "mem.thread.bilge", "--text", "It was soup all along.", "-C", str(made)).code == 0
    assert program("add", "--text", "The ferry is insured.", "-C", str(made)).code == 0
    assert program("forget", "mem.fact.patience-decided-by-one-vote-beas", "-C", str(made)).code == 0
    script = made / "episodes/s02e05-the-vote.fountain"
    script.write_text(script.read_text(encoding="utf-8").replace("THE END", "") + "\n\nBEA\nI see no bridge.\n")
    run(made)
    sections = window(made, "s02e05", "", View()).data["sections"]
    assert "Rewritten: Why is the water in the bilge fresh? (text)." in sections["Decided by hand"]
    assert "Added: The ferry is insured." in sections["Decided by hand"]
    assert any(row.startswith("Thrown out: ") for row in sections["Decided by hand"])
    assert sections["Waiting for you"]
    assert "Decided by hand" not in window(made, "s01e01", "s01e03", View()).data["sections"]


def test_the_record_has_no_dates(show):
    """B42, B18 to B21, D25: all that is held, each season with the state it left, read from the record."""
    seen = record(show, "", View("", "brief"))
    assert {(a["entry"], a["episode"]) for a in seen.data["atoms"]} == statements(
        memory_of(show), {e.id for e in memory_of(show).episodes}
    )
    assert [one["title"] for one in seen.data["seasons"]] == [
        "Season 1 (6 episodes, 38 scenes).",
        "Season 2 (5 episodes, 34 scenes).",
    ]
    first, last = seen.data["seasons"]
    assert "The soup has been on since 1998." in [thing["text"] for thing in first["values"]]
    assert not any("1998." in thing["text"] and "has been on" in thing["text"] for thing in last["values"])
    assert last["open"] == [] and len(last["settled"]) == 3
    then = record(show, "s01e06", View("", "brief"))
    assert then.data["seasons"] == seen.data["seasons"][:1] and then.data["asOf"] == "ep.sunset"


def test_what_the_show_leans_on(show):
    """B22 to B27: by what scenes change, play and move: how lately, how much, and what each is tied to."""
    rows = record(show, "", View("", "names")).data["sections"]["What it leans on"]
    hot, _, cold = (row.partition(": ")[2] for row in rows[:3])
    assert [row.partition(":")[0] for row in rows][:3] == ["Hot", "Warm", "Cold"]
    assert "Marguerite Hasp;" in hot and "Everything costs the fare;" in hot
    assert "Mayor (hub)" in cold and not set(hot.split("; ")) & set(cold.split("; "))
    early = record(show, "s01e02", View("", "names")).data["sections"]["What it leans on"]
    assert any(row.startswith("Fresh: ") and "Why do the Hasp sisters not speak?" in row for row in early)
    assert not any(
        row.startswith("Fresh") for row in record(show, "s01e01", View()).data["sections"]["What it leans on"]
    )


def test_errors_say_what_to_do(show, program):
    """STYLE 14: an episode nobody knows, the wrong order, no git, a day that is none, both ways to say how full."""
    assert "found s09e01" in program("window", "s09e01", "-C", str(show)).aside
    out = program("window", "s02e03", "s01e02", "-C", str(show))
    assert (out.code, out.aside) == (
        1,
        "show: error: expected the earlier episode first, found s02e03 before s01e02\n"
        "    showmemory window s01e02 s02e03\n",
    )
    assert "did you mean ep.stock?" in program("window", "ep.stok", "-C", str(show)).aside
    assert "expected a git checkout, found none" in program("window", "2026-01-01", "-C", str(show)).aside
    assert (
        "expected a day such as 2026-03-01, found s01e01"
        in program("window", "s01e01", "--axis", "time", "-C", str(show)).aside
    )
    assert "found 2026-02-30" in program("window", "2026-02-30", "-C", str(show)).aside
    out = program("window", "s01e01", "--density", "brief", "--budget", "9", "-C", str(show))
    assert "expected --density or --budget, found both" in out.aside
    assert "--axis to be story or time" in program("window", "s01e01", "--axis", "moon", "-C", str(show)).aside


def test_json_is_one_object(show, program):
    """The window and the record as values: the same atoms, states and text."""
    out = program("window", "s02e01", "s02e02", "--json", "-C", str(show))
    assert out.code == 0 and out.json["from"] == "ep.hen" and out.json["text"].startswith("# One Paying Soul")
    assert program("record", "--json", "-C", str(show)).json["shape"] == "record"


def test_without_a_memory(tmp_path, program):
    """Nothing remembered is a problem that says how to begin, for both."""
    (tmp_path / "show.toml").write_text('id = "x"\n', encoding="utf-8")
    for words in (("window", "s01e01"), ("record",)):
        out = program(*words, "-C", str(tmp_path))
        assert (out.code, "doit remember makes one" in out.aside) == (1, True)


def git(root: Path, *words: str, at: str = "2026-03-01T12:00:00Z") -> None:
    env = {**os.environ, "GIT_COMMITTER_DATE": at, "GIT_AUTHOR_DATE": at}
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, env=env, capture_output=True)


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    """A show whose memory was committed on three days: made, grown by an episode, edited by a person."""
    made = pier(tmp_path / "pier")
    run(made)
    git(made, "init", "-q", "-b", "main")
    git(made, "add", "bible", "episodes")
    git(made, "commit", "-q", "-m", "one", at="2026-03-01T12:00:00Z")
    third = "INT. PIER - DAY\n\nADA\nWhere are the lighthouse keys?\n\nBO\nIn the kettle.\n"
    (made / "episodes/s01e03.fountain").write_text(third, encoding="utf-8")
    run(made, apply="auto")
    git(made, "add", "bible", "episodes")
    git(made, "commit", "-q", "-m", "two", at="2026-03-10T12:00:00Z")
    from showmemory.desk import change

    id_ = next(e.id for e in memory_of(made).entries if e.kind == "gag")
    assert not change(made, "forget", id_).problems
    git(made, "commit", "-q", "-a", "-m", "three", at="2026-03-20T23:30:00Z")
    return made


def test_a_window_by_the_days_of_the_commits(dated):
    """B31, D40: what was first said between two days, whatever episode it is of; what was taken out; who did it."""
    seen = window(dated, "2026-03-05", "2026-03-15", View())
    assert seen.data["axis"] == "time" and seen.data["activeDays"] == ["2026-03-10"] and seen.data["days"] == 11
    assert "memory changed on 1 day of 11" in seen.told.text
    assert {atom["at"] for atom in seen.data["atoms"]} == {"2026-03-10"}
    whole = statements(memory_of(dated), {"ep.s01e03"})
    assert whole <= {(a["entry"], a["episode"]) for a in seen.data["atoms"]}
    assert any("remembered" in row for row in seen.data["sections"]["What was done"])
    assert "Taken out" not in seen.data["sections"]


def test_what_was_taken_out_in_these_days_is_named(dated):
    """B33, D40: what was said before these days and is no more stands by its title, beside what the history says."""
    seen = window(dated, "2026-03-20", "2026-03-20", View())
    assert seen.data["sections"]["Taken out"]
    assert any("person: " in row for row in seen.data["sections"]["What was done"])


def test_all_days_together_give_all_that_is_held(dated):
    """B34: from the first commit to the last every statement has its day; the last day ends at midnight, UTC."""
    seen = window(dated, "2026-03-01", "2026-03-20", View())
    memory = memory_of(dated)
    told = {(a["entry"], a["episode"]) for a in seen.data["atoms"]}
    assert told == statements(memory, {e.id for e in memory.episodes})
    assert seen.data["notHere"] == []


def test_what_is_in_no_commit_or_on_another_branch_is_said(dated):
    """B33: a window up to now says what is not committed; commits of other branches from these days are counted."""
    text = (dated / "bible/memory.json").read_text(encoding="utf-8")
    git(dated, "checkout", "-q", "-b", "other")
    (dated / "bible/memory.json").write_text(text + "\n", encoding="utf-8")
    git(dated, "commit", "-q", "-a", "-m", "aside", at="2026-03-12T12:00:00Z")
    git(dated, "checkout", "-q", "main")
    from showmemory.desk import change

    change(dated, "add", fields={"kind": "fact", "text": "The pier is short."})
    assert window(dated, "2026-03-01", "2026-03-31", View()).data["notHere"] == [
        "In no commit yet: 1 statement.",
        "On other branches: 1 commit of memory from these days.",
    ]


def test_days_without_commits(dated):
    """A window before the first commit is a problem; one in which nothing moved is empty and says so."""
    early = window(dated, "2025-01-01", "2025-01-02", View())
    assert (
        str(early.problems[0])
        .splitlines()[0]
        .endswith("expected commits of memory up to 2025-01-02, found the first on 2026-03-01")
    )
    quiet = window(dated, "2026-03-11", "2026-03-12", View())
    assert quiet.data["atoms"] == [] and "memory changed on 0 days of 2" in quiet.told.text
