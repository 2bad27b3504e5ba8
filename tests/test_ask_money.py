"""What a pass may cost: priced before it is made, refused over the budget, shown by a dry run, summed by spend."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asking_show import KEY, SECRET, answers, draft, model_show, remembered, set_model
from fake_messages import Answer, Fake, chat, reply, serving
from showmemory import spending
from showmemory.ask.price import Price, budget_of, price_of, priced_on, reckoned
from showmemory.ask.seam import Usage
from showmemory.flow import Options, Run, remember
from showmemory.model.show import ModelConfig
from showmemory.rewriting import spent
from shows import outputs, run

MODEL = "claude-sonnet-5-5"


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serving(Answer(reply(draft()))) as server:
        yield server


@pytest.fixture
def show(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> Path:
    return model_show(tmp_path / "show", fake.url, monkeypatch)


def staged(show: Path, **options: Any) -> tuple[Run, dict[str, str]]:
    lines: dict[str, str] = {}
    return remember(show, Options(workers=1, **options), lines.__setitem__), lines


def program(show: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "showmemory", *words]
    return subprocess.run(command, cwd=show, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("model", "usage", "usd"),
    [
        ("claude-sonnet-5-5", Usage(1_000_000, 0), 2.0),
        ("claude-sonnet-5-5", Usage(0, 1_000_000), 10.0),
        ("claude-sonnet-5-5", Usage(cache_write=1_000_000), 2.5),
        ("claude-sonnet-5-5", Usage(cache_read=1_000_000), 0.1),
        ("claude-sonnet-5-5-20261010", Usage(1_000_000, 0), 2.0),
        ("claude-haiku-5-5", Usage(100_000, 1_000), 0.0105),
        ("claude-haiku-5-5", Usage(200_000, 1_000), 0.1025),
        ("claude-opus-5-5", Usage(12_000, 900, 4_000, 2_000), 0.0864),
    ],
)
def test_prices(model: str, usage: Usage, usd: float) -> None:
    """A77: by the dated file; a long prompt, a kept one, a name with a date."""
    price = price_of(ModelConfig(), model)
    assert price is not None
    assert price.cost(usage) == pytest.approx(usd)
    assert price.cost(usage, batch=True) == pytest.approx(usd / 2)


def test_a_price_is_never_below_the_cost() -> None:
    """A77: the most a call can cost holds for every way its tokens are billed."""
    price = Price(2.0, 10.0, 2.5, 0.1)
    for usage in (Usage(1000, 50), Usage(0, 50, 1000), Usage(0, 50, 0, 1000), Usage(500, 50, 300, 200)):
        assert price.cost(usage) <= price.most(1000, 50)
    assert (reckoned(1000), reckoned(1000, guard=True)) == (1501, 1751)
    assert len(priced_on()) == 10 and budget_of(ModelConfig()) == 5.0


def test_refused_over_the_budget(show: Path, fake: Fake) -> None:
    """A77, A80: refused before anything is sent, with what it may cost and what is left."""
    set_model(show, budget_usd=0.1)
    made = run(show)
    (said,) = made.plan.dropped
    assert said.startswith(f"ep.s01e02: no memory pass by {MODEL}: it may cost $0.1")
    assert said.endswith(", and $0.10 of this month's $0.10 is left (budget_usd under [model])")
    assert (fake.asked, fake.counted, spending.calls(show)) == ([], [], [])
    assert outputs(show) == remembered()


def test_what_was_spent_counts(show: Path, fake: Fake) -> None:
    """A77, A78: a month's budget is what is left of it."""
    set_model(show, budget_usd=0.2)
    spending.bill(show, spending.Call("memory.ep.x", "memory", "anthropic", MODEL, 0.15))
    made = run(show)
    assert made.plan.dropped[0].endswith("and $0.05 of this month's $0.20 is left (budget_usd under [model])")
    assert fake.asked == []


def test_counted_by_the_server_first(show: Path, fake: Fake) -> None:
    """A77: what fits by our own count is counted by the server, and that count decides."""
    set_model(show, budget_usd=1)
    fake.tokens = 400_000
    made = run(show)
    assert "it may cost $1.16, and $1.00 of" in made.plan.dropped[0]
    assert len(fake.counted) == 1 and fake.asked == []
    assert "max_tokens" not in fake.counted[0]
    fake.tokens = None
    assert run(show).plan.dropped == ()
    assert len(fake.asked) == 1


