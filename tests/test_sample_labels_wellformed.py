"""The sample show is what its labels say: every labelled word stands at its line, every file fits its type."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from ruamel.yaml import YAML

from showmemory.model.show import Bible, ContinuityLog, Directed, Outline, ShowConfig, Theme

SHOW = Path(__file__).parent.parent / "sample_show"
CONFIG = ShowConfig.model_validate(tomllib.loads((SHOW / "show.toml").read_text("utf-8")))
SCRIPTS = {episode.id: SHOW / episode.script for episode in CONFIG.episodes}
ORDER = list(SCRIPTS)
TYPES: dict[str, type[BaseModel]] = {"outline": Outline, "continuity": ContinuityLog, "directed": Directed}
DETECTORS = {"outline", "log", "payoff", "name"}


def _yaml(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text("utf-8"))


def _plain(text: str) -> str:
    """Text without emphasis marks, notes and scene numbers."""
    return re.sub(r"\[\[.*?\]\]|\*|\s*#[\w.]+#\s*$", "", text).strip()


def _fountain(path: Path) -> dict[int, str]:
    return {number: _plain(line) for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)}


def _final_draft(path: Path) -> dict[int, str]:
    """The joined text of each paragraph, at the line where its tag starts."""
    text = path.read_text("utf-8")
    found = {}
    for match in re.finditer(r"<Paragraph [^>]*>(.*?)\n\s*</Paragraph>", text, re.DOTALL):
        body = re.sub(r"<ScriptNote.*?</ScriptNote>", "", match.group(1), flags=re.DOTALL)
        words = "".join(re.findall(r"<Text[^>]*>(.*?)</Text>", body))
        found[text.count("\n", 0, match.start()) + 1] = html.unescape(words)
    return found


LINES = {key: (_final_draft if path.suffix == ".fdx" else _fountain)(path) for key, path in SCRIPTS.items()}
LABELS: dict[str, Any] = _yaml(SHOW / "labels.yaml")


def _cited(label: Any, episode: str = "", at: str = "") -> Iterator[tuple[str, str, int, str]]:
    """Every labelled piece of text under `label`: where it is in the labels, episode, line, words."""
    if isinstance(label, list):
        for number, item in enumerate(label):
            yield from _cited(item, episode, f"{at}[{number}]")
    elif isinstance(label, dict):
        episode = label.get("episode", episode)
        if "line" in label:
            yield at, episode, label["line"], label["words"]
        for key, item in label.items():
            yield from _cited(item, episode, f"{at}.{key}")


CITED = list(_cited(LABELS))


def _side_files() -> list[Path]:
    return sorted((SHOW / "episodes").rglob("*.yaml"))


def test_every_labelled_word_stands_at_its_line() -> None:
    """A9: labels are exact, so that a test against them is."""
    wrong = [(at, episode, line) for at, episode, line, words in CITED if words not in LINES[episode].get(line, "")]
    assert not wrong
    assert len(CITED) > 300


def test_a_word_moved_by_a_line_would_be_noticed() -> None:
    """The check above can fail: hardly any words stand a line lower too."""
    moved = [at for at, episode, line, words in CITED if words in LINES[episode].get(line + 1, "")]
    assert len(moved) < len(CITED) / 100


@pytest.mark.parametrize("path", _side_files(), ids=lambda path: "/".join(path.parts[-2:]))
def test_side_files_fit_their_types(path: Path) -> None:
    """A47, A50: outline, continuity and directed hold no unknown key, and name scenes that the script has."""
    kind = path.stem.rpartition(".")[2]
    TYPES[kind].model_validate(_yaml(path))


def test_bible_and_theme_fit_their_types() -> None:
    """A2, A4: the bible and the never list; a character called No stays a name (DESIGN 2)."""
    bible = Bible.model_validate(_yaml(SHOW / "bible" / "bible.yaml"))
    theme = Theme.model_validate(_yaml(SHOW / "bible" / "theme.yaml"))
    assert "No" in [character.name for character in bible.characters]
    assert len(theme.never) >= 3 and len(bible.tone) >= 3


def test_side_files_name_what_the_bible_has() -> None:
    """A41: the sample itself warns of nothing: its gags, threads, beats, places and people are the bible's."""
    bible = Bible.model_validate(_yaml(SHOW / "bible" / "bible.yaml"))
    known = {thing.id for part in (bible.characters, bible.groups, bible.places) for thing in part}
    known |= {thing.id for part in (bible.gags, bible.threads) for thing in part}
    known |= {f"{arc.id}/{beat.id}" for arc in bible.arcs for beat in arc.beats}
    named = {word for path in _side_files() for word in _names(_yaml(path))}
    assert named and named <= known


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif re.fullmatch(r"(character|group|place|gag|thread|arc)\.\S+", str(value)):
        yield str(value)


