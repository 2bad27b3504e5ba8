"""Opening a show: which episodes there are, which script is which, and what is wrong, with its line."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from showmemory.model.memory import EpisodeRecord
from showmemory.model.show import Bible, ContinuityLog, Outline, ShowConfig, SideFiles
from showmemory.read.link import check_links
from showmemory.read.load import load
from showmemory.read.show import open_show
from showmemory.read.sidefiles import read_side_files

SCRIPT = "INT. LAMP ROOM - NIGHT\n\nODILE\nWho let the goat up here?\n"
TOML = """\
id = "brine"
title = "Brine"

# hand-written
[[episodes]]
id = "ep.goat"
season = 1
number = 1
title = "Goat"
script = "episodes/101 Goat.fountain"

[[episodes]]
id = "ep.bell"
season = 1
number = 2
script = "episodes/102 Bell.fountain"
"""


def put(root: Path, **files: str) -> Path:
    for name, text in files.items():
        write(root, name, text)
    return root


def write(root: Path, name: str, text: str = SCRIPT) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def listed(root: Path) -> Path:
    write(root, "show.toml", TOML)
    write(root, "episodes/101 Goat.fountain")
    write(root, "episodes/102 Bell.fountain", SCRIPT + "\nBELL.\n")
    return root


def record(root: Path, id_: str, path: str, season: int, number: int, **more: object) -> EpisodeRecord:
    data = (root / path).read_bytes() if (root / path).exists() else b""
    held = hashlib.sha256(data).hexdigest()
    return EpisodeRecord(id=id_, season=season, number=number, screenplay=path, hash=held, **more)  # type: ignore[arg-type]


def told(root: Path, *records: EpisodeRecord) -> list[str]:
    return [str(problem) for problem in open_show(root, records)[1]]


def scripts(root: Path, *records: EpisodeRecord) -> dict[str, str]:
    return {episode.id: episode.script for episode in open_show(root, records)[0].episodes}


def test_a_listed_show_opens_as_it_is_written(tmp_path: Path) -> None:
    """A35: ids, places, titles and scripts are those of show.toml, in story order."""
    show, problems = open_show(listed(tmp_path))
    assert problems == []
    assert [(e.id, e.season, e.number, e.title, e.guessed) for e in show.episodes] == [
        ("ep.goat", 1, 1, "Goat", False),
        ("ep.bell", 1, 2, "", False),
    ]
    assert show.id == "brine"


@pytest.mark.parametrize("folder", ["", "episodes/", "episodes/season 1/"])
def test_a_bare_folder_of_scripts_is_a_show(tmp_path: Path, folder: str) -> None:
    """A44, A45: no show.toml, no bible: the scripts are the show, and nothing fails."""
    for name in ("104 Kettle BLUE.fountain", "104 Kettle.fountain", "102 Bell.fountain"):
        write(tmp_path, folder + name)
    write(tmp_path, "bible/notes.fountain")
    show, problems = open_show(tmp_path)
    assert [(e.id, e.script, e.guessed) for e in show.episodes] == [
        ("ep.s01e02", f"{folder}102 Bell.fountain", True),
        ("ep.s01e04", f"{folder}104 Kettle BLUE.fountain", True),
    ]
    assert problems == []


def test_an_empty_folder_is_an_empty_show(tmp_path: Path) -> None:
    """A44: nothing there is nothing wrong."""
    show, problems = open_show(tmp_path)
    assert (show.episodes, problems) == ((), [])


def test_the_id_of_a_bare_show_does_not_depend_on_its_folder(tmp_path: Path) -> None:
    """A49: the same scripts in another folder are the same show."""
    for name in ("here", "there"):
        write(tmp_path / name, "1.fountain", "Title: Brine\nEpisode: 1\n\n" + SCRIPT)
    assert open_show(tmp_path / "here")[0].id == open_show(tmp_path / "there")[0].id == "brine"


def test_one_folder_an_episode(tmp_path: Path) -> None:
    """A50: side files stand in the episode's folder, or beside a flat script under its name or its id."""
    write(tmp_path, "episodes/s01e01-goat/screenplay.fountain")
    write(tmp_path, "episodes/s01e01-goat/outline.yaml", "logline: A goat.\n")
    write(tmp_path, "episodes/102 Bell.fountain")
    write(tmp_path, "episodes/102 Bell.continuity.yaml", "facts:\n  - text: The bell is cracked.\n")
    write(tmp_path, "episodes/s01e02.directed.json", '{"scenes": [{"scene": 1, "summary": "It rings."}]}')
    write(tmp_path, "episodes/s01e02.answers.json", "{}")
    goat, bell = open_show(tmp_path)[0].episodes
    assert goat.outline == "episodes/s01e01-goat/outline.yaml"
    assert bell.outline == ""
    assert (bell.continuity, bell.directed) == ("episodes/102 Bell.continuity.yaml", "episodes/s01e02.directed.json")
    assert bell.answers == "episodes/s01e02.answers.json"
    side, problems = read_side_files(tmp_path, bell)
    assert problems == []
    assert side.continuity is not None
    assert side.directed is not None
    assert side.directed.scenes[0].scene == "1"


