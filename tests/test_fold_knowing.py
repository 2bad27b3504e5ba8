"""Who knows what, from presence and telling (G4, F9, D50)."""

from __future__ import annotations

from episode_reading import read_example, sample_reads
from showmemory.fold.knowing import attendance, knows
from showmemory.model.memory import Entry, Source

SCRIPT = """
INT. HOLD - NIGHT

BRAM
I sold the bell.

ODILE
You did what?

VICAR (O.S.)
He sold the bell!

EXT. JETTY - DAY

ODILE
Nice weather.
"""
READ, _ = read_example({"script": SCRIPT})
WITNESSED = attendance({"ep.example": READ.screenplay})
GROUPS = {"group.crew": ("character.bram", "character.no")}
BELL = Entry(id="mem.fact.bell", kind="fact", sources=(Source(episode="ep.example", scene="1", line=4),))


def way(entry: Entry, who: str) -> str | None:
    found = knows(entry, f"character.{who}", GROUPS, WITNESSED)
    return found.way if found else None


def test_present_overheard_or_not_there() -> None:
    """G4, F9: who speaks in the scene was there; (O.S.) only hears; nobody else knows."""
    assert [way(BELL, who) for who in ("bram", "odile", "vicar", "no")] == ["present", "present", "overheard", None]
    other = BELL.model_copy(update={"sources": (Source(episode="ep.other", scene="1"),)})
    assert way(other, "bram") is None


def test_told_and_member_of_a_group_that_was() -> None:
    """G4, D50: members inherit what their group was told."""
    told = BELL.model_copy(update={"holders": ("character.vicar", "group.crew")})
    assert [way(told, who) for who in ("vicar", "no", "odile")] == ["told", "member", "present"]


def test_what_was_learned_is_its_holders_alone() -> None:
    """D50, B4: neither a bystander nor the subject of a piece of knowledge has it."""
    secret = Entry(
        id="mem.knowledge.bell", kind="knowledge", about=("character.bram",), holders=("character.no",),
        sources=(Source(episode="ep.example", scene="1", line=4),),
    )  # fmt: skip
    assert [way(secret, who) for who in ("no", "bram", "odile")] == ["told", None, None]


def test_every_scene_of_the_sample_show_has_its_witnesses() -> None:
    _, reads = sample_reads()
    seen = attendance({read.episode.id: read.screenplay for read in reads})
    assert sum(bool(present) for present, _ in seen.values()) > 0.9 * len(seen)
