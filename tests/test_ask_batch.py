"""Message Batches: half the price, answered by a later run, matched by id, and not lost by a kill."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asking_show import KEY, answers, cite, draft, model_show, remembered, set_model
from fake_messages import Answer, Fake, chat, reply, serving
from showmemory import answerbook, spending, uptodate
from showmemory.flow import Options, remember
from shows import outputs, run

ONE = draft(synopsis={"line": "Ada asks.", "text": "", "cites": [cite(6, "Define safe")]}, changes=[])


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serving(Answer(reply(draft())), results={"*": draft()}) as server:
        yield server


@pytest.fixture
def show(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> Path:
    return model_show(tmp_path / "show", fake.url, monkeypatch, batch="all")


def line(show: Path, **options: Any) -> str:
    lines: dict[str, str] = {}
    remember(show, Options(workers=1, **options), lines.__setitem__)
    return lines["ask"]


def by_episode(fake: Fake, second: Any) -> None:
    """Give each request of the batch its own answer."""
    (sent,) = fake.batches.values()
    first, newest = sorted(sent, key=lambda r: "bicycle" in str(r["params"]))
    fake.results = {first["custom_id"]: ONE, newest["custom_id"]: second}


def test_a_first_build_through_a_batch(show: Path, fake: Fake) -> None:
    """A92: all episodes in one batch; a later run takes up the answers, in whatever order they come."""
    fake.polls = 1
    assert line(show) == "2 questions sent as batch msgbatch_1, at half price: a later run takes up the answers"
    assert outputs(show) == remembered() and not uptodate.is_up_to_date(show)
    by_episode(fake, draft())
    assert line(show) == "batch msgbatch_1: 0 of 2 answered, the next run looks again"
    assert len(fake.batches) == 1 and fake.asked == []
    told = line(show, apply="auto")
    assert "memory of ep.s01e01: 1 entry, " in told and "memory of ep.s01e02: 1 entry, " in told
    assert answers(show, "s01e01")[0]["answer"]["synopsis"]["line"] == "Ada asks."
    assert answers(show)[0]["answer"]["synopsis"]["line"].startswith("Bo sells")
    assert not (show / answerbook.BATCH).exists()
    assert [(r["usd"], r["batch"]) for r in spending.calls(show)] == [(0.0165, True), (0.0165, True)]
    assert line(show) == "nothing new to ask" and len(fake.batches) == 1


def test_the_newest_alone(show: Path, fake: Fake) -> None:
    """A92: nightly, only the newest episode goes into the batch."""
    set_model(show, batch="newest")
    assert line(show).startswith("1 question sent as batch msgbatch_1")
    assert "bicycle" in str(fake.batches["msgbatch_1"])


def test_a_batch_survives_a_kill(show: Path, fake: Fake) -> None:
    """A78, D55: killed between two answers, the rest is taken up by the next run, and nothing is billed twice."""
    run(show)
    by_episode(fake, draft())
    held = (show / answerbook.BATCH).read_text()
    run(show, apply="auto")
    whole = {n: (show / f"episodes/{n}.answers.json").read_bytes() for n in ("s01e01", "s01e02")}
    (show / answerbook.BATCH).write_text(held)
    (show / "episodes/s01e02.answers.json").unlink()
    run(show, apply="auto")
    assert {n: (show / f"episodes/{n}.answers.json").read_bytes() for n in ("s01e01", "s01e02")} == whole
    assert len(spending.calls(show)) == 2 and len(fake.batches) == 1


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ({"type": "expired"}, "the batch ended before it was answered (expired)"),
        ({"type": "canceled"}, "the batch ended before it was answered (canceled)"),
        ({"type": "errored", "error": {"type": "error", "error": {"type": "x", "message": "too long"}}},
         "the service refused the request in its batch: too long"),
        ({"type": "succeeded", "message": reply("", stop="refusal")}, "the model refused to answer"),
    ],
    ids=["expired", "canceled", "errored", "refused"],
)  # fmt: skip
def test_what_a_batch_does_not_answer(show: Path, fake: Fake, result: dict[str, Any], says: str) -> None:
    """A80: each failure with its message; the other answers count."""
    run(show)
    by_episode(fake, result)
    made = run(show, apply="auto")
    assert made.plan.dropped == (f"ep.s01e02: no memory pass by claude-sonnet-5-5: {says}",)
    assert [a.get("failed", "") for a in answers(show, "s01e01")] == [""]
    assert [a.get("failed", "") for a in answers(show)] == ([says] if "refused to" in says else [])


def test_a_wrong_shape_in_a_batch_is_repaired_directly(show: Path, fake: Fake) -> None:
    """A73: the one repair round of a batched answer is an ordinary call."""
    run(show)
    by_episode(fake, "no draft")
    made = run(show, apply="auto")
    assert made.plan.dropped == () and len(fake.asked) == 1
    assert answers(show)[0]["repaired"] is True
    assert sorted(r.get("batch", False) for r in spending.calls(show)) == [False, True, True]


def test_a_batch_nobody_knows_is_given_up(show: Path, fake: Fake) -> None:
    """A80: a batch that is gone is said and forgotten; the next run asks anew."""
    run(show)
    fake.batches.clear()
    made = run(show)
    assert made.plan.dropped[0] == "batch msgbatch_1: the service knows nothing called msgbatch_1 here (404)"
    assert [(r.get("batch"), r["session"]) for r in spending.calls(show)] == []


def test_a_batch_waits_for_its_server(show: Path, fake: Fake) -> None:
    """A80: a server that is down loses nothing."""
    run(show)
    url = fake.url
    path = show / "show.toml"
    path.write_text(path.read_text().replace(url, "http://127.0.0.1:9"))
    assert run(show).plan.dropped == ("batch msgbatch_1: no connection to http://127.0.0.1:9",)
    assert (show / answerbook.BATCH).exists()
    path.write_text(path.read_text().replace("http://127.0.0.1:9", url))
    by_episode(fake, draft())
    assert run(show, apply="auto").plan.dropped == () and len(answers(show)) == 1


def test_a_batch_is_held_against_the_budget_whole(show: Path, fake: Fake) -> None:
    """A77: the sum of its questions counts, at half price."""
    set_model(show, budget_usd=0.15)
    made = run(show)
    assert len(made.plan.dropped) == 2 and "it may cost $0.1" in made.plan.dropped[0] and fake.batches == {}


def test_a_provider_without_batches_asks_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A69: it is said, since it costs the full price."""
    with serving(Answer(chat(draft()))) as server:
        show = model_show(
            tmp_path / "x", server.url, monkeypatch, provider="openai-compatible", name="l", batch="newest"
        )
        made = run(show)
        assert len(server.asked) == 1
    assert [str(p) for p in made.problems] == [
        "show.toml: warning: openai-compatible takes no batches: each question is asked by itself, at the full price"
    ]


def test_no_key_no_batch(show: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A81: without a key nothing is sent."""
    monkeypatch.delenv(KEY)
    assert line(show) == "off: ANTHROPIC_API_KEY is not set" and fake.batches == {}
