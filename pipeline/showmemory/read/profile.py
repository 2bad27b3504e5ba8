"""The profile of whoever is writing, outside every show -> Operator; no file is no profile."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from showmemory.model.operator import Operator
from showmemory.model.span import Problem
from showmemory.read.load import load

# Names another file, or with an empty value none at all.
VARIABLE = "SHOWMEMORY_PROFILE"
NAME = "showmemory/profile.toml"


def operator(environment: Mapping[str, str]) -> tuple[Operator, list[Problem]]:
    """Who is writing, as the profile says; empty without one. What is wrong in it is a warning: nothing needs it."""
    path = profile_path(environment)
    if path is None or not path.is_file():
        return Operator(), []
    made, problems = load(path, str(path), Operator)
    return made or Operator(), [Problem(p.span, "warning", p.message, p.hint, p.source) for p in problems]


def profile_path(environment: Mapping[str, str]) -> Path | None:
    """Where the profile is, or would be."""
    if VARIABLE in environment:
        return Path(environment[VARIABLE]) if environment[VARIABLE] else None
    folder = environment.get("XDG_CONFIG_HOME", "")
    # The base directory specification: a relative path there counts as none.
    if folder and Path(folder).is_absolute():
        return Path(folder) / NAME
    home = environment.get("HOME") or environment.get("USERPROFILE")
    return Path(home) / ".config" / NAME if home else None
