"""Looking: status, show, why, cast, read, context, check. One remembered show, read by every test."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from commands import GOAT, Program, bare, with_bible
from shows import run

CASES = Path(__file__).parent / "cases" / "parse"


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = with_bible(tmp_path_factory.mktemp("shows") / "brine")
    run(root)
    return root


@pytest.fixture
def program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, remembered: Path
) -> Program:
    root = Path(shutil.copytree(remembered, tmp_path / "brine"))
    monkeypatch.chdir(root)
    return Program(capsys)


def test_status_says_how_the_show_stands(program: Program) -> None:
    """A36, A118: what is remembered, what waits; then what changed, what is new, what is gone."""
    out = program("status")
    assert out.code == 0
    assert out.text.splitlines()[:2] == ["Brine", "  remembered  3 episodes of 3, newest s01e03"]
    assert "  waiting     nothing" in out.text
    Path("101 Goat.fountain").write_text(GOAT + "\nODILE\nOut.\n")
    Path("104 Eel.fountain").write_text(GOAT)
    Path("103 Fog.fountain").unlink()
    out = program("status")
    assert "  changed     1 episode since:  s01e01" in out.text
    assert "  new         1 episode since:  s01e04" in out.text
    assert "  gone        1 episode since:  s01e03" in out.text
    told = program("status", "--json").json
    assert (told["changed"], told["new"], told["gone"], told["behind"]) == (
        ["ep.s01e01"],
        ["ep.s01e04"],
        ["ep.s01e03"],
        True,
    )


def test_status_tells_every_problem_and_the_exit_code_says_so(program: Program) -> None:
    """A43: warnings leave the code 0; an error makes it 1."""
    Path("bible/bible.yaml").write_text(
        "characters:\n  - {name: Odile}\ngags:\n  - {name: G, characters: [character.odlie]}\n"
    )
    out = program("status")
    assert out.code == 0
    assert "bible/bible.yaml" in out.text
    assert "did you mean character.odile?" in out.text
    Path("bible/bible.yaml").write_text("characters: Odile\n")
    out = program("status")
    assert out.code == 1
    assert "bible/bible.yaml:1:1: error: expected a list of characters, found text 'Odile'" in out.text


def test_show_groups_what_is_remembered_best_first(program: Program) -> None:
    """A122, A124, A125: a heading for each kind, where a script says it, nothing empty."""
    out = program("show")
    assert out.code == 0
    heads = [row for row in out.text.splitlines() if row and not row.startswith(" ")]
    assert heads[0].startswith("EPISODES  3")
    assert any(row.startswith("GAGS AND CALLBACKS") for row in heads)
    assert not any(row.endswith("  0") for row in heads)
    gag = next(row for row in out.text.splitlines() if "The goat gets in" in row)
    assert gag.endswith("101 Goat.fountain:7")


def test_show_json_keeps_the_contract(program: Program) -> None:
    """A118: one object; every entry with its uses, whether it is shown and what holds it back."""
    entries = program("show", "--json").json["entries"]
    keys = {"id", "kind", "form", "title", "text", "about", "episode", "variants", "score", "shown", "heldBack", "uses"}
    assert all(keys <= entry.keys() for entry in entries)
    gag = next(entry for entry in entries if entry["form"] == "bible")
    assert (gag["title"], gag["about"], gag["shown"]) == ("The goat gets in", ["gag.the-goat-gets-in"], True)
    assert gag["uses"][0] == {
        "episode": "ep.s01e01",
        "scene": "1",
        "line": 7,
        "words": "Who let the goat up here?",
        "speaker": "character.odile",
    }


ASKED = [
    (["--kind", "gags", "--character", "Odile"], {"gag"}),
    (["--kind", "thread"], set()),
    (["--kind", "gag", "--form", "bible"], {"gag"}),
    (["--kind", "story", "--episode", "s01e02"], {"synopsis"}),
    (["--episode", "Fog", "--kind", "synopsis"], {"synopsis"}),
    (["--filter", "pinned"], set()),
    (["goat", "gets"], {"gag", "synopsis"}),
]


@pytest.mark.parametrize(("words", "kinds"), ASKED, ids=[" ".join(words) for words, _ in ASKED])
def test_show_finds_what_is_asked_for(program: Program, words: list[str], kinds: set[str]) -> None:
    """A118, A123: by kind, group, form, character, episode, state and words."""
    found = {entry["kind"] for entry in program("show", *words, "--json").json["entries"]}
    assert found <= kinds | {"catchphrase"}
    assert bool(found) == bool(kinds)


def test_show_says_what_it_does_not_know(program: Program) -> None:
    """A118: an unknown kind, filter, character or episode is a message with what there is."""
    assert "expected one of synopsis" in program("show", "--kind", "gagg").aside
    assert program("show", "--filter", "x").code == 1
    out = program("show", "--character", "Odlie")
    assert (out.code, out.aside.splitlines()[0]) == (1, "error: expected a character, found Odlie")
    out = program("show", "--episode", "s09e09")
    assert (out.code, out.aside.splitlines()[0]) == (1, "error: expected an episode, found s09e09")


def test_show_without_memory_says_what_memory_is(program: Program) -> None:
    """A132, A134, A46: an empty notebook offers to be built, and shows no empty groups."""
    shutil.rmtree("bible")
    out = program("show")
    assert out.code == 0
    assert (
        out.text == "Nothing is remembered yet. Memory is the show's notebook, made from its scripts:  doit remember\n"
    )
    assert program("show", "--json").json == {"entries": []}


def test_why_names_what_an_entry_was_made_from(program: Program) -> None:
    """A118, A128: the rule, the episodes, the detectors, and the lines a terminal opens."""
    out = program("why", "The goat gets in")
    assert out.code == 0
    assert "rule biblegag" in out.text
    assert "101 Goat.fountain:7   Who let the goat up here?" in out.text
    assert program("why", "gag.the-goat-gets-in", "--json").json["found"]


def test_why_of_an_episode_says_whether_it_is_made_again(program: Program) -> None:
    """A36: by its script's hash."""
    assert "nothing of it has to be made again" in program("why", "s01e01").text
    Path("101 Goat.fountain").write_text(GOAT + "\nODILE\nOut.\n")
    assert "changed since it was remembered" in program("why", "s01e01").text


