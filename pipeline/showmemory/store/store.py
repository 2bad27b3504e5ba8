"""The content-addressed store: results under the sha256 of all that decides them, in one SQLite file in WAL mode.

It is a cache alone: whatever goes wrong with it, it is thrown away and made again, and no result changes.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FORMAT = 1
_CHUNK = 500
_SCHEMA = "create table if not exists artifact (key text primary key, stage text, value blob) without rowid"


class Store:
    """Artifacts by key. Keys are hex digests; values are bytes, kept compressed with their own checksum."""

    def __init__(self, folder: Path) -> None:
        """Open the store in `folder`, making it when it is not there; a broken one is replaced."""
        self._path = folder / f"store-{FORMAT}.db"
        self._memory: dict[str, bytes] = {}
        self._db = _opened(self._path)

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The values of those keys that are here; a damaged one counts as absent."""
        wanted = list(dict.fromkeys(keys))
        found = {k: self._memory[k] for k in wanted if k in self._memory}
        rows = self._rows("key, value", wanted)
        return found | {key: raw for key, value in rows if (raw := _unpacked(value)) is not None}

    def has(self, keys: Iterable[str]) -> set[str]:
        """Which of those keys are here, without reading their values."""
        wanted = list(dict.fromkeys(keys))
        return {k for k in wanted if k in self._memory} | {row[0] for row in self._rows("key", wanted)}

    def _rows(self, columns: str, keys: list[str]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for at in range(0, len(keys), _CHUNK):
            part = keys[at : at + _CHUNK]
            query = f"select {columns} from artifact where key in ({','.join('?' * len(part))})"
            try:
                found += self._db.execute(query, part).fetchall() if self._db is not None else []
            except sqlite3.Error:
                self._replace()
                return found
        return found

    def put(self, stage: str, values: Mapping[str, bytes]) -> None:
        """Keep `values` in one transaction. A full or read-only disk leaves them in memory for this run alone."""
        if not values:
            return
        rows = [(key, stage, _packed(value)) for key, value in values.items()]
        try:
            if self._db is None:
                raise sqlite3.OperationalError("no database")
            with self._db:
                self._db.executemany("insert or replace into artifact values (?, ?, ?)", rows)
        except sqlite3.Error:
            self._memory.update(values)

    def keep_only(self, keys: Iterable[str]) -> int:
        """Drop what no key refers to; returns how many went."""
        if self._db is None:
            return 0
        try:
            with self._db:
                self._db.execute("create temp table if not exists live (key text primary key)")
                self._db.execute("delete from live")
                self._db.executemany("insert or ignore into live values (?)", ((k,) for k in keys))
                return self._db.execute("delete from artifact where key not in (select key from live)").rowcount
        except sqlite3.Error:
            return 0

    def size(self) -> int:
        """Bytes on disk."""
        return sum(p.stat().st_size for p in self._path.parent.glob(self._path.name + "*"))

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _replace(self) -> None:
        self.close()
        _remove(self._path)
        self._db = _opened(self._path)


def _opened(path: Path) -> sqlite3.Connection | None:
    for attempt in range(2):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(path, timeout=30)
            db.execute("pragma journal_mode=wal")
            db.execute("pragma synchronous=normal")
            db.execute(_SCHEMA)
            db.execute("select count(*) from artifact where key = ''").fetchone()
            return db
        except (sqlite3.Error, OSError):
            if attempt == 0:
                _remove(path)
    return None


def _remove(path: Path) -> None:
    for one in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        try:
            one.unlink(missing_ok=True)
        except OSError:
            continue


def _packed(value: bytes) -> bytes:
    return zlib.crc32(value).to_bytes(4, "big") + zlib.compress(value, 1)


def _unpacked(value: bytes) -> bytes | None:
    try:
        raw = zlib.decompress(value[4:])
    except zlib.error:
        return None
    return raw if zlib.crc32(raw).to_bytes(4, "big") == value[:4] else None
