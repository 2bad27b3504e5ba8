"""A cache that several machines share: immutable objects named by key, on a disk, in a bucket or behind a web server.

It is asked only for what is not here, and is given what was made here. It is a cache alone: what it says wrongly is
refused and made anew, and one that cannot be reached is left for the rest of the run. Each is told once.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import zlib
from collections.abc import Callable, Collection, Iterator
from typing import Any

from showmemory.model.show import CacheConfig
from showmemory.model.span import Problem, Span
from showmemory.store.store import FORMAT, Results

CACHE = "SHOWMEMORY_CACHE"
READ_ONLY = "SHOWMEMORY_CACHE_READ_ONLY"
OFF = "off"
_DISK, _WEB = ("file", "local"), ("http", "https")
# What an address may begin with: all else that fsspec knows (other machines' shells, chains of them) is not asked for.
_KNOWN = (*_DISK, "memory", "s3", "gs", "gcs", *_WEB)
_CHUNK = 256
_SUM = 32
# No result of ours is near it; an object that says it unpacks to more is refused.
_MOST = 256_000_000
_WAIT = 20

Tell = Callable[[Problem], None]


def shared(config: CacheConfig, tell: Tell, asked: str = "") -> SharedCache | None:
    """The shared cache that was asked for, or that the environment or show.toml names, or None."""
    url = asked or os.environ.get(CACHE, "").strip() or config.url
    if not url or url == OFF:
        return None
    return SharedCache(url, read_only=config.read_only or os.environ.get(READ_ONLY, "") not in ("", "0"), tell=tell)


class SharedCache:
    """The objects under one address. Nothing is opened before something is asked for."""

    def __init__(self, url: str, *, read_only: bool = False, tell: Tell) -> None:
        """Objects are not written when `read_only`, or when the address can only be read. `tell` is given notices."""
        self._url = url.rstrip("/")
        self._scheme = url.partition("://")[0] if "://" in url else ""
        self._writes = not read_only and self._scheme not in _WEB
        self._tell = tell
        self._told: set[str] = set()
        self._off = False
        self._fs: Any = None

    def get(self, keys: Collection[str]) -> Results:
        """Those of `keys` that are held whole."""
        found: dict[str, tuple[str, bytes]] = {}
        for part in _parts(list(keys)):
            for key, data in self._fetched(part).items():
                made = unpacked(key, data)
                if made is None:
                    self._say(
                        "expected the object its name says, found a damaged one: it is not used",
                        "what it held is made here; where the cache can be written it is replaced",
                    )
                else:
                    found[key] = made
        return found

    def put(self, results: Results) -> None:
        """Keep results for the others, each whole or not at all."""
        if not self._writes or not self._open():
            return
        try:
            for key, (stage, value) in results.items():
                self._write(self._path(key), packed(key, stage, value))
        except Exception as error:  # whatever a bucket's library raises: a cache is no reason to fail
            self._writes = False
            self._say(
                f"expected to write to the shared cache, found {_plain(error)}", "this run keeps its results here"
            )

    def _fetched(self, keys: list[str]) -> dict[str, bytes]:
        if not self._open():
            return {}
        paths = {self._path(key): key for key in keys}
        try:
            got = self._fs.cat(list(paths), on_error="return")
        except Exception as error:
            self._leave(error)
            return {}
        by_path = {str(path): data for path, data in got.items()}
        wrong = next((e for e in by_path.values() if isinstance(e, Exception) and not _absent(e)), None)
        if wrong is not None:
            self._leave(wrong)
        return {paths[path]: data for path, data in by_path.items() if isinstance(data, bytes) and path in paths}

    def _open(self) -> bool:
        if self._fs is None and not self._off:
            if self._scheme not in _KNOWN:
                found = f"{self._scheme}://" if self._scheme else self._url
                self._off = True
                self._say(f"expected a cache at file://, s3://, gs:// or http(s)://, found {found}", "it is not used")
                return False
            try:
                self._fs, self._base = _opened(self._url, self._scheme)
            except Exception as error:
                self._leave(error)
        return self._fs is not None and not self._off

    def _write(self, path: str, data: bytes) -> None:
        """A bucket takes an object whole; on a disk it is written beside its place and moved there."""
        if self._scheme not in _DISK:
            self._fs.pipe_file(path, data)
            return
        beside = f"{path}.{secrets.token_hex(4)}.tmp"
        try:
            self._fs.pipe_file(beside, data)
            self._fs.mv(beside, path)
        except BaseException:
            if self._fs.exists(beside):
                self._fs.rm_file(beside)
            raise

    def _path(self, key: str) -> str:
        return f"{self._base}/v{FORMAT}/{key[:2]}/{key}"

    def _leave(self, error: Exception) -> None:
        self._off = True
        if isinstance(error, ImportError):
            self._say(
                f"expected what opens {self._scheme}:// to be installed, found {_plain(error)}",
                'the shared cache needs: pip install "showmemory[remote]", and s3fs or gcsfs for a bucket',
            )
            return
        self._say(f"expected the shared cache to answer, found {_plain(error)}", "all is made here instead")

    def _say(self, message: str, hint: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self._tell(Problem(Span("cache"), "notice", message, hint))


def packed(key: str, stage: str, value: bytes) -> bytes:
    """An object: the sha256 of its key, stage and value, then the stage, then the value compressed."""
    return _sum(key, stage, value) + stage.encode() + b"\0" + zlib.compress(value, 1)


def unpacked(key: str, data: bytes) -> tuple[str, bytes] | None:
    """The stage and value of an object, or None when it is not what this key names, whole."""
    stage, _, body = data[_SUM:].partition(b"\0")
    try:
        value = zlib.decompressobj().decompress(body, _MOST)
        named = stage.decode()
    except (zlib.error, UnicodeDecodeError):
        return None
    return (named, value) if data[:_SUM] == _sum(key, named, value) else None


def _sum(key: str, stage: str, value: bytes) -> bytes:
    return hashlib.sha256(b"\0".join((key.encode(), stage.encode(), value))).digest()


def _opened(url: str, scheme: str) -> tuple[Any, str]:
    import fsspec

    options: dict[str, Any] = {}
    if scheme in _DISK:
        options = {"auto_mkdir": True}
    elif scheme in _WEB:
        import aiohttp

        options = {"client_kwargs": {"timeout": aiohttp.ClientTimeout(total=3 * _WAIT, sock_connect=_WAIT)}}
    elif scheme == "s3":
        options = {"config_kwargs": {"connect_timeout": _WAIT, "read_timeout": 3 * _WAIT}}
    fs, base = fsspec.core.url_to_fs(url, **options)
    return fs, str(base).rstrip("/")


def _absent(error: Exception) -> bool:
    return isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError))


def _plain(error: Exception) -> str:
    """What went wrong, in one line, without the address, which may hold a password."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else ""
    return " ".join((reason or type(error).__name__).split()).lower()[:120]


def _parts(keys: list[str]) -> Iterator[list[str]]:
    return (keys[at : at + _CHUNK] for at in range(0, len(keys), _CHUNK))
