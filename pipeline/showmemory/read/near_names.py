"""Cue names that look like another one, for a person to read: flagged, never merged (D33, G9)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from showmemory.model.show import Bible
from showmemory.model.span import Problem, Span
from showmemory.read.names import key

_DIGITS = re.compile(r"\d|\b\w\b")  # COP 1 and COP 2, BUILDING A and BUILDING B
_GROUP = re.compile(r"[&,/+]|\bAND\b")
_TITLED = re.compile(r"(?:mr|mrs|ms|miss)-(.+)")
_SHORTEST = 4  # KIT and KAT are two people; MARLOW and MARLOV are one
_LONGEST = 40
# Letters of other alphabets that look like Latin ones.
_LOOKALIKES = str.maketrans("авекмнорстухіјѕαβεζηικμνορτυχ", "abekmhopctyxijsabezhikmnoptux")


@dataclass(frozen=True, slots=True)
class NearName:
    """A name on `count` cues that is nearly `like`, which is on more. `why`: one letter off, or same look."""

    count: int
    name: str
    like: str
    like_count: int
    why: str

    def __str__(self) -> str:
        """Print as ``ELIANE (1) like ELAINE (2040)``."""
        return f"{self.name} ({self.count}) like {self.like} ({self.like_count or 'bible'})"


def near_names(counts: Mapping[str, int], bible: Bible) -> list[NearName]:
    """Pair each rarer name of `counts` (name as written -> cues) with the commonest one it is a letter off.

    The likeliest slips come first: rare names that are nearly a very common one.
    """
    shown, total = _by_key(counts, bible)
    settled = {key(name) for person in bible.characters for name in (person.name, *person.aliases)}
    best: dict[str, tuple[tuple[bool, int, str], str]] = {}
    for one, other, why in _pairs(sorted(shown)):
        rare, common = sorted((one, other), key=lambda k: (k in settled, total[k], k))
        if rare in settled or not total[rare]:
            continue
        rank = (common in settled, total[common], common)
        if rare not in best or rank > best[rare][0]:
            best[rare] = (rank, why)
    found = [
        NearName(total[rare], shown[rare], shown[rank[2]], total[rank[2]], why) for rare, (rank, why) in best.items()
    ]
    return sorted(found, key=lambda near: (near.count, -near.like_count, near.name))


def near_note(found: Sequence[NearName], path: str, most: int = 6) -> Problem | None:
    """All near names as one notice, the first ones named."""
    if not found:
        return None
    count = len(found)
    first = ", ".join(str(near) for near in found[:most])
    more = f" and {count - most} more" if count > most else ""
    names = "1 cue name is" if count == 1 else f"{count} cue names are"
    hint = "nothing is merged; where two are one person, give the alias in bible.yaml (`showmemory cast` lists all)"
    return Problem(Span(path), "notice", f"{names} nearly another: {first}{more}", hint, group="near names")


def _by_key(counts: Mapping[str, int], bible: Bible) -> tuple[dict[str, str], dict[str, int]]:
    """For each folded name its commonest spelling and its cues; names of the bible that have no cue count too."""
    shown: dict[str, str] = {}
    total: dict[str, int] = {}
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if _GROUP.search(name):
            continue
        folded = key(name)
        shown.setdefault(folded, name)
        total[folded] = total.get(folded, 0) + count
    for person in bible.characters:
        for name in (person.name, *person.aliases):
            shown.setdefault(key(name), name)
            total.setdefault(key(name), 0)
    return shown, total


def _pairs(keys: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Every pair that is one edit apart, or looks the same; found by what is left when one letter is taken out."""
    left: dict[str, list[str]] = {}
    looks: dict[str, str] = {}
    for name in keys:
        if len(name) > _LONGEST:
            continue
        look = _look(name)
        if look in looks:
            yield looks[look], name, "same look"
        looks.setdefault(look, name)
        if len(name) < _SHORTEST:
            continue
        for rest in {name, *(name[:at] + name[at + 1 :] for at in range(len(name)))}:
            for other in left.get(rest, ()):
                if _one_off(name, other):
                    yield other, name, "one letter off"
            # A list that grows past this holds numbered parts; pairs in it add nothing.
            held = left.setdefault(rest, [])
            if len(held) < 20:
                held.append(name)


def _look(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).translate(_LOOKALIKES)
    return plain.replace("-", "").replace("0", "o").replace("1", "l")


def _one_off(one: str, other: str) -> bool:
    """One letter more, less, other or swapped with its neighbour; numbered parts (COP 1, COP 2) are not."""
    if _DIGITS.search(one) or _DIGITS.search(other) or _couple(one, other):
        return False
    short, long = sorted((one, other), key=len)
    start = 0
    while start < len(short) and short[start] == long[start]:
        start += 1
    if len(short) < len(long):
        return short[start:] == long[start + 1 :] and not _inflected(short, long)
    swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return short[start + 1 :] == long[start + 1 :] or swapped


def _inflected(short: str, long: str) -> bool:
    """GUARD and GUARDS, MAN and MAN-A: a part and its plural are no misspelling."""
    return long in (f"{short}s", f"{short}-s")


def _couple(one: str, other: str) -> bool:
    """MR. and MRS. of one name."""
    first, second = _TITLED.fullmatch(one), _TITLED.fullmatch(other)
    return bool(first and second and first.group(1) == second.group(1))