def test_why_of_words_that_no_rule_takes_up(program: Program) -> None:
    """F12: how often they are said, by whom, and how to take them up all the same."""
    out = program("why", "nobody can see")
    assert out.text.splitlines()[1:3] == [
        "  not listed: said in one episode only",
        "  said 1 time in 1 episode: bastien 1",
    ]
    assert program("why", "quite another thing").code == 1


def test_cast_lists_who_speaks_and_who_looks_alike(program: Program) -> None:
    """G9: counts, and near names flagged, never merged."""
    Path("103 Fog.fountain").write_text(Path("103 Fog.fountain").read_text().replace("BASTIEN", "BASTEIN"))
    told = program("cast", "--json").json
    assert [(one["id"], one["name"]) for one in told["cast"]] == [
        ("character.odile", "Odile"),
        ("character.bastien", "Bastien"),
        ("character.bastein", "BASTEIN"),
    ]
    assert [(one["name"], one["like"]) for one in told["near"]] == [("BASTEIN", "BASTIEN")]
    assert "BASTEIN" in program("cast").text


def test_read_prints_elements_with_their_lines(program: Program) -> None:
    """A9: kind, line and text of every element, and the scenes."""
    told = program("read", "101 Goat.fountain", "--json").json
    assert told["elements"][2] == {"kind": "heading", "line": 4, "text": "INT. LAMP ROOM - NIGHT"}
    assert [scene["id"] for scene in told["scenes"]] == ["1", "2"]
    assert told["problems"] == []
    out = program("read", "nothing.fountain")
    assert (out.code, out.aside) == (
        1,
        "nothing.fountain: error: expected a script, found no such file\n",
    )
    assert program("read", "nothing.fountain", "--json").json["problems"][0]["severity"] == "error"


def test_context_prints_the_text_and_nothing_else(program: Program) -> None:
    """A93, A105, A107: the same bytes each time; JSON holds text, tokens, what was left out, the receipt."""
    out = program("context", "--budget", "200")
    assert out.code == 0
    assert program("context", "--budget", "200").text == out.text
    told = program("context", "--budget", "200", "--json").json
    assert told["text"] == out.text
    assert told.keys() == {"text", "tokens", "omitted", "resting", "receipt"}
    assert "dry as salt" in out.text
    assert "dry as salt" not in program("context", "--no-rules").text
    assert "tokens of 200" in program("context", "--budget", "200", "--receipt").text


