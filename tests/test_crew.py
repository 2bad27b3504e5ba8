"""One batched map: here, in processes however they are started, on a Dask cluster; the same bytes from all of them."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from showmemory import ahead, crew, work
from showmemory.crew import Crew, Gone
from showmemory.flow import Options, Run, remember
from showmemory.model.ids import digest
from showmemory.model.rules import Rules
from showmemory.model.show import Bible
from showmemory.model.span import Problem
from showmemory.store import program
from shows import outputs, script, tiny

EPISODES = 24


def episode(number: int) -> str:
    return script(
        ("ADA", f"Define {('safe', 'twice', 'witness')[number % 3]}."),
        ("BO", f"Nobody counts the lighthouse keys {number} times."),
        ("ADA", "The kettle is a witness, and it is not talking."),
    )


def many(to: Path) -> Path:
    """A show with enough scripts for others to be called."""
    return tiny(to, {f"s01e{n:02d}.fountain": episode(n) for n in range(1, EPISODES + 1)})


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run in one process writes."""
    show = many(tmp_path_factory.mktemp("alone") / "show")
    assert remember(show, Options(workers=1)).errors == []
    return outputs(show)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A real cluster on this machine: two worker processes, each watched by a nanny that starts it again."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50, host="127.0.0.1"
    ) as made:
        yield made


def pids(cluster: Any) -> list[int]:
    from distributed import Client

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        return sorted(client.run(os.getpid).values())


def test_processes_that_are_started_anew_give_the_same_bytes(tmp_path: Path, alone: dict[str, bytes]) -> None:
    """Issue 5.4: spawn-safe, as where fork is not the default; one worker pool serves several shows."""
    workers = Crew(2, kept=True, start="spawn")
    for name in ("one", "two"):
        show = many(tmp_path / name)
        run = remember(show, Options(workers=workers))
        assert run.problems == [] and run.artifacts.made["parse"] == EPISODES
        assert outputs(show) == alone
    workers.dismiss()


