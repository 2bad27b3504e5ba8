"""The notebook on disk: memory.json with its lock and history, the waiting proposal, the context files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from showmemory import uptodate
from showmemory.check.finding import Finding, problems
from showmemory.check.memory import load_memory
from showmemory.merge.byhand import by_hand, shortened
from showmemory.merge.person import absorb, untouched
from showmemory.model.canonical import dumps, plain
from showmemory.model.ids import digest
from showmemory.model.memory import ShowMemory
from showmemory.model.span import Problem, Span
from showmemory.store import files, git, history
from showmemory.store.lock import Held, run_lock
from showmemory.store.regain import regained
from showmemory.store.undo import patch

MEMORY = "bible/memory.json"
PROPOSAL = "bible/proposal.json"
CACHE = ".showmemory"
INPUTS = "inputs-1.json"
FOLLOWED = "numbers and places followed the scripts, nothing to decide"
_PENDING = "pending.json"


class Notebook:
    """memory.json of one show: what it holds, its bytes' sha256, and the only way to change it.

    `known`: the episodes that were remembered when it was read; `stage`: where the checkpoint stood that was replaced.
    """

    def __init__(self, root: Path) -> None:
        """Read the file. `memory` is None when there is none or when it cannot be read (then `problems` says why)."""
        self.root = root
        self.memory: ShowMemory | None = None
        self.problems: list[Problem] = []
        self._found: ShowMemory | None = None
        self._before: ShowMemory | None = None
        self._hand: tuple[str, ...] = ()
        self.known: frozenset[str] = frozenset()
        self.stage = ""
        try:
            self.text = files.read_text(root / MEMORY)
        except OSError as error:
            self.text = ""
            found = (error.strerror or type(error).__name__).lower()
            self.problems = [Problem(Span(MEMORY), "error", f"expected a file that can be read, found {found}")]
            return
        if self.text is not None:
            self.memory, self.problems = load_memory(self.text, MEMORY)
        if self.memory is not None:
            self.problems = _twice(self.memory, self.text or "")
            self.memory = None if self.problems else self.memory
        if self.memory is not None:
            self.known = frozenset(e.id for e in self.memory.episodes)

    def publish(self, wanted: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """Write the context files, as `write_context` does, noting the stage of the checkpoint that was there."""
        self.stage = _stage(self.root)
        return write_context(self.root, wanted)

    @property
    def hash(self) -> str:
        """sha256 of the file's bytes, empty when there is no file."""
        return digest(self.text.encode("utf-8", "surrogateescape")) if self.text is not None else ""

    @property
    def print(self) -> str:
        """A short form of `hash`, for the history."""
        return print_of(self.text)

    @property
    def broken(self) -> bool:
        """Whether the file is there and cannot be read; then nothing may write it."""
        return self.text is not None and self.memory is None

    def there(self) -> Problem | None:
        """A Problem when a memory is there: beginning anew is for one that is gone, since it holds somebody's words."""
        if self.text is None:
            return None
        hint = "without --fresh it is brought up to date; nothing was touched"
        return Problem(Span(MEMORY), "error", "expected no memory to begin anew, found one", hint)

    def lost(self) -> Problem | None:
        """A Problem when memory.json is gone while the history or git still holds one (then it is no first memory)."""
        if self.text is not None:
            return None
        done, _ = history.stacks(history.read(self.root))
        held = "the history" if done else "git" if git.last(self.root, MEMORY) else ""
        if not held:
            return None
        return Problem(
            Span(MEMORY),
            "error",
            f"expected the show's memory, found no file, and {held} holds one",
            "bring it back: showmemory restore --memory     or begin anew: showmemory remember --fresh",
        )

    def absorb(self) -> tuple[ShowMemory, tuple[str, ...]]:
        """Memory with what a person did to the file by hand made explicit, and a line for each; the file is there.

        The next `save` notes those as a change of their own, before its own.
        """
        if self._found is None:
            self._found = self.memory
            assert self._found is not None, "a file that is there and can be read"
            self.memory, lines = absorb(self._found)
            self._before = self._as_written()
            self._hand = lines if self._before is None else by_hand(self._before, self.memory, lines)
        assert self.memory is not None, "absorbing loses nothing"
        return self.memory, self._hand

    def save(self, memory: ShowMemory | None, did: str, by: str, kind: str = "change", of: str = "") -> bool:
        """Write memory (None removes it) and note the change with its undo; returns whether anything changed."""
        self.save_hand()
        return self._write(self.memory, memory, did, by, kind, of)

    def follow(self, memory: ShowMemory) -> bool:
        """Write what moved without a decision: no change of its own to be undone, it goes with what it follows."""
        if self._hand:
            return self.save_hand(memory)
        return self._write(self.memory, memory, FOLLOWED, "pass", history.FOLLOWED, "")

    def save_hand(self, memory: ShowMemory | None = None) -> bool:
        """Write and note what a person did by hand, if that is still to do; an undo gives back what was there.

        `memory`: the same, with what moved without a decision.
        """
        if not self._hand or self._found is None or self.memory is None:
            return False
        found, lines, before = self._found, self._hand, self._before
        self._found, self._before, self._hand = None, None, ()
        before = before or untouched(found, self.memory)
        return self._write(before, memory or self.memory, shortened(lines), "person", "change", "")

    def _as_written(self) -> ShowMemory | None:
        """Memory as the history's last line left it, where the file is another now and the history can tell."""
        if history.newest_print(self.root) == self.print:
            return None
        made = regained(history.read(self.root))
        memory = load_memory(dumps(made.document), MEMORY)[0] if made and not made.parted else None
        exact = made is not None and memory is not None and print_of(dumps(memory)) == made.change.get("to")
        return memory if exact else None

    def _write(
        self, before: ShowMemory | None, memory: ShowMemory | None, did: str, by: str, kind: str, of: str
    ) -> bool:
        text = dumps(memory) if memory is not None else None
        if text == self.text and before is self.memory and kind not in ("undo", "redo"):
            return False
        old, new = plain(before) if before else None, plain(memory) if memory else None
        undo, redo = patch(old, new), patch(new, old)
        if not undo and text is not None and kind not in ("undo", "redo"):
            # Only laid out otherwise: nothing that anybody would take back.
            self.text, self.memory = text, memory
            return files.write_text(self.root / MEMORY, text)
        pending = _Pending(self.print, print_of(text), history.size(self.root))
        pending.note(self.root)
        try:
            history.append(self.root, did, by, undo, (pending.before, pending.after), kind, of, redo=redo)
            if text is None:
                files.remove(self.root / MEMORY)
            else:
                files.write_text(self.root / MEMORY, text)
        finally:
            pending.settle(self.root)
        self.text, self.memory, self._found, self._before, self._hand = text, memory, None, None, ()
        return True

    def moved(self) -> Problem | None:
        """A Problem when somebody saved the file since it was read: what they wrote there must not be written over."""
        if files.read_text(self.root / MEMORY) == self.text:
            return None
        message = "expected memory.json as this run read it, found it saved since"
        return Problem(Span(MEMORY), "error", message, "nothing was written; run this again")

    def document(self) -> dict[str, Any] | None:
        """Memory as plain values."""
        return plain(self.memory) if self.memory is not None else None


