"""What a writing session begins with, and the two clocks (D5 to D9, D53 to D55)."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from commands import Program
from lantern import ENTRIES, EPISODES, LOG, ODILE, SHOW, TAM, WILL, entry, notebook, said
from showmemory.context.context import memory_context
from showmemory.context.files import context_files
from showmemory.model.memory import Source
from showmemory.model.show import Outline, OutlineScene, SideFiles
from showmemory.read.profile import VARIABLE
from shows import run, sample
from test_context_moment import rebuilt

PLAN = SideFiles(
    outline=Outline(
        logline="The roof comes off.",
        cast=("Odile", "Tam"),
        scenes=(OutlineScene(scene="1", summary="They count the tiles.", cast=("Odile", "Tam")),),
    )
)


def scenes(episode: str, *rows: tuple[str, str]) -> Any:
    """A synopsis whose scenes are told as (place and who, what happened)."""
    heads = tuple(
        Source(episode=episode, scene=str(n), line=10 * n, words=f"INT. {where.partition(' (')[0].upper()} - DAY")
        for n, (where, _) in enumerate(rows, 1)
    )
    text = "\n".join((f"Opening of {episode}.", *(f"- {where}: {what}" for where, what in rows)))
    return entry(f"s{episode[3:]}", "synopsis", {episode: said(text=text, about=(episode,), sources=heads)})


STORIES = (
    scenes("ep.102", ("Cellar (Odile Marsh and Will)", "They seal it.")),
    scenes("ep.201", ("Lamp Room (Odile Marsh and Tam Reed)", "He winds it."), ("Pier (Will)", "He rows.")),
    scenes("ep.203", ("Pier (Odile Marsh, Tam Reed and Will)", "All see the boat."), ("Hall (Will)", "He hides.")),
    scenes("ep.204", ("Hall (Will)", "He packs."), ("Lamp Room (Tam Reed and Will)", "The lamp goes out.")),
)
SECRET = entry("sold", "knowledge", {"ep.202": said(text="Will sold the lamp.", about=(WILL, ODILE), holders=(WILL,))})
MORE = (*(e for e in ENTRIES if e.kind != "synopsis"), *STORIES, SECRET)
MEMORY = notebook(MORE)


def stand(memory: Any = MEMORY, **options: Any) -> list[str]:
    """The rows of the handover."""
    text = memory_context(SHOW, memory, handing=True, **{"budget_tokens": 3000, **options}).text
    section = text.partition("## Where we stand\n")[2].partition("\n#")[0]
    return [row.removeprefix("- ") for row in section.splitlines()]


def test_where_it_left_off_who_last_met_and_what_is_kept() -> None:
    """D53, D55: the last scene; the last meetings of those at hand, each once; what concerns who is not told."""
    assert stand(characters=["Odile", "Tam", "Will"]) == [
        "Left off in s02e04 Night 204: Lamp Room (Tam Reed and Will): The lamp goes out.",
        "Last together, Odile Marsh, Tam Reed and Will: s02e03, Pier: All see the boat.",
        "Odile Marsh has not been told: Will sold the lamp.",
    ]
    assert stand(characters=["Odile", "Will"], as_of="ep.202") == [
        "Last together, Odile Marsh and Will: s01e02, Cellar: They seal it.",
        "Odile Marsh has not been told: Will sold the lamp.",
    ]


def test_what_comes_is_the_outlines() -> None:
    """D55: before the session, the episode's logline, how it begins and with whom; its cast is in play."""
    rows = stand(episode="ep.204", logs={"ep.204": PLAN})
    assert rows[:3] == [
        "Coming: s02e04 Night 204: The roof comes off.",
        "It begins with Odile Marsh and Tam Reed: They count the tiles.",
        "Left off in s02e03 Night 203: Hall (Will): He hides.",
    ]
    assert rows[3].startswith("Last together, Odile Marsh and Tam Reed: s02e03, Pier:")


def test_current_has_it_and_no_other_file() -> None:
    """D5, D55: `context/current.md`, before each session; the other contexts stand as they were."""
    made = context_files(SHOW, MEMORY)
    assert [path for path, text in made.items() if "## Where we stand" in text] == ["context/current.md"]


def test_two_clocks() -> None:
    """D6, D8, D9: when the story is ahead of memory the handover says so; taken up, it says so no more."""
    behind = MEMORY.model_copy(update={"episodes": MEMORY.episodes[:-1]})
    told = memory_context(SHOW, behind, handing=True, logs={"ep.204": LOG}).text
    assert "The story stands at s02e04, memory is behind: s02e04 is here by log alone." in told
    assert "memory is behind" not in memory_context(SHOW, MEMORY, handing=True).text


@pytest.mark.parametrize("at", range(len(EPISODES)))
def test_as_of_is_a_rebuild(at: int) -> None:
    """D27 with D55: the handover as of every episode is that of a rebuild, byte for byte, receipt and all."""
    again = rebuilt(EPISODES[: at + 1], MORE)
    for characters, budget in product((None, ["Tam", "Will"]), (200, 900)):
        options: dict[str, Any] = {"characters": characters, "budget_tokens": budget, "as_of": EPISODES[at]}
        then = memory_context(SHOW, MEMORY, handing=True, **options)
        assert then == memory_context(SHOW, again, handing=True, **options)
        assert then.tokens == sum(row.tokens for row in then.receipt.rows if row.state == "in") <= budget


def test_a_witness_is_handed_nothing_of_others() -> None:
    """B3, D53: what others know is not told in somebody's own view."""
    made = memory_context(SHOW, MEMORY, handing=True, witness=ODILE, scripts={}, characters=["Odile", "Will", TAM]).text
    assert "not been told" not in made


def test_the_command_prints_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """D5: `handover` is what `context/current.md` holds; for an episode, as of the one before it."""
    monkeypatch.setenv(VARIABLE, "")
    show, program = sample(tmp_path / "sample_show"), Program(capsys)
    run(show)
    printed = program("handover", "-C", str(show))
    assert printed.code == 0 and printed.text == (show / "context/current.md").read_text("utf-8")
    assert "Bea Hasp has not been told" not in printed.text, "she is the sister whom the Captain has"
    inquiry = program("handover", "s02e03", "-C", str(show)).text
    assert "- Coming: s02e03 The Inquiry: The County puts the ferry on trial" in inquiry
    assert program("handover", "s09e09", "-C", str(show)).code == 1