def test_passes_that_others_do_give_the_same_bytes(
    tmp_path: Path, alone: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 5.4: what would else be left to this process: voices, and two of the lists of what recurs."""
    monkeypatch.setattr(ahead, "_LEAST", EPISODES)
    show = many(tmp_path / "show")
    run = remember(show, Options(workers=2))
    assert run.problems == [] and outputs(show) == alone
    assert len(run.artifacts.beside) == 2 and all(told._rows for told in run.artifacts.beside.values())
    assert run.artifacts.coming is not None and run.artifacts.coming.exception() is None
    assert "voices" not in run.artifacts.made and run.artifacts.made["earn"] == EPISODES


def _fails(given: bytes) -> None:
    raise RuntimeError("for once")


def test_passes_that_others_fail_at_are_done_here(
    tmp_path: Path, alone: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "_LEAST", EPISODES)
    for name in ("_half", "_voices"):
        monkeypatch.setattr(ahead, name, _fails)
    show = many(tmp_path / "show")
    run = remember(show, Options(workers=2))
    assert run.problems == [] and outputs(show) == alone
    assert run.artifacts.made["voices"] == run.artifacts.made["earn"] == EPISODES


def test_a_dask_cluster_gives_the_same_bytes(
    tmp_path: Path, alone: dict[str, bytes], cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 5.4: an address in the environment is all it takes."""
    monkeypatch.setenv(crew.WORKERS, cluster.scheduler_address)
    monkeypatch.setattr(work, "do", None)  # nothing is done in this process
    show = many(tmp_path / "show")
    assert remember(show).problems == []
    assert outputs(show) == alone


def test_a_worker_killed_in_the_middle_changes_no_byte(tmp_path: Path, alone: dict[str, bytes], cluster: Any) -> None:
    show = many(tmp_path / "show")
    before = pids(cluster)
    workers = Crew(cluster.scheduler_address)
    run = Run(show, Options(workers=workers), say=lambda *_: None)
    killed: list[int] = []

    def say(stage: str, done: int, of: int) -> None:
        if done == 2:
            os.kill(before[0], signal.SIGKILL)
            killed.append(before[0])

    run.say = say
    for stage in ("parse", "extract", "ask", "merge", "validate", "emit"):
        run.stage(stage)
    run.close()
    assert killed and run.problems == []
    assert outputs(show) == alone
    until = time.monotonic() + 30
    while pids(cluster) == before and time.monotonic() < until:
        time.sleep(0.1)
    assert before[0] not in pids(cluster)


def test_a_far_worker_needs_no_file_of_the_show(tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes travel with the work: these paths lead somewhere from this process alone."""
    show = many(tmp_path / "show")
    run = Run(show, Options(workers=1))
    run.close()
    monkeypatch.chdir(show)
    jobs = [
        work.Job(e, Path(e.script), digest(Path(e.script).read_bytes()), None, run.sides[e.id], {"parse": "0" * 64})
        for e in run.show.episodes
    ]
    here = [work.do(job, Bible(), Rules("en")) for job in jobs]
    monkeypatch.setattr(work, "do", None)
    assert list(work.run(jobs, Bible(), Rules("en"), Crew(cluster.scheduler_address))) == here
    assert all(here)


def test_workers_of_another_version_are_not_believed(
    tmp_path: Path, alone: dict[str, bytes], cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they would make stands under keys that say otherwise: all is done here, and said once."""
    monkeypatch.setattr(program, "makers", lambda: "another program")
    show = many(tmp_path / "show")
    run = remember(show, Options(workers=cluster.scheduler_address))
    assert [str(p) for p in run.problems] == [
        "workers: notice: expected the workers to do their part, found OtherProgram: "
        "a worker has another version of showmemory\n    what was not done yet is done here"
    ]
    assert outputs(show) == alone


def test_nobody_at_the_address_is_a_notice(
    tmp_path: Path, alone: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "_WAIT", 1)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        show = many(tmp_path / "show")
        run = remember(show, Options(workers=f"tcp://127.0.0.1:{taken.getsockname()[1]}"))
    (told,) = run.problems
    assert told.severity == "notice" and told.message.startswith("expected the workers to do their part, found ")
    assert outputs(show) == alone


def _die(batch: list[int], given: bytes) -> list[int]:
    if 3 in batch:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def test_a_process_that_is_killed_leaves_the_rest_to_be_done_here() -> None:
    """As by the system, for memory: what came before it is kept, and who asked knows that the workers are gone."""
    workers = Crew(2)
    got: list[list[int]] = []
    made = workers.map(_die, [[1], [2], [3], [4]], b"")
    with pytest.raises(Gone):
        got.extend(batch for batch in made)
    assert got == [[1], [2]][: len(got)]


@pytest.mark.parametrize(
    ("said", "environment", "expected"),
    [
        (3, "5", (3, "")),
        ("3", "5", (3, "")),
        ("", "5", (5, "")),
        ("", "tcp://10.0.0.1:8786", (None, "tcp://10.0.0.1:8786")),
        ("", "", (None, "")),
        ("many", "", (None, "")),
        ("0", "", (None, "")),
    ],
)
def test_how_workers_are_chosen(
    said: int | str, environment: str, expected: tuple[int | None, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was said, else the environment, else a process a processor; a slip is told and never stops the work."""
    monkeypatch.setenv(crew.WORKERS, environment)
    told: list[Problem] = []
    made = Crew(said, told.append)
    assert made.address == expected[1] and made.count == (expected[0] or min(8, os.cpu_count() or 1))
    assert [p.message for p in told] == (
        [f"expected a number of processes or the address of a Dask scheduler, found {said}"]
        if said in ("many", "0")
        else []
    )


def test_workers_end_with_the_run(tmp_path: Path) -> None:
    show = many(tmp_path / "show")
    run = remember(show, Options(workers=2))
    assert run.artifacts.made["parse"] == EPISODES
    assert not [
        thread for thread in threading.enumerate() if "QueueManager" in type(thread).__name__ and thread.is_alive()
    ]
