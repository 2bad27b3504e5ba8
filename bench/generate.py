"""A generated show of any length: `python bench/generate.py FOLDER [--episodes N] [--words W] [--seed S]`.

A comedy in seasons of 24, one Fountain file an episode, about W spoken words each. Words are drawn as often as the
language uses them, so that their tail grows as a real show's does; a third of what is said is stock sentences; leads
have catchphrases, the show has gags that come and go, an episode has its callback, and places and guests change. An
episode is a function of the seed and its number alone: the first 200 of 10,000 are the show of 200.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from stock import FILLS, NAMES, TALK
from wordfreq import top_n_list, word_frequency

SEASON, LEADS, SCENES = 24, 6, 14
PLACES = (
    "FERRY OFFICE",
    "KITCHEN",
    "JETTY",
    "MARKET",
    "SCHOOL HALL",
    "BOAT SHED",
    "TAVERN",
    "COURT",
    "ATTIC",
    "STATION",
)
TIMES = ("DAY", "NIGHT", "MORNING", "LATER")
STARTS = "bar cor dell fen gar hol jas kel lan mor nor pell quin ros sed tam ur val wen yor".split()
ENDS = "by den fold gate ham ing kin ley mere nick out pole ridge stow ton vale wick worth".split()


@dataclass(frozen=True)
class Words:
    """The language's words with the part of all talk up to each, and the stock sentences."""

    words: tuple[str, ...]
    upto: np.ndarray
    talk: tuple[str, ...]


def language(most: int = 20_000) -> Words:
    """The commonest words, as often as they are said."""
    words = tuple(word for word in top_n_list("en", most) if word.isalpha() and (len(word) > 1 or word in "ai"))
    often = np.cumsum([word_frequency(word, "en") for word in words])
    return Words(words, often / often[-1], tuple(TALK))


def guest(number: int) -> str:
    """A made-up name, each number's own."""
    return (STARTS[number % len(STARTS)] + ENDS[number // len(STARTS) % len(ENDS)]).upper()


class Show:
    """A generated show, told episode by episode."""

    def __init__(self, seed: int = 1, spoken: int = 5_000) -> None:
        self.seed, self.spoken, self.words = seed, spoken, language()
        dice = np.random.default_rng([seed])
        self.leads = [str(name).upper() for name in dice.choice(NAMES, LEADS, replace=False)]
        self.phrases = {who: [self._phrase(dice) for _ in range(4)] for who in self.leads}

    def _phrase(self, dice: np.random.Generator) -> str:
        """Two to four words that the language has, but seldom side by side."""
        rare = dice.integers(300, 6_000, int(dice.integers(2, 5)))
        return " ".join(self.words.words[at] for at in rare)

    def gags(self, number: int) -> list[str]:
        """The gags alive in an episode: each season plants ten that last for a season and a half."""
        alive = []
        for season in range(max(0, number // SEASON - 1), number // SEASON + 1):
            dice = np.random.default_rng([self.seed, 2, season])
            gags = [(self._phrase(dice), int(dice.integers(0, SEASON))) for _ in range(10)]
            alive += [gag for gag, since in gags if since <= number - season * SEASON < since + SEASON * 3 // 2]
        return alive

    def episode(self, number: int) -> str:
        """The script of the episode with this number, from 0."""
        dice = np.random.default_rng([self.seed, 1, number])
        drawn = iter(np.searchsorted(self.words.upto, dice.random(self.spoken + 4_000)).tolist())
        cast = [*self.leads, *(guest(int(n)) for n in dice.integers(0, 360, 3))]
        planted = self._planted(dice, number)
        head = f"Title: The Long Ferry\nEpisode Title: Number {number + 1}\nSeason: {number // SEASON + 1}\n"
        parts = [f"{head}Episode: {number % SEASON + 1}\n"]
        said, each = 0, self.spoken // SCENES
        for scene in range(SCENES):
            place = PLACES[int(dice.integers(len(PLACES)))]
            parts.append(f"INT. {place} - {TIMES[int(dice.integers(len(TIMES)))]}\n")
            here = [cast[at] for at in dice.choice(len(cast), 4, replace=False)]
            parts.append(f"{here[0].title()} crosses to the {place.lower()} door. {here[1].title()} waits.\n")
            turn = 0
            while said < each * (scene + 1):
                who = here[turn % 4] if turn % 5 else here[int(dice.integers(4))]
                line = self._speech(dice, drawn, planted.get(who, []), planted[""])
                parts.append(f"{who}\n{line}\n")
                said += line.count(" ") + 1
                turn += 1
        return "\n".join(parts)

    def _planted(self, dice: np.random.Generator, number: int) -> dict[str, list[str]]:
        """What each lead, and ("") anybody, has to say in an episode beside talk."""
        made = {who: [p for p in held if dice.random() < 0.35] for who, held in self.phrases.items()}
        callback = self._phrase(dice)
        made[""] = [callback] * 4 + [gag for gag in self.gags(number) if dice.random() < 0.4 for _ in range(2)]
        return made

    def _speech(self, dice: np.random.Generator, drawn: Iterator[int], own: list[str], anybody: list[str]) -> str:
        """One to three sentences."""
        made = []
        for chance in dice.random(1 + int(dice.integers(3))).tolist():
            if chance < 0.02 and own:
                text = own[int(dice.integers(len(own)))]
            elif chance < 0.05 and anybody:
                text = anybody[int(dice.integers(len(anybody)))]
            elif chance < 0.35:
                text = self.words.talk[int(dice.integers(len(self.words.talk)))]
                text = text.replace("*", FILLS[int(dice.integers(len(FILLS)))])
            else:
                text = " ".join(self.words.words[next(drawn)] for _ in range(3 + int(dice.integers(9))))
            made.append(text[:1].upper() + text[1:].rstrip(".?!") + (".", "?", "!", ".")[int(chance * 400) % 4])
        return " ".join(made)


def name_of(number: int) -> str:
    """The file name of an episode."""
    return f"s{number // SEASON + 1:03}e{number % SEASON + 1:02}.fountain"


def generate(folder: Path, episodes: int, words: int = 5_000, seed: int = 1) -> None:
    """Write the scripts; those that are there are left as they are."""
    scripts = folder / "episodes"
    scripts.mkdir(parents=True, exist_ok=True)
    show = Show(seed, words)
    for number in range(episodes):
        path = scripts / name_of(number)
        if not path.exists():
            path.write_text(show.episode(number), "utf-8")


def main(arguments: Sequence[str]) -> int:
    """Generate a show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--words", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    generate(asked.folder, asked.episodes, asked.words, asked.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