def test_no_price_no_call(show: Path, fake: Fake) -> None:
    """A77: a model nobody knows the price of is not asked, until show.toml says it."""
    set_model(show, name="nova-1")
    made = run(show)
    says = "no price is known for nova-1: set price = { input = …, output = … } under [model]"
    assert made.plan.dropped == (f"ep.s01e02: no memory pass by nova-1: {says}",)
    set_model(show, price={"input": 1.0, "output": 2.0})
    assert run(show).plan.dropped == ()
    assert spending.calls(show)[0]["usd"] == pytest.approx((12000 + 2 * 900) / 1_000_000)


def test_a_model_on_this_machine_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A69, A77: an OpenAI-compatible server on loopback needs neither key nor price."""
    with serving(Answer(chat(draft()))) as server:
        url = f"{server.url}/v1"
        show = model_show(tmp_path / "x", url, monkeypatch, provider="openai-compatible", name="llama", budget_usd=0)
        made = run(show)
        assert made.plan.dropped == ()
        (body,) = server.asked
    assert (body["model"], body["max_tokens"], body["response_format"]["type"]) == ("llama", 16000, "json_schema")
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    assert [(c["usd"], c["input"]) for c in spending.calls(show)] == [(0.0, 12000)]
    assert "authorization" not in server.headers[0]


def test_a_dry_run_shows_the_exact_request(show: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A77: the request to the byte and its price, without a key, too; nothing is sent, counted or written."""
    monkeypatch.delenv(KEY)
    before = {p: p.read_bytes() for p in show.rglob("*") if p.is_file()}
    _, lines = staged(show, dry_run=True)
    head, told, body = lines["ask"].split("\n", 2)
    assert head == "dry run: nothing is asked"
    assert told.startswith("memory of ep.s01e02: about ") and f"(prices of {priced_on()}; $5.00 of this month" in told
    assert (fake.asked, fake.counted) == ([], [])
    assert {p: p.read_bytes() for p in show.rglob("*") if p.is_file() and ".showmemory" not in p.parts} == before
    monkeypatch.setenv(KEY, SECRET)
    run(show)
    assert json.loads(body) == fake.asked[0]
    assert SECRET not in lines["ask"]


def test_spend_sums_it(show: Path, fake: Fake) -> None:
    """A78: by month, by session, by model; what nobody knows is told apart."""
    assert (spent(show).calls, spent(show).left) == (0, 5.0)
    run(show)
    set_model(show, effort="low")
    fake.answers = [Answer("", fault="hang")]
    run(show)
    rows = spending.calls(show)
    assert [(r["session"], r.get("unknown", False)) for r in rows] == [
        ("memory.ep.s01e02", False),
        ("memory.ep.s01e02", True),
    ]
    told = json.loads(program(show, "spend", "--json").stdout)
    whole = round(sum(r["usd"] for r in rows), 4)
    assert (told["usd"], told["calls"], told["unknown"]) == (whole, 2, 1)
    assert told["sessions"] == {"memory.ep.s01e02": whole} and told["models"] == {MODEL: whole}
    text = program(show, "spend").stdout
    assert "by episode\n  ep.s01e02" in text and "for 2 calls, 1 of them counted at their most" in text
    assert spent(show, "2001-01").calls == 0


def test_the_commands_tell_what_is_wrong(show: Path) -> None:
    """A78: a month that is none."""
    done = program(show, "spend", "spring")
    assert done.returncode == 1 and "expected a month like 2026-04, found spring" in done.stderr


def test_a_broken_spend_line_stops_nothing(show: Path, fake: Fake) -> None:
    """D55: half a line of a killed run is passed over."""
    (show / "spend").mkdir()
    (show / "spend" / f"{spending.this_month()}.jsonl").write_text('{"usd": 0.5}\n{"usd": 4.9')
    assert spending.spent(show, spending.this_month()) == 0.5
    run(show)
    assert len(answers(show)) == 1 and len(spending.calls(show)) == 2


def test_the_commands_name_what_is_missing(show: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A81, C18: rewrite without a key says so, and exits 1."""
    run(show)
    monkeypatch.setenv(KEY, "")
    done = program(show, "rewrite", "mem.synopsis.s01e02")
    assert done.returncode == 1
    assert "off: ANTHROPIC_API_KEY is not set" in done.stderr + done.stdout
    done = program(show, "rewrite", "nobody")
    assert done.returncode == 1 and "expected an entry or an episode, found nobody" in done.stderr + done.stdout
