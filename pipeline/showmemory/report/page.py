"""A show, its memory and what waits -> one static page of HTML: nothing runs in it, and nothing is loaded."""

from __future__ import annotations

from pathlib import Path

from showmemory.report.grid import grids
from showmemory.report.markup import Safe, tag, trusted
from showmemory.report.subject import Subject
from showmemory.report.telling import rules, story, threads, world
from showmemory.report.voices import voices
from showmemory.report.waits import budget, waits
from showmemory.text.counted import counted

# A page from scripts of others: nothing is loaded, nothing runs, whatever stands in them.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = Path(__file__).with_name("page.css")


def page(subject: Subject) -> str:
    """The whole page."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{subject.title}: what the show remembers"),
        tag("style", trusted(_STYLE.read_text(encoding="utf-8"))),
    )
    body = _empty(subject) if subject.memory is None or not subject.episodes else _body(subject)
    html = tag("html", head, tag("body", tag("h1", subject.title), *body), lang=subject.show.config.language)
    return f"<!doctype html>\n{html}\n"


def _body(subject: Subject) -> list[Safe]:
    assert subject.memory is not None, "there is something to tell"
    sections = [
        ("waits", "What waits", len(subject.plan.changes), waits(subject)),
        ("grid", "Gags and threads", len(subject.of("gag", "thread")), grids(subject)),
        ("voices", "Voices", len(subject.of("voice")), voices(subject)),
        ("story", "The story so far", len(subject.of("synopsis")), story(subject)),
        ("threads", "Threads", len(subject.of("thread")), threads(subject)),
        ("world", "The world", len(subject.of("fact")), world(subject)),
        ("rules", "Rules of the house", 0, rules(subject)),
    ]
    if subject.budget is not None:
        sections.append(("context", "The context against its budget", 0, budget(subject.budget)))
    told = [tag("section", tag("h2", title), inner, id=id_) for id_, title, _, inner in sections]
    links = [_link(id_, title, count) for id_, title, count, _ in sections]
    return [_standing(subject), tag("nav", *links), tag("main", *told), _foot(subject)]


def _standing(subject: Subject) -> Safe:
    newest = subject.episodes[-1]
    there = max(len(subject.episodes), len(subject.show.episodes))
    name = f"{subject.label(newest.id)} {newest.title}".rstrip()
    entries = len(subject.memory.entries) if subject.memory else 0
    aside = f", {len(subject.aside)} of them held back" if subject.aside else ""
    told = f"As of {name}. {len(subject.episodes)} of {counted(there, 'episode')} remembered, {entries} entries{aside}."
    return tag("p", told, class_="standing")


def _link(id_: str, title: str, count: int) -> Safe:
    return tag("a", title, *([" ", tag("small", str(count))] if count else []), href=f"#{id_}")


def _foot(subject: Subject) -> Safe:
    settings = subject.memory.settings if subject.memory else None
    rows = settings.model_dump(mode="json", by_alias=True) if settings else {}
    told = ", ".join(f"{name} {', '.join(map(str, v)) if isinstance(v, list) else v}" for name, v in rows.items())
    return tag("footer", tag("p", "Settings: ", told), tag("p", "Written by ", tag("code", "showmemory report"), "."))


def _empty(subject: Subject) -> list[Safe]:
    """What memory is, and how to build it; no empty lists and no filters over nothing."""
    told = (
        "Nothing is remembered yet. Memory is the show's notebook, made from its scripts: how each character talks, "
        "the gags and when each last played, the story so far, open threads."
    )
    count = len(subject.show.episodes)
    scripts = f"{counted(count, 'script')} can be read: " if count else "Put scripts into the show's folder, then: "
    return [tag("p", told, class_="standing"), tag("p", scripts, tag("code", "doit remember"))]
