"""`init` opens a folder of scripts as a show, and again keeps every word a person wrote."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from commands import GOAT, Program, bare
from showmemory.model.show import Bible, EpisodeEntry, ShowConfig
from showmemory.opening import look_at, write
from showmemory.read.initial import DODO, Speaker, bible_yaml, gitignore, show_toml, with_episodes
from showmemory.read.load import load


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    root = bare(tmp_path / "Brine Light")
    monkeypatch.chdir(root)
    return Program(capsys)


def test_init_shows_what_it_found_and_writes_nothing_unasked(program: Program, tmp_path: Path) -> None:
    """A46: the table of episodes, drafts grouped and the one that is used; piped, it only tells."""
    before = sorted(path.name for path in (tmp_path / "Brine Light").iterdir())
    out = program("init")
    assert out.code == 0
    assert out.text.splitlines() == [
        "Brine: 4 scripts in this folder, 3 episodes",
        '  season 1  3 episodes  101 … 103  102: 2 drafts, using "102 Bell BLUE.fountain" (newest colour)',
        "Nothing was written. showmemory init --yes writes show.toml, dodo.py and a first bible",
    ]
    assert sorted(path.name for path in (tmp_path / "Brine Light").iterdir() if path.name != ".showmemory") == before


def test_init_writes_the_first_files(program: Program) -> None:
    """A46: show.toml with every episode, dodo.py in two lines, a bible of the cast, what git ignores."""
    out = program("init", "--yes")
    assert out.code == 0
    assert out.text.splitlines()[-1] == (
        "Wrote show.toml, dodo.py and a first bible/bible.yaml (cast only). Next: doit remember"
    )
    config, problems = load(Path("show.toml"), "show.toml", ShowConfig)
    assert problems == []
    assert config is not None
    assert (config.id, config.title, config.scripts) == ("brine", "Brine", ".")
    assert [(e.id, e.season, e.number, e.title, e.script) for e in config.episodes] == [
        ("ep.s01e01", 1, 1, "Goat", "101 Goat.fountain"),
        ("ep.s01e02", 1, 2, "Bell", "102 Bell BLUE.fountain"),
        ("ep.s01e03", 1, 3, "Fog", "103 Fog.fountain"),
    ]
    assert Path("dodo.py").read_text() == DODO
    assert DODO.count("\n") == 2
    assert Path(".gitignore").read_text() == ".showmemory/\nbible/proposal.json\nreport.html\n"
    assert load(Path("bible/bible.yaml"), "bible/bible.yaml", Bible)[1] == []


def test_init_again_changes_nothing_and_then_only_the_list(program: Program) -> None:
    """A37: hand-written words and comments stay to the byte; new episodes and newer drafts are recorded."""
    program("init", "--yes")
    text = Path("show.toml").read_text()
    text = text.replace('title = "Brine"', 'title = "Brine Light"   # as printed').replace(
        '"ep.s01e03"', '"ep.fog"  # the dull one'
    )
    Path("show.toml").write_text(text)
    Path("bible/bible.yaml").write_text("tone: [dry]  # mine\n")
    Path("dodo.py").write_text("# mine\n" + DODO)
    assert program("init", "--yes").text.splitlines()[-1] == "Nothing to write: all is as it was."
    assert Path("show.toml").read_text() == text
    Path("104 Eel.fountain").write_text(GOAT)
    Path("103 Fog PINK.fountain").write_text(GOAT)
    out = program("init", "--yes")
    assert "  s01e03: now 103 Fog PINK.fountain (newest colour)" in out.text.splitlines()
    assert "  s01e04: new, 104 Eel.fountain" in out.text.splitlines()
    now = Path("show.toml").read_text()
    assert 'title = "Brine Light"   # as printed' in now
    assert '"ep.fog"  # the dull one' in now
    assert 'script = "103 Fog PINK.fountain"' in now
    assert 'id = "ep.s01e04"' in now
    assert Path("bible/bible.yaml").read_text() == "tone: [dry]  # mine\n"
    assert Path("dodo.py").read_text() == "# mine\n" + DODO


def test_init_json_is_one_object(program: Program) -> None:
    """A46: for programs: episodes, drafts, what was written."""
    out = program("init", "--yes", "--json")
    assert out.json["id"] == "brine"
    assert out.json["drafts"] == {"ep.s01e02": ["102 Bell BLUE.fountain", "102 Bell.fountain"]}
    assert out.json["wrote"] == ["show.toml", "dodo.py", "bible/bible.yaml", ".gitignore"]
    assert json.loads(out.text)["unclear"] == []


def test_init_with_git(program: Program) -> None:
    """G12: a repository with the driver that merges two memories; nothing is committed."""
    out = program("init", "--yes", "--git")
    assert out.code == 0
    assert Path(".gitattributes").read_text().startswith("bible/memory.json text eol=lf merge=showmemory\n")
    driver = subprocess.run(["git", "config", "merge.showmemory.driver"], capture_output=True, text=True, check=True)
    assert "showmemory merge-driver %O %A %B %P" in driver.stdout


def test_a_broken_show_toml_is_not_written_over(program: Program) -> None:
    """A36: init stops at a slip in show.toml and leaves the file."""
    Path("show.toml").write_text("id = \n")
    out = program("init", "--yes")
    assert out.code == 1
    assert "show.toml:1" in out.aside
    assert Path("show.toml").read_text() == "id = \n"


def test_a_folder_without_scripts_is_told(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A44: nothing to open is said plainly, and nothing is written."""
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    out = program("init", "--yes")
    assert out.code == 1
    assert "no script was found here" in out.text
    assert not (tmp_path / "empty" / "show.toml").exists()


