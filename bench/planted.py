"""Agreement with what was planted on purpose: `python bench/planted.py [--shows N] [--seed S]`.

First the sample show against its labels, then generated shows: everyday talk made of stock sentences, with
catchphrases, running gags, callbacks and echoes planted in it. Says how much of what was planted is shown, and how much
of what is shown was planted. What is made is a function of the seed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finding import entries_of, matches
from ruamel.yaml import YAML
from stock import COINED, FILLS, NAMES, ODD, TALK

from showmemory.extract.earn import clip_shows, earn
from showmemory.extract.tally import Tally, tally
from showmemory.fold.shown import Shown, shown
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, Episode, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay
from showmemory.read.show import open_show
from showmemory.read.sidefiles import read_side_files
from showmemory.text.fold import Folding
from showmemory.text.tokens import phrase
from showmemory.work import prepared

SAMPLE = Path(__file__).resolve().parent.parent / "sample_show"


@dataclass
class Planted:
    """What a show was given on purpose: (list, phrase) pairs. A list is a speaker's, running, echo, or an episode's."""

    scripts: list[str] = field(default_factory=list)
    items: list[tuple[str, str]] = field(default_factory=list)
    clips: set[str] = field(default_factory=set)


def generated(seed: int, episodes: int = 24) -> Planted:
    """A show of so many episodes, with everything planted that the rules look for."""
    dice = random.Random(seed)
    cast = dice.sample(NAMES, 5)
    coined = dice.sample(COINED, len(COINED))
    made = Planted()
    lines = [[_scene(dice, cast) for _ in range(5)] for _ in range(episodes)]
    for who in cast[:3]:
        said = coined.pop()
        for number in sorted(dice.sample(range(episodes), episodes // 2)):
            _into(dice, dice.choice(lines[number]), who, said)
        made.items.append((f"character.{who.lower()}", said))
    for _ in range(3):
        gag = coined.pop().rstrip("!.?").lower()
        for number in sorted(dice.sample(range(episodes), 6)):
            for scene in dice.sample(lines[number], 2):
                _into(dice, scene, dice.choice(cast), f"{dice.choice(ODD)} {gag}.")
        made.items.append(("running", gag))
    for number in range(0, episodes, 3):
        back = coined.pop().rstrip("!.?").lower()
        for scene in lines[number][0], lines[number][2], lines[number][4]:
            _into(dice, scene, dice.choice(cast), f"{dice.choice(ODD)} {back}.")
        made.items.append((f"callback ep.{number + 1}", back))
    for first in range(0, episodes - 4, 5):
        echo = coined.pop()
        _into(dice, lines[first][1], cast[0], echo)
        _into(dice, lines[first + 4][3], cast[1], f"You said it yourself. {echo}")
        made.items.append(("echo", echo))
    made.scripts = [_script(scenes) for scenes in lines]
    return made


def _scene(dice: random.Random, cast: Sequence[str]) -> list[tuple[str, str]]:
    return [(dice.choice(cast), _talk(dice)) for _ in range(dice.randint(8, 16))]


def _talk(dice: random.Random) -> str:
    """Two or three everyday sentences, their open places filled."""
    said = [dice.choice(TALK) for _ in range(dice.randint(1, 3))]
    return " ".join(text.replace("*", dice.choice(FILLS)) for text in said)


def _into(dice: random.Random, scene: list[tuple[str, str]], who: str, said: str) -> None:
    scene.insert(dice.randint(0, len(scene)), (who, said))


def _script(scenes: Sequence[Sequence[tuple[str, str]]]) -> str:
    parts = []
    for number, scene in enumerate(scenes, 1):
        parts.append(f"INT. ROOM {number} - DAY\n")
        parts += [f"{who.upper()}\n{said}\n" for who, said in scene]
    return "\n".join(parts)


def tallied(scripts: Sequence[str], rules: Rules) -> list[Tally]:
    """Scripts as text, tallied as ep.1, ep.2 and so on."""
    made = []
    for number, script in enumerate(scripts, 1):
        play = resolve(read_screenplay(script.encode(), f"{number}.fountain", rules), Bible(), rules)
        episode = Episode(id=f"ep.{number}", season=1, number=number, script=play.path)
        made.append(tally(EpisodeRead(episode, play, SideFiles()), rules))
    return made


def rows_of(tallies: Sequence[Tally], bible: Bible, rules: Rules) -> list[Shown]:
    """What a show shows."""
    aired = [one.episode for one in tallies]
    seen = [one for _, found in earn(tallies, bible, rules) for one in found]
    return [row for row in shown(entries_of(seen, aired), aired) if not row.held]


def lists(row: Shown) -> set[str]:
    """The lists a row stands in."""
    entry = row.entry
    if entry.form == "callback":
        return {f"callback {episode}" for episode in entry.said}
    return {entry.about[0]} if entry.kind == "catchphrase" else {str(entry.form)}


def says(row: Shown, text: str, folding: Folding) -> bool:
    """Whether a row is of planted words."""
    words = phrase(text, folding)
    entry = row.entry
    if entry.form == "echo":
        return any(len(set(words.split()) & set(phrase(use.words, folding).split())) >= 3 for use in entry.uses)
    return any(matches(wording, words) for wording in (entry.key.rpartition("|")[2], *entry.variants))


def agreement(
    rows: Sequence[Shown], items: Iterable[tuple[str, str]], folding: Folding
) -> dict[str, tuple[int, int, int, int]]:
    """By kind of list: planted, shown of these, shown in all, planted of these."""
    made: dict[str, list[int]] = {}
    held = list(items)
    for name, text in held:
        count = made.setdefault(_kind(name), [0, 0, 0, 0])
        count[0] += 1
        count[1] += any(name in lists(row) and says(row, text, folding) for row in rows)
    for row in rows:
        for kind in {_kind(name) for name in lists(row)} & set(made):
            made[kind][2] += 1
            # What is planted in any list is no mistake in another: a catchphrase is also a phrase of the show.
            made[kind][3] += any(says(row, text, folding) for _, text in held)
    return {kind: (a, b, c, d) for kind, (a, b, c, d) in made.items()}


def _kind(name: str) -> str:
    return "catchphrase" if name.startswith("character.") else name.split(" ")[0]


def of_the_labels(labels: dict[str, Any]) -> list[tuple[str, str]]:
    """What the sample show's labels plant, as (list, phrase)."""
    items = [(label["speaker"], label["phrase"].replace("___", "")) for label in labels["catchphrases"]]
    items += [("running", label["phrase"]) for label in labels["running_gags"]]
    items += [(f"callback {label['episode']}", label["phrases"][0]) for label in labels["callbacks"]]
    return items + [("echo", label["returned"]["words"]) for label in labels["echoes"]]


