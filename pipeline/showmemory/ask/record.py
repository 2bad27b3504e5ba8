"""Answers as they are kept beside an episode: inputs from then on, read whether or not a model is there to ask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field, ValidationError

from showmemory.ask.draft import Pass
from showmemory.ask.seam import Usage
from showmemory.model.base import Frozen
from showmemory.model.memory import Form, Kind

HAND = "written by hand"


class Mark(Frozen):
    """What a mark in the question stood for: the identity of an entry."""

    kind: Kind
    key: str
    name: str
    form: Form | None = None
    about: tuple[str, ...] = ()
    field: str | None = None


class Used(Frozen):
    """Tokens and what they cost."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0
    usd: float = 0.0

    @classmethod
    def of(cls, usage: Usage, usd: float) -> Used:
        """What is kept of a bill."""
        return cls(
            input=usage.input,
            output=usage.output,
            cache_write=usage.cache_write,
            cache_read=usage.cache_read,
            usd=round(usd, 6),
        )


class Recorded(Frozen):
    """One answer and what it was asked with. `key` decides only whether to ask again.

    `fell`: where in the answer a cite's words did not stand when it was given. `dropped`: what was left out of it, in
    words. `failed`: it was paid for and cannot be used, so that it is not paid for twice. `marked`: who wrote it, when
    no model did. `entry`: what a rewrite was asked for. `about`: the season summed up.
    """

    pass_: Pass = Field("memory", alias="pass")
    key: str = ""
    script: str = ""
    prompt: str = ""
    prompt_hash: str = ""
    provider: str = ""
    model: str = ""
    settings: dict[str, str | int] = Field(default_factory=dict)
    marked: Literal["", "written by hand"] = ""
    used: Used = Used()
    repaired: bool = False
    failed: str = ""
    about: str = ""
    entry: Mark | None = None
    marks: dict[str, Mark] = Field(default_factory=dict)
    fell: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    answer: dict[str, Any] = Field(default_factory=dict)


class Answers(Frozen):
    """`answers.json`: every answer about one episode, the newest last."""

    kind: Literal["ShowAnswers"] = "ShowAnswers"
    version: Literal[1] = 1
    id: str = Field(pattern=r"^ep\.[^\s]+$")
    answers: tuple[Recorded, ...] = ()

    def has(self, key: str) -> bool:
        """Whether just this was asked before."""
        return any(one.key == key for one in self.answers)

    def adding(self, more: Iterable[Recorded]) -> Answers:
        """With further answers at the end."""
        return self.model_copy(update={"answers": (*self.answers, *more)})

    def newest(self, pass_: Pass) -> Recorded | None:
        """The newest answer of a pass that can be used."""
        return next((one for one in reversed(self.answers) if one.pass_ == pass_ and not one.failed), None)

    def standing(self) -> tuple[Recorded, ...]:
        """What is folded: the newest of each pass, and rewrites asked for after it, the newest of each entry."""
        found = [one for name in ("memory", "voice", "diary", "season") if (one := self.newest(name))]
        last = max((at for at, one in enumerate(self.answers) if one.pass_ == "memory" and not one.failed), default=-1)
        rewrites: dict[tuple[str, str], Recorded] = {}
        for one in self.answers[last + 1 :]:
            if one.pass_ == "rewrite" and one.entry is not None and not one.failed:
                rewrites[one.entry.kind, one.entry.key] = one
        return (*found, *(rewrites[at] for at in sorted(rewrites)))


def read_answers(value: object) -> Answers | str:
    """Plain values as answers, or the first thing that is wrong with them."""
    try:
        return Answers.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "answers"
        return f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}"
