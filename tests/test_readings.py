"""Readings of an entity in place of its raw entries: bound, dated, reversible, told in order (B6 to B11)."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from commands import Program
from lantern import EPISODES, ODILE, SHOW, TAM, WILL, notebook
from showmemory.context.context import memory_context
from showmemory.model.interpretation import Interpretation, Readings
from showmemory.model.show import Show
from showmemory.read.readings import check_readings
from showmemory.read.show import open_show
from shows import pier, run
from test_context_moment import rebuilt

MEMORY = notebook()
SHY: dict[str, Any] = {
    "id": "reading.tam-shy",
    "of": "character.tam-reed",
    "asOf": "ep.201",
    "by": "Ada Quill",
    "reasons": [
        {"id": "limp", "text": "He hides the leg", "entries": ["mem.fact.limp"]},
        {"id": "lamp", "text": "He blames himself for the lamp.", "entries": ["mem.knowledge.tam-knows"]},
        {"id": "talk", "text": "So he talks.", "sources": [{"episode": "ep.104", "line": 12, "words": "Well now."}]},
    ],
    "edges": [
        {"from": "limp", "how": "activates", "to": "talk"},
        {"from": "lamp", "how": "supports", "to": "talk"},
        {"from": "talk", "how": "contradicts", "to": "limp"},
    ],
}


def read(*changes: dict[str, Any], bound: dict[str, str] | None = None) -> Show:
    """The lighthouse with readings of Tam, each SHY with some changes; the first is bound unless `bound` says."""
    made = tuple(Interpretation.model_validate({**SHY, **change}) for change in changes or ({},))
    bound = {made[0].of: made[0].id} if bound is None else bound
    return SHOW.model_copy(update={"readings": Readings(readings=made, bound=bound)})


def tam(show: Show, **options: Any) -> str:
    """What is told under Tam's name."""
    text = memory_context(show, MEMORY, **{"characters": ["Tam"], "budget_tokens": 3000, **options}).text
    return text.partition("### Tam Reed\n")[2].partition("\n#")[0]


def test_reasons_stand_in_their_order_with_edges_and_evidence() -> None:
    """B6, B7, B8: who reads, as of when, each reason after the other, what it rests on, how it bears on others."""
    rows = [row for row in tam(read()).splitlines() if "eason" in row or "reads" in row]
    assert rows == [
        "- Ada Quill reads, as of s02e01: 1. He hides the leg (brings on 3; from s01e02).",
        "- Reason 2. He blames himself for the lamp (supports 3; from s02e01).",
        "- Reason 3. So he talks (speaks against 1; from s01e04).",
    ]


def test_a_bound_reading_replaces_the_raw_entries_and_nothing_else() -> None:
    """B9, B10: what is of Tam alone is held; what he shares with others, his designed voice and pins stay live."""
    raw, made = tam(SHOW), tam(read())
    assert "Long lines." in raw and "Tam limps" in memory_context(SHOW, MEMORY, budget_tokens=3000).text
    assert "Long lines." not in made and "sold before the storm" not in made
    for live in ("Begins in the middle.", "Odile has paid Tam back.", "Tam taught Will to swim."):
        assert live in made
    assert "The inn is insured." in memory_context(read(), MEMORY, characters=["Tam"]).text


def test_null_restores_the_evidence() -> None:
    """B10: bound to nothing, or asked for `none`, the context is byte for byte what it was; memory is untouched."""
    before = memory_context(SHOW, MEMORY, characters=["Tam"])
    assert memory_context(read(bound={}), MEMORY, characters=["Tam"]) == before
    assert memory_context(read(), MEMORY, characters=["Tam"], reading="none") == before
    assert notebook() == MEMORY


def test_one_reading_may_be_asked_for_in_place_of_the_bound_one() -> None:
    """B9: the binding can be chosen for one context."""
    two = read({}, {"id": "reading.tam-proud", "reasons": [{"id": "a", "text": "He is proud.", "entries": ["x"]}]})
    assert "He is proud" not in tam(two)
    assert "1. He is proud." in tam(two, reading="reading.tam-proud")
    assert "He hides" not in tam(two, reading="reading.tam-proud")