def test_the_first_bible_is_yaml_whatever_people_are_called(tmp_path: Path) -> None:
    """A45: names with quotes, colons and hashes survive; shouted cues are written as names."""
    cues = ("DR. VALE", 'ANNE "ACE" # 2', "NO", "J.J.", "ÉLODIE", "McGee")
    text = bible_yaml([Speaker(f"character.n{at}", cue, at) for at, cue in enumerate(cues)])
    (tmp_path / "b.yaml").write_text(text, encoding="utf-8")
    bible, problems = load(tmp_path / "b.yaml", "b.yaml", Bible)
    assert problems == []
    assert bible is not None
    assert [one.name for one in bible.characters] == ["Dr. Vale", 'Anne "ace" # 2', "No", "J.J.", "ÉLODIE", "McGee"]
    assert "# 1 line\n" in text
    (tmp_path / "e.yaml").write_text(bible_yaml([]), encoding="utf-8")
    assert load(tmp_path / "e.yaml", "e.yaml", Bible) == (Bible(), [])


def test_show_toml_reads_as_it_was_meant(tmp_path: Path) -> None:
    """A35: what is written is what is read, quotes in titles and folders included."""
    entries = [EpisodeEntry(id="ep.a", season=1, number=1, script='a "b"\\c.fdx', title='The "Goat"', story=0.5)]
    (tmp_path / "show.toml").write_text(show_toml("x", 'Brine "2"', "", entries), encoding="utf-8")
    config, problems = load(tmp_path / "show.toml", "show.toml", ShowConfig)
    assert problems == []
    assert config == ShowConfig(id="x", title='Brine "2"', scripts=".", episodes=tuple(entries))


def test_an_inline_list_of_episodes_is_kept(tmp_path: Path) -> None:
    """A37: a list written in one line is brought up to date too."""
    text = 'id = "x"\nepisodes = [{id = "ep.a", season = 1, number = 1, script = "a.fdx"}]\n'
    new = EpisodeEntry(id="ep.b", season=1, number=2, script="b.fdx")
    (tmp_path / "show.toml").write_text(with_episodes(text, [new]), encoding="utf-8")
    config, _ = load(tmp_path / "show.toml", "show.toml", ShowConfig)
    assert config is not None
    assert [entry.id for entry in config.episodes] == ["ep.a", "ep.b"]


def test_gitignore_only_grows() -> None:
    """G12: what stands there stays."""
    assert gitignore("*.pdf") == "*.pdf\n.showmemory/\nbible/proposal.json\nreport.html\n"
    whole = ".showmemory\nbible/proposal.json\nreport.html\n"
    assert gitignore(whole) == whole


def test_the_first_bible_holds_whom_a_show_of_few_lines_has(tmp_path: Path) -> None:
    """A1: who is in most episodes, and names that hold a number; one of many guards is left out."""
    (tmp_path / "episodes").mkdir()
    for number in (1, 2, 3):
        script = "INT. LAB - DAY\n\nR2D2\nBeep.\n\nMARGE\nStirred, then.\n\nGUARD #2\nHalt.\n"
        (tmp_path / f"episodes/10{number}.fountain").write_text(script)
    write(look_at(tmp_path))
    bible = (tmp_path / "bible/bible.yaml").read_text()
    assert "Marge" in bible
    assert "R2d2" in bible or "R2D2" in bible
    assert "Guard" not in bible
