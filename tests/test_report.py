"""The report: one static page, true to memory, safe whatever the scripts hold, opened in a real browser."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from browsers import chromium, tab_of
from showmemory import desk, uptodate
from showmemory.commands.program import main
from showmemory.flow import Run
from showmemory.fold.rest import rests
from showmemory.model.memory import ShowMemory
from showmemory.notebook import Notebook
from showmemory.reporting import subject_of, write_report
from shows import run, sample
from tags import Page


@pytest.fixture(scope="module")
def show(tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = sample(tmp_path_factory.mktemp("report") / "show")
    assert run(to).errors == []
    return to


@pytest.fixture(scope="module")
def made(show: Path) -> Page:
    path, problems = write_report(show)
    assert path == show / "report.html" and problems == []
    return Page(path.read_text(encoding="utf-8"))


def memory_of(show: Path) -> ShowMemory:
    memory = Notebook(show).memory
    assert memory is not None
    return memory


def test_every_mark_leads_to_the_line_of_the_script(show: Path, made: Page) -> None:
    """A128, issue 6.8: each link's file is there, and the words stand at its line."""
    marks = [(a["href"], a["aria-label"]) for a, _ in made.all("a") if "aria-label" in a]
    assert len(marks) > 80
    for href, told in marks:
        link = urlsplit(href)
        path = show / unquote(link.path)
        assert path.is_file(), href
        if path.suffix == ".fountain":
            line = path.read_text(encoding="utf-8").splitlines()[int(link.fragment.removeprefix("L")) - 1]
            words = told.partition("“")[2].split()
            assert words[0].rstrip("”").split("...")[0] in line, (href, told, line)
            assert f":{link.fragment.removeprefix('L')} “" in told
    every = [a["href"] for a, _ in made.all("a") if not a["href"].startswith("#")]
    assert all((show / unquote(urlsplit(href).path)).is_file() for href in every)


def rows_of(html: str) -> Counter[tuple[int, str, int]]:
    """Every row of the grid: its season, its title, how many marks it has."""
    found: Counter[tuple[int, str, int]] = Counter()
    for block in html.split('<details class="season" id="season-')[1:]:
        season = int(block.partition('"')[0])
        for row in re.findall(r'<details class="row [^"]*"><summary>.*?</summary>', block, re.DOTALL):
            title = unescape(re.findall(r'class="title" title="([^"]*)"', row)[0])
            found[season, title, row.count("<a ")] += 1
    return found


def test_the_grid_has_a_row_for_each_gag_and_a_mark_for_each_episode_it_played_in(show: Path, made: Page) -> None:
    """Issue 6.8, A125: in each season a row, and in each thread's too; what is held back is counted in the head."""
    planned = Run(show, deciding=True)
    planned.refresh()
    subject = subject_of(planned)
    season = {e.id: e.season for e in subject.episodes}
    expected: Counter[tuple[int, str, int]] = Counter()
    for entry in subject.of("gag"):
        played = Counter(season[id_] for id_ in {use.episode for use in entry.uses})
        expected.update((at, entry.title, marks) for at, marks in played.items())
    found = rows_of((show / "report.html").read_text(encoding="utf-8"))
    threads = {entry.title for entry in subject.of("thread")}
    assert {row[1] for row in found - expected} == threads
    assert not expected - found and len(expected) > 40
    memory = memory_of(show)
    assert (
        f"{len(memory.entries)} entries, {len(memory.entries) - len(subject.entries)} of them held back"
        in (made.all("p", "standing")[0][1])
    )
    assert len(subject.entries) < len(memory.entries)


def test_worn_and_resting_ones_are_visible(show: Path, made: Page) -> None:
    """A99, A125: in the row's words and in its colour."""
    memory = memory_of(show)
    held = rests(memory.entries, [e.id for e in memory.episodes], memory.settings)
    resting = [e.title for e in memory.entries if e.kind == "gag" and held[e.id].resting]
    rows = {text.split("last ")[0].strip() for a, text in made.all("details", "resting")}
    named = [title for title in resting if any(row.startswith(title) for row in rows)]
    assert named and all("resting" in row for row in rows)
    assert len(made.all("rect", "band")) == len(named)
    assert made.all("details", "worn")


def test_the_whole_page(show: Path, made: Page) -> None:
    """A122, A124, A126, A134: every part is there with its count, no kind badge on every gag, nothing is "Open"."""
    heads = [text for _, text in made.all("h2")]
    assert heads == [
        "What waits", "Gags and threads", "Voices", "The story so far", "Threads", "The world", "Rules of the house",
        "The context against its budget",
    ]  # fmt: skip
    links = [a["href"] for a, _ in made.all("a") if a["href"].startswith("#")]
    ids = {a["id"] for _, a in made.tags if "id" in a}
    assert {link.removeprefix("#") for link in links} <= ids
    assert {text for _, text in made.all("span", "badge")} <= {"resting", "worn"}
    memory = memory_of(show)
    body = made.all("body")[0][1]
    for entry in memory.entries:
        if entry.kind in ("voice", "synopsis"):
            assert entry.text.split("\n")[0] in body, entry.id
    assert "Nothing waits." in body
    assert len(made.all("section", "card")) == sum(e.kind == "voice" for e in memory.entries)


