"""The content-addressed store: results under the sha256 of all that decides them, in one SQLite file in WAL mode.

It is a cache alone: whatever goes wrong with it, it is thrown away and made again, and no result changes.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

FORMAT = 2
_CHUNK = 500
_SCHEMA = "create table if not exists artifact (key text primary key, stage text not null, value blob not null)"
_PROBE = "select key, stage, value from artifact where key = ''"
# Errors that say nothing of the file itself: another process is at work on it, or the disk is full or read-only.
_PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")

Results = Mapping[str, tuple[str, bytes]]


class Shared(Protocol):
    """A cache that several machines share: asked for what is not here, given what was made here."""

    def get(self, keys: Collection[str]) -> Results:
        """Those of `keys` it holds, whole."""

    def put(self, results: Results) -> None:
        """Keep results for the others; what cannot be kept is left."""


class Store:
    """Artifacts by key. Keys are hex digests; values are bytes, kept compressed with a checksum of both."""

    def __init__(self, folder: Path, shared: Shared | None = None) -> None:
        """Open the store in `folder`, making it when it is not there; a broken one is replaced."""
        self._path = folder / f"store-{FORMAT}.db"
        self._memory: dict[str, bytes] = {}
        self._shared = shared
        self._db = _opened(self._path)

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The values of those keys that are here; a damaged one counts as absent."""
        wanted = list(dict.fromkeys(keys))
        found = {k: self._memory[k] for k in wanted if k in self._memory}
        rows = self._rows("key, value", wanted)
        found |= {key: raw for key, value in rows if (raw := _unpacked(key, value)) is not None}
        for part in self._pulled([k for k in wanted if k not in found]):
            found |= {key: value for key, (_, value) in part.items()}
        return found

    def has(self, keys: Iterable[str]) -> set[str]:
        """Which of those keys are here, without reading their values."""
        wanted = list(dict.fromkeys(keys))
        found = {k for k in wanted if k in self._memory} | {row[0] for row in self._rows("key", wanted)}
        for part in self._pulled([k for k in wanted if k not in found]):
            found |= part.keys()
        return found

    def put(self, stage: str, values: Mapping[str, bytes]) -> None:
        """Keep the values one stage made."""
        self.keep({key: (stage, value) for key, value in values.items()})

    def keep(self, results: Results) -> None:
        """Keep results (key -> stage and value) in one transaction, here and in the shared cache."""
        self._keep(results)
        if self._shared is not None and results:
            self._shared.put(results)

    def collect(self, live: Iterable[str], limit: int) -> int:
        """Once the file is over `limit` bytes, drop what is not in `live`, oldest first, to three quarters of it.

        What other branches and versions made is kept while there is room. Returns how many artifacts went.
        """
        if self._db is None or self.size() <= limit:
            return 0
        try:
            with self._db:
                gone = self._doomed(frozenset(live), limit * 3 // 4)
                self._db.executemany("delete from artifact where rowid = ?", ((row,) for row in gone))
            self._db.execute("pragma wal_checkpoint(truncate)").fetchall()
            self._db.execute("pragma incremental_vacuum").fetchall()
            self._db.execute("pragma wal_checkpoint(truncate)").fetchall()
        except sqlite3.Error:
            return 0
        return len(gone)

    def size(self) -> int:
        """Bytes on disk."""
        return sum(p.stat().st_size for p in self._path.parent.glob(self._path.name + "*"))

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._path.parent

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _pulled(self, missing: list[str]) -> Iterator[Results]:
        """What the shared cache has of those, kept here from now on; a part at a time, as they may be all there is."""
        for at in range(0, len(missing) if self._shared is not None else 0, _CHUNK):
            assert self._shared is not None
            pulled = self._shared.get(missing[at : at + _CHUNK])
            self._keep(pulled)
            yield pulled

    def _keep(self, results: Results) -> None:
        """A full or read-only disk leaves them in memory for this run alone."""
        if not results:
            return
        rows = [(key, stage, _packed(key, value)) for key, (stage, value) in results.items()]
        try:
            if self._db is None:
                raise sqlite3.OperationalError("no database")
            with self._db:
                self._db.executemany("insert or replace into artifact values (?, ?, ?)", rows)
        except sqlite3.Error:
            self._memory.update((key, value) for key, (_, value) in results.items())

    def _rows(self, columns: str, keys: list[str]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for at in range(0, len(keys), _CHUNK):
            part = keys[at : at + _CHUNK]
            query = f"select {columns} from artifact where key in ({','.join('?' * len(part))})"
            try:
                found += self._db.execute(query, part).fetchall() if self._db is not None else []
            except sqlite3.Error as error:
                if not _passes(error):
                    self._replace()
                return found
        return found

    def _doomed(self, live: frozenset[str], limit: int) -> list[int]:
        assert self._db is not None
        rows = self._db.execute("select rowid, key, length(value) from artifact order by rowid").fetchall()
        over = sum(size for _, _, size in rows) - limit
        gone = []
        for row, key, size in rows:
            if over > 0 and key not in live:
                gone.append(row)
                over -= size
        return gone

    def _replace(self) -> None:
        self.close()
        _remove(self._path)
        self._db = _opened(self._path)


def _opened(path: Path) -> sqlite3.Connection | None:
    for _ in range(2):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return _connected(path)
        except sqlite3.Error as error:
            if _passes(error):
                return _to_read(path)
            _remove(path)
        except OSError:
            return _to_read(path)
    return None


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=30)
    try:
        db.execute("pragma auto_vacuum=incremental")
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=normal")
        db.execute(_SCHEMA)
        db.execute(_PROBE).fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _to_read(path: Path) -> sqlite3.Connection | None:
    """A store in a folder that cannot be written serves all the same."""
    if not path.is_file():
        return None
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        db.execute(_PROBE).fetchone()
    except sqlite3.Error:
        return None
    return db


def _passes(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(_PASSING)


def _remove(path: Path) -> None:
    for one in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        try:
            one.unlink(missing_ok=True)
        except OSError:
            continue


def _packed(key: str, value: bytes) -> bytes:
    return _sum(key, value) + zlib.compress(value, 1)


def _unpacked(key: str, value: bytes) -> bytes | None:
    try:
        raw = zlib.decompress(value[4:])
    except (zlib.error, TypeError):
        return None
    return raw if _sum(key, raw) == value[:4] else None


def _sum(key: str, value: bytes) -> bytes:
    return zlib.crc32(value, zlib.crc32(key.encode())).to_bytes(4, "big")
