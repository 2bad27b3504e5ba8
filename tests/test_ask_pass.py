"""The pass over one episode: what is sent, and what comes of the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asking_show import KEY, SECRET, TWO, answers, cite, claim, draft, model_show, plain_show, set_model
from fake_messages import Answer, Fake, reply, serving
from showmemory import uptodate
from showmemory.ask.draft import schema
from showmemory.check.citations import check_citations
from showmemory.model.memory import Entry
from showmemory.notebook import Notebook
from shows import run

ADA, BO = "character.ada", "character.bo"


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serving(Answer(reply(draft()))) as server:
        yield server


@pytest.fixture
def show(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> Path:
    return model_show(tmp_path / "show", fake.url, monkeypatch)


def answered(fake: Fake, *entries: dict[str, Any], **fields: Any) -> None:
    fake.answers = [Answer(reply(draft(*entries, **fields)))]


def entry(show: Path, kind: str, by: str = "model") -> Entry:
    memory = Notebook(show).memory
    assert memory is not None
    (found,) = [e for e in memory.entries if e.kind == kind and e.by == by]
    return found


def test_what_is_sent(show: Path, fake: Fake) -> None:
    """A68 to A71, A92: one call, about the newest episode only, numbered, beside what was found; cached, by schema."""
    run(show)
    (body,) = fake.asked
    assert sorted(body) == ["max_tokens", "messages", "model", "output_config", "system"]
    assert (body["model"], body["max_tokens"]) == ("claude-sonnet-5-5", 16000)
    assert body["output_config"] == {"format": {"type": "json_schema", "schema": schema("memory")}}
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    (message,) = body["messages"]
    shown, read, task = (block["text"] for block in message["content"])
    assert message["content"][0]["cache_control"] == {"type": "ephemeral"}
    assert "character.bo  Bo" in shown and "<script>" in read and "`synopsis.line`" in task
    assert "\n   12      I sold them to the harbour for a bicycle.\n" in read
    assert "Nobody counts the lighthouse keys" not in read
    assert "<memory>\nnothing yet\n</memory>" in read
    assert SECRET in json.dumps(fake.headers[-1]) and len(fake.counted) == 1
    assert SECRET not in json.dumps(body)


def test_what_memory_held_goes_with_it(show: Path, fake: Fake) -> None:
    """A70: memory as it stood before the episode, each entry with its mark; nothing the episode itself brought."""
    set_model(show, name="")
    (show / "bible").mkdir()
    (show / "bible/bible.yaml").write_text("gags:\n  - name: Lighthouse keys\n    rule: Somebody counts them.\n")
    run(show)
    set_model(show, name="claude-sonnet-5-5")
    run(show)
    shown, read, _ = (block["text"] for block in fake.asked[0]["messages"][0]["content"])
    held, found = read.split("<found>")
    assert "gag.lighthouse-keys  Lighthouse keys - Somebody counts them." in shown
    assert "ep.s01e01: " in held and "m1 gag [gag.lighthouse-keys]: Lighthouse keys" in held
    assert "ep.s01e02" not in held and "ep.s01e02" in found
    assert "r1 gag [gag.lighthouse-keys]: Lighthouse keys (lines 9)" in found


def test_the_answer_becomes_entries(show: Path, fake: Fake) -> None:
    """A72, A74, A82, A83: words by the model, lines from the script, a cue's line moved to its speech."""
    bond = claim("relationship", "Ada no longer trusts Bo.", cite(16, "dark part of the coast"), about=[BO, ADA])
    knows = claim("knowledge", "The keys were sold.", cite(11, "sold them to the harbour"), holders=[ADA], about=[BO])
    answered(fake, bond, knows)
    made = run(show)
    assert made.plan.dropped == () and made.errors == []
    told = entry(show, "synopsis")
    assert told.text == (
        "Bo sells the lighthouse keys for a bicycle.\nThe lamp is out. Bo confesses, and Ada takes it badly.\n"
        "Changed: Bo: has sold the keys."
    )
    assert {(s.line, s.words) for s in told.said["ep.s01e02"].sources if s.speaker} == {
        (12, "I sold them to the harbour"),
        (12, "for a bicycle."),
    }
    pair = entry(show, "relationship")
    assert (pair.key, sorted(pair.about)) == (f"{ADA}|{BO}", [ADA, BO])
    assert [(s.line, s.words, s.speaker, s.scene) for s in pair.sources] == [(18, "dark part of the coast.", ADA, "1")]
    assert entry(show, "knowledge").holders == (ADA,)
    memory = Notebook(show).memory
    assert memory is not None
    plays = {e.id: play for e in made.read if (play := made.artifacts.screenplay(e))}
    assert check_citations(memory, plays) == []