def test_a_script_that_is_not_listed_is_taken_and_told(tmp_path: Path) -> None:
    """A35: guessed id and place, with a notice; memory then fixes both."""
    root = listed(tmp_path)
    write(root, "episodes/103 Fog.fountain")
    assert told(root) == [
        "episodes/103 Fog.fountain: notice: not listed in show.toml; taken as ep.s01e03, season 1, episode 3\n"
        "    showmemory init lists it"
    ]
    fixed = record(root, "ep.fog", "episodes/103 Fog.fountain", 2, 9)
    show, problems = open_show(root, [fixed])
    assert problems == []
    assert [(e.id, e.season, e.number, e.guessed) for e in show.episodes][-1] == ("ep.fog", 2, 9, False)


def test_a_later_draft_of_a_listed_episode_is_a_notice(tmp_path: Path) -> None:
    """A40: never a second episode of one place."""
    root = listed(tmp_path)
    write(root, "episodes/101 Goat PINK.fountain")
    show, problems = open_show(root)
    assert len(show.episodes) == 2
    assert [p.severity for p in problems] == ["notice"]
    assert problems[0].message == "a later draft of ep.goat, which reads episodes/101 Goat.fountain"


def test_a_listed_script_that_is_missing_is_an_error_and_its_episode_stays(tmp_path: Path) -> None:
    """A36: told at its line; what is remembered of it stays, so it is no removal."""
    root = listed(tmp_path)
    (root / "episodes/102 Bell.fountain").unlink()
    assert told(root) == [
        "show.toml:16: error: expected episodes/102 Bell.fountain, found no such file\n"
        '    script = "episodes/102 Bell.fountain"\n'
        "    put it back, or run showmemory init to list what there is; what is remembered of it stays"
    ]
    assert list(scripts(root)) == ["ep.goat", "ep.bell"]


def test_a_renamed_script_keeps_its_id(tmp_path: Path) -> None:
    """A35: known again by its bytes, else by season and number; with and without show.toml."""
    root = listed(tmp_path)
    bell = record(root, "ep.bell", "episodes/102 Bell.fountain", 1, 2)
    (root / "episodes/102 Bell.fountain").rename(root / "episodes/The Bell.fountain")
    assert scripts(root, bell)["ep.bell"] == "episodes/The Bell.fountain"
    assert "is now episodes/The Bell.fountain: read as ep.bell" in told(root, bell)[0]
    (root / "show.toml").unlink()
    assert scripts(root, bell)["ep.bell"] == "episodes/The Bell.fountain"
    (root / "episodes/The Bell.fountain").unlink()
    write(root, "episodes/s01e02 Rewritten.fountain", "another text")
    assert scripts(root, bell)["ep.bell"] == "episodes/s01e02 Rewritten.fountain"


def test_a_remembered_draft_gives_way_to_a_newer_one_under_the_same_id(tmp_path: Path) -> None:
    """A35: in a bare folder the newest draft is read, and the episode stays the one it was."""
    write(tmp_path, "104 Kettle.fountain")
    kettle = record(tmp_path, "ep.kettle", "104 Kettle.fountain", 1, 4)
    write(tmp_path, "104 Kettle BLUE.fountain", SCRIPT + "new")
    assert scripts(tmp_path, kettle) == {"ep.kettle": "104 Kettle BLUE.fountain"}


def test_a_place_given_by_hand_holds(tmp_path: Path) -> None:
    """A37: memory's placement wins over show.toml, in every order."""
    root = listed(tmp_path)
    goat = record(root, "ep.goat", "episodes/101 Goat.fountain", 1, 9, placed=True, story=0.5)
    show, _ = open_show(root, [goat])
    assert [(e.id, e.number, e.story) for e in show.episodes] == [("ep.bell", 2, None), ("ep.goat", 9, 0.5)]


