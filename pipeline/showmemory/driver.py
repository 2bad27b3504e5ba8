"""What git calls to merge two branches' memories, and the same from its index after a merge left unfinished."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from showmemory import notebook
from showmemory.check.memory import load_memory
from showmemory.merge.driver import merge_memories
from showmemory.model.canonical import dumps
from showmemory.model.memory import ShowMemory
from showmemory.model.span import Problem, Span
from showmemory.store import files, git, history
from showmemory.text.counted import counted

_SIDES = ("where the branches parted", "ours", "theirs")


@dataclass
class Merged:
    """What came of it: lines to print, and what was wrong or decided twice. `clean`: nothing is left to decide."""

    lines: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether git may take the merge for done."""
        return not any(problem.severity == "error" for problem in self.problems)


def merge_files(base: Path, ours: Path, theirs: Path, name: str = notebook.MEMORY) -> Merged:
    """Merge as git's merge driver: the result is written over `ours`. `name`: what the file is called in the show."""
    texts = [files.read_text(path) for path in (base, ours, theirs)]
    made, problems = _merged(texts, name)
    if made is not None:
        files.write_text(ours, dumps(made))
    return Merged([], problems)


def merge_from_index(root: Path) -> Merged:
    """Merge memory.json, and the history beside it, from what git holds of a merge that is not finished."""
    texts = [_text(git.stage(root, notebook.MEMORY, side)) for side in (git.BASE, git.OURS, git.THEIRS)]
    if texts[1] is None or texts[2] is None:
        lacking = "no unfinished merge of it" if texts[1:] == [None, None] else "one branch without the file"
        hint = "git status says what is unfinished; git checkout --merge bible/memory.json begins it again"
        found = f"expected git to hold both branches' memory, found {lacking}"
        return Merged([], [Problem(Span(notebook.MEMORY), "error", found, hint)])
    with notebook.held(root) as busy:
        if busy is not None:
            return Merged([], [busy])
        made, problems = _merged(texts, notebook.MEMORY)
        if made is None:
            return Merged([], problems)
        files.write_text(root / notebook.MEMORY, dumps(made))
        _history(root)
    told = f"merged: {counted(len(made.episodes), 'episode')}, {counted(len(made.entries), 'entry', 'entries')}"
    return Merged(
        [told, f"git add {notebook.MEMORY} {history.PATH} takes it, doit remember goes on from there"], problems
    )


def _merged(texts: list[str | None], name: str) -> tuple[ShowMemory | None, list[Problem]]:
    """The merge of three texts; no memory when ours or theirs cannot be read. A base that is none counts as empty."""
    sides: list[ShowMemory | None] = []
    problems: list[Problem] = []
    for text, side in zip(texts, _SIDES, strict=True):
        memory, wrong = load_memory(text, f"{name} ({side})") if text and text.strip() else (None, [])
        sides.append(memory)
        problems += wrong
    base, ours, theirs = sides
    if ours is None or theirs is None:
        return None, problems or [Problem(Span(name), "error", "expected two memories to merge, found an empty file")]
    made, clashes = merge_memories(base, ours, theirs)
    return made, [*problems, *clashes]


def _history(root: Path) -> None:
    """The changes of both branches, each once; git's own union would do the same."""
    sides = [_text(git.stage(root, history.PATH, side)) for side in (git.OURS, git.THEIRS)]
    ours, theirs = (history.parsed(side or "") for side in sides)
    changes = history.united(ours, theirs) if any(sides) else history.read(root)
    if changes:
        files.write_text(root / history.PATH, history.text_of(changes))


def _text(data: bytes | None) -> str | None:
    return data.decode("utf-8-sig", "surrogateescape") if data is not None else None
