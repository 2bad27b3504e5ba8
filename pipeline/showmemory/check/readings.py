"""Readings, memory and scripts -> a Problem's place and words for each thing a reading rests on that is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from showmemory.check.citations import words_stand
from showmemory.model.interpretation import Readings
from showmemory.model.memory import ShowMemory
from showmemory.model.screenplay import Screenplay

# Where in the file, what is wrong, what to do.
Wrong = tuple[tuple[str | int, ...], str, str]


def missing_entries(readings: Readings, memory: ShowMemory) -> Iterator[Wrong]:
    """Entries a reason names that memory does not have: forgotten, or renamed by a pass."""
    known = {entry.id for entry in memory.entries}
    for at, one in enumerate(readings.readings):
        for number, reason in enumerate(one.reasons):
            for place, id_ in enumerate(reason.entries):
                if id_ not in known:
                    loc = ("readings", at, "reasons", number, "entries", place)
                    yield (
                        loc,
                        f"{one.id} rests on {id_}, which memory does not have",
                        "showmemory show --json lists ids",
                    )


def wrong_lines(readings: Readings, scripts: Mapping[str, Screenplay]) -> Iterator[Wrong]:
    """Lines a reason cites whose words do not stand there; scripts that changed since are left out by the caller."""
    for at, one in enumerate(readings.readings):
        for number, reason in enumerate(one.reasons):
            for place, source in enumerate(reason.sources):
                play = scripts.get(source.episode)
                if play is not None and not words_stand(play, source):
                    loc = ("readings", at, "reasons", number, "sources", place, "words")
                    yield (
                        loc,
                        f"{one.id} cites words that do not stand at line {source.line}",
                        "cite them as they stand",
                    )