def test_what_does_not_stand_is_dropped_and_said(show: Path, fake: Fake) -> None:
    """A74, A75, A76: words that are not at their line, ids the show has not, marks that were not shown."""
    answered(
        fake,
        claim("fact", "The harbour is closed.", cite(12, "the harbour is closed"), about=["place.harbour"]),
        claim("fact", "The lamp is out.", cite(9, "The lamp is out")),
        claim("voice", "Speaks in riddles.", cite(6, "The kettle is a witness"), about=["character.cy"]),
        claim("gag", "The witness again.", cite(6, "kettle is a witness"), of="r99", title="Witness"),
        claim("relationship", "Alone.", cite(18, "dark part"), about=[ADA]),
        changes=[{"who": [BO], "text": "is in love", "cites": [cite(3, "in love")]}],
    )
    made = run(show)
    assert made.plan.dropped == tuple(
        f"ep.s01e02: {line}"
        for line in (
            'fact "The harbour is closed.": the show has no place.harbour',
            'voice "Speaks in riddles.": the show has no character.cy',
            'voice "Speaks in riddles.": it is about nobody whom the show has',
            'gag "Witness": it is about r99, which was not shown',
            'relationship "Alone.": it is not between two whom the show has',
            'change "Bo: is in love": its words are not at the lines it names',
            'fact "The harbour is closed.": its words are not at the lines it names',
            'fact "The lamp is out.": its words are not at the lines it names',
        )
    )
    memory = Notebook(show).memory
    assert memory is not None
    assert {e.kind for e in memory.entries if e.by == "model"} == {"synopsis", "gag"}
    assert "Changed" not in entry(show, "synopsis").text


def test_a_gag_keeps_one_book(show: Path, fake: Fake) -> None:
    """A60, A84: a use that a rule saw in the same speech is not counted again, one it missed is."""
    (show / "bible").mkdir()
    (show / "bible/bible.yaml").write_text("gags:\n  - name: The kettle is a witness\n")
    uses = (cite(6, "kettle is a witness"), cite(9, "Define witness"))
    answered(fake, claim("gag", "", *uses, about=["gag.the-kettle-is-a-witness"], title="The kettle is a witness"))
    run(show)
    memory = Notebook(show).memory
    assert memory is not None
    (gag,) = [e for e in memory.entries if e.kind == "gag" and e.form == "bible"]
    assert [(u.line, "model" in u.how) for u in gag.uses] == [(6, False), (9, True)]


def test_a_log_has_the_last_word_on_a_thread(show: Path, fake: Fake) -> None:
    """A15, A65: a model says a thread moved; that a later log resolves it still counts."""
    (show / "bible").mkdir()
    (show / "bible/bible.yaml").write_text("threads:\n  - name: Who has the keys?\n")
    log = "threads:\n  - {thread: thread.who-has-the-keys, move: resolved, text: The harbour, words: sold them}\n"
    (show / "episodes/s01e02.continuity.yaml").write_text(log)
    moved = claim("thread", "Two keys.", cite(9, "lighthouse keys"), about=["thread.who-has-the-keys"], move="moved")
    first = {"line": "Ada asks.", "text": "", "cites": [cite(6, "Define safe")]}
    fake.answers = [Answer(reply(draft(moved, synopsis=first, changes=[])))]
    run(show, episode="ep.s01e01")
    memory = Notebook(show).memory
    assert memory is not None
    (thread,) = [e for e in memory.entries if e.kind == "thread"]
    assert (thread.status, thread.said["ep.s01e01"].move) == ("resolved", "moved")


def test_what_was_dropped_waits_with_the_rest(show: Path, fake: Fake) -> None:
    """A76, A89: under review the proposal says it, and the next run still does, until the person decides."""
    set_model(show, name="")
    run(show)
    set_model(show, name="claude-sonnet-5-5")
    answered(fake, claim("fact", "No.", cite(3, "nothing like it")))
    says = ('ep.s01e02: fact "No.": its words are not at the lines it names',)
    assert run(show).plan.dropped == says
    proposal = json.loads((show / "bible/proposal.json").read_text())
    assert tuple(proposal["dropped"]) == says
    assert {c["by"] for c in proposal["changes"]} == {"model"}
    assert run(show).plan.dropped == says
    run(show, apply="auto")
    assert run(show).plan.dropped == ()


