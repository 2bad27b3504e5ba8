"""Voices side by side: how each lead talks, in figures and in their own lines, and what they say over and over."""

from __future__ import annotations

from collections.abc import Sequence

from showmemory.fold.words import drift_words
from showmemory.model.memory import Entry, Source
from showmemory.report.links import badges, played, short
from showmemory.report.markup import Safe, joined, tag
from showmemory.report.subject import Subject

_LEADS = 8
# What is counted, out of what; a share of all words where nothing is named.
_MEASURES = (
    ("of all words", "words", ""),
    ("words a line", "words", "lines"),
    ("asks", "questions", "sentences"),
    ("exclaims", "exclamations", "sentences"),
    ("in fragments", "short", "sentences"),
    ("contractions", "contractions", "words"),
)


def voices(subject: Subject) -> Safe:
    """The most talkative side by side, then a card each; the others after them."""
    held = sorted(subject.of("voice"), key=lambda e: (-e.numbers.get("words", 0), e.id))
    if not held:
        return tag("p", "Nobody has said enough yet for a voice to be told.", class_="none")
    leads, others = held[:_LEADS], held[_LEADS:]
    cards = tag("div", *(_card(subject, entry) for entry in leads), class_="cards")
    if not others:
        return joined([_table(subject, leads), cards])
    more = tag("summary", f"{len(others)} more who say less")
    rest = tag("details", more, tag("div", *(_card(subject, entry) for entry in others), class_="cards"))
    return joined([_table(subject, leads), cards, rest])


def _table(subject: Subject, leads: Sequence[Entry]) -> Safe:
    head = tag("tr", tag("td"), *(tag("th", _who(subject, entry), scope="col") for entry in leads))
    whole = sum(spoke.words for record in subject.episodes for spoke in record.spoke.values()) or 1
    rows = [_measure(leads, *measure, whole) for measure in _MEASURES]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="scroll")


def _measure(leads: Sequence[Entry], name: str, counted: str, of: str, whole: int) -> Safe:
    values = [e.numbers.get(counted, 0) / ((e.numbers.get(of, 0) or 1) if of else whole) for e in leads]
    most = max(values) or 1.0
    cells = [tag("td", _figure(value, name), _bar(value / most)) for value in values]
    return tag("tr", tag("th", name, scope="row"), *cells)


def _figure(value: float, name: str) -> Safe:
    return tag("span", f"{value:.1f}" if name == "words a line" else f"{value:.0%}", class_="figure")


def _bar(share: float) -> Safe:
    made = tag("rect", width=max(1, round(60 * share)), height=6, class_="bar")
    return tag("svg", tag("rect", width=60, height=6, class_="bed"), made, viewBox="0 0 60 6", class_="meter")


def _card(subject: Subject, entry: Entry) -> Safe:
    who = entry.about[0] if entry.about else ""
    meant = next((c.voice for c in subject.show.bible.characters if c.id == who and c.voice), "")
    rows = [tag("h4", _who(subject, entry), " ", badges(subject, entry))]
    rows += [tag("p", tag("small", "meant"), " ", meant)] if meant else []
    rows += [tag("p", tag("small", "heard"), " ", entry.text)] if entry.text else []
    rows += _drift(subject, entry)
    latest = next((entry.said[e] for e in reversed(subject.aired) if e in entry.said and entry.said[e].exemplars), None)
    rows += [_lines(subject, latest.exemplars)] if latest else []
    rows += _list(subject, "says", [e for e in subject.of("catchphrase") if who in e.about])
    rows += _list(subject, "with others", [e for e in subject.of("relationship") if who in e.about])
    rows += _list(subject, "knows", [e for e in subject.of("knowledge") if who in e.holders])
    return tag("section", *rows, class_="card")


def _lines(subject: Subject, exemplars: Sequence[Source]) -> Safe:
    rows = (tag("li", tag("q", one.words), " ", short(subject, one)) for one in exemplars)
    return tag("ul", *rows, class_="quotes")


def _drift(subject: Subject, entry: Entry) -> list[Safe]:
    newest = next((e for e in reversed(subject.aired) if e in entry.said), None)
    if newest is None:
        return []
    told = drift_words(entry.said[newest].numbers, entry.said[newest].measures)
    return [tag("p", tag("small", f"in {subject.label(newest)}"), " ", told)] if told else []


def _list(subject: Subject, heading: str, entries: Sequence[Entry]) -> list[Safe]:
    if not entries:
        return []
    return [tag("h5", heading), tag("ul", *(_item(subject, entry) for entry in entries))]


def _item(subject: Subject, entry: Entry) -> Safe:
    cited = entry.uses or entry.sources
    told = entry.title or entry.text if entry.kind == "catchphrase" else entry.text or entry.title
    plays = [tag("small", f" {played(subject, entry)}")] if entry.kind == "catchphrase" else []
    link = [" ", short(subject, cited[-1])] if cited else []
    return tag("li", told, " ", badges(subject, entry), *plays, *link)


def _who(subject: Subject, entry: Entry) -> str:
    return entry.title or (subject.name(entry.about[0]) if entry.about else entry.id)
