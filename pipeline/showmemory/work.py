"""The unit of work: one episode's script through the readers and rules that have no result yet. Runs in any process."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from showmemory.crew import Crew, Gone
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
from showmemory.store import program

OBSERVATIONS: TypeAdapter[list[Observation]] = TypeAdapter(list[Observation])
Results = dict[str, tuple[str, bytes]]
# Fewer jobs than this are done before others are called.
_FEW = 8
# A batch is this much at most, and each worker gets at least so many, so that none is idle at the end.
_BATCH, _SHARES = 32, 8


class OtherProgram(Exception):
    """A worker would make other results than this program under the same keys."""


@dataclass(frozen=True, slots=True)
class Job:
    """What has to be made for one episode: `wants` maps a stage name to the key its result is kept under.

    `sha`: the hash of the script's bytes that all those keys were made from; `data`: the bytes, where the file at
    `path` may not be there.
    """

    episode: Episode
    path: Path
    sha: str
    parsed: bytes | None
    side: SideFiles
    wants: Mapping[str, str]
    data: bytes | None = None


def run(jobs: Sequence[Job], bible: Bible, rules: Rules, crew: Crew | None = None) -> Iterator[Results]:
    """Do every job, in order: for each the results as key -> (stage, bytes). Few jobs stay in this process."""
    done = 0
    if crew is not None and len(jobs) >= _FEW and not crew.alone:
        try:
            for results in _mapped(crew, jobs, bible, rules):
                yield results
                done += 1
        except Gone:
            # A worker was killed, for memory as a rule, or a cluster is gone: the rest is done here, one at a time.
            pass
    yield from (do(job, bible, rules) for job in jobs[done:])


def _mapped(crew: Crew, jobs: Sequence[Job], bible: Bible, rules: Rules) -> Iterator[Results]:
    """The jobs' results in order, in batches that share what all jobs read."""
    size = max(1, min(_BATCH, len(jobs) // (_SHARES * crew.count)))
    batches = (list(jobs[at : at + size]) for at in range(0, len(jobs), size))
    if crew.far:
        batches = ([_with_bytes(job) for job in batch] for batch in batches)
    for results in crew.map(_batch, batches, pickle.dumps((program.makers(), bible, rules))):
        yield from results


def _batch(jobs: Sequence[Job], given: bytes) -> list[Results]:
    makers, bible, rules = _unpickled(given)
    if makers != program.makers():
        raise OtherProgram("a worker has another version of showmemory")
    return [do(job, bible, rules) for job in jobs]


@lru_cache(maxsize=2)
def _unpickled(given: bytes) -> tuple[str, Bible, Rules]:
    made: tuple[str, Bible, Rules] = pickle.loads(given)
    return made


def _with_bytes(job: Job) -> Job:
    """A job for a machine that has not the file."""
    return job if job.parsed is not None else replace(job, data=_bytes(job.path))


def do(job: Job, bible: Bible, rules: Rules) -> Results:
    """One episode: parse unless that is here, resolve its cast, run the mechanisms that are wanted.

    A script that is no longer what its hash says gives nothing: a result under the wrong key would never go away.
    """
    made: Results = {}
    if job.parsed is None:
        data = _bytes(job.path) if job.data is None else job.data
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
