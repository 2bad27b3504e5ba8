"""Find words that come back within an episode: a set-up and its payoffs, things said together as one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from showmemory.extract.corpus import Floats, Longs, in_parts
from showmemory.extract.entries import sightings
from showmemory.extract.ledger import Found, Ledger
from showmemory.extract.names import Names
from showmemory.extract.standing import Standing
from showmemory.extract.wording import wording

VERSION = 1


def callback_scores(names: Names) -> Floats:
    """For each event of the whole show: how much its run is a callback of that episode; 0 where it is none."""
    stand = names.stand
    values = stand.rules.rule("callback").values
    table = stand.show
    back = (table.back > 0) & (stand.grams.size[table.row] <= values["most_words"])
    back &= table.episode >= stand.start
    score = np.zeros(len(table.run), dtype=np.float32)
    for rows in in_parts(np.flatnonzero(back)):
        score[rows] = np.round(_score(names, rows), 3)
    return score


def _score(names: Names, rows: Longs) -> Floats:
    stand = names.stand
    table, values = stand.show, stand.rules.rule("callback").values
    words = wording(names, table, rows, values["common"])
    here = table.count[rows].astype(np.float64)
    earlier = stand.show_count[rows] - here
    made = np.power(np.minimum(words.info, values["info_cap"]), values["info_power"]) * np.log2(1 + here)
    made *= 1 + values["capital"] * words.capital
    made *= np.where(words.only_names, values["names_alone"], 1.0) * np.power(values["number"], words.numbers)
    made *= np.where(table.scenes[rows] >= 2, 1.0, values["same_scene"])
    made /= 1 + values["before"] * np.log2(1 + earlier)
    passed = words.cut | words.noise | (words.common & (words.size == 1) & ~words.only_names)
    return np.asarray(np.where(passed, 0, made))


def in_episodes(names: Names, score: Floats, bar: float, most: int) -> Iterator[tuple[int, list[Found]]]:
    """For each episode to be scored, in order, what it calls back, best first: at most `most` that reach `bar`."""
    stand = names.stand
    values = stand.rules.rule("callback").values
    table, corpus = stand.show, stand.corpus
    rows = np.flatnonzero(score > 0)
    rows = rows[np.argsort(table.episode[rows], kind="stable")]
    cuts = np.searchsorted(table.episode[rows], np.arange(len(corpus.tallies) + 1))
    for number in range(stand.start, len(corpus.tallies)):
        here = rows[cuts[number] : cuts[number + 1]]
        here = here[np.argsort(-score[here], kind="stable")][:300]
        ledger = Ledger(values["variant"])
        ledger.settle(number, bar, sightings(names, table, here, score, table.count, owned=False))
        yield number, _together(names, number, ledger.found, values["together"], most)


def _together(names: Names, episode: int, found: list[Found], need: dict[str, float], most: int) -> list[Found]:
    """Put what is said in the same speeches into the better one's entry, as wordings of it; keep the first `most`."""
    kept: list[tuple[Found, list[int]]] = []
    for entry in found[: 3 * most]:
        speeches = _speeches(names.stand, episode, entry)
        near = (other for other, theirs in kept if _share(speeches, theirs, need["reach"]) >= need["share"])
        # Who is spoken to while something is said is no part of it.
        host = None if _named(names, episode, entry) else next(near, None)
        if host is None:
            kept.append((entry, speeches))
        elif len(host.members) <= need["most"]:
            host.members.append(entry.head)
            host.kept.setdefault("beside", []).append(entry.head)
    return [entry for entry, _ in kept[:most]]


def _named(names: Names, episode: int, entry: Found) -> bool:
    """Whether an entry is names and titles alone."""
    stand = names.stand
    titles = stand.lexicon("titles")
    numbers = [stand.index[word] for word in entry.head.words]
    telling = [n for n in numbers if not stand.small[n] and not titles[n]]
    return all(names.since[n] <= episode for n in telling)


def _speeches(stand: Standing, episode: int, entry: Found) -> list[int]:
    places = stand.grams.places(entry.head.run)
    low, high = np.searchsorted(places, stand.corpus.base[[episode, episode + 1]])
    return sorted(set(stand.corpus.speech[places[low:high]].tolist()))


def _share(one: list[int], other: list[int], reach: float) -> float:
    """The part of the rarer one's speeches that stand beside one of the other's."""
    rare, often = (one, other) if len(one) <= len(other) else (other, one)
    near = sum(any(abs(speech - there) <= reach for there in often) for speech in rare)
    return near / len(rare)