class _Pending(NamedTuple):
    """A change on its way: memory's print before and after, and the history's length before its line."""

    before: str
    after: str
    length: int

    def note(self, root: Path) -> None:
        """Say so on disk, so that after a kill the next run knows whether the history's line took."""
        try:
            files.write_text(root / CACHE / _PENDING, json.dumps(self))
        except OSError:
            return

    def settle(self, root: Path) -> None:
        """Where memory is as it was, the change never took: its line goes out of the history."""
        if print_of(files.read_text(root / MEMORY)) == self.before != self.after:
            history.take_back(root, self.length, self.before, self.after)
        try:
            files.remove(root / CACHE / _PENDING)
        except OSError:
            return


def print_of(text: str | None) -> str:
    """Twelve hex digits of memory's bytes, empty for no file."""
    return digest(text.encode("utf-8", "surrogateescape"))[:12] if text is not None else ""


@contextmanager
def held(root: Path, wait: float = 20.0) -> Iterator[Problem | None]:
    """Hold the show's lock, or yield a Problem that says who does."""
    try:
        with run_lock(root / CACHE, wait=wait):
            _heal(root)
            yield None
    except Held as other:
        yield Problem(
            Span(str(CACHE + "/lock")),
            "error",
            f"expected no other run on this show, found {other.holder} at work on it",
            "wait until it is done and run this again",
        )


