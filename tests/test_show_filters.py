"""What show lists: the eight filters, states, how each entry is sent, how much the show leans on it; and notes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from commands import Program
from showmemory.fold.activation import activations
from showmemory.fold.fold import order
from showmemory.model.memory import Entry, Said, Use
from showmemory.notebook import Notebook
from showmemory.search import FILTERS, STATES
from shows import run, sample

BRIDGE, LIES = "mem.gag.no-bridge", "mem.tone.lies-out-of-love"
NOTED = "mem.catchphrase.imogen-noted"


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample show with one entry let go, one edited, one of a person's own, one thrown out, one pinned."""
    to = sample(tmp_path_factory.mktemp("filters") / "show")
    run(to)
    return to


@pytest.fixture
def program(
    decided: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    monkeypatch.chdir(shutil.copytree(decided, tmp_path / "show"))
    program = Program(capsys)
    for words in (["drop", BRIDGE], ["edit", "mem.synopsis.vote", "--text", "They vote."], ["forget", NOTED],
                  ["add", "--text", "The kettle is Figgis's.", "--about", "Figgis"], ["pin", LIES]):  # fmt: skip
        assert program(*words).code == 0
    return program


def ids(program: Program, *words: str) -> set[str]:
    out = program("show", "--json", *words)
    assert out.code == 0, out.aside
    return {entry["id"] for entry in out.json["entries"]}


def test_the_eight_filters(program: Program) -> None:
    """C24, C25, C15: an entry has one form of three, unless it is let go; the other four say what a person did."""
    assert list(FILTERS) == ["all", "verbatim", "summary", "held", "let-go", "edited", "custom", "deleted"]
    whole = ids(program, "--filter", "All")
    parts = [ids(program, "--filter", name) for name in ("Verbatim", "Summary", "Held", "Let go")]
    assert all(parts) and set().union(*parts) == whole == {e.id for e in Notebook(Path()).memory.entries}
    assert sum(map(len, parts)) == len(whole)
    assert parts[3] == {BRIDGE} and ids(program, "--filter", "let-go") == {BRIDGE}
    assert ids(program, "--filter", "edited") == {"mem.synopsis.vote"}
    assert ids(program, "--filter", "custom") == {"mem.fact.the-kettle-is-figgiss"}
    assert ids(program, "--filter", "deleted") == {NOTED} and NOTED not in whole


def test_verbatim_stands_in_the_context_word_for_word(program: Program) -> None:
    """C28: the scripts' own words, or an episode told whole; a line is no less sent; what is held is nowhere."""
    text = program("context").text
    entries = {e.id: e for e in Notebook(Path()).memory.entries}
    said = ids(program, "--filter", "verbatim", "--kind", "catchphrase")
    assert said and all(f'"{entries[id_].title}"' in text for id_ in said)
    held = ids(program, "--filter", "held", "--kind", "catchphrase")
    assert held and not any(f'"{entries[id_].title}"' in text for id_ in held)


def test_states_and_filters_together(program: Program) -> None:
    """Issue 6.7: by state too, alone or under a filter; a state is understood where a filter stands."""
    assert ids(program, "--state", "pinned") == ids(program, "--filter", "pinned") == {LIES}
    assert ids(program, "--filter", "verbatim", "--state", "resting") <= ids(program, "--state", "resting")
    assert ids(program, "--state", "resting", "--kind", "gags") and not ids(
        program, "--filter", "edited", "--state", "open"
    )
    out = program("show", "--filter", "sent")
    assert (out.code, out.aside.splitlines()[0].partition("expected ")[2]) == (
        1,
        f"--filter to be one of {', '.join(FILTERS)}, found sent",
    )
    assert f"one of {', '.join(STATES)}, found x" in program("show", "--state", "x").aside


def test_kept_is_not_sent_and_recent_is_never_marked(program: Program) -> None:
    """C19, C26, C27, C31: a mark for what is sent, badges for what was decided; the divider under All alone."""
    text = program("show", "--filter", "all").text
    rows = text.splitlines()
    divider = rows.index("  recent: told in detail, whatever else is decided")
    recent = rows[divider + 1 : divider + 7]
    assert recent[-1].startswith("    The Vote [edited]") and not any("•" in row for row in recent)
    assert any(row.startswith("  • ") for row in rows) and rows[-1].startswith("• sent in the show's context")
    assert "The invisible bridge [let go]" in text and "[pinned]" in text and "[yours]" in text
    for words in (["--filter", "all", "bridge"], ["--filter", "summary"], []):
        assert "recent: told in detail" not in program("show", *words).text
    assert "•" not in program("show").text


def test_notes_are_what_is_true_now(program: Program) -> None:
    """C56, C57: a person's own standing entries and what they pinned; what is closed, let go or retired is not."""
    said = program("notes")
    assert said.code == 0
    assert said.text.splitlines() == [
        "IN EVERY CONTEXT  1",
        f"  since s02e04    {text_of(LIES)}   {LIES}",
        "WHERE IT FITS  1",
        "  since s02e05  Figgis  The kettle is Figgis's.   mem.fact.the-kettle-is-figgiss",
    ]
    assert program("retire", LIES).code == 0 and program("drop", "mem.fact.the-kettle-is-figgiss").code == 0
    assert program("notes").text.startswith("Nobody wrote down yet what is true now:")
    assert program("notes", "--json").json == {"notes": []}


def text_of(id_: str) -> str:
    return next(e.text for e in Notebook(Path()).memory.entries if e.id == id_)


def entry(name: str, *episodes: str, about: tuple[str, ...] = (), speaker: str = "") -> Entry:
    said = {e: Said(uses=(Use(episode=e, line=1, words="x", speaker=speaker),) if speaker else ()) for e in episodes}
    uses = tuple(use for one in said.values() for use in one.uses)
    return Entry(id=f"mem.gag.{name}", kind="gag", about=about, said=said, uses=uses)


def test_tiers_and_topology() -> None:
    """B17, B24, B25: thirds of how many episodes lean on it, fresh in the newest alone; ties to what it touches."""
    aired = ("ep.1", "ep.2", "ep.3", "ep.4")
    made = activations(
        [
            entry("hot", *aired, about=("gag.hot",), speaker="character.kit"),
            entry("warm", "ep.1", "ep.2", about=("character.kit", "place.pier")),
            entry("cold", "ep.1", about=("character.kit", "character.ines")),
            entry("once", "ep.3"),
            entry("fresh", "ep.4"),
            entry("none", about=("thread.x",)),
        ],
        aired,
    )
    told = {id_.rpartition(".")[2]: (one.tier, one.topology) for id_, one in made.items()}
    assert told == {
        "hot": ("hot", "leaf"),
        "warm": ("hot", "bridge"),
        "cold": ("cold", "hub"),
        "once": ("cold", "isolated"),
        "fresh": ("fresh", "isolated"),
        "none": ("cold", "leaf"),
    }
    assert made["mem.gag.warm"].phrase == "hot bridge, in 2 of 4 episodes, 2 ties"
    first = activations([entry("a", "ep.1"), entry("b")], ("ep.1",))
    assert first["mem.gag.a"].phrase == "cold isolated, in 1 of 1 episode, 0 ties", "fresh needs an episode before"


def test_the_phrase_and_the_size_are_shown(program: Program) -> None:
    """B24, B36, B37: one phrase; sizes are tokens, the span, and the episodes that lean on it."""
    memory = Notebook(Path()).memory
    phrase = activations(memory.entries, order(memory.episodes))[BRIDGE].phrase
    assert phrase.startswith("hot ")
    assert f"  {phrase}; 3 tokens, s01e01 to s02e05" in program("why", BRIDGE).text
    assert phrase in program("show", "--standing", "--filter", "let-go").text
    held = program("show", "--json", "--kind", "fact").json["entries"]
    assert all(" of 11 episodes, " in one["standing"] for one in held)
