"""Problems in the form GitHub puts beside the line they are about, in a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from showmemory.model.span import Problem

GITHUB = "github"


def annotated(problems: Iterable[Problem], root: Path) -> Iterator[str]:
    """One line a problem. GitHub knows files by their path in the repository, not in the show."""
    prefix = _prefix(root)
    for problem in problems:
        where = [f"file={_property(prefix + problem.span.path)}"] if _is_file(problem.span.path, root) else []
        where += [f"line={problem.span.line}"] if where and problem.span.line else []
        where += [f"col={problem.span.column}"] if where and problem.span.line and problem.span.column else []
        told = [problem.message, problem.source.strip()[:200], problem.hint]
        if not where:
            told[0] = f"{problem.span}: {problem.message}" if problem.span.path else problem.message
        rows = "\n".join(row for row in told if row)
        yield f"::{problem.severity} {','.join([*where, 'title=showmemory'])}::{_data(rows)}"


def plain(row: str) -> str:
    """A line of ours that GitHub takes for no order, whatever stands in the names of files."""
    return f"showmemory: {row}".replace("##[", "# #[")


def _prefix(root: Path) -> str:
    """The way from the top of the repository to the show."""
    root = root.resolve()
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    return "" if top == root else f"{root.relative_to(top).as_posix()}/"


def _is_file(path: str, root: Path) -> bool:
    """A place that is a file, or was one: some problems are of the show as a whole."""
    return bool(path) and ("/" in path or (root / path).is_file())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
