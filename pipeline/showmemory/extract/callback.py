"""Find words that come back within an episode: a set-up and its payoffs, things said together as one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from showmemory.extract.corpus import Floats, Ints
from showmemory.extract.ledger import Found, Ledger, Sighting
from showmemory.extract.standing import Standing
from showmemory.extract.wording import wording

VERSION = 1
SHOW = 0


def callback_scores(stand: Standing) -> Floats:
    """For each event of the whole show: how much its run is a callback of that episode; 0 where it is none."""
    values = stand.rules.rule("callback").values
    table = stand.show
    rows = np.flatnonzero((table.back > 0) & (stand.grams.size[table.row] <= values["most_words"]))
    words = wording(stand, table, rows)
    here = table.count[rows].astype(np.float64)
    earlier = stand.show_count[rows] - here
    made = np.power(np.minimum(words.info, values["info_cap"]), values["info_power"]) * np.log2(1 + here)
    made *= 1 + values["capital"] * words.capital
    made *= np.where(words.only_names, values["names_alone"], 1.0)
    made *= np.where(table.scenes[rows] >= 2, 1.0, values["same_scene"])
    made /= 1 + values["before"] * np.log2(1 + earlier)
    score = np.zeros(len(table.run))
    score[rows] = np.where(words.cut | words.noise, 0, made)
    return np.round(score, 3)


def callbacks(stand: Standing, score: Floats, bar: float, most: int) -> Iterator[tuple[int, list[Found]]]:
    """For each episode, in order, what it calls back, best first: at most `most` that reach `bar`."""
    values = stand.rules.rule("callback").values
    table, grams, corpus = stand.show, stand.grams, stand.corpus
    rows = np.flatnonzero(score > 0)
    rows = rows[np.argsort(table.episode[rows], kind="stable")]
    cuts = np.searchsorted(table.episode[rows], np.arange(len(corpus.tallies) + 1))
    for number in range(len(corpus.tallies)):
        here = rows[cuts[number] : cuts[number + 1]]
        here = here[np.argsort(-score[here], kind="stable")][:300]
        ledger = Ledger(values["variant"])
        sightings = [
            Sighting(
                SHOW,
                int(table.run[row]),
                corpus.words(int(grams.place[table.row[row]]), int(grams.size[table.row[row]])),
                float(score[row]),
                float(table.count[row]),
            )
            for row in here.tolist()
        ]
        ledger.settle(number, bar, sightings)
        yield number, _together(stand, number, ledger.found, values["together"])[:most]


def _together(stand: Standing, episode: int, found: list[Found], need: dict[str, float]) -> list[Found]:
    """Put what is said in the same speeches into the better one's entry, as wordings of it."""
    kept: list[tuple[Found, Ints]] = []
    for entry in found:
        speeches = _speeches(stand, episode, entry)
        host = next((other for other, theirs in kept if _share(speeches, theirs, need) >= need["share"]), None)
        if host is None:
            kept.append((entry, speeches))
        elif len(host.members) <= need["most"]:
            host.members.append(entry.head)
    return [entry for entry, _ in kept]


def _speeches(stand: Standing, episode: int, entry: Found) -> Ints:
    places = stand.grams.places(entry.head.run)
    return np.unique(stand.corpus.speech[places[stand.corpus.episode[places] == episode]])


def _share(one: Ints, other: Ints, need: dict[str, float]) -> float:
    """The part of the rarer one's speeches that stand beside one of the other's."""
    rare, often = (one, other) if len(one) <= len(other) else (other, one)
    near = np.abs(rare[:, None] - often[None, :]).min(axis=1) <= need["reach"]
    return float(near.mean())
