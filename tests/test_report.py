"""The report: one static page, true to memory, safe whatever the scripts hold, opened in a real browser."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from browsers import chromium, tab_of
from showmemory import desk, uptodate
from showmemory.commands.program import main
from showmemory.flow import Run
from showmemory.fold.rest import rests
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Source, Use
from showmemory.model.plan import Change, Plan
from showmemory.model.show import Bible, BibleGag, Show, ShowConfig, Theme
from showmemory.notebook import Notebook
from showmemory.report.markup import tag
from showmemory.report.page import page
from showmemory.report.subject import Budget, Cost, Subject
from showmemory.reporting import subject_of, write_report
from shows import run, sample

VOID = {"meta", "br"}


class Page(HTMLParser):
    """A page as its tags with their attributes and the text inside each; every tag must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._open: list[int] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.texts.append("")
        if tag not in VOID:
            self._open.append(len(self.tags) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.tags[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for at in self._open:
            self.texts[at] += data

    def all(self, name: str, css: str = "") -> list[tuple[dict[str, str], str]]:
        """Attributes and text of every such tag."""
        found = zip(self.tags, self.texts, strict=True)
        return [(a, t) for (n, a), t in found if n == name and (not css or css in a.get("class", "").split())]


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


EVIL = "\"><script>alert(1)</script><b onload=x>'&amp;"


def evil() -> Subject:
    use = Use(episode="ep.1", scene="1", line=3, words=EVIL, speaker="character.x")
    plan = Change(op="changed", entry="mem.gag.x", episode="ep.1", kind="gag", title=EVIL, before=EVIL, after=EVIL,
                  says=EVIL, sources=(use,))  # fmt: skip
    about = ("ep.1", "character.x", EVIL)
    entries = tuple(
        Entry(id=f"mem.{kind}.x", kind=kind, title=EVIL, text=f"{EVIL}\n- {EVIL}", about=about, holders=about,
              uses=(use,) if kind in ("gag", "catchphrase") else (), sources=(use,), since="ep.1", changed="ep.1",
              said={"ep.1": Said(text=EVIL, exemplars=(use,), sources=(use,), status="open", move="opened")},
              numbers={"words": 4, "lines": 2}, status="open" if kind == "thread" else None)
        for kind in ("gag", "catchphrase", "voice", "thread", "fact", "synopsis", "knowledge", "relationship", "tone")
    )  # fmt: skip
    script = "javascript:alert(1)//x y#.fountain"
    record = EpisodeRecord(id="ep.1", season=1, number=1, title=EVIL, screenplay=script)
    memory = ShowMemory(id="memory.x", episodes=(record,), entries=entries)
    bible = Bible(gags=(BibleGag(name=EVIL),), tone=(EVIL,))
    show = Show(config=ShowConfig(title=EVIL, language=EVIL), bible=bible, theme=Theme(never=(EVIL,)))
    budget = Budget(10, 5, EVIL, (Cost("x", EVIL, 10, "in"),))
    names = {"character.x": EVIL}
    return Subject(show, memory, Plan(changes=(plan,), notes=(plan,)), names, ((EVIL, use),), (EVIL,), budget)


def test_whatever_stands_in_a_script_is_text() -> None:
    """DESIGN §11: titles, words, names and paths of others never become markup."""
    html = page(evil())
    found = Page(html)
    assert html.count("<script") == 0 and "onload=x>" not in html.replace("onload=x&gt;", "")
    assert all(key != "onload" for _, a in found.tags for key in a)
    assert found.all("h1")[0][1] == EVIL
    links = {a["href"] for a, _ in found.all("a") if not a["href"].startswith("#")}
    assert links == {
        "./javascript%3Aalert%281%29/x%20y%23.fountain#L3",
        "./javascript%3Aalert%281%29/x%20y%23.fountain",
    }
    assert tag("p", "<i>", tag("b", "&")) == "<p>&lt;i&gt;<b>&amp;</b></p>"


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../b.fountain"])
def test_no_link_leads_out_of_the_show(path: str) -> None:
    """DESIGN §11: no path of a show leads outside it."""
    subject = evil()
    assert subject.memory is not None
    record = subject.memory.episodes[0].model_copy(update={"screenplay": path})
    memory = subject.memory.model_copy(update={"episodes": (record,)})
    html = page(Subject(subject.show, memory, names=subject.names))
    assert not [a for a, _ in Page(html).all("a") if "href" in a and not a["href"].startswith("#")]


def small(*uses: int, episodes: int = 3, **more: Any) -> Subject:
    held = tuple(
        EpisodeRecord(id=f"ep.{n}", season=1 + (n > 2), number=n, screenplay=f"{n}.fountain")
        for n in range(1, episodes + 1)
    )
    cited = tuple(Use(episode=f"ep.{n}", scene="1", line=4, words="kettle") for n in uses)
    entry = Entry(id="mem.gag.kettle", kind="gag", form="running", title="The kettle", uses=cited, **more)
    return Subject(Show(), ShowMemory(id="memory.x", episodes=held, entries=(entry,)))


def test_what_a_person_decided_is_marked() -> None:
    """C19, C27, C28, F4: pinned, locked, rewritten; let go is struck through, retired is not."""
    found = Page(page(small(1, pinned=True, locked=True, by="person", edited={"title": "ep.1"})))
    assert [text for _, text in found.all("span", "badge")][2:] == ["pinned", "locked", "rewritten"]
    assert Page(page(small(1, keep="drop"))).all("details", "dropped")
    assert not Page(page(small(1, retired=True))).all("details", "dropped")
    subject = Subject(Show(bible=Bible(gags=(BibleGag(name="The boat"),))), small(1).memory)
    assert "In the bible, and not played yet: The boat." in page(subject)


def test_a_thread_runs_from_where_it_opened_to_where_it_ended() -> None:
    """A102, G10: also through a season in which it does not move; its age is told."""
    source = {n: Source(episode=f"ep.{n}", scene="1", line=2, words="Who?") for n in (1, 4)}
    said = {"ep.1": Said(status="open", move="opened", sources=(source[1],))}
    entry = Entry(
        id="mem.thread.x", kind="thread", title="Who?", status="open", since="ep.1", changed="ep.1", said=said
    )
    episodes = small(episodes=6).memory
    assert episodes is not None
    found = Page(page(Subject(Show(), episodes.model_copy(update={"entries": (entry,)}))))
    lines = [(a["x1"], a["x2"], a["class"]) for a, _ in found.all("line") if "thread" in a["class"]]
    assert lines == [("10", "70", "thread open"), ("10", "30", "thread open")]
    assert "5 episodes" in [text for _, text in found.all("td")]
    paid = said | {"ep.4": Said(status="resolved", move="resolved", sources=(source[4],))}
    done = entry.model_copy(update={"status": "resolved", "said": paid, "changed": "ep.4"})
    found = Page(page(Subject(Show(), episodes.model_copy(update={"entries": (done,)}))))
    lines = [(a["x1"], a["x2"], a["class"]) for a, _ in found.all("line") if "thread" in a["class"]]
    assert lines == [("10", "30", "thread"), ("10", "30", "thread")]
    assert [text for _, text in found.all("td")][:2] == ["s01e01:2 Who?", "s02e04:2 Who?"]


def test_the_budget_adds_up() -> None:
    """A118, G3: what each part takes sums to the context's tokens; what is over is told."""
    rows = (
        Cost("frame", "frame", 20, "in"),
        Cost("mem.gag.a", "gag", 90, "in"),
        Cost("mem.gag.b", "gag", 40, "out", "budget"),
    )
    found = Page(page(Subject(Show(), small(1).memory, budget=Budget(110, 100, "o200k_base", rows))))
    parts = [(a["x"], a["width"]) for a, _ in found.all("rect", "part") if "x" in a]
    assert parts == [("0", "90"), ("90", "20")]
    assert "110 tokens of 100, 10 over it, counted by o200k_base." in found.all("body")[0][1]


def test_an_empty_memory_says_what_memory_is() -> None:
    """A132, A134: and how to build it; no empty groups, no links to nothing."""
    found = Page(page(Subject(Show(), None)))
    assert "Memory is the show's notebook" in found.all("p")[0][1] and not found.all("nav") and not found.all("h2")


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
