"""The shared cache: on a disk, in memory, behind a real web server; poisoned, cut short, out of reach, read-only."""

from __future__ import annotations

import os
import shutil
import stat
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import fsspec
import pytest

from showmemory.flow import Run
from showmemory.model.show import CacheConfig
from showmemory.model.span import Problem
from showmemory.store import remote
from showmemory.store.remote import SharedCache
from showmemory.store.store import Store
from shows import outputs, pier, run

KEY, OTHER = "ab" + "0" * 62, "cd" + "1" * 62


@pytest.fixture
def notices() -> list[Problem]:
    return []


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder that machines share."""
    return tmp_path / "shared"


@pytest.fixture
def web(place: Path) -> Iterator[tuple[str, list[str]]]:
    """The folder behind a real web server on this machine: its address, and what it was asked for."""
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_request(self, *_: object) -> None:
            asked.append(self.path)

        def log_error(self, *_: object) -> None:
            """A 404 is no error here."""

    place.mkdir(exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(place)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A remembered show, whose results went into the shared folder."""
    made = pier(tmp_path / "show")
    monkeypatch.setenv(remote.CACHE, f"file://{tmp_path / 'shared'}")
    assert run(made).problems == []
    return made


def fresh(show: Path, to: Path) -> Path:
    """Another machine's copy, with no cache of its own."""
    shutil.copytree(show, to, ignore=shutil.ignore_patterns(".showmemory", "proposal.json"))
    return to


def objects(place: Path) -> list[Path]:
    return sorted(path for path in place.rglob("*") if path.is_file())


def made(one: Run) -> int:
    """How many scripts were read for it."""
    return one.artifacts.made.get("parse", 0)


@pytest.mark.parametrize("scheme", ["file", "memory"])
def test_what_one_machine_keeps_another_gets(tmp_path: Path, notices: list[Problem], scheme: str) -> None:
    url = f"{scheme}://{tmp_path / 'deep' / 'shared'}"
    one, two = (SharedCache(url, tell=notices.append) for _ in range(2))
    assert one.get([KEY]) == {}
    one.put({KEY: ("parse", b"words" * 100), OTHER: ("tally", b"")})
    assert two.get([KEY, OTHER, "ef" * 32]) == {KEY: ("parse", b"words" * 100), OTHER: ("tally", b"")}
    assert notices == []
    fs, base = fsspec.core.url_to_fs(url)
    assert all(name.rpartition("/")[2] in (KEY, OTHER) for name in fs.find(base)), "nothing half written stays"


def test_a_second_machine_reads_no_script_and_writes_the_same(show: Path, tmp_path: Path, place: Path) -> None:
    """Issue 5.3: pulled on a local miss only, and then kept here."""
    two = fresh(show, tmp_path / "two")
    made_there = run(two)
    assert made(made_there) == 0 and made_there.problems == []
    assert outputs(two) == outputs(show)
    before = {path: path.stat().st_mtime_ns for path in objects(place)}
    shutil.rmtree(place)
    shutil.rmtree(two / "context")
    assert made(run(two)) == 0, "what was pulled is here from now on"
    assert before and outputs(two) == outputs(show)


def test_behind_a_web_server_it_is_only_read(
    show: Path, tmp_path: Path, place: Path, web: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, asked = web
    monkeypatch.setenv(remote.CACHE, f"{url}/empty")
    first = run(fresh(show, tmp_path / "first"))
    assert made(first) == 2 and first.problems == [] and asked, "an empty one is no fault"
    assert not (place / "empty").exists()
    monkeypatch.setenv(remote.CACHE, url)
    third = fresh(show, tmp_path / "third")
    there = run(third)
    assert made(there) == 0 and there.problems == []
    count = len(asked)
    run(third)
    assert len(asked) == count, "what is here is not asked for"
    assert outputs(third) == outputs(show)


@pytest.mark.parametrize("harm", ["cut", "empty", "turned", "another's", "bomb"])
def test_a_poisoned_object_is_refused_made_anew_and_replaced(
    show: Path, tmp_path: Path, place: Path, harm: str
) -> None:
    """Issue 5.3: verified by hash on the way in; said once, however many there are."""
    whole = {path: path.read_bytes() for path in objects(place)}
    others = dict(zip(whole, [*list(whole.values())[1:], b"x" * 50], strict=True))
    for path, data in whole.items():
        turned = data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]
        bomb = data[:32] + b"parse\0" + remote.zlib.compress(b"\0" * 1000) * 2
        wrong = {"cut": data[:-9], "empty": b"", "turned": turned, "another's": others[path], "bomb": bomb}
        path.write_bytes(wrong[harm])
    two = fresh(show, tmp_path / "two")
    there = run(two)
    assert made(there) == 2
    assert [str(p) for p in there.problems] == [
        "cache: notice: expected the object its name says, found a damaged one: it is not used\n"
        "    what it held is made here; where the cache can be written it is replaced"
    ]
    assert outputs(two) == outputs(show)
    assert {path: path.read_bytes() for path in objects(place)} == whole


