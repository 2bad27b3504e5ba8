"""Scripts inside zip containers: the one file that holds the text, never unpacked to more than a script can be."""

from __future__ import annotations

import io
import re
import zipfile
import zlib

from showmemory.model.span import Problem, Span
from showmemory.read.decode import LIMIT

_MEMBERS = 2000
_RATIO = 200  # text packs to a tenth; a zip bomb to a thousandth
_SMALL = 1024 * 1024
_PIECE = 256 * 1024


def member(data: bytes, wanted: re.Pattern[str], what: str, path: str) -> tuple[bytes, list[Problem]]:
    """The bytes of the container's first member (by name) that `wanted` matches whole, else one error."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as held:
            names = held.infolist()
            if len(names) > _MEMBERS:
                return _error(path, f"expected a container of at most {_MEMBERS} files, found {len(names)}")
            found = sorted((info for info in names if wanted.fullmatch(info.filename)), key=lambda info: info.filename)
            if not found:
                return _error(path, f"expected {what} in the container, found none")
            return _unpacked(held, found[0], path)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError, EOFError) as error:
        return _error(path, f"expected a zip container, found {_reason(error)}")


def _unpacked(held: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> tuple[bytes, list[Problem]]:
    """Read a member piece by piece: what its header says of its size is not believed."""
    if info.flag_bits & 1:
        return _error(path, "expected a script that can be opened, found one locked with a password")
    pieces: list[bytes] = []
    size = 0
    with held.open(info) as stream:
        while piece := stream.read(_PIECE):
            size += len(piece)
            pieces.append(piece)
            if size > LIMIT or (size > _SMALL and size > _RATIO * max(info.compress_size, 1)):
                return _error(path, f"expected a script, found a member that unpacks to over {size // 1024 // 1024} MB")
    return b"".join(pieces), []


def _reason(error: Exception) -> str:
    return "a damaged one" if not isinstance(error, NotImplementedError) else "one packed in a way that is not known"


def _error(path: str, message: str) -> tuple[bytes, list[Problem]]:
    hint = "save it again, or export it as Fountain or FDX"
    return b"", [Problem(Span(path), "error", message, hint)]