def set_aside(root: Path) -> list[str]:
    """Move a memory.json that cannot be read out of the way, since somebody's words may stand in it; says where to."""
    path = root / MEMORY
    if not os.path.lexists(path):
        return []
    kept = next(name for n in range(1, 1000) if not (name := path.with_name(f"memory.damaged-{n}.json")).exists())
    path.rename(kept)
    return [f"the damaged one is kept as bible/{kept.name}; showmemory does not read it"]


def write_context(root: Path, wanted: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Write context files whose bytes differ and remove those no longer wanted; returns (written, removed) paths."""
    written = [path for path, text in wanted.items() if files.write_text(root / path, text)]
    there = (p for p in (root / "context").rglob("*") if p.is_file()) if (root / "context").is_dir() else ()
    stale = [p for p in there if p.relative_to(root).as_posix() not in wanted and p.suffix in (".md", ".json")]
    removed = [p.relative_to(root).as_posix() for p in stale if files.remove(p)]
    return written, sorted(removed)


def _stage(root: Path) -> str:
    """The stage that the checkpoint among the context files was left at; empty where there is none."""
    try:
        (line,) = json.loads(files.read_text(root / "context/checkpoint.json") or "null")["stage"]["lines"]
        return str(line["text"])
    except (ValueError, TypeError, LookupError, OSError):
        return ""


def write_proposal(root: Path, text: str | None) -> bool:
    """Stage the waiting plan, or clear it away; returns whether the file changed."""
    if text is None:
        return files.remove(root / PROPOSAL)
    return files.write_text(root / PROPOSAL, text)


def _heal(root: Path) -> None:
    """After a kill: a change that never reached memory leaves no line in the history, and temp files go."""
    try:
        before, after, length = json.loads(files.read_text(root / CACHE / _PENDING) or "null")
        _Pending(str(before), str(after), int(length)).settle(root)
    except (ValueError, TypeError, OSError):
        pass
    left = [root / name for name, _ in uptodate.files(root) if files.is_left_over(name.rpartition("/")[2])]
    for path in (
        *left,
        *(root / CACHE).glob("*.tmp"),
        *(root / CACHE).glob(".*.tmp"),
        *(root / CACHE).glob(".clock.*"),
    ):
        try:
            files.remove(path)
        except OSError:
            continue


def _twice(memory: ShowMemory, text: str) -> list[Problem]:
    """Two entries or episodes of one id, as a careless merge leaves them: to read on would lose one of them."""
    found = []
    for part in ("entries", "episodes"):
        seen: dict[str, Any] = {}
        for number, one in enumerate(getattr(memory, part)):
            if seen.setdefault(one.id, one) is not one:
                hint = "keep one of the two; memory was not touched"
                found.append(Finding((part, number, "id"), "error", f"two {part} are called {one.id}", hint))
    return problems(found, text, MEMORY)


def note_inputs(root: Path, inputs: Mapping[str, str]) -> None:
    """Keep what this run was made from in the cache, for `why` to compare with; a read-only cache keeps nothing."""
    try:
        files.write_text(root / CACHE / INPUTS, json.dumps(inputs, ensure_ascii=False, indent=0, sort_keys=True))
    except OSError:
        return
