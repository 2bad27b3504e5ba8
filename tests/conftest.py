"""What every test stands on: no network, nobody's profile, the same examples each run, a sample show, `--update`."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Whoever runs the tests is in none of them.
os.environ["SHOWMEMORY_PROFILE"] = ""

settings.register_profile("same", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the expected files anew; the diff is the review")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture
def sample_show(tmp_path: Path) -> Path:
    """A copy of the sample show without its cache: what a fresh clone holds."""
    skip = shutil.ignore_patterns(".showmemory", "proposal.json", "__pycache__")
    return Path(shutil.copytree(ROOT / "sample_show", tmp_path / "sample_show", ignore=skip))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Hold a text against an expected file to the byte, or write it with `--update`."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; pytest --update writes it anew"

    return compare


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing leaves this machine: a test that tries fails."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        inside = self.family == getattr(socket, "AF_UNIX", None) or (
            isinstance(address, tuple) and address[0] in ("127.0.0.1", "::1", "localhost")
        )
        assert inside, f"a test reached for the network: {address}"
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
