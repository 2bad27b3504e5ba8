"""A real browser for the tests that look at a page; where there is none the tests say so and are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def chromium() -> Iterator[Any]:
    """The browser, open until the tests are through with it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser to open")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: apt-get install chromium gives one")
    with playwright.sync_playwright() as held:
        opened = held.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


def tab_of(browser: Any, path: Path, seen: list[str], **options: Any) -> Any:
    """A page opened; `seen` gets all that it asks for, and what it says on the console."""
    tab = browser.new_page(**options)
    tab.on("request", lambda request: seen.append(request.url))
    tab.on("console", lambda message: seen.append(f"console: {message.text}"))
    tab.goto(path.as_uri())
    return tab
