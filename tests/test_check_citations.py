"""Every cited word stands at its line: what holds, and what is told when it does not."""

from __future__ import annotations

import pytest

from showmemory.check.citations import check_citations, words_stand
from showmemory.model.memory import Entry, Said, ShowMemory, Source, Use
from showmemory.model.screenplay import Screenplay
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

FOUNTAIN = """\
INT. BOILER ROOM - NIGHT

Odile counts the   valves. There are
always eleven valves, never twelve.

ODILE
(to the gauge)
Nobody move. We are
(a hiss)
probably *insured* for steam.

BRAM
Nobody moves like you.

EXT. PIER - DAY

Gulls. Steam.
"""
FDX = """\
<?xml version="1.0" encoding="UTF-8"?>
<FinalDraft DocumentType="Script"><Content>
<Paragraph Type="Scene Heading"><Text>INT. GALLEY - DAY</Text></Paragraph>
<Paragraph Type="Character"><Text>Bram</Text></Paragraph>
<Paragraph Type="Dialogue"><Text>Soup is a </Text><Text Style="Bold">promise.</Text></Paragraph>
</Content></FinalDraft>
"""
RULES, _ = read_rules("en")


@pytest.fixture(scope="module")
def scripts() -> dict[str, Screenplay]:
    return {
        "ep.one": read_screenplay(FOUNTAIN.encode(), "episodes/one.fountain", RULES),
        "ep.two": read_screenplay(FDX.encode(), "episodes/two.fdx", RULES),
    }


@pytest.mark.parametrize(
    ("line", "words", "holds"),
    [
        (3, "Odile counts the valves.", True),
        (3, "Odile counts  the\tvalves. There are always eleven", True),
        (3, "always eleven", False),
        (4, "always eleven valves", True),
        (3, "odile counts", False),
        (8, "Nobody move. We are probably insured for steam.", True),
        (8, "We are probably", True),
        (8, "insured for steam", False),
        (10, "insured for steam", True),
        (10, "insured for steam. Nobody moves", False),
        (7, "to the gauge", True),
        (7, "to the gauge Nobody", False),
        (13, "Nobody moves like you.", True),
        (13, "Nobody moves like you", True),
        (1, "BOILER ROOM", True),
        (2, "", False),
        (8, "", True),
        (99, "Gulls", False),
        (0, "", True),
        (0, "Gulls", False),
    ],
)
def test_words_stand(scripts: dict[str, Screenplay], line: int, words: str, holds: bool) -> None:
    """A9: words stand in what begins at that line and start on it, blanks folded, case kept, across a parenthetical."""
    assert words_stand(scripts["ep.one"], Source(episode="ep.one", line=line, words=words)) is holds


@pytest.mark.parametrize(
    ("scene", "line", "holds"), [("1", 8, True), ("2", 8, False), ("2", 17, True), ("3", 8, False), ("2", 0, True)]
)
def test_scene_holds_the_line(scripts: dict[str, Screenplay], scene: str, line: int, holds: bool) -> None:
    """A9: the scene named is the one the line is in."""
    assert words_stand(scripts["ep.one"], Source(episode="ep.one", scene=scene, line=line)) is holds


def test_final_draft_paragraph(scripts: dict[str, Screenplay]) -> None:
    """A9: in Final Draft the line is where the paragraph starts, the words are its joined text, and it has a number."""
    spoken = next(each for each in scripts["ep.two"].elements if each.kind == "dialogue")
    held = Source(episode="ep.two", line=spoken.line, paragraph=spoken.paragraph, words="Soup is a promise.")
    assert spoken.line == 5
    assert words_stand(scripts["ep.two"], held)
    assert not words_stand(scripts["ep.two"], held.model_copy(update={"paragraph": spoken.paragraph + 1}))
    assert not words_stand(scripts["ep.two"], held.model_copy(update={"page": 9}))


def test_problem_to_the_letter(scripts: dict[str, Screenplay]) -> None:
    """A9, A14: sources, uses, what is said and its exemplars are each held; one citation is told once."""
    good = Use(episode="ep.one", scene="1", line=8, words="Nobody move.")
    bad = Use(episode="ep.one", scene="1", line=13, words="Nobody runs")
    lost = Source(episode="ep.one", line=14)
    gag = Entry(
        id="mem.gag.valves",
        kind="gag",
        uses=(good, bad),
        said={"ep.one": Said(uses=(good, bad), sources=(lost,), exemplars=(good,))},
    )
    mine = Entry(id="mem.fact.soup", kind="fact", by="person", sources=(lost, Source(episode="ep.away", line=1)))
    memory = ShowMemory(id="memory.harbour", entries=(gag, mine))
    assert [str(problem) for problem in check_citations(memory, scripts)] == [
        'episodes/one.fountain:13: error: mem.gag.valves cites "Nobody runs", which does not stand here\n'
        "    Nobody moves like you.\n"
        "    showmemory remember reads the script anew",
        "episodes/one.fountain:14: error: mem.gag.valves cites this line, where nothing of the script stands\n"
        "    showmemory remember reads the script anew",
        "episodes/one.fountain:14: warning: mem.fact.soup cites this line, where nothing of the script stands",
    ]
