"""What can go wrong between here and a model, in words, and which of it passes by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any

from showmemory.ask.seam import Access, Failure, Limits, Reply

_PASSES = frozenset({408, 409, 429})
_NAMED = {429: "the service is busy (429)", 529: "the service is overloaded (529)"}


def status(code: int, said: str, access: Access, model: str, retry_after: str | None = None) -> Failure:
    """What an HTTP status means. `said`: the server's own words."""
    if code in (401, 403):
        key = f"the key in {access.key_name}" if access.key else "a call without a key"
        return Failure(f"the service did not take {key} ({code})")
    if code == 404:
        return Failure(f"the service knows nothing called {model} here (404)")
    if code == 413:
        return Failure("the request is larger than the service takes (413)")
    if code in _PASSES or code >= 500:
        why = _NAMED.get(code, f"the service failed ({code})")
        return Failure(why, again=True, wait=_seconds(retry_after))
    words = access.scrub(said)
    return Failure(f"the service refused the request ({code})" + (f": {words}" if words else ""))


def told(body: Any, text: str) -> str:
    """The server's own words in an error's body, where it has some."""
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return "" if "<" in text[:200] else text[:200]


def tried(call: Callable[[], Reply | Failure], limits: Limits) -> Reply | Failure:
    """Call, and call again what passes by itself, a bounded number of times, never waiting long."""
    attempt = 0
    while True:
        made = call()
        if isinstance(made, Reply) or not made.again:
            return made
        if made.wait is not None and made.wait > limits.retry_wait_s:
            longest = f"more than the {limits.retry_wait_s:g} s that are waited"
            return Failure(f"{made.why} and asks to wait {made.wait:g} s, {longest}", again=True)
        if attempt == limits.retries:
            return Failure(f"{made.why}, {attempt + 1} times" if attempt else made.why, again=True, sent=made.sent)
        backoff = min(limits.backoff_s * 2**attempt, limits.retry_wait_s)
        time.sleep(made.wait if made.wait is not None else backoff)
        attempt += 1


def timeout(limits: Limits) -> Failure:
    """The answer was not here in time. It may have been paid for, so it is not asked for again in this run."""
    return Failure(f"expected an answer within {limits.timeout_s:g} s, found none", sent=True)


def too_large(limits: Limits) -> Failure:
    """Nobody reads more than a draft can be."""
    return Failure(f"expected an answer of at most {limits.answer_bytes // 1000} kB, found a larger one", sent=True)


def broken_off() -> Failure:
    """The connection ended within the answer."""
    return Failure("the answer broke off before its end", sent=True)


def dropped() -> Failure:
    """The connection ended before the answer began."""
    return Failure("the connection broke before an answer came", again=True, sent=True)


def unreachable(access: Access) -> Failure:
    """Nobody is there."""
    return Failure(f"no connection to {access.base_url}", again=True)


def not_json(content_type: str) -> Failure:
    """A page where an answer was expected: a proxy's, or a wrong address."""
    kind = content_type.partition(";")[0].strip() or "something else"
    found = "something else" if kind == "application/json" else kind
    return Failure(f"expected the service to answer in JSON, found {found}: is base_url right?", sent=True)


def _seconds(header: str | None) -> float | None:
    """A retry-after header: seconds, or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
