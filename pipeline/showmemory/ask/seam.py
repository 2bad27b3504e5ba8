"""The seam between a show and a model: what is asked, what comes back, and what a provider must be able to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Block:
    """One part of what is sent. `kept`: everything up to its end may be kept by the server for the next call."""

    text: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """One question: fixed words, parts, and the shape of the answer. `turns` follow in a repair round."""

    model: str
    system: str
    blocks: tuple[Block, ...]
    schema: Mapping[str, Any]
    max_tokens: int
    effort: str = ""
    turns: tuple[tuple[str, str], ...] = ()

    def after(self, answer: str, errors: str) -> Request:
        """The same question once more, with the answer that could not be used and why."""
        return replace(self, turns=(*self.turns, ("assistant", answer), ("user", errors)))

    @property
    def text(self) -> str:
        """Everything that is sent as words, for counting."""
        return "\n".join([self.system, *(b.text for b in self.blocks), *(t for _, t in self.turns)])


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that were counted by whoever sends the bill."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_write + other.cache_write,
            self.cache_read + other.cache_read,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as text, and what it used."""

    text: str
    usage: Usage = Usage()
    id: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer. `again`: it may pass by itself; `wait`: how long the server asks to wait.

    `usage`: it was answered and paid for, but cannot be used; asking again would pay for the same. `sent`: it went
    out and nothing is known of its cost.
    """

    why: str
    again: bool = False
    wait: float | None = None
    usage: Usage | None = None
    sent: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a call may take, how often it is tried, and how large an answer may be (prompts/limits.toml)."""

    connect_s: float = 10.0
    timeout_s: float = 600.0
    retries: int = 2
    backoff_s: float = 1.0
    retry_wait_s: float = 30.0
    answer_bytes: int = 400_000


@dataclass(frozen=True, slots=True)
class Access:
    """Where a provider is and the key to it. The key is never printed, and `scrub` keeps it out of messages."""

    base_url: str
    key: str = field(default="", repr=False)
    key_name: str = ""
    limits: Limits = Limits()

    def scrub(self, text: str) -> str:
        """`text` on one line, without the key, and not too long to print."""
        plain = " ".join(text.split())
        return (plain.replace(self.key, "…") if self.key else plain)[:300]


class LlmProvider(Protocol):
    """What a model's adapter can do. No method raises: what goes wrong is a Failure."""

    def body(self, request: Request) -> dict[str, Any]:
        """Exactly what is sent."""

    def count(self, request: Request) -> int | None:
        """How many tokens the request is, or None where the server cannot say."""

    def ask(self, request: Request) -> Reply | Failure:
        """One call."""


@dataclass(frozen=True, slots=True)
class Collected:
    """How a batch stands: not `ended`, or each request's answer by its id, in whatever order they came."""

    ended: bool
    done: int = 0
    of: int = 0
    answers: Mapping[str, Reply | Failure] = field(default_factory=dict)


@runtime_checkable
class Batching(Protocol):
    """A provider that also takes many requests at once, at half price, and answers later."""

    def submit(self, requests: Mapping[str, Request]) -> str | Failure:
        """Send requests by id; returns the batch's own id."""

    def collect(self, batch: str) -> Collected | Failure:
        """Ask for a batch's answers."""
