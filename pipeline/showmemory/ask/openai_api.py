"""Any server that speaks OpenAI's chat completions (Ollama, vLLM, a gateway), over the standard library's HTTP."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, OpenerDirector, build_opener
from urllib.request import Request as Call

from showmemory.ask import failures
from showmemory.ask.seam import Access, Failure, Reply, Request, Usage

URL = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
_CHUNK = 65536


class OpenAiCompatible:
    """The adapter. It has no count of tokens and no batches."""

    def __init__(self, access: Access) -> None:
        """Keep what is needed to call."""
        self._access = access

    def body(self, request: Request) -> dict[str, Any]:
        """Exactly what is sent."""
        content = "\n\n".join(block.text for block in request.blocks)
        turns = [{"role": role, "content": text} for role, text in request.turns]
        shape = {"name": "draft", "strict": True, "schema": dict(request.schema)}
        effort = {"reasoning_effort": request.effort} if request.effort else {}
        return {
            "model": request.model,
            "max_tokens": request.max_tokens,
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": content},
                *turns,
            ],
            "response_format": {"type": "json_schema", "json_schema": shape},
            **effort,
        }

    def count(self, request: Request) -> int | None:
        """These servers do not count beforehand."""
        return None

    def ask(self, request: Request) -> Reply | Failure:
        """One call, tried again where that may help."""
        return failures.tried(lambda: self._once(request), self._access.limits)

    def _once(self, request: Request) -> Reply | Failure:
        access = self._access
        headers = {"content-type": "application/json"}
        if access.key:
            headers["authorization"] = f"Bearer {access.key}"
        data = json.dumps(self.body(request), ensure_ascii=False).encode("utf-8", "replace")
        call = Call(f"{access.base_url.rstrip('/')}/chat/completions", data, headers, method="POST")
        try:
            with _opener().open(call, timeout=access.limits.timeout_s) as response:
                raw = _read(response, access)
                kind = str(response.headers.get("content-type", ""))
        except HTTPError as error:
            return _status(error, access, request.model)
        except Exception as error:
            return _named(error, access)
        if isinstance(raw, Failure):
            return raw
        try:
            return _reply(json.loads(raw), request.max_tokens)
        except (ValueError, RecursionError):
            return failures.not_json(kind)


class _Stay(HTTPRedirectHandler):
    """A redirect would carry the key to wherever it leads."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _opener() -> OpenerDirector:
    return build_opener(_Stay)


def _read(response: Any, access: Access) -> bytes | Failure:
    """The whole reply, in time and not too large; one that ends before its length has broken off."""
    limits, parts, size = access.limits, [], 0
    ends = time.monotonic() + limits.timeout_s
    while chunk := response.read1(_CHUNK):
        size += len(chunk)
        parts.append(chunk)
        if size > limits.answer_bytes:
            return failures.too_large(limits)
        if time.monotonic() > ends:
            return failures.timeout(limits)
    wanted = response.headers.get("content-length")
    if wanted and wanted.isdigit() and size < int(wanted):
        return failures.broken_off()
    return b"".join(parts)


def _status(error: HTTPError, access: Access, model: str) -> Failure:
    try:
        text = error.read(_CHUNK).decode("utf-8", "replace")
        body = json.loads(text)
    except (OSError, ValueError, http.client.HTTPException):
        text, body = "", None
    return failures.status(error.code, failures.told(body, text), access, model, error.headers.get("retry-after"))


def _named(error: Exception, access: Access) -> Failure:
    cause = error.reason if isinstance(error, URLError) and isinstance(error.reason, Exception) else error
    if isinstance(cause, TimeoutError):
        return failures.timeout(access.limits)
    if isinstance(cause, http.client.IncompleteRead):
        return failures.broken_off()
    if isinstance(cause, http.client.RemoteDisconnected | ConnectionResetError | ConnectionAbortedError):
        return failures.dropped()
    if isinstance(cause, OSError):
        return failures.unreachable(access)
    return Failure(f"the service's client failed: {type(cause).__name__}")


def _reply(found: Any, most: int) -> Reply | Failure:
    choices = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return Failure("expected a message from the service, found something else", sent=True)
    usage = _usage(found.get("usage"))
    message = choices[0].get("message")
    said = message if isinstance(message, dict) else {}
    if said.get("refusal") or choices[0].get("finish_reason") == "content_filter":
        return Failure("the model refused to answer", usage=usage)
    if choices[0].get("finish_reason") == "length":
        return Failure(f"the answer was cut at {most} tokens: raise max_tokens under [model]", usage=usage)
    text = said.get("content")
    if not isinstance(text, str) or not text.strip():
        return Failure("the model answered without any text", usage=usage)
    return Reply(text, usage, str(found.get("id") or ""))


def _usage(found: Any) -> Usage:
    held = found if isinstance(found, dict) else {}
    counts = [held.get(name) for name in ("prompt_tokens", "completion_tokens")]
    return Usage(*(n if isinstance(n, int) and not isinstance(n, bool) and n > 0 else 0 for n in counts))