def test_a_receipt_accounts_for_everything_once() -> None:
    """B9, G3: a replaced entry is held, with the reading and its fingerprint as the reason; tokens add up."""
    show = read()
    for budget in (160, 300, 700, 3000):
        made = memory_context(show, MEMORY, characters=["Tam"], budget_tokens=budget)
        ids = [row.id for row in made.receipt.rows if row.id.startswith(("mem.", "reading."))]
        assert len(ids) == len(set(ids))
        assert {row.id for row in made.receipt.rows if row.id.startswith("mem.")} == {e.id for e in MEMORY.entries}
        assert made.tokens == sum(row.tokens for row in made.receipt.rows if row.state == "in")
        assert made.tokens <= budget
        held = {row.id: row.reason for row in made.receipt.rows if row.limit == "reading"}
        one = show.readings.readings[0]
        assert set(held) == {"mem.voice.tam", "mem.fact.limp", "mem.knowledge.tam-knows"}
        assert set(held.values()) == {f"replaced by {one.id}, {one.print}"}
    assert one.print != Interpretation.model_validate({**SHY, "by": "Bo"}).print


def test_a_reading_holds_from_its_moment_to_its_last() -> None:
    """B6: at an earlier moment there is nothing of it, and none of it after its last episode."""
    assert "He hides" not in tam(read(), as_of="ep.104")
    assert "He hides" in tam(read(), as_of="ep.201")
    until = read({"until": "ep.202"})
    assert ["He hides" in tam(until, as_of=e) for e in EPISODES[4:]] == [True, True, False, False]


def test_what_is_newer_than_the_reading_stands_beside_it() -> None:
    """B10: a reading as of the second episode cannot stand in for what the fifth established."""
    early = read({"asOf": "ep.102", "reasons": SHY["reasons"][:1], "edges": []})
    made = tam(early)
    assert "He hides" in made and "sold before the storm" in made and "Long lines." not in made


def test_a_vantage_is_kept() -> None:
    """B6: a showrunner's reading is for the showrunner; a character's for that character's own view, and back."""
    runner, own = read({"vantage": "showrunner"}), read({"vantage": "Tam"})
    assert "He hides" not in tam(runner) and "He hides" in tam(runner, reader="showrunner")
    assert "He hides" not in tam(own)
    assert "He hides" in memory_context(own, MEMORY, witness=TAM, scripts={}, budget_tokens=3000).text
    for show, who in product((read(), runner, own), (ODILE, WILL)):
        assert "He hides" not in memory_context(show, MEMORY, witness=who, scripts={}, reader="showrunner").text


def test_a_reading_of_a_place_stands_in_the_world() -> None:
    """B6: of any one entity."""
    place = {"of": "place.lamp-room", "id": "reading.room", "reasons": SHY["reasons"][:1], "edges": []}
    made = memory_context(read(place), MEMORY, scene="INT. LAMP ROOM - NIGHT", budget_tokens=3000)
    world = made.text.partition("## The world\n")[2]
    assert world.startswith("- Ada Quill reads, as of s02e01: 1. He hides the leg (from s01e02).\n")
    assert "fog horn" not in made.text
    assert "reads, as of" not in memory_context(read(place), MEMORY, characters=["Will"], budget_tokens=3000).text


BOTH = {TAM: SHY["id"], ODILE: "reading.odile"}


@pytest.mark.parametrize("at", range(len(EPISODES)))
def test_as_of_is_a_rebuild(at: int) -> None:
    """D27 with B6: as of every episode byte for byte what a rebuild from the scripts up to there gives."""
    show = read(
        {}, {"id": "reading.odile", "of": ODILE, "asOf": "ep.103"}, bound={TAM: SHY["id"], ODILE: "reading.odile"}
    )
    for characters, budget in product((None, ["Tam"], ["Odile", "Will"]), (250, 1500)):
        options: dict[str, Any] = {"characters": characters, "budget_tokens": budget, "as_of": EPISODES[at]}
        assert memory_context(show, MEMORY, **options) == memory_context(show, rebuilt(EPISODES[: at + 1]), **options)


def test_a_larger_budget_never_removes_a_reason() -> None:
    """A94 with B7: the first reasons come first, whatever the room."""
    had = 0
    for budget in range(120, 900, 20):
        made = tam(read(), budget_tokens=budget)
        count = sum(f"{n}. " in made for n in (1, 2, 3))
        assert count >= had
        assert all(f"{n}. He" in made for n in range(1, min(count, 2) + 1))
        had = count
    assert had == 3


