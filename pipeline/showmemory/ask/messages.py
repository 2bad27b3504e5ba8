"""A reply of the Messages API, whatever it holds -> the answer's text, or why there is none."""

from __future__ import annotations

from typing import Any

from showmemory.ask.seam import Failure, Reply, Usage

_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


def message(found: Any, most: int) -> Reply | Failure:
    """Pick the text blocks by type; a reply can be a string, hold nothing, be cut, or be a refusal."""
    if not isinstance(found, dict) or found.get("type") != "message":
        return Failure("expected a message from the service, found something else", sent=True)
    usage, stopped = usage_of(found.get("usage")), found.get("stop_reason")
    if stopped == "refusal":
        return Failure("the model refused to answer", usage=usage)
    if stopped in _CUT:
        at = f" at {most} tokens" if most and stopped == "max_tokens" else ""
        return Failure(f"the answer was cut{at}: raise max_tokens under [model]", usage=usage)
    content = found.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [b["text"] for b in blocks if isinstance(b, dict) and b.get("type") == "text" and _is_text(b)]
    if not "".join(texts).strip():
        return Failure("the model answered without any text", usage=usage)
    return Reply("".join(texts), usage, str(found.get("id") or ""))


def usage_of(found: Any) -> Usage:
    """The tokens that are billed; what is missing or no number counts nothing."""
    held = found if isinstance(found, dict) else {}
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(*(_count(held.get(name)) for name in names))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _is_text(block: dict[str, Any]) -> bool:
    return isinstance(block.get("text"), str)
