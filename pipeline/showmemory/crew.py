"""Who does the batched map: this process, processes beside it, or the workers of a Dask cluster.

Workers are a number (processes here) or the address of a Dask scheduler; where nothing is said, the environment says,
and else there is a process for each processor, eight at most. Whoever does it, the results are the same.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing.connection import wait
from typing import Any, TypeVar

from showmemory.model.span import Problem, Span

WORKERS = "SHOWMEMORY_WORKERS"
_MOST = 8
_WAIT = 20
# So many batches are given out at once for each worker: enough that none waits, few enough for the memory.
_AHEAD = 3
# What the process that others are forked from has loaded: once for all of them.
_LOADED = ("showmemory.ahead",)

A = TypeVar("A")
B = TypeVar("B")
Tell = Callable[[Problem], None]


class Gone(Exception):
    """The workers are not there, or no longer: what is not done has to be done here."""


class Crew:
    """The workers of a run, called when there is work for them; `kept` ones stay until they are dismissed."""

    def __init__(
        self, said: int | str = "", tell: Tell = lambda _: None, *, kept: bool = False, start: str = ""
    ) -> None:
        """Nobody is called yet. `start`: how processes are started, where that is not left to the machine."""
        self.tell = tell
        self._kept = kept
        self._start = start or ("spawn" if os.name == "nt" else "forkserver")
        self._pool: Executor | None = None
        self._client: Any = None
        self._open = ExitStack()
        self.count, self.address, wrong = _understood(said)
        if wrong is not None:
            tell(wrong)

    @property
    def alone(self) -> bool:
        """Whether there is nobody but this process."""
        return not self.address and self.count < 2

    @property
    def far(self) -> bool:
        """Whether the workers may be other machines, which have not these files."""
        return bool(self.address)

    def map(self, do: Callable[[B, bytes], A], batches: Iterable[B], given: bytes) -> Iterator[A]:
        """What `do` makes of each batch and what is given to all, in order; Gone when the workers are."""
        waiting: deque[Future[A]] = deque()
        try:
            pool = self._called()
            for batch in batches:
                waiting.append(pool.submit(do, batch, given))
                if len(waiting) >= _AHEAD * self.count:
                    yield self._result(waiting.popleft())
            while waiting:
                yield self._result(waiting.popleft())
        except BrokenExecutor as error:
            self._lose()
            raise Gone from error
        except Exception as error:
            if not self.far:
                raise
            # Whatever a cluster raises; if it was a fault of ours, it shows again where the work is done here.
            self._lose()
            self.tell(_unreachable(error))
            raise Gone from error
        finally:
            for future in waiting:
                future.cancel()

    def later(self, do: Callable[[B], A], given: B) -> Future[A]:
        """Have one of them do something meanwhile; `result` waits for it."""
        try:
            return self._called().submit(do, given)
        except BrokenExecutor as error:
            self._lose()
            raise Gone from error

    def result(self, future: Future[A]) -> A:
        """What was done meanwhile; Gone when it was not."""
        try:
            return self._result(future)
        except Exception as error:
            # A fault of ours shows again where the work is done here.
            raise Gone from error

    def rest(self) -> None:
        """There is no more for them to do in this run."""
        if not self._kept:
            self.dismiss()

    def dismiss(self) -> None:
        """Let the workers go."""
        self._open.close()
        self._pool = None

    def _called(self) -> Executor:
        if self._pool is None:
            self._pool = self._cluster() if self.far else self._beside()
        return self._pool

    def _beside(self) -> Executor:
        context = multiprocessing.get_context(self._start)
        if self._start == "forkserver":
            context.set_forkserver_preload(list(_LOADED))
        return self._open.enter_context(ProcessPoolExecutor(self.count, context, _begin))

    def _cluster(self) -> Executor:
        from distributed import Client

        self._client = self._open.enter_context(Client(self.address, timeout=_WAIT, set_as_default=False))  # type: ignore[no-untyped-call]
        self._client.wait_for_workers(1, timeout=_WAIT)
        self.count = len(self._client.nthreads())
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    def _result(self, future: Future[A]) -> A:
        """What a batch gave. A cluster that has lost all its workers would let us wait for ever."""
        while True:
            try:
                return future.result(_WAIT)
            except TimeoutError:
                if future.done() or (self.far and not self._client.nthreads()):
                    raise

    def _lose(self) -> None:
        """A lost cluster is not called again in this run; lost processes are, by the next run."""
        self._kept = self._kept and not self.far
        self.address = ""
        self._open.close()
        self._pool = None


def crew_of(said: int | str | Crew, tell: Tell) -> Crew:
    """The workers a run was given, or those of its own."""
    if not isinstance(said, Crew):
        return Crew(said, tell)
    said.tell = tell
    return said


def _understood(said: int | str) -> tuple[int, str, Problem | None]:
    """How many processes, or which address, and what was wrong with what was said."""
    here = max(1, min(_MOST, os.cpu_count() or 1))
    text = str(said).strip() or os.environ.get(WORKERS, "").strip()
    if not text:
        return here, "", None
    if text.isdecimal() and int(text) > 0:
        return int(text), "", None
    if ":" in text:
        return here, text, None
    message = f"expected a number of processes or the address of a Dask scheduler, found {text}"
    return here, "", Problem(Span("workers"), "notice", message, f"{here} processes here do the work")


def _unreachable(error: Exception) -> Problem:
    if isinstance(error, ImportError):
        return Problem(
            Span("workers"),
            "notice",
            "expected Dask to be installed for workers at an address, found none",
            'pip install "showmemory[fleet]"; all is done here instead',
        )
    found = f"{type(error).__name__}: {error}".splitlines()[0][:120]
    message = f"expected the workers to do their part, found {found}"
    return Problem(Span("workers"), "notice", message, "what was not done yet is done here")


def _begin() -> None:
    """In a worker: leave Ctrl-C to the run, and end when the run is killed, which else would leave it waiting."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(parent: int) -> None:
    wait([parent])
    os._exit(1)
