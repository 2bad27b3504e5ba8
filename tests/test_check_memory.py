"""memory.json is refused with its path, line and column; what does not fit together is told to the letter."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from showmemory.check.memory import SCHEMA_LIMIT, check_memory, load_memory
from showmemory.check.positions import Lines, places
from showmemory.model.canonical import dumps
from showmemory.model.memory import Entry, ShowMemory
from showmemory.model.show import Bible, Character, Show

HEAD = {"kind": "ShowMemory", "version": 1, "id": "memory.harbour"}
UNTOUCHED = "memory was not touched: mend it there, or showmemory restore --memory brings back the last sound one"
CAST = Show(bible=Bible(characters=(Character(name="Odile"), Character(name="Bram", was=("character.abram",)))))


def text_of(**parts: Any) -> str:
    return json.dumps(HEAD | parts, indent=2, ensure_ascii=False) + "\n"


def entry(name: str = "mem.gag.teapot", **parts: Any) -> dict[str, Any]:
    return {"id": name, "kind": name.split(".")[1], **parts}


def episode(name: str = "ep.s01e01", season: int = 1, number: int = 1) -> dict[str, Any]:
    return {"id": name, "season": season, "number": number}


def refused(text: str) -> list[str]:
    memory, problems = load_memory(text)
    assert memory is None
    return [str(problem) for problem in problems]


def said(text: str, show: Show = CAST) -> list[tuple[str, str, str]]:
    return [(str(p.span), p.severity, p.message) for p in check_memory(text, show)]


def test_refused_as_the_screens_show() -> None:
    """A7: path, line and column, what was expected and found, the line, and that nothing is lost."""
    assert refused(text_of(entries=[entry(sources="s02e04")])) == [
        "bible/memory.json:9:7: error: expected a list of sources, found text\n"
        '    "sources": "s02e04"\n'
        f"    {UNTOUCHED}"
    ]


@pytest.mark.parametrize(
    ("parts", "place", "message"),
    [
        ({"entries": {}}, "5:3", "expected a list of entries, found an object"),
        ({"entries": [entry(about="Odile")]}, "9:7", "expected a list of ids, found text"),
        ({"entries": [entry(pinned="yes")]}, "9:7", "expected true or false, found text"),
        ({"entries": [entry(title=7)]}, "9:7", "expected text, found the number 7"),
        ({"entries": [entry(pined=True)]}, "9:7", "nothing here is called pined"),
        ({"entries": [{"id": "mem.gag.x"}]}, "6:5", "expected kind, found none"),
        ({"entries": ["mem.gag.x"]}, "6:5", "expected an object, found text"),
        (
            {"entries": [entry("gag.x y") | {"kind": "gag"}]},
            "7:7",
            'expected an id that starts with mem. and holds no blanks, found "gag.x y"',
        ),
        ({"entries": [entry(status="closed")]}, "9:7", 'expected open or resolved, found "closed"'),
        ({"entries": [entry(said={"ep.a": {"score": "high"}})]}, "11:11", "expected a number, found text"),
        ({"entries": [entry(uses=[{"episode": "ep.a", "line": 1.5}])]}, "12:11", None),
        ({"entries": [entry(original={"title": 3})]}, "10:9", "expected text, found the number 3"),
        ({"settings": {"restAfter": 0}}, "6:5", "expected 1 or more, found the number 0"),
        ({"settings": {"kinds": ["story", "jokes"]}}, "8:7", None),
        ({"episodes": [{"id": "ep.a", "season": None, "number": 1}]}, "8:7", "expected a whole number, found null"),
        ({"kind": "ShowMemoryPlan"}, "2:3", 'expected the kind "ShowMemory", found "ShowMemoryPlan"'),
        ({"version": 2}, "3:3", "written by a newer showmemory: version 2, and this one reads version 1"),
        ({"version": "1"}, "3:3", "expected version 1, found text"),
    ],
)
def test_refused_to_the_letter(parts: dict[str, Any], place: str, message: str | None) -> None:
    """A7, A8: each wrong type is one Problem at its own line and column."""
    memory, problems = load_memory(text_of(**parts), "bible/memory.json")
    assert memory is None and len(problems) == 1
    assert str(problems[0].span) == f"bible/memory.json:{place}" and problems[0].severity == "error"
    assert message is None or problems[0].message == message
    assert UNTOUCHED in problems[0].hint


def test_a_near_name_is_offered() -> None:
    """A7: a misspelt key names the one that was meant."""
    assert load_memory(text_of(entries=[entry(pined=True)]))[1][0].hint == f"did you mean pinned?; {UNTOUCHED}"
    assert load_memory(text_of(settings={"rest_after": 2}))[1][0].hint.startswith("did you mean restAfter?")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bible/memory.json:1:1: error: not JSON: expecting value"),
        ("[]", "bible/memory.json:1:1: error: expected an object, found a list"),
        ('{"kind" "ShowMemory"}', "bible/memory.json:1:9: error: not JSON: expecting ':' delimiter"),
        ('{"kind": "ShowMemory"}', "bible/memory.json:1:1: error: expected version 1, found none"),
        ('{\n "id": "a",\n "id": "b"}', "bible/memory.json:3:2: error: id stands twice in one object"),
        (text_of(settings={"tokenFactor": float("nan")}), "bible/memory.json: error: not JSON: NaN is no number"),
        (text_of()[:-4] + '\\ud800"}', "bible/memory.json:1:1: error: not JSON: "),
        ("[" * 100_000, "bible/memory.json: error: nested deeper than any memory is"),
        ('{"a": ' + "9" * 5000 + "}", "bible/memory.json: error: not JSON: "),
    ],
)
def test_hostile_text(text: str, message: str) -> None:
    """A7: whatever stands in the file is a Problem, never an exception."""
    assert refused(text)[0].startswith(message)


def test_conflict_markers() -> None:
    """A7: a file git could not merge is told apart from a broken one, and the way out is named."""
    ours = text_of().replace(' "version"', '\n<<<<<<< HEAD\n "version"', 1)
    first, hint = refused(ours)[0].split("\n", 1)
    assert first == "bible/memory.json:4:1: error: git left two versions side by side here"
    assert "showmemory merge-driver --from-index" in hint


def test_many_mistakes_are_cut_short() -> None:
    """A7: two hundred mistakes print twenty, and how many more."""
    lines = refused(text_of(entries=[entry(f"mem.gag.g{n}", pinned=1) for n in range(200)]))
    assert len(lines) == 21 and "and 180 more like these" in lines[-1]


def test_canonical_memory_loads() -> None:
    """A1, A7: what is written is read again, the same, by types and schema both."""
    text = text_of(episodes=[episode()], entries=[entry(about=["character.odile"], said={"ep.s01e01": {}})])
    memory, problems = load_memory("\ufeff" + text)
    assert memory and not problems
    assert load_memory(dumps(memory)) == (memory, [])
    assert check_memory(dumps(memory), CAST) == []
    assert check_memory(memory, CAST) == []
    assert check_memory(dumps(ShowMemory(id="memory.harbour")), Show()) == []


def test_a_memory_about_to_be_written() -> None:
    """A7, A38: what a pass made is held against schema and links before there is a file with lines."""
    made = ShowMemory(id="memory.harbour", entries=(Entry(id="mem.synopsis.one", kind="synopsis"),))
    assert [str(problem).split("\n")[0] for problem in check_memory(made, CAST)] == [
        "bible/memory.json: error: mem.synopsis.one is a synopsis and names no episode"
    ]
    broken = made.model_copy(update={"id": "harbour", "entries": ()})
    assert "against the published schema" in check_memory(broken, CAST)[0].message


def test_no_memory_settings_default() -> None:
    """A29 to A34: what the file does not say has its default."""
    memory, _ = load_memory(text_of())
    assert memory
    held = memory.settings
    assert (held.apply, held.budget_tokens, held.detailed_episodes, held.rest_after) == ("review", 1500, 6, 2)
    assert held.kinds == ("story", "characters", "gags", "tone", "world", "threads") and held.model == "auto"


def test_a38_synopsis_names_its_episode() -> None:
    """A38: a synopsis must name its episode."""
    good = entry("mem.synopsis.one", about=["ep.s01e01"])
    bad = entry("mem.synopsis.two", about=["character.odile"])
    found = said(text_of(episodes=[episode()], entries=[good, bad]))
    assert found == [("bible/memory.json:20:5", "error", "mem.synopsis.two is a synopsis and names no episode")]


def test_a39_summary_names_its_season() -> None:
    """A39: a season summary must name its season."""
    good, bad = entry("mem.summary.one", about=["season.1"]), entry("mem.summary.two", about=["season.last"])
    found = said(text_of(episodes=[episode()], entries=[good, bad]))
    assert ("error", "mem.summary.two sums up a season and names none") in [row[1:] for row in found]
    assert not any("summary.one" in row[2] for row in found)


def test_a40_each_episode_has_its_own_place() -> None:
    """A40: no two remembered episodes share season and number, nor an id."""
    rows = [episode(), episode("ep.s01e02", 1, 2), episode("ep.other", 1, 2), episode("ep.s01e02", 1, 3)]
    assert said(text_of(episodes=rows)) == [
        ("bible/memory.json:19:7", "error", "ep.other has the place of ep.s01e02: season 1, number 2"),
        ("bible/memory.json:22:7", "error", "ep.s01e02 is listed twice"),
    ]


def test_a41_ids_the_show_no_longer_has() -> None:
    """A41, A43: a cut character warns; one renamed with `was`, and one who only speaks, do not."""
    about = ["character.odile", "character.abram", "character.walk-on", "ep.s01e01", "season.1", "place.pier"]
    heard = episode() | {"spoke": {"character.walk-on": {"lines": 1, "words": 2}}}
    assert said(text_of(episodes=[heard], entries=[entry(about=about)])) == []
    gone = said(text_of(episodes=[heard], entries=[entry(about=[*about, "character.gone"], holders=["group.crew"])]))
    assert [row[1:] for row in gone] == [
        ("warning", "mem.gag.teapot is about character.gone, group.crew, ids the show does not have")
    ]


def test_a42_sources_not_remembered() -> None:
    """A42, A43: sources, uses and what is said of episodes that memory has not remembered warn, once an entry."""
    use = {"episode": "ep.s09e01", "line": 4}
    found = said(text_of(episodes=[episode()], entries=[entry(uses=[use, use], said={"ep.s09e02": {"uses": [use]}})]))
    assert [row[1:] for row in found] == [
        ("warning", "mem.gag.teapot cites ep.s09e01, ep.s09e02, which memory has not remembered")
    ]


@pytest.mark.parametrize(
    ("parts", "severity", "message"),
    [
        ({"entries": [entry(), entry()]}, "error", "two entries are called mem.gag.teapot"),
        (
            {"entries": [entry(key="k"), entry("mem.gag.urn", key="k")]},
            "warning",
            "mem.gag.urn has the key of mem.gag.teapot: the passes take both for one thing",
        ),
        ({"entries": [entry(form="oath")]}, "warning", "mem.gag.teapot is a gag, and has the form oath"),
        ({"entries": [entry(status="open")]}, "warning", "mem.gag.teapot is a gag; only a thread is open"),
        (
            {"entries": [entry()], "forgotten": [{"id": "mem.gag.teapot", "kind": "gag"}]},
            "warning",
            "mem.gag.teapot is forgotten, and still stands among the entries",
        ),
        (
            {"written": {"mem.gag.gone": {"title": "0123456789ab"}}},
            "notice",
            "mem.gag.gone was deleted by hand, and will be forgotten",
        ),
        (
            {"entries": [entry()], "written": {"mem.gag.teapot": {"uses": "0123456789ab"}}},
            "warning",
            "mem.gag.teapot: no pass keeps a fingerprint of uses",
        ),
    ],
)
def test_what_does_not_fit(parts: dict[str, Any], severity: str, message: str) -> None:
    """A8, A12 to A16: ids stand once, shapes fit their kind, the record of what was written fits the entries."""
    assert [row[1:] for row in said(text_of(**parts))] == [(severity, message)]


def test_a_big_memory_says_it_is_held_against_the_types() -> None:
    """A7: where jsonschema would be slow the schema is left out, and that is said."""
    text = text_of(entries=[entry(f"mem.gag.g{n}") for n in range(SCHEMA_LIMIT + 1)])
    assert [row[1] for row in said(text)] == ["notice"]
    assert "held against the types alone" in said(text)[0][2]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@given(JSON, st.sampled_from([None, 0, 2]))
def test_places_are_where_they_are(document: object, indent: int | None) -> None:
    """A7: every place of any JSON document is found, and the value that stands there is the one meant."""
    text = json.dumps(document, indent=indent)
    wanted = dict(_all(document))
    for place, offset in places(text, wanted).items():
        rest = text[offset:]
        if place and isinstance(place[-1], str):
            key = json.dumps(place[-1])
            assert rest.startswith(key)
            rest = rest[len(key) :].lstrip(" \n").removeprefix(":").lstrip(" \n")
        assert json.JSONDecoder().raw_decode(rest)[0] == wanted[place]


@given(st.text(alphabet="ab\n"), st.data())
def test_lines_count_as_editors_do(text: str, data: st.DataObject) -> None:
    """A7: line and column are 1-based, and lead back to the offset."""
    offset = data.draw(st.integers(0, len(text)))
    line, column = Lines(text).place(offset)
    rows = text.split("\n")
    assert sum(len(row) + 1 for row in rows[: line - 1]) + column - 1 == offset
    assert Lines(text).line(line) == rows[line - 1][:200]


def _all(value: object, place: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    rows = [(place, value)]
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        rows += _all(inner, (*place, key))
    return rows