WRONG = {
    "no reason": ({"reasons": [], "edges": []}, "reading.tam-shy gives no reason"),
    "resting on nothing": (
        {"reasons": [{"id": "a", "text": "He is."}], "edges": []},
        "reading.tam-shy: the reason a rests on nothing",
    ),
    "resting on later": ({"asOf": "ep.103"}, "reading.tam-shy is as of ep.103 and rests on ep.104, which comes later"),
    "an edge to nothing": (
        {"edges": [{"from": "limp", "how": "supports", "to": "tall"}]},
        "reading.tam-shy has no reason called tall",
    ),
    "an edge to itself": (
        {"edges": [{"from": "limp", "how": "inhibits", "to": "limp"}]},
        "reading.tam-shy: the reason limp inhibits itself",
    ),
    "ending before": ({"until": "ep.101"}, "reading.tam-shy ends in ep.101, before it begins in ep.201"),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_reading_is_said(change: dict[str, Any], message: str) -> None:
    """B6: evidence-backed, at a moment, in order; a slip is a Problem."""
    assert [p.message for p in check_readings(read(change)) if p.severity == "error"] == [message]
    assert check_readings(read()) == []


def test_a_binding_must_lead_to_a_reading_of_that_entity() -> None:
    """B9."""
    said = [p.message for p in check_readings(read(bound={WILL: "reading.tam-shy", ODILE: "reading.no"}))]
    assert said == [
        "character.will is bound to reading.tam-shy, which is a reading of character.tam-reed",
        "character.odile-marsh is bound to reading.no, and there is no such reading",
    ]


FILE = """\
readings:
  - id: reading.ada
    of: character.ada
    as_of: ep.s01e01
    by: Me
    reasons:
      - {id: counts, text: She counts what she cannot trust., sources: [{episode: ep.s01e01, line: 9}]}
    edges: [{from: counts, how: supports, to: count}]
bound:
  character.ada: reading.ada
  character.bo: null
"""


def test_a_slip_in_the_file_has_its_line_and_stops_the_run(tmp_path: Path) -> None:
    """B6: nothing is concluded from a file that is wrong: raw entries would look as if they were meant."""
    show = pier(tmp_path / "pier")
    (show / "bible/readings.yaml").write_text(FILE.replace("supports, to: count", "supports, to: counted"))
    assert str(open_show(show)[1][-1]).splitlines() == [
        "bible/readings.yaml:8: error: reading.ada has no reason called counted",
        "    edges: [{from: counts, how: supports, to: counted}]",
        "    did you mean counts?",
    ]
    done = run(show)
    assert done.stopped and not (show / "context").exists()
    (show / "bible/readings.yaml").write_text(
        FILE.replace("    edges: [{from: counts, how: supports, to: count}]\n", "")
    )
    assert not run(show).errors
    text = (show / "context/show.md").read_text()
    assert "- Me reads, as of s01e01: 1. She counts what she cannot trust (from s01e01).\n" in text
    unknown = FILE.replace("how: supports", "how: likes")
    (show / "bible/readings.yaml").write_text(unknown)
    assert "bible/readings.yaml:8:28: error: expected how to be 'supports', 'inhibits'" in str(open_show(show)[1][-1])


def test_what_a_reading_rests_on_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """B6: `check` warns of an entry memory does not have, `--citations` of words that do not stand at their line."""
    show, program = pier(tmp_path / "pier"), Program(capsys)
    whole = FILE.replace("    edges: [{from: counts, how: supports, to: count}]\n", "")
    cited = "sources: [{episode: ep.s01e01, line: 9, words: Nobody counts the lighthouse keys twice.}]"
    file = show / "bible/readings.yaml"
    file.write_text(whole.replace("sources: [{episode: ep.s01e01, line: 9}]", cited))
    run(show)
    assert "cites words" not in program("check", "--citations", "-C", str(show)).text
    file.write_text(file.read_text().replace("counts the", "counts his"))
    done = program("check", "--citations", "-C", str(show))
    assert done.code == 0
    assert (
        "bible/readings.yaml:7: warning: reading.ada cites words that do not stand at line 9" in done.text + done.aside
    )
    file.write_text(whole.replace("sources: [{episode: ep.s01e01, line: 9}]", "entries: [mem.fact.gone]"))
    done = program("check", "-C", str(show))
    assert "reading.ada rests on mem.fact.gone, which memory does not have" in done.text + done.aside
