"""Anthropic's Messages API through its own SDK, held to our limits: one deadline, a size, no retries but ours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from showmemory.ask import failures
from showmemory.ask.messages import message
from showmemory.ask.seam import Access, Collected, Failure, Reply, Request

URL = "https://api.anthropic.com"
KEY = "ANTHROPIC_API_KEY"


class Anthropic:
    """The adapter. The SDK is imported with the first call."""

    def __init__(self, access: Access) -> None:
        """Keep what is needed to call."""
        self._access = access
        self._made: Any = None

    def body(self, request: Request) -> dict[str, Any]:
        """Exactly what is sent. Structured output by schema: current models refuse forced tool use and prefill."""
        content = [_block(block.text, kept=block.kept) for block in request.blocks]
        turns = [{"role": role, "content": text} for role, text in request.turns]
        output: dict[str, Any] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
        if request.effort:
            output["effort"] = request.effort
        return {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "system": [_block(request.system, kept=True)],
            "messages": [{"role": "user", "content": content}, *turns],
            "output_config": output,
        }

    def count(self, request: Request) -> int | None:
        """What the server counts; None when it does not say, and then it is reckoned here."""
        body = self.body(request)
        del body["max_tokens"]
        counted = self._read(lambda client: client.messages.with_raw_response.count_tokens(**body), "")
        tokens = counted.get("input_tokens") if isinstance(counted, dict) else None
        return tokens if isinstance(tokens, int) and tokens > 0 else None

    def ask(self, request: Request) -> Reply | Failure:
        """One call, tried again where that may help."""
        body = self.body(request)

        def once() -> Reply | Failure:
            found = self._read(lambda client: client.messages.with_raw_response.create(**body), request.model)
            return found if isinstance(found, Failure) else message(found, request.max_tokens)

        return failures.tried(once, self._access.limits)

    def submit(self, requests: Mapping[str, Request]) -> str | Failure:
        """Send a batch. It is tried once: a second try could be a second batch."""
        sent = [{"custom_id": id_, "params": self.body(request)} for id_, request in sorted(requests.items())]
        found = self._read(lambda client: client.messages.batches.with_raw_response.create(requests=sent), "")
        if isinstance(found, Failure):
            return found
        id_ = found.get("id") if isinstance(found, dict) else None
        return id_ if isinstance(id_, str) and id_ else Failure("the service took a batch and gave it no id", sent=True)

    def collect(self, batch: str) -> Collected | Failure:
        """How a batch stands, and its answers once it has ended; they come in any order."""
        found = self._read(lambda client: client.messages.batches.with_raw_response.retrieve(batch), batch)
        if isinstance(found, Failure):
            return found
        counts = found.get("request_counts") if isinstance(found, dict) else None
        numbers = {k: n for k, n in counts.items() if isinstance(n, int)} if isinstance(counts, dict) else {}
        of, done = sum(numbers.values()), sum(n for k, n in numbers.items() if k != "processing")
        if not isinstance(found, dict) or found.get("processing_status") != "ended":
            return Collected(False, done, of)
        whole = Anthropic(_many(self._access, of))
        text = whole._text(lambda client: client.get(f"/v1/messages/batches/{batch}/results", cast_to=_response()))
        if isinstance(text, Failure):
            return text
        return Collected(True, of, of, dict(_results(text)))

    def _read(self, go: Callable[[Any], Any], model: str) -> Any:
        """The JSON of one reply, or why there is none."""
        text = self._text(go, model)
        if isinstance(text, Failure):
            return text
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return failures.not_json(self._type)

    def _text(self, go: Callable[[Any], Any], model: str = "") -> str | Failure:
        """The text of one reply. Whatever the SDK raises is named here, and nothing of it is passed on as it is."""
        from showmemory.ask import guarded

        access = self._access
        self._type = ""
        try:
            raw = go(self._client())
            response = getattr(raw, "http_response", raw)
            self._type = str(response.headers.get("content-type", ""))
            return str(response.text)
        except Exception as error:
            return guarded.named(error, access, model)

    def _client(self) -> Any:
        from showmemory.ask import guarded

        if self._made is None:
            self._made = guarded.client(self._access)
        return self._made


def _many(access: Access, count: int) -> Access:
    """A batch's answers come as one file."""
    whole = replace(access.limits, answer_bytes=access.limits.answer_bytes * max(1, count))
    return replace(access, limits=whole)


def _response() -> Any:
    from showmemory.ask import guarded

    return guarded.RESPONSE


def _block(text: str, *, kept: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "text", "text": text}
    return {**made, "cache_control": {"type": "ephemeral"}} if kept else made


def _results(text: str) -> Iterator[tuple[str, Reply | Failure]]:
    for line in text.splitlines():
        try:
            row = json.loads(line)
            id_, result = row["custom_id"], row["result"]
            kind = result["type"]
        except (ValueError, KeyError, TypeError):
            continue
        if kind == "succeeded":
            yield str(id_), message(result.get("message"), 0)
        elif kind == "errored":
            said = failures.told(result.get("error"), "") or "no reason given"
            yield str(id_), Failure(f"the service refused the request in its batch: {said[:200]}")
        else:
            yield str(id_), Failure(f"the batch ended before it was answered ({kind})", again=True)
