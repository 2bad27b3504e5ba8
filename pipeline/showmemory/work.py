"""The unit of work: one episode's script through the readers and rules that have no result yet. Runs in any process."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from multiprocessing.connection import wait
from pathlib import Path

from pydantic import TypeAdapter

from showmemory.extract.per_episode import MECHANISMS
from showmemory.extract.tally import tally
from showmemory.model.codec import decode, encode
from showmemory.model.ids import digest
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Bible, Episode, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.presence import with_directed
from showmemory.read.screenplay import read_screenplay

OBSERVATIONS: TypeAdapter[list[Observation]] = TypeAdapter(list[Observation])
Results = dict[str, tuple[str, bytes]]
_BATCH = 8


@dataclass(frozen=True, slots=True)
class Job:
    """What has to be made for one episode: `wants` maps a stage name to the key its result is kept under.

    `sha`: the hash of the script's bytes that all those keys were made from.
    """

    episode: Episode
    path: Path
    sha: str
    parsed: bytes | None
    side: SideFiles
    wants: Mapping[str, str]


def run(jobs: Sequence[Job], bible: Bible, rules: Rules, workers: int = 1) -> Iterator[Results]:
    """Do every job, in order: for each the results as key -> (stage, bytes). Small batches stay in this process."""
    if workers < 2 or len(jobs) < _BATCH:
        yield from (do(job, bible, rules) for job in jobs)
        return
    context = multiprocessing.get_context("spawn" if os.name == "nt" else "forkserver")
    done = 0
    try:
        with ProcessPoolExecutor(min(workers, len(jobs)), context, _begin) as pool:
            for results in mapped(pool, jobs, bible, rules):
                yield results
                done += 1
    except BrokenExecutor:
        # A worker was killed, for memory as a rule: the rest is done here, one at a time.
        yield from (do(job, bible, rules) for job in jobs[done:])


def mapped(pool: Executor, jobs: Sequence[Job], bible: Bible, rules: Rules) -> Iterator[Results]:
    """The jobs' results in order, through any executor, in batches that share what all jobs read."""
    size = max(1, min(32, len(jobs) // 8))
    batches = [jobs[at : at + size] for at in range(0, len(jobs), size)]
    for results in pool.map(_batch, batches, repeat(pickle.dumps((bible, rules)))):
        yield from results


def _batch(jobs: Sequence[Job], given: bytes) -> list[Results]:
    bible, rules = _unpickled(given)
    return [do(job, bible, rules) for job in jobs]


@lru_cache(maxsize=2)
def _unpickled(given: bytes) -> tuple[Bible, Rules]:
    made: tuple[Bible, Rules] = pickle.loads(given)
    return made


def _begin() -> None:
    """In a worker: leave Ctrl-C to the run, and end when the run is killed, which else would leave it waiting."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(parent: int) -> None:
    wait([parent])
    os._exit(1)


def do(job: Job, bible: Bible, rules: Rules) -> Results:
    """One episode: parse unless that is here, resolve its cast, run the mechanisms that are wanted.

    A script that is no longer what its hash says gives nothing: a result under the wrong key would never go away.
    """
    made: Results = {}
    if job.parsed is None:
        data = _bytes(job.path)
        if digest(data) != job.sha:
            return made
        play = read_screenplay(data, job.episode.script, rules)
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


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


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