def sample(rules: Rules) -> tuple[list[Shown], list[tuple[str, str]], bool]:
    """The sample show, what its labels plant, and whether its clip shows are the labelled ones."""
    show, _ = open_show(SAMPLE)
    tallies = []
    for episode in show.episodes:
        side, _ = read_side_files(SAMPLE, episode)
        play = read_screenplay((SAMPLE / episode.script).read_bytes(), episode.script, rules)
        tallies.append(tally(EpisodeRead(episode, prepared(play, side, show.bible, rules), side), rules))
    labels = YAML(typ="safe", pure=True).load((SAMPLE / "labels.yaml").read_text("utf-8"))
    clips = clip_shows(tallies, rules) == {clip["episode"] for clip in labels["clip_shows"]}
    return rows_of(tallies, show.bible, rules), of_the_labels(labels), clips


def main(arguments: Sequence[str]) -> int:
    """Print both agreements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shows", type=int, default=5, help="how many shows to generate")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    rules, _ = read_rules()
    folding = Folding.of(rules)
    rows, items, clips = sample(rules)
    print("sample_show: clip shows", "as labelled" if clips else "not as labelled")
    _print(agreement(rows, items, folding))
    for number in range(asked.shows):
        made = generated(asked.seed + number)
        print(f"generated show {asked.seed + number}")
        _print(agreement(rows_of(tallied(made.scripts, rules), Bible(), rules), made.items, folding))
    return 0


def _print(found: dict[str, tuple[int, int, int, int]]) -> None:
    for kind, (planted, seen, listed, right) in sorted(found.items()):
        print(f"  {kind:12} {seen} of {planted} planted are shown; {right} of {listed} shown were planted")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