def test_story_order_places_episodes_in_the_story(tmp_path: Path) -> None:
    """A37: show.toml may list the order in which it happens."""
    root = listed(tmp_path)
    write(root, "show.toml", 'story_order = ["ep.bell", "ep.goat", "ep.bel"]\n' + TOML)
    show, _ = open_show(root)
    assert [(e.id, e.story) for e in show.episodes] == [("ep.goat", 2.0), ("ep.bell", 1.0)]
    assert [str(p).splitlines()[0] for p in check_links(show, {}, root)] == [
        "show.toml:1: warning: the show has nothing called ep.bel"
    ]


def test_places_and_ids_are_single(tmp_path: Path) -> None:
    """A40: two episodes with one place, or one id twice, are errors at their lines."""
    root = listed(tmp_path)
    write(root, "show.toml", TOML.replace("number = 2", "number = 1"))
    assert told(root)[0].startswith(
        "show.toml:15: error: expected a place of its own for ep.bell, found that of ep.goat"
    )
    write(root, "show.toml", TOML.replace('"ep.bell"', '"ep.goat"'))
    assert told(root)[0].startswith("show.toml:13: error: expected each id once, found ep.goat again")


def test_a_broken_show_toml_removes_nothing(tmp_path: Path) -> None:
    """A36: the remembered episodes stay; the slip is told where it is."""
    root = listed(tmp_path)
    goat = record(root, "ep.goat", "episodes/101 Goat.fountain", 1, 1)
    write(root, "show.toml", TOML.replace("number = 2", 'number = "two"'))
    show, problems = open_show(root, [goat])
    assert [e.id for e in show.episodes] == ["ep.goat"]
    assert str(problems[0]).splitlines()[:2] == [
        "show.toml:15:1: error: expected a whole number for number, found 'two'",
        '    number = "two"',
    ]


def test_nothing_outside_the_show_is_read(tmp_path: Path) -> None:
    """A44: .., absolute paths and links that lead out are errors, in every place a path can stand."""
    outside = tmp_path / "outside"
    write(outside, "105 Secret.fountain")
    write(outside, "outline.yaml", "logline: secret\n")
    root = listed(tmp_path / "show")
    write(root, "show.toml", TOML.replace("episodes/102 Bell.fountain", "../outside/105 Secret.fountain"))
    (root / "episodes/102 Bell.fountain").unlink()
    (root / "episodes/105 Secret.fountain").symlink_to(outside / "105 Secret.fountain")
    (root / "episodes/101 Goat.outline.yaml").symlink_to(outside / "outline.yaml")
    (root / "episodes/more").symlink_to(outside)
    show, problems = open_show(root)
    assert {e.id: e.script for e in show.episodes} == {"ep.goat": "episodes/101 Goat.fountain", "ep.bell": ""}
    assert sorted(p.span.path for p in problems) == ["episodes/105 Secret.fountain", "episodes/more", "show.toml"]
    side, more = read_side_files(root, show.episodes[0])
    assert side == SideFiles()
    assert "leads out of it" in more[0].message


def test_plain_text_counts_only_when_it_is_a_script(tmp_path: Path) -> None:
    """A44: notes.txt is no episode."""
    write(tmp_path, "101 Goat.txt")
    write(tmp_path, "shopping.txt", "milk\ngoat food\n")
    assert list(scripts(tmp_path).values()) == ["101 Goat.txt"]