def test_context_of_a_scene_leaves_its_episode_out(program: Program) -> None:
    """A113: the scene at FILE:LINE or FILE:sc.N, its characters, without the episode being written."""
    by_line = program("context", "--scene", "102 Bell BLUE.fountain:6", "--json").json
    by_number = program("context", "--scene", "102 Bell BLUE.fountain:sc.1", "--json").json
    assert by_line == by_number
    assert "INT. LAMP ROOM - DAY" in by_line["text"]
    assert "ep.s01e02" not in json.dumps(by_line["receipt"]["asOf"])
    assert program("context", "--scene", "s01e02:sc.2", "--json").json["text"] != by_line["text"]
    out = program("context", "--scene", "102 Bell BLUE.fountain:sc.9")
    assert (out.code, out.aside.splitlines()) == (
        1,
        [
            "102 Bell BLUE.fountain: error: expected a scene at 102 Bell BLUE.fountain:sc.9, found none",
            "    its scenes go from 1 to 2",
        ],
    )
    out = program("context", "--scene", "102 Bell BLUE.fountain:99999")
    assert (out.code, out.aside.splitlines()[1:]) == (1, ["    its last line is 15"])
    assert program("context", "--scene", "Nowhere").code == 1


def test_context_refuses_what_it_does_not_know(program: Program) -> None:
    """A93: options are checked before anything is read."""
    assert "expected --reader to be writer or showrunner" in program("context", "--reader", "actor").aside
    assert "expected --budget to be a number" in program("context", "--budget", "much").aside
    assert program("context", "--as-of", "s09e09").code == 1
    out = program("context", "--character", "Odlie", "--character", "Bastien")
    assert (out.code, out.text, out.aside) == (
        1,
        "",
        "error: expected a character, found Odlie\n    did you mean Odile?\n",
    )


def test_remember_refuses_an_episode_the_show_has_not(program: Program) -> None:
    """A120: with the newest or the nearest there is, before anything runs; any name of an episode will do."""
    out = program("remember", "--episode", "nope")
    assert (out.code, out.text) == (1, "")
    assert out.aside == "error: expected an episode, found nope\n    the newest is ep.s01e03\n"
    assert program("remember", "--episode", "nope", "--json").json["problems"]
    assert program("remember", "--episode", "Fog").code == 0


def test_one_of_a_thing_is_told_as_one(program: Program) -> None:
    """Issue 6.7: no "1 gags" anywhere."""
    for path in ("102 Bell.fountain", "102 Bell BLUE.fountain", "103 Fog.fountain"):
        Path(path).unlink()
    shutil.rmtree("bible")
    out = program("remember")
    assert "Remembered 1 episode: " in out.text
    said = out.text + program("status").text + program("show").text
    assert not re.search(r"\b1 [a-z ]*(gags|voices|facts|episodes|scripts|callbacks|threads|times|entries)\b", said)


def test_check_has_the_codes_of_the_contract(program: Program) -> None:
    """A36, A42, A44: 0 when all is well, 2 when memory is behind the scripts, 1 for an error."""
    out = program("check", "--citations")
    assert out.code == 0
    assert "citations held against their lines, 0 wrong" in out.text
    Path("101 Goat.fountain").write_text(GOAT + "\nODILE\nOut.\n")
    out = program("check")
    assert out.code == 2
    assert out.text.splitlines() == [
        "101 Goat.fountain changed after memory read it",
        "run doit remember and commit bible/memory.json",
    ]
    Path("bible/memory.json").write_text(Path("bible/memory.json").read_text().replace('"sources"', '"sauces"', 1))
    assert program("check").code == 1


def test_check_counts_warnings_that_are_alike(program: Program) -> None:
    """A43: a bible that lost its people is a few lines and a number, and no failure."""
    rows = [f"  - {{name: G{n}, characters: [character.odile{n}]}}" for n in range(20)]
    Path("bible/bible.yaml").write_text("characters:\n  - {name: Odile}\ngags:\n" + "\n".join(rows) + "\n")
    out = program("check")
    assert out.code == 0
    assert out.text.count("the show has nothing called character.odile") == 6
    assert "and 14 more like these: unknown ids" in out.text
    assert len(program("check", "--json").json["problems"]) >= 20


def test_check_of_a_show_without_memory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A44, A46: nothing fails; only --strict counts it as behind."""
    root = str(bare(tmp_path / "bare"))
    program = Program(capsys)
    assert program("check", "-C", root).code == 0
    assert program("check", "-C", root, "--strict").code == 2
