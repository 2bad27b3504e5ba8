"""The unit of work: one episode's script through the readers and rules that have no result yet. Runs in any process."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from showmemory.extract.per_episode import MECHANISMS
from showmemory.extract.tally import tally
from showmemory.model.codec import decode, encode
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Bible, Episode, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.presence import with_directed
from showmemory.read.screenplay import read_screenplay

OBSERVATIONS: TypeAdapter[list[Observation]] = TypeAdapter(list[Observation])
_BATCH = 8


@dataclass(frozen=True, slots=True)
class Job:
    """What has to be made for one episode: `wants` maps a stage name to the key its result is kept under."""

    episode: Episode
    path: Path
    parsed: bytes | None
    side: SideFiles
    wants: Mapping[str, str]


def run(jobs: Sequence[Job], bible: Bible, rules: Rules, workers: int = 1) -> Iterator[dict[str, tuple[str, bytes]]]:
    """Do every job, in order: for each the results as key -> (stage, bytes). Small batches stay in this process."""
    if workers < 2 or len(jobs) < _BATCH:
        yield from (do(job, bible, rules) for job in jobs)
        return
    context = multiprocessing.get_context("spawn" if os.name == "nt" else "forkserver")
    with ProcessPoolExecutor(min(workers, len(jobs)), context, _begin, (bible, rules)) as pool:
        yield from mapped(pool, jobs)


def mapped(pool: Executor, jobs: Sequence[Job]) -> Iterator[dict[str, tuple[str, bytes]]]:
    """The jobs' results in order, through any executor whose workers have begun."""
    yield from pool.map(_do, jobs, chunksize=max(1, min(32, len(jobs) // 8)))


_given: list[tuple[Bible, Rules]] = []


def _begin(bible: Bible, rules: Rules) -> None:
    _given[:] = [(bible, rules)]


def _do(job: Job) -> dict[str, tuple[str, bytes]]:
    return do(job, *_given[0])


def do(job: Job, bible: Bible, rules: Rules) -> dict[str, tuple[str, bytes]]:
    """One episode: parse unless that is here, resolve its cast, run the mechanisms that are wanted."""
    made: dict[str, tuple[str, bytes]] = {}
    if job.parsed is None:
        play = read_screenplay(job.path.read_bytes(), job.episode.script, rules)
        made[job.wants["parse"]] = ("parse", encode(play))
    else:
        play = decode(job.parsed, job.episode.script)
    wanted = [stage for stage in job.wants if stage != "parse"]
    if not wanted:
        return made
    read = EpisodeRead(job.episode, prepared(play, job.side, bible, rules), job.side)
    for stage in wanted:
        made[job.wants[stage]] = (stage, _result(stage, read, bible, rules))
    return made


def prepared(play: Screenplay, side: SideFiles, bible: Bible, rules: Rules) -> Screenplay:
    """A parsed script with its cues resolved to characters and each scene's people known."""
    return with_directed(resolve(play, bible, rules), side, bible)


def _result(stage: str, read: EpisodeRead, bible: Bible, rules: Rules) -> bytes:
    if stage == "tally":
        return tally(read, rules).to_bytes()
    if stage == "problems":
        return encode(Screenplay((), (), read.screenplay.problems))
    if stage == "spoke":
        return json.dumps(_spoke(read.screenplay), ensure_ascii=False, sort_keys=True).encode()
    return OBSERVATIONS.dump_json(MECHANISMS[stage].find(read, bible, rules), by_alias=True, exclude_defaults=True)


def _spoke(play: Screenplay) -> dict[str, list[int]]:
    spoke: dict[str, list[int]] = {}
    for speech in play.speeches():
        for speaker in speech.speakers:
            held = spoke.setdefault(speaker, [0, 0])
            held[0] += 1
            held[1] += len(speech.text.split())
    return spoke


def observations(data: Iterable[bytes]) -> list[Observation]:
    """Observations from stored results."""
    return [seen for raw in data for seen in OBSERVATIONS.validate_json(raw)]