def test_an_object_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_MOST", 1000)
    assert remote.unpacked(KEY, remote.packed(KEY, "parse", b"\0" * 1000)) == ("parse", b"\0" * 1000)
    assert remote.unpacked(KEY, remote.packed(KEY, "parse", b"\0" * 1001)) is None


@pytest.mark.parametrize("how", ["environment", "show.toml"])
def test_an_untrusted_build_reads_and_never_writes(
    show: Path, tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    (show / "episodes" / "s01e03.fountain").write_text("INT. PIER - DAY\n\nADA\nNobody counts.\n")
    if how == "environment":
        monkeypatch.setenv(remote.READ_ONLY, "1")
    else:
        monkeypatch.delenv(remote.CACHE)
        (show / "show.toml").write_text(f'id = "pier"\n[cache]\nurl = "file://{place}"\nread_only = true\n')
    before = {path: path.read_bytes() for path in objects(place)}
    there = run(fresh(show, tmp_path / "two"))
    assert made(there) == 1 and there.errors == []
    assert {path: path.read_bytes() for path in objects(place)} == before


def test_a_cache_out_of_reach_is_one_notice(show: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens there: all is made here, and the exit code is that of any other run."""
    monkeypatch.setenv(remote.CACHE, "http://127.0.0.1:9/cache")
    two = fresh(show, tmp_path / "two")
    there = run(two)
    assert made(there) == 2 and there.errors == []
    (told,) = there.problems
    assert told.severity == "notice"
    assert told.message.startswith("expected the shared cache to answer, found ")
    assert outputs(two) == outputs(show)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_that_cannot_be_written_by_its_rights(place: Path, notices: list[Problem]) -> None:
    place.mkdir()
    place.chmod(stat.S_IRUSR | stat.S_IXUSR)
    SharedCache(f"file://{place}", tell=notices.append).put({KEY: ("parse", b"x")})
    assert len(notices) == 1


def test_a_cache_that_cannot_be_written_is_one_notice(tmp_path: Path, notices: list[Problem]) -> None:
    (tmp_path / "in the way").write_text("a file, where a folder should be")
    cache = SharedCache(f"file://{tmp_path / 'in the way'}", tell=notices.append)
    for key in (KEY, OTHER):
        cache.put({key: ("parse", b"x")})
    assert [p.message.partition(", found")[0] for p in notices] == ["expected to write to the shared cache"]
    assert cache.get([KEY]) == {}


@pytest.mark.parametrize("url", ["ssh://somewhere/cache", "simplecache::s3://bucket", "/tmp/cache", "nonsense"])
def test_only_known_kinds_of_address_are_opened(notices: list[Problem], url: str) -> None:
    cache = SharedCache(url, tell=notices.append)
    cache.put({KEY: ("parse", b"x")})
    assert cache.get([KEY]) == {}
    assert [p.message.partition(", found")[0] for p in notices] == [
        "expected a cache at file://, s3://, gs:// or http(s)://"
    ]


def test_a_bucket_whose_library_is_missing_says_what_to_install(notices: list[Problem]) -> None:
    assert SharedCache("s3://bucket/cache", tell=notices.append).get([KEY]) == {}
    assert [p.hint for p in notices] == [
        'the shared cache needs: pip install "showmemory[remote]", and s3fs or gcsfs for a bucket'
    ]


def test_the_environment_goes_before_show_toml(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Problem] = []
    config = CacheConfig(url="memory://one")
    monkeypatch.delenv(remote.CACHE, raising=False)
    assert remote.shared(CacheConfig(), told.append) is None
    assert remote.shared(config, told.append) is not None
    monkeypatch.setenv(remote.CACHE, "off")
    assert remote.shared(config, told.append) is None


def test_a_local_hit_asks_nobody(tmp_path: Path, notices: list[Problem]) -> None:
    shared = SharedCache(f"memory://{tmp_path}", tell=notices.append)
    store = Store(tmp_path / "one", shared)
    store.put("parse", {KEY: b"here"})
    alone = Store(tmp_path / "one", SharedCache("nonsense", tell=notices.append))
    assert alone.get([KEY]) == {KEY: b"here"} and alone.has([KEY]) == {KEY}
    assert notices == []
    assert Store(tmp_path / "two", shared).has([KEY, OTHER]) == {KEY}