def test_nothing_is_loaded_and_nothing_runs(made: Page) -> None:
    """Issue 6.8: no network, no script; the policy in the page forbids both."""
    names = {name for name, _ in made.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    assert not [a for _, a in made.tags if any(key.startswith("on") or key == "src" for key in a)]
    policy = next(a["content"] for a, _ in made.all("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")
    style = made.all("style")[0][1]
    assert "url(" not in style and "@import" not in style


def test_the_same_memory_makes_the_same_bytes_and_no_work_for_the_next_run(show: Path) -> None:
    """A107 in spirit: no clock, no machine; and a report is nothing that doit remember reads."""
    first, _ = write_report(show)
    assert first is not None
    before = first.read_bytes()
    run(show)
    write_report(show)
    assert first.read_bytes() == before and uptodate.is_up_to_date(show)
    assert str(show).encode() not in before


def test_what_waits_is_told_with_its_sources(show: Path, tmp_path: Path) -> None:
    """A118, A129: changes, notes, citations that are gone, episodes not remembered."""
    other = Path(shutil.copytree(show, tmp_path / "show", ignore=shutil.ignore_patterns("report.html")))
    source = {"episode": "ep.stock", "scene": "1", "line": 3, "words": "A line that nobody says."}
    desk.change(other, "add", fields={"text": "The boat is blue.", "sources": (source,)})
    desk.change(other, "lock", "mem.gag.soup")
    script = other / "episodes/s02e05-the-vote.fountain"
    script.write_text(script.read_text() + "\n\nFIGGIS\nThe soup outranks you.\n\nPELL\nStrictly speaking.\n")
    run(other)
    path, _ = write_report(other, other / "pages" / "now.html")
    assert path is not None
    found = Page(path.read_text())
    waits = next(text for a, text in found.all("section") if a.get("id") == "waits")
    assert "s02e05: changed since it was remembered" in waits
    assert "The boat is blue." in waits and "A line that nobody says." in waits
    assert "showmemory review" in waits
    links = [a["href"] for a, _ in found.all("a") if not a["href"].startswith("#")]
    assert links and all((path.parent / unquote(urlsplit(link).path)).resolve().is_file() for link in links)


def test_the_command(show: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Issue 6.8: where it is written, as of a moment, and what is wrong with a wish."""
    monkeypatch.chdir(show)
    assert main(["report"]) == 0
    assert capsys.readouterr().out == f"Wrote {(show / 'report.html').as_posix()}\n"
    assert main(["report", "--as-of", "s01e02", "-o", "then.html"]) == 0
    assert "As of s01e02" in Path("then.html").read_text()
    assert main(["report", "--as-of", "s09e09"]) == 1
    assert "expected an episode, found s09e09" in capsys.readouterr().err
    Path("then.html").unlink()


WIDTHS = {"desk": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from chromium()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_real_browser_opens_it(browser: Any, made: Page, show: Path, tmp_path: Path, width: str, scheme: str) -> None:
    """Issue 6.8: on a desk and on a phone, light and dark; nothing but the page is asked for, nothing overflows."""
    seen: list[str] = []
    wide, high = WIDTHS[width]
    path = show / "report.html"
    tab = tab_of(browser, path, seen, viewport={"width": wide, "height": high}, color_scheme=scheme)
    assert seen == [path.as_uri()]
    assert tab.evaluate("document.documentElement.scrollWidth") == wide
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(int(part) for part in paper.removeprefix("rgb(").rstrip(")").split(",")) > 380
    assert light == (scheme == "light")
    boxes = tab.evaluate(
        "[...document.querySelectorAll('.season[open] .strip a')].map(a => a.getBoundingClientRect().width)"
    )
    assert len(boxes) > 20 and min(width for width in boxes if width) > 3
    # The number of the last episode of a season stands at the edge, and is not cut there.
    assert tab.evaluate("getComputedStyle(document.querySelector('.head .strip')).overflow") == "visible"
    picture = tmp_path / "page.png"
    tab.screenshot(path=picture)
    assert picture.stat().st_size > 20_000
    tab.close()


def test_a_row_opens_to_its_lines_and_a_mark_leads_to_the_script(browser: Any, made: Page, show: Path) -> None:
    """A128: as a person uses it."""
    tab = tab_of(browser, show / "report.html", [])
    row = tab.locator(".season[open] .row", has_text="Everything costs the fare").first
    assert not row.locator(".quotes").is_visible()
    row.locator(".title").click()
    assert row.locator(".quotes li").count() >= 5 and row.locator(".quotes").is_visible()
    assert row.locator(".stands").inner_text().startswith("hot "), "B24: how much the show leans on it"
    href = row.locator(".strip a").first.get_attribute("href")
    assert (show / unquote(urlsplit(href).path)).is_file()
    tab.close()


def test_on_paper_everything_is_open_and_nothing_is_in_the_way(browser: Any, made: Page, show: Path) -> None:
    """Issue 6.8: readable in print."""
    tab = tab_of(browser, show / "report.html", [], viewport={"width": 718, "height": 1000}, color_scheme="dark")
    tab.emulate_media(media="print")
    assert not tab.locator("nav").is_visible()
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.locator("#season-1 .row .title").first.is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 718
    assert tab.pdf(format="A4").startswith(b"%PDF")
    tab.close()
