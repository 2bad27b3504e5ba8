"""Everything that can go wrong between here and a model: each with its message, and memory as it is without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asking_show import KEY, SECRET, draft, model_show, remembered
from fake_messages import Answer, chat, error, reply, serving
from showmemory import spending
from shows import outputs, run

MODEL = "claude-sonnet-5-5"
LONG = "x" * 900_000
# name, what the server does, how the plan says it, how often it was asked
FAULTS: list[tuple[str, list[Answer], str, int]] = [
    ("malformed JSON", [Answer("{nope")],
     "expected the service to answer in JSON, found something else: is base_url right?", 1),
    ("HTML with status 200", [Answer("<html>", type="text/html")],
     "expected the service to answer in JSON, found text/html: is base_url right?", 1),
    ("a string", [Answer('"hello"')], "expected a message from the service, found something else", 1),
    ("no content", [Answer(reply("", content=None))], "the model answered without any text", 1),
    ("content that is text", [Answer(reply("", content="hello"))], "the model answered without any text", 1),
    ("a truncated stream", [Answer(reply("x" * 4000), fault="cut")], "the answer broke off before its end", 1),
    ("a refusal", [Answer(reply("I", stop="refusal"))], "the model refused to answer", 1),
    ("cut at the limit", [Answer(reply("{", stop="max_tokens"))],
     "the answer was cut at 16000 tokens: raise max_tokens under [model]", 1),
    ("400", [Answer(error("max_tokens: no"), 400)], "the service refused the request (400): max_tokens: no", 1),
    ("401", [Answer(error("no key"), 401)], "the service did not take the key in ANTHROPIC_API_KEY (401)", 1),
    ("404", [Answer(error("no"), 404)], f"the service knows nothing called {MODEL} here (404)", 1),
    ("413", [Answer(error("big"), 413)], "the request is larger than the service takes (413)", 1),
    ("429 without retry-after", [Answer(error("slow"), 429)], "the service is busy (429), 3 times", 3),
    ("429 that asks to wait too long", [Answer(error("slow"), 429, {"retry-after": "3600"})],
     "the service is busy (429) and asks to wait 3600 s, more than the 0.05 s that are waited", 1),
    ("500", [Answer(error("oh"), 500)], "the service failed (500), 3 times", 3),
    ("529", [Answer(error("full"), 529)], "the service is overloaded (529), 3 times", 3),
    ("a timeout", [Answer("", fault="hang")], "expected an answer within 0.6 s, found none", 1),
    ("a dropped socket", [Answer("", fault="drop")], "the connection broke before an answer came, 3 times", 3),
    ("a slow drip", [Answer(reply("x" * 500), fault="drip")], "expected an answer within 0.6 s, found none", 1),
    ("too large", [Answer(reply(LONG))], "expected an answer of at most 400 kB, found a larger one", 1),
    ("a redirect", [Answer("", 302, {"location": "http://127.0.0.1:1/"})], "the service refused the request (302)", 1),
]  # fmt: skip
SHAPES = [
    ("not JSON", "no draft at all", "not JSON: expecting value at line 1"),
    ("wrong shape", {"synopsis": "text"}, "synopsis: expected an object"),
    ("a wrong kind", draft() | {"entries": [{"kind": "joke", "text": "x"}]},
     "entries.0.kind: expected 'voice', 'catchphrase', 'relationship', 'knowledge', 'gag', 'tone', 'fact' or 'thread'"),
    ("a further key", draft() | {"memory": []}, "memory: nothing here is called so"),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "says", "asked"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_failure_leaves_memory_as_the_rules_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: list[Answer], says: str, asked: int
) -> None:
    """A80, D55: the message to the letter, memory byte-identical, no key anywhere, no error."""
    with serving(*answers) as fake:
        show = model_show(tmp_path / "show", fake.url, monkeypatch)
        without = remembered()
        made = run(show)
    assert made.plan.dropped == (f"ep.s01e02: no memory pass by {MODEL}: {says}",)
    assert outputs(show) == without
    assert len(fake.asked) == asked
    assert not made.errors
    assert SECRET not in "".join(p.read_text("utf-8", "replace") for p in show.rglob("*") if p.is_file())
    assert SECRET not in repr(made.asking) + str(made.plan) + "".join(map(str, made.problems))


@pytest.mark.parametrize(("answer", "error_"), [s[1:] for s in SHAPES], ids=[s[0] for s in SHAPES])
def test_a_wrong_shape_gets_one_repair_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: object, error_: str
) -> None:
    """A73: exactly one, which quotes the errors; then it fails, is kept as failed, and is not paid for again."""
    with serving(Answer(reply(answer))) as fake:
        show = model_show(tmp_path / "show", fake.url, monkeypatch)
        without = remembered()
        made = run(show)
        says = f"the answer has not the shape of a draft: {error_}, also after one repair"
        assert made.plan.dropped == (f"ep.s01e02: no memory pass by {MODEL}: {says}",)
        assert len(fake.asked) == 2
        first, second = fake.asked
        assert second["messages"][0] == first["messages"][0]
        assert [m["role"] for m in second["messages"]] == ["user", "assistant", "user"]
        assert error_ in second["messages"][2]["content"]
        assert outputs(show) == without
        again = run(show, apply="auto")
        assert len(fake.asked) == 2
        assert again.plan.dropped == (f"ep.s01e02: no memory pass by {MODEL}: {says} (asked before)",)
    assert len(spending.calls(show)) == 2


def test_a_repair_that_helps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A73: the second answer is the one that counts."""
    with serving(Answer(reply("{")), Answer(reply(draft()))) as fake:
        show = model_show(tmp_path / "show", fake.url, monkeypatch)
        made = run(show)
    assert made.plan.dropped == ()
    assert len(fake.asked) == 2
    kept = json.loads((show / "episodes/s01e02.answers.json").read_text())["answers"]
    assert [(k["repaired"], k["used"]["input"], "failed" in k) for k in kept] == [(True, 24000, False)]