def test_an_episode_by_name(show: Path, fake: Fake) -> None:
    """A120: asked about an older one when told to, and only as of then."""
    fake.answers = [Answer(reply(draft(synopsis={"line": "Ada asks.", "text": "", "cites": [cite(6, "Define safe")]})))]
    run(show, episode="ep.s01e01")
    read = fake.asked[0]["messages"][0]["content"][1]["text"]
    assert "Nobody counts" in read and "bicycle" not in read
    assert len(answers(show, "s01e01")) == 1 and answers(show) == []


@pytest.mark.parametrize("how", ["no model", "no key", "off by option", "off by settings"])
def test_silent(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """A34, A81: no model or no key: not tried, one short line, no note, no problem."""
    says = {
        "no model": "off: no model in show.toml",
        "no key": "off: ANTHROPIC_API_KEY is not set",
        "off by option": "off: by memory's settings or --model",
        "off by settings": "off: by memory's settings or --model",
    }[how]
    show = plain_show(tmp_path / "x") if how == "no model" else model_show(tmp_path / "x", fake.url, monkeypatch)
    if how == "no key":
        monkeypatch.delenv(KEY)
    if how == "off by settings":
        (show / "bible").mkdir()
        head = {"kind": "ShowMemory", "version": 1, "id": "memory.coast", "settings": {"model": "off"}}
        (show / "bible/memory.json").write_text(json.dumps(head))
    lines: dict[str, str] = {}
    from showmemory.flow import Options, remember

    options = Options(workers=1, model="off" if how == "off by option" else None)
    made = remember(show, options, lines.__setitem__)
    assert lines["ask"] == says
    assert (made.plan.dropped, made.problems, fake.asked) == ((), [], [])
    assert not (show / "spend").exists()


def test_a_key_that_comes_later_is_noticed(show: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A81: a run without a key is up to date until there is one."""
    monkeypatch.delenv(KEY)
    run(show)
    assert uptodate.is_up_to_date(show)
    monkeypatch.setenv(KEY, SECRET)
    assert not uptodate.is_up_to_date(show)


def test_a_person_is_never_overwritten(show: Path, fake: Fake) -> None:
    """A83, A85: the person's words stand over the model's; a locked entry keeps its bytes and the plan says so."""
    from showmemory import desk

    set_model(show, name="")
    run(show)
    desk.change(show, "edit", "mem.synopsis.s01e02", fields={"text": "Mine."})
    desk.change(show, "lock", "mem.synopsis.s01e01")
    locked = next(e for e in Notebook(show).memory.entries if e.id == "mem.synopsis.s01e01")  # type: ignore[union-attr]
    set_model(show, name="claude-sonnet-5-5")
    run(show, apply="auto")
    fake.answers = [Answer(reply(draft(synopsis={"line": "Ada asks.", "text": "", "cites": [cite(6, "Define safe")]})))]
    made = run(show, apply="auto", episode="ep.s01e01")
    memory = Notebook(show).memory
    assert memory is not None
    held = {e.id: e for e in memory.entries}
    assert held["mem.synopsis.s01e02"].text == "Mine."
    assert str(held["mem.synopsis.s01e02"].original["text"]).startswith("Bo sells")
    assert held["mem.synopsis.s01e01"] == locked
    assert [n.entry for n in made.plan.notes] == ["mem.synopsis.s01e01"]


def test_the_rules_never_take_back_a_models_words(show: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A83, A86: another draft, no key: the model's words stay, the rules' books are kept."""
    answered(fake, claim("voice", "Confesses in one breath.", cite(12, "I sold them"), about=[BO]))
    run(show)
    monkeypatch.delenv(KEY)
    (show / "episodes/s01e02.fountain").write_text(TWO + "\nBO\nAnd a bell.\n")
    run(show, apply="auto")
    memory = Notebook(show).memory
    assert memory is not None
    voice = next(e for e in memory.entries if e.id == "mem.voice.bo")
    assert voice.text == "Confesses in one breath." and voice.numbers["lines"] == 4
    assert entry(show, "synopsis").text.startswith("Bo sells")
