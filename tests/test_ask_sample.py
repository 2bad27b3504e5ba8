"""The sample show and a model: its answers written by hand, a full pass against the server, the bench over both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench.ask import HEAD, scores, table

from asking_show import KEY, SECRET, cite, claim
from fake_messages import Answer, reply, serving
from showmemory.check.citations import check_citations
from showmemory.check.memory import check_memory
from showmemory.context.context import memory_context
from showmemory.notebook import Notebook
from shows import clone, outputs, run, sample

BY_HAND = {"ep.soul": 4, "ep.low-water": 8}
BEA, MARGUERITE = "character.bea", "character.marguerite"


def vote() -> dict[str, Any]:
    """What a model could say of the last episode."""
    sisters = claim(
        "relationship",
        "The sisters have crossed together on one bench, unforgiven and talking.",
        cite(252, "I don't forgive you"),
        cite(278, "They have, from the back, one chin"),
        about=[BEA, MARGUERITE],
    )
    synopsis = {
        "line": "Eight hundred vote in a tie, and the one missing vote comes down from the bridge to cast itself.",
        "text": "Both banks vote aboard. The count is level. The Captain tells Bea why she voted for the bridge.",
        "cites": [cite(93, "For the boat, four hundred"), cite(159, "I voted for it. It went by one.")],
    }
    changes = [{"who": [MARGUERITE], "text": "has looked up", "cites": [cite(345, "And she looks up.")]}]
    return {"synopsis": synopsis, "changes": changes, "entries": [sisters]}


def test_the_sample_shows_both_kinds_of_entry(tmp_path: Path) -> None:
    """A72, A81: without a model the recorded answers are read; each is marked, and every one of its lines stands."""
    show = sample(tmp_path / "show")
    marked = [json.loads(p.read_text("utf-8")) for p in sorted((show / "episodes").rglob("*answers.json"))]
    hands = {m["id"]: [a["marked"] for a in m["answers"]] for m in marked}
    assert hands == {id_: ["written by hand"] for id_ in BY_HAND}
    made = run(show)
    assert made.errors == [] and made.plan.dropped == () and not (show / "spend").exists()
    memory = made.memory
    assert memory is not None
    by = {id_: sum(s.by == "model" for e in memory.entries if (s := e.said.get(id_))) for id_ in BY_HAND}
    assert by == BY_HAND
    assert {e.by for e in memory.entries} == {"model", "deterministic"}
    plays = {e.id: play for e in made.read if (play := made.artifacts.screenplay(e))}
    assert check_citations(memory, plays) == []
    assert [p for p in check_memory(memory, made.show) if p.severity == "error"] == []
    text = memory_context(made.show, memory, budget_tokens=4000).text
    assert "Aground all night under the bridge" in text


def test_a_full_pass_over_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A68 to A78, A92: first memory, model and all, against the server; then nothing to do, also in a fresh clone."""
    monkeypatch.setenv(KEY, SECRET)
    show = sample(tmp_path / "show")
    with serving(Answer(reply(vote()))) as fake:
        rows = ["", "[model]", 'provider = "anthropic"', 'name = "claude-sonnet-5-5"', f'base_url = "{fake.url}"', ""]
        model = "\n".join(rows)
        path = show / "show.toml"
        path.write_text(path.read_text("utf-8").replace("\n[[episodes]]", model + "\n[[episodes]]", 1), "utf-8")
        made = run(show)
        assert made.errors == [] and made.plan.dropped == ()
        before = outputs(show)
        run(show)
        again = clone(show, tmp_path / "clone")
        run(again)
        assert outputs(show) == outputs(again) == before
        assert len(fake.asked) == 1
    memory = Notebook(show).memory
    assert memory is not None
    told = next(e for e in memory.entries if e.kind == "synopsis" and e.about == ("ep.vote",))
    assert told.by == "model" and told.text.endswith("Changed: Marguerite Hasp: has looked up.")
    sisters = next(e for e in memory.entries if e.kind == "relationship" and set(e.about) == {BEA, MARGUERITE})
    assert sisters.text.startswith("The sisters have crossed") and len(sisters.said) > 1
    _held_back(json.dumps(fake.asked))
    answers = json.loads((show / "episodes/vote.answers.json").read_text("utf-8"))["answers"]
    assert [(a["model"], a["prompt"], a["provider"]) for a in answers] == [
        ("claude-sonnet-5-5", "memory-1", "anthropic")
    ]


def _held_back(sent: str) -> None:
    """F14: what the bible plans and no script has played is not sent: answers, and the rule of an unplayed gag."""
    assert "The bridge passed by one vote, 401 to 400. Bea worked" not in sent
    assert "gag.second-boat" in sent and "sister ship. Kept for season three" not in sent


def test_the_bench_scores_answers(tmp_path: Path) -> None:
    """A74, A75: citation validity, claims that stand, ids made up, repairs, cost; without a judge model."""
    show = sample(tmp_path / "show")
    found = list(scores(show))
    assert [(s.name.split()[0], s.fell, s.dropped, s.ids, s.claims) for s in found] == [
        ("ep.soul", 0, 0, 0, 4),
        ("ep.low-water", 0, 0, 0, 8),
    ]
    path = show / "episodes/s02e04-low-water.answers.json"
    kept = json.loads(path.read_text("utf-8"))
    (answer,) = kept["answers"]
    answer["answer"]["entries"][0]["about"] = ["character.imogen", "character.nobody"]
    answer["answer"]["entries"][4]["cites"] = [{"line": 50, "words": "soup is delicious"}]
    answer |= {"repaired": True, "used": {"input": 1, "output": 1, "usd": 0.05}}
    path.write_text(json.dumps(kept), "utf-8")
    low = list(scores(show))[1]
    assert (low.fell, low.dropped, low.ids, low.repaired, low.usd) == (1, 1, 1, 1, 0.05)
    rows = table([show])
    assert rows[0] == HEAD and rows[-1][0] == "all" and rows[-1][6:] == ("50%", "0", "$0.0250")
