"""Score what each character says again, as of every episode that says it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from showmemory.extract.corpus import Flags, Floats, Ints, Longs, in_parts
from showmemory.extract.events import closed
from showmemory.extract.everyday import Everyday
from showmemory.extract.names import Names
from showmemory.extract.wording import Wording, wording

VERSION = 1
# Why a phrase scores nothing, in the order in which it is asked; 0 is no reason.
REASONS = (
    "",
    "said in one episode only",
    "part of a longer phrase",
    "others say it as often",
    "everyday words, and others say them too",
    "an everyday phrase, and others say it too",
    "cut off in the middle of a sentence",
    "a single word that seldom stands alone",
    "said in two episodes only, and others say it too",
    "only names, and others say them too",
    "only small words",
    "others say it many times as often",
    "a part that several may play",
)
PART = 2
_ONCE, _EVERYDAY = 1, 5


@dataclass(eq=False)
class Scored:
    """For each event of `own`: its score, why it scores nothing, the uses so far by the speaker and by others.

    `failed` is what it would score but for that reason.
    """

    score: Floats
    failed: Floats
    why: Ints
    rate: Floats
    count: Floats
    others: Floats


@dataclass(eq=False)
class _Seen:
    """The counts that some events are scored from: anywhere, and (`s_`) as whole sentences."""

    count: Floats
    episodes: Floats
    rate: Floats
    s_count: Floats
    s_episodes: Floats
    s_rate: Floats
    clause: Floats
    led: Floats
    others: Floats
    number: Ints

    @property
    def whole(self) -> Floats:
        return np.asarray(self.s_count / self.count)

    def only(self, kept: Flags) -> _Seen:
        """Some of the events."""
        return _Seen(**{field.name: getattr(self, field.name)[kept] for field in fields(self)})


def scored(names: Names) -> Scored:
    """Score every (speaker, phrase) at every episode that says it, from counts up to that episode."""
    stand = names.stand
    values = stand.rules.rule("catchphrase").values
    own = stand.own
    count = own.so_far(own.count)
    others = _others(names, own.count, stand.show.count)
    why = np.where(own.since() < 2, _ONCE, 0).astype(np.int8)
    why[(why == 0) & ~closed(stand.grams, own, own.since() >= 2, count, values["closed"])] = PART
    score, failed, rate = (np.zeros(len(why), dtype=np.float32) for _ in range(3))
    made = Scored(score, failed, why, rate, count, others)
    for rows in in_parts(np.flatnonzero((why == 0) & (own.episode >= stand.start))):
        _score_rows(names, rows, made)
    return made


def _score_rows(names: Names, rows: Longs, made: Scored) -> None:
    stand = names.stand
    values = stand.rules.rule("catchphrase").values
    seen = _seen(names, rows, made.count, made.others, values)
    # What others say nearly as often is not looked at any further.
    near = np.maximum(seen.rate, seen.s_rate) >= values["over"]["any"] - 1
    made.why[rows[~near]] = PART + 1
    rows, seen = rows[near], seen.only(near)
    words = wording(names, stand.own, rows, values["common"])
    score, sentence = _score(words, seen, values)
    made.why[rows] = _why(words, seen, sentence, _parts(names)[stand.own.owner[rows]], values)
    made.score[rows] = np.round(np.where(made.why[rows] == 0, score, 0), 3)
    _pass_over_everyday(names, made, rows, seen, np.where(sentence, seen.s_rate, seen.rate))
    made.rate[rows] = np.maximum(seen.rate, seen.s_rate)
    made.failed[rows] = np.round(np.where(made.why[rows] > PART, score, 0), 3)


def _others(names: Names, mine: Floats, all_: Floats, rows: Longs | None = None) -> Floats:
    """How often everybody else did by then what `mine` counts; of some `rows`, or of all."""
    show, own = names.stand.show, names.stand.own
    kept = slice(None) if rows is None else rows
    row, _ = show.find(own.run[kept], 0, own.episode[kept])
    return np.asarray(np.maximum(show.so_far(all_, row) - own.so_far(mine, rows), 0), dtype=np.float32)


def _seen(names: Names, rows: Longs, count: Floats, others: Floats, values: Any) -> _Seen:
    stand = names.stand
    own = stand.own
    whole = own.so_far(own.whole, rows)
    mine = stand.spoken_by[own.owner[rows], own.episode[rows]]
    rest = np.maximum(stand.spoken[own.episode[rows]] - mine, 1)
    low, high = values["clip"]

    def rate(uses: Floats, theirs: Floats) -> Floats:
        """Doublings of the speaker's rate over everybody else's."""
        over = np.log2((np.maximum(uses, 0.01) / mine) / ((theirs + 1) / rest))
        return np.asarray(np.clip(over, low, high))

    return _Seen(
        count=count[rows],
        episodes=own.since(rows).astype(np.float64),
        rate=rate(count[rows], others[rows]),
        s_count=whole,
        s_episodes=own.so_far(own.whole > 0, rows),
        s_rate=rate(whole, _others(names, own.whole, stand.show.whole, rows)),
        clause=own.so_far(own.clause, rows) / count[rows],
        led=own.so_far(own.led, rows) / count[rows],
        others=others[rows],
        number=own.episode[rows] + np.int32(1),
    )


def _score(words: Wording, seen: _Seen, values: Any) -> tuple[Floats, Flags]:
    """The better of two readings, said anywhere or said as a whole sentence, and where the second is the better."""
    stands, sentence = values["stands"], values["sentence"]
    at = np.minimum(words.size, len(values["length"])) - 1
    plain = stands["always"] + stands["whole"] * seen.whole + stands["clause"] * (seen.clause - seen.whole)
    plain += stands["led"] * seen.led
    anywhere = np.maximum(seen.rate, 0) * np.log2(seen.episodes) * plain * np.asarray(values["length"])[at]
    enough = seen.s_count >= sentence["uses"]
    alone = np.where(enough, np.maximum(seen.s_rate, 0), 0) * np.log2(np.maximum(seen.s_episodes, 1))
    alone *= sentence["weight"] * np.asarray(values["length_sentence"])[at]
    info = values["info"]
    made = np.maximum(anywhere, alone) * (1 + info["weight"] * np.minimum(words.info, info["most"]) / info["most"])
    made *= _names_factor(words, values["names"])
    article = values["led_by_article"]
    made *= np.where(words.led & (seen.clause < article["clause"]), article["factor"], 1.0)
    twice = values["twice"]
    made *= np.where((seen.count == 2) & (seen.number >= twice["from"]), twice["factor"], 1.0)
    made *= np.where(words.figures, values["numbers"], 1.0)
    return np.asarray(made), np.asarray(alone > anywhere)


def _names_factor(words: Wording, values: Any) -> Floats:
    bare = np.where(words.size == 1, values["bare"], 1.0)
    mixed = 1 - values["each"] * words.names / words.size
    return np.asarray(np.where(words.mine, values["own"], np.where(words.only_names, bare, mixed)))


def _why(words: Wording, seen: _Seen, sentence: Flags, roles: Flags, values: Any) -> Ints:
    """The first reason, if any, for which each event scores nothing; numbers index `REASONS`."""
    over, single, two, small = values["over"], values["single"], values["two_episodes"], values["small_whole"]
    rate = np.where(sentence, seen.s_rate, seen.rate)
    episodes = np.where(sentence, seen.s_episodes, seen.episodes)
    usual = np.where(seen.number < values["early"]["episodes"], values["early"]["over"], over["common"])
    enough = (seen.s_count >= small["uses"]) & (seen.whole > small["share"])
    lone = (words.size == 1) & (seen.whole < single["whole"])
    failed: tuple[Flags, ...] = (
        rate < over["any"],
        words.common & (rate < usual),
        np.zeros(len(rate), bool),
        words.cut & (seen.whole < values["edge_whole"]) & ~words.mine & ~sentence,
        lone & (seen.rate < np.where(sentence, single["over"], single["part_over"])),
        (episodes <= 1) | ((episodes == 2) & (seen.whole < two["whole"]) & (seen.others > two["others"])),
        words.only_names & ~words.mine & (rate < over["names"]),
        words.small & ~enough & ((words.size < small["words"]) | (rate < small["over"])),
        seen.others > over["others"] * seen.count,
        roles,
    )
    why = np.zeros(len(rate), dtype=np.int8)
    for number in range(len(failed) - 1, -1, -1):
        why[failed[number]] = number + PART + 1
    return why


def _parts(names: Names) -> Flags:
    """Which speakers are parts ("SECOND WAITER"), by their ids; a character of the bible never is."""
    stand = names.stand
    roles = frozenset(stand.rules.words("names", "roles"))
    people = {character.id for character in stand.bible.characters}

    def part(who: str) -> bool:
        words = who.removeprefix("character.").split("-")
        return who not in people and all(word in roles or word.isdigit() for word in words)

    return np.asarray([part(who) for who in stand.corpus.speakers], dtype=bool)


def _pass_over_everyday(names: Names, made: Scored, rows: Longs, seen: _Seen, rate: Floats) -> None:
    """Lower what everybody says, and drop it unless the speaker says it very much more."""
    stand = names.stand
    values = stand.rules.rule("catchphrase").values
    own, grams, over = stand.own, stand.grams, values["over"]
    everyday = Everyday(names)
    kept = np.flatnonzero(made.score[rows] >= values["bar"]["floor"] * values["variant"]["score"])
    poor = (rate < over["everyday"]) | (seen.others > over["others_everyday"] * seen.count)
    for row, drop in zip(rows[kept].tolist(), poor[kept].tolist(), strict=True):
        words = stand.corpus.words(int(grams.place[own.row[row]]), int(grams.size[own.row[row]]))
        if everyday(words, int(own.owner[row]), int(own.episode[row])):
            made.score[row] = 0.0 if drop else made.score[row] * values["everyday"]
            made.why[row] = _EVERYDAY if drop else 0