UNKNOWN = "error: expected a key that is known here, found"
# name, text, type -> what is said of it
SLIPS = [
    ("b.yaml", "gags:\n  - name: No\n    aliases: X\n", Bible, [f"b.yaml:3:5: {UNKNOWN} aliases"]),
    ("b.yaml", "characters:\n  - name: Odile\n    aliases: Od\n", Bible,
     ["b.yaml:3:5: error: expected a list of aliases, found text 'Od'"]),
    ("b.yaml", "characters:\n  - nmae: Odile\n", Bible, [f"b.yaml:2:5: {UNKNOWN} nmae"]),
    ("b.yaml", "characters:\n  - voice: dry\n", Bible, ["b.yaml:2:5: error: expected name, found nothing"]),
    ("b.yaml", "- Odile\n", Bible, ["b.yaml:1:1: error: expected keys with values for the file, found a list"]),
    ("b.yaml", "tone: [dry\n", Bible, ["b.yaml:2:1: error: expected ',' or ']', found the end of the file"]),
    ("b.yaml", "theme: a: b\n", Bible, ["b.yaml:1:9: error: expected YAML, found a second colon"]),
    ("b.yaml", "tone: [a]\ntone: [b]\n", Bible, ["b.yaml:2:1: error: expected each key once, found tone again"]),
    ("b.yaml", "tone: *x\n", Bible, ["b.yaml:1:7: error: expected an anchor called &x above, found none"]),
    ("b.yaml", "[" * 5000, Bible, ["b.yaml:1:41: error: expected at most 40 levels, found more"]),
    ("b.json", "[" * 90000, Bible, ["b.json: error: expected at most 40 levels, found more"]),
    ("b.json", '{"tone": "dry"}', Bible, ["b.json:1:2: error: expected a list of tone, found text 'dry'"]),
    ("b.json", '{"tone": [}', Bible, ["b.json:1:11: error: expected JSON, found a slip: expecting value"]),
    ("c.json", '{"changes": [\n {"kind": "x",\n "text": "t"}]}', ContinuityLog,
     ["c.json:2:3: error: expected kind to be 'knowledge', 'relationship' or 'state', found text 'x'"]),
    ("s.toml", 'id = "x"\n[model]\nmax_tokens = "many"\n', ShowConfig,
     ["s.toml:3:1: error: expected a whole number for max_tokens, found 'many'"]),
    ("s.toml", 'id = "x\n', ShowConfig, ["s.toml:1:8: error: expected TOML, found a slip: illegal character '\\n'"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "wanted", "said"), SLIPS)
def test_each_slip_is_told_at_its_line(tmp_path: Path, name: str, text: str, wanted: type, said: list[str]) -> None:
    """A7: what was expected, what was found, where."""
    write(tmp_path, name, text)
    value, problems = load(tmp_path / name, name, wanted)
    assert value is None
    assert [str(problem).splitlines()[0] for problem in problems] == said


def test_words_stay_the_words_they_are(tmp_path: Path) -> None:
    """A45: YAML 1.2: a character called No, a scene 007, a value 1.10 and a date stay text; JSON reads the same."""
    write(
        tmp_path, "b.yaml", "characters:\n  - name: No\n    aliases: [Yes, on, 007, 1.10, 2024-05-01, ~x]\n    voice:\n"
    )
    bible, problems = load(tmp_path / "b.yaml", "b.yaml", Bible)
    assert problems == []
    assert bible is not None
    assert bible.characters[0].aliases == ("Yes", "on", "007", "1.10", "2024-05-01", "~x")
    write(tmp_path, "o.json", '{"scenes": [{"scene": 12, "summary": null}]}')
    outline, _ = load(tmp_path / "o.json", "o.json", Outline)
    assert outline is not None
    assert outline.scenes[0].scene == "12"


def test_aliases_cannot_blow_a_file_up(tmp_path: Path) -> None:
    """A7: a few lines of YAML that stand for billions of values are refused, quickly."""
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    write(tmp_path, "b.yaml", "\n".join(rows))
    value, problems = load(tmp_path / "b.yaml", "b.yaml", Bible)
    assert value is None
    assert problems[0].message == "expected at most 300000 values, found more"


def test_side_files_and_bible_link_only_to_what_there_is(tmp_path: Path) -> None:
    """A41: an id the show does not have is a warning at its line, with the nearest; a part of one episode is not."""
    root = listed(tmp_path)
    write(
        root,
        "bible/bible.yaml",
        "characters:\n  - name: Odile\n    aliases: [The Keeper]\n"
        "gags:\n  - {id: gag.goat, name: The goat, characters: [character.odlie]}\n"
        "threads:\n  - {name: Who rang, about: [character.odile]}\narcs:\n  - {name: Lamp, beats: [{id: first}]}\n",
    )
    write(
        root,
        "episodes/101 Goat.outline.yaml",
        "cast: [Odile, The Keeper, Inspector Two]\nscenes:\n  - scene: 1\n    gags:\n      - gag.gaot\n      - goat\n"
        "    opens: [who-rang]\n    beats: [arc.lamp/first, lamp/last]\n",
    )
    show, problems = open_show(root)
    side, more = read_side_files(root, show.episodes[0])
    assert problems + more == []
    found = check_links(show, {"ep.goat": side}, root)
    assert [str(problem).splitlines() for problem in found] == [
        [
            "bible/bible.yaml:5: warning: the show has nothing called character.odlie",
            "    - {id: gag.goat, name: The goat, characters: [character.odlie]}",
            "    did you mean character.odile?",
        ],
        [
            "episodes/101 Goat.outline.yaml:5: warning: the show has nothing called gag.gaot",
            "    - gag.gaot",
            "    did you mean gag.goat?",
        ],
        [
            "episodes/101 Goat.outline.yaml:8: warning: the show has nothing called lamp/last",
            "    beats: [arc.lamp/first, lamp/last]",
            "    did you mean arc.lamp/first?",
        ],
    ]
    assert len(check_links(show, {"ep.goat": side}, root, speakers=["character.inspector"])) == 4