def test_each_detector_is_the_only_one_to_see_some_use() -> None:
    """A57, A58, A59, A60: each of the four is needed for a use that no other sees."""
    alone = set()
    for uses in LABELS["bible_gags"].values():
        for use in uses:
            assert set(use["detectors"]) <= DETECTORS and use["detectors"]
            if len(use["detectors"]) == 1:
                alone.add(use["detectors"][0])
    assert alone == DETECTORS


def test_presence_is_labelled_for_every_scene_of_its_episodes() -> None:
    """F9: four episodes or more, whole, in the order of the script."""
    labelled: dict[str, list[int]] = {}
    for scene in LABELS["presence"]:
        labelled.setdefault(scene["episode"], []).append(scene["line"])
        assert not set(scene["present"]) & set(scene["heard"])
    assert len(labelled) >= 4
    for episode, lines in labelled.items():
        headings = [number for number, text in LINES[episode].items() if re.match(r"(INT|EXT)\. [^a-z]+$", text)]
        assert lines == headings


def test_catchphrases_and_running_gags_recur() -> None:
    """A55, A56: each is said in three episodes or more; a running gag by three mouths or more."""
    for label in LABELS["catchphrases"] + LABELS["running_gags"]:
        assert len({use["episode"] for use in label["uses"]}) >= 3, label["phrase"]
    for label in LABELS["running_gags"]:
        assert len({use["speaker"] for use in label["uses"]}) >= 3, label["phrase"]
    assert {label["bible"] for label in LABELS["catchphrases"]} == {True, False}


def test_callbacks_return_in_another_scene_and_echoes_in_another_mouth() -> None:
    """A61, A63: what comes back inside an episode, and two episodes later or more from somebody else."""
    for label in LABELS["callbacks"]:
        assert any(payoff["scene"] != label["setup"]["scene"] for payoff in label["payoffs"]), label["phrases"]
        assert all(payoff["line"] > label["setup"]["line"] for payoff in label["payoffs"]), label["phrases"]
    for label in LABELS["echoes"]:
        planted, returned = label["planted"], label["returned"]
        assert planted["speaker"] != returned["speaker"]
        assert ORDER.index(returned["episode"]) - ORDER.index(planted["episode"]) >= 2


def test_the_clip_show_repeats_its_scenes_word_for_word() -> None:
    """FINDING 1: two consecutive speeches or more, seen before."""
    for show in LABELS["clip_shows"]:
        for clip in show["clips"]:
            assert clip["speeches"] >= 2
            first = LINES[clip["original"]][clip["original_line"]].replace("*", "")
            assert first == LINES[show["episode"]][clip["line"]]


def test_scripts_run_from_six_to_twelve_pages() -> None:
    """Two seasons, ten episodes or more, of a length worth reading."""
    assert len(ORDER) >= 10 and {episode.season for episode in CONFIG.episodes} == {1, 2}
    for episode, lines in LINES.items():
        assert 1000 <= sum(len(text.split()) for text in lines.values()) <= 2200, episode