def test_a_busy_service_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A69: a retry-after that is short is kept to, and the answer taken."""
    with serving(Answer(error("slow"), 429, {"retry-after": "0.01"}), Answer(reply(draft()))) as fake:
        show = model_show(tmp_path / "show", fake.url, monkeypatch)
        made = run(show)
    assert made.plan.dropped == () and len(fake.asked) == 2


def test_nobody_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A80: no server at all; nothing is billed, and the next run looks again."""
    show = model_show(tmp_path / "show", "http://127.0.0.1:9", monkeypatch)
    made = run(show)
    says = "no connection to http://127.0.0.1:9, 3 times"
    assert made.plan.dropped == (f"ep.s01e02: no memory pass by {MODEL}: {says}",)
    assert spending.calls(show) == []
    with serving(Answer(reply(draft()))) as fake:
        show.joinpath("show.toml").write_text(
            show.joinpath("show.toml").read_text().replace("http://127.0.0.1:9", fake.url)
        )
        assert run(show).plan.dropped == ()


@pytest.mark.parametrize(
    ("answers", "calls"),
    [
        ([Answer(reply(draft()))], [(0.033, False)]),
        ([Answer(error("no"), 400)], []),
        ([Answer("", fault="hang")], [(None, True)]),
        ([Answer(reply("", stop="refusal"))], [(0.033, False)]),
    ],
    ids=["answered", "refused by the service", "nobody knows", "refused by the model"],
)
def test_what_is_billed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: list[Answer], calls: list[tuple[float | None, bool]]
) -> None:
    """A78: actual use under the session of the episode; what nobody knows counts at its most."""
    with serving(*answers) as fake:
        show = model_show(tmp_path / "show", fake.url, monkeypatch)
        run(show)
    rows = spending.calls(show)
    assert {row["session"] for row in rows} <= {"memory.ep.s01e02"}
    assert [row.get("unknown", False) for row in rows] == [unknown for _, unknown in calls]
    for row, (usd, _) in zip(rows, calls, strict=True):
        assert row["usd"] == pytest.approx(usd) if usd else row["usd"] > 0.16


OTHERS: list[tuple[str, list[Answer], str, int]] = [
    ("malformed JSON", [Answer("{nope")],
     "expected the service to answer in JSON, found something else: is base_url right?", 1),
    ("HTML", [Answer("<p>", type="text/html")],
     "expected the service to answer in JSON, found text/html: is base_url right?", 1),
    ("no choices", [Answer({"choices": []})], "expected a message from the service, found something else", 1),
    ("no text", [Answer(chat("", message={"content": None}))], "the model answered without any text", 1),
    ("a refusal", [Answer(chat("", message={"refusal": "no"}))], "the model refused to answer", 1),
    ("cut", [Answer(chat("{", finish_reason="length"))],
     "the answer was cut at 16000 tokens: raise max_tokens under [model]", 1),
    ("truncated", [Answer(chat("x" * 4000), fault="cut")], "the answer broke off before its end", 1),
    ("400", [Answer({"error": {"message": "no schema"}}, 400)], "the service refused the request (400): no schema", 1),
    ("401", [Answer({}, 401)], "the service did not take a call without a key (401)", 1),
    ("429", [Answer({}, 429)], "the service is busy (429), 3 times", 3),
    ("500", [Answer("<p>", 500)], "the service failed (500), 3 times", 3),
    ("a timeout", [Answer("", fault="hang")], "expected an answer within 0.6 s, found none", 1),
    ("a drip", [Answer(chat("x" * 500), fault="drip")], "expected an answer within 0.6 s, found none", 1),
    ("dropped", [Answer("", fault="drop")], "the connection broke before an answer came, 3 times", 3),
    ("too large", [Answer(chat(LONG))], "expected an answer of at most 400 kB, found a larger one", 1),
    ("a redirect", [Answer("", 302, {"location": "http://127.0.0.1:1/"})], "the service refused the request (302)", 1),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "says", "asked"), [f[1:] for f in OTHERS], ids=[f[0] for f in OTHERS])
def test_the_same_of_an_openai_compatible_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: list[Answer], says: str, asked: int
) -> None:
    """A69, A80: another adapter, the same words."""
    with serving(*answers) as fake:
        show = model_show(tmp_path / "show", fake.url, monkeypatch, provider="openai-compatible", name="local")
        without = remembered()
        made = run(show)
    assert made.plan.dropped == (f"ep.s01e02: no memory pass by local: {says}",)
    assert len(fake.asked) == asked and outputs(show) == without
    assert KEY not in (fake.headers[0] if fake.headers else {})
