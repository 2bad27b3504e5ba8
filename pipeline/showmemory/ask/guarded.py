"""The Anthropic SDK's client with a clock and a measure on every reply. Loaded only when a model is asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx2

from showmemory.ask import failures
from showmemory.ask.seam import Access, Failure, Limits

RESPONSE = httpx2.Response


class _TooLarge(Exception):
    """More bytes came than an answer may have."""


class _TooSlow(Exception):
    """Bytes came, but not all of them in time."""


class _Timed(httpx2.SyncByteStream):
    """A reply's bytes, as long as they come in time and are not too many."""

    def __init__(self, stream: Any, ends: float, limits: Limits) -> None:
        self._stream, self._ends, self._limits = stream, ends, limits

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > self._limits.answer_bytes:
                raise _TooLarge
            if time.monotonic() > self._ends:
                raise _TooSlow
            yield chunk

    def close(self) -> None:
        """Let go of the connection."""
        self._stream.close()


class _Guarded(anthropic.DefaultHttpxClient):
    """A server that drips a byte a second never times out by itself, so every reply is read against a clock."""

    limits = Limits()

    def send(self, request: Any, **options: Any) -> Any:
        """Send, and read the reply unless it is wanted as a stream."""
        streamed = options.pop("stream", False)
        ends = time.monotonic() + self.limits.timeout_s
        response = super().send(request, stream=True, **options)
        response.stream = _Timed(response.stream, ends, self.limits)
        if not streamed:
            try:
                response.read()
            except BaseException:
                response.close()
                raise
        return response


def client(access: Access) -> anthropic.Anthropic:
    """A client that asks nobody but `access`: no retries of its own, no redirects, no tracing, no other key."""
    limits = access.limits
    # A redirect would carry the key to wherever it leads.
    http = _Guarded(follow_redirects=False)
    http.limits = limits
    return anthropic.Anthropic(
        api_key=access.key,
        base_url=access.base_url,
        max_retries=0,
        timeout=httpx2.Timeout(limits.timeout_s, connect=min(limits.connect_s, limits.timeout_s)),
        http_client=http,
        open_telemetry=False,
    )


def named(error: Exception, access: Access, model: str) -> Failure:
    """What happened, by the first cause that is known: the SDK wraps what its transport raises."""
    if isinstance(error, anthropic.APIStatusError):
        said = failures.told(error.body, error.response.text)
        return failures.status(error.status_code, said, access, model, error.response.headers.get("retry-after"))
    chain = list(_causes(error))
    if any(isinstance(e, _TooLarge) for e in chain):
        return failures.too_large(access.limits)
    if any(isinstance(e, httpx2.ConnectError | httpx2.ConnectTimeout) for e in chain):
        return failures.unreachable(access)
    if any(isinstance(e, _TooSlow | httpx2.TimeoutException) for e in chain):
        return failures.timeout(access.limits)
    if any(isinstance(e, httpx2.TransportError) for e in chain):
        begun = any("incomplete" in str(e) or "without sending complete" in str(e) for e in chain)
        return failures.broken_off() if begun else failures.dropped()
    return Failure(f"the service's client failed: {type(chain[-1]).__name__}")


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__
