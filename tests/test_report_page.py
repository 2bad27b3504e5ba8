"""The page of a report, made of subjects at hand: safe whatever they hold, and true to what a person decided."""

from __future__ import annotations

from typing import Any

import pytest

from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Source, Use
from showmemory.model.plan import Change, Plan
from showmemory.model.show import Bible, BibleGag, Show, ShowConfig, Theme
from showmemory.report.markup import tag
from showmemory.report.page import page
from showmemory.report.subject import Budget, Cost, Subject
from tags import Page

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
