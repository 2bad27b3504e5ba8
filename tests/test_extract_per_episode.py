"""The table of per-episode mechanisms: independent of each other, exact in what they read, honest in what they cite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episode_reading import RULES, read_example, sample_reads
from showmemory.check.citations import words_stand
from showmemory.extract.per_episode import MECHANISMS
from showmemory.model.memory import Source
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.show import Bible, SideFiles

SIDES = ("outline", "continuity", "directed")
PARTS = ("places", "gags", "threads", "arcs")
UNREAD = [(name, part) for name, held in MECHANISMS.items() for part in (*SIDES, *PARTS) if part not in held.READS]
READ = [(name, part) for name, held in MECHANISMS.items() for part in (*SIDES, *PARTS) if part in held.READS]

NAMED = ("The Ferry", "Unasked bell", "Who rang?", "Bram sells")
EXAMPLE = {
    "script": "INT. FERRY - DAY\n\nBRAM\nThe unasked bell is for sale.\n",
    "bible": {
        "characters": [{"name": "Bram"}],
        "places": [{"name": "The Ferry", "id": "boat"}],
        "gags": [{"name": "Unasked bell", "id": "bell"}],
        "threads": [{"name": "Who rang?", "id": "rang"}],
        "arcs": [{"name": "Bram sells", "id": "sale", "beats": [{"id": "bell", "text": "He sells the bell."}]}],
    },
    "outline": {"logline": "A sale.", "scenes": [
        {"scene": "1", "summary": "Bram sells.", "gags": ["bell"], "opens": ["rang"], "beats": ["arc.sale/bell"]},
    ]},
    "continuity": {
        "facts": [{"text": f"About {one}.", "about": [one]} for one in NAMED],
        "changes": [
            {"kind": "knowledge", "text": "Known.", "who": ["bram"], "about": NAMED},
            {"kind": "relationship", "text": "Sold.", "about": ["bram", "character.bell"]},
        ],
        "payoffs": [{"gag": "bell", "scene": "1"}],
        "threads": [{"thread": "rang", "move": "moved", "text": "Nobody."}],
    },
    "directed": {"scenes": [{"scene": "1", "summary": "Bram sold."}]},
}  # fmt: skip


def without(read: EpisodeRead, bible: Bible, part: str) -> tuple[EpisodeRead, Bible]:
    if part in SIDES:
        held = {name: getattr(read.side, name) for name in SIDES if name != part}
        return replace(read, side=SideFiles(**held)), bible
    return read, bible.model_copy(update={part: ()})


@pytest.mark.parametrize(("name", "part"), UNREAD)
def test_what_a_mechanism_does_not_read_changes_nothing(name: str, part: str) -> None:
    """Build keys are made of READS: a missing name there would leave a stale result."""
    read, bible = read_example(EXAMPLE)
    whole = MECHANISMS[name].find(read, bible, RULES)
    assert MECHANISMS[name].find(*without(read, bible, part), RULES) == whole


@pytest.mark.parametrize(("name", "part"), [at for at in READ if at[0] != "relationship" or at[1] == "continuity"])
def test_what_a_mechanism_reads_does_change_something(name: str, part: str) -> None:
    """A name in READS for nothing would rebuild for nothing."""
    read, bible = read_example(EXAMPLE)
    whole = MECHANISMS[name].find(read, bible, RULES)
    assert MECHANISMS[name].find(*without(read, bible, part), RULES) != whole


def observed(names: Sequence[str], read: EpisodeRead, bible: Bible) -> list[Observation]:
    found = [one for name in names for one in MECHANISMS[name].find(read, bible, RULES)]
    return sorted(found, key=lambda one: (one.kind, one.key))


@given(st.permutations(list(MECHANISMS)))
def test_the_order_of_mechanisms_decides_nothing(names: list[str]) -> None:
    """No rule relies on another."""
    read, bible = read_example(EXAMPLE)
    assert observed(names, read, bible) == observed(list(MECHANISMS), read, bible)


def test_the_table_is_in_name_order_and_cannot_be_changed() -> None:
    assert list(MECHANISMS) == sorted(MECHANISMS)
    with pytest.raises(TypeError):
        MECHANISMS["more"] = MECHANISMS["fact"]  # type: ignore[index]


def cited(one: Observation) -> Sequence[Source]:
    return (*one.said.sources, *one.said.uses, *one.said.exemplars)


def test_every_citation_of_the_sample_show_stands_and_every_word_of_its_logs_is_found() -> None:
    """A9, A66, A67: on the sample show nothing is stale, and what is cited stands word for word at its line."""
    bible, reads = sample_reads()
    seen = [(read, one) for read in reads for held in MECHANISMS.values() for one in held.find(read, bible, RULES)]
    assert len([source for _, one in seen for source in cited(one)]) > 300
    assert [(one.key, one.said.stale) for _, one in seen if one.said.stale] == []
    assert [source for read, one in seen for source in cited(one) if not words_stand(read.screenplay, source)] == []


def test_one_draft_an_entry() -> None:
    """A51: a mechanism says of one entry in one episode once, in a form that the merge takes from any pass."""
    bible, reads = sample_reads()
    for read in reads:
        for name, held in MECHANISMS.items():
            seen = held.find(read, bible, RULES)
            assert len({(one.kind, one.key) for one in seen}) == len(seen)
            assert all(one.episode == read.episode.id and one.rule == one.said.rule == name for one in seen)
            assert [Observation.model_validate_json(one.model_dump_json()) for one in seen] == seen


def test_names_do_not_depend_on_the_episode() -> None:
    """Identity: the same key has the same name and kind wherever it is seen."""
    bible, reads = sample_reads()
    names: dict[tuple[str, str], set[str]] = {}
    for read in reads:
        for held in MECHANISMS.values():
            for one in held.find(read, bible, RULES):
                names.setdefault((one.kind, one.key), set()).add(one.name)
    assert {identity: held for identity, held in names.items() if len(held) > 1} == {}
