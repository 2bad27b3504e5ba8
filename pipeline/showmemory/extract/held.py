"""What has been earned so far as JSON values and back, so that a pass can go on from an episode in the middle.

Runs are numbered anew whenever episodes change, so a wording is kept with the first place where it stands: numbers of
tokens, speakers and speeches depend on the episodes up to them alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from showmemory.extract.ledger import Found, Member
from showmemory.extract.standing import Standing

Plain = dict[str, Any]


class Lost(Exception):
    """What was kept does not fit these episodes: the pass has to begin anew."""


def plain(stand: Standing, found: Found) -> Plain:
    """An entry in the making as JSON values."""
    beside = [at for at, m in enumerate(found.members) if any(m is one for one in found.kept.get("beside", ()))]
    kept = {name: value for name, value in found.kept.items() if name not in ("beside", "episodes", "mouths")}
    mouths = sorted(found.kept.get("mouths", ()))
    return {
        "owner": found.owner,
        "since": found.since,
        "lead": found.lead,
        "skeleton": found.skeleton,
        "kept": kept,
        "beside": beside,
        "mouths": mouths,
        "members": [_member(stand, member) for member in found.members],
    }


def _member(stand: Standing, member: Member) -> Plain:
    made = {name: value for name, value in asdict(member).items() if name not in ("run", "places")}
    at = int(stand.grams.place[stand.grams.first[member.run]]) if member.run >= 0 else -1
    return {**made, "telling": sorted(member.telling), "at": at}


def found_of(stand: Standing, held: Plain) -> Found:
    """The entry again, its wordings with the numbers of the runs as they are now."""
    members = [_member_of(stand, member) for member in held["members"]]
    found = Found(held["owner"], held["since"], members, held["lead"], skeleton=tuple(held["skeleton"]))
    found.kept = dict(held["kept"])
    if held["beside"]:
        found.kept["beside"] = [members[at] for at in held["beside"]]
    if held["mouths"]:
        found.kept["mouths"] = set(held["mouths"])
    return found


def _member_of(stand: Standing, held: Plain) -> Member:
    words, at = tuple(held["words"]), held["at"]
    run = int(stand.grams.at[len(words) - 1][at]) if at >= 0 else -1
    if at >= 0 and (run < 0 or stand.corpus.words(at, len(words)) != words):
        raise Lost
    telling = frozenset(held["telling"])
    return Member(run, words, held["since"], held["score"], held["count"], held["why"], telling)


def all_plain(stand: Standing, found: Iterable[Found]) -> list[Plain]:
    """Entries in the making, in order."""
    return [plain(stand, one) for one in found]
