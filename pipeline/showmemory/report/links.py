"""Citations as links to the line of the script, and the small marks that stand beside an entry."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from urllib.parse import quote

from showmemory.fold.place import place
from showmemory.model.memory import Entry, Source
from showmemory.report.markup import Safe, joined, tag
from showmemory.report.subject import Subject


def where(subject: Subject, source: Source) -> str:
    """The citation as terminals and editors open it, with scene and page where a writer sees no lines."""
    return place(source, subject.records)


def href(subject: Subject, source: Source) -> str | None:
    """The way from the page to the line; none where no script is known, or its path leads out of the show."""
    record = subject.records.get(source.episode)
    path = PurePosixPath(record.screenplay) if record and record.screenplay else None
    if path is None or path.is_absolute() or ".." in path.parts:
        return None
    at = f"#page={source.page}" if path.suffix.lower() == ".pdf" and source.page else f"#L{source.line}"
    return f"{quote(subject.base) or '.'}/{quote(path.as_posix())}{at if source.line or source.page else ''}"


def cite(subject: Subject, source: Source, text: str | None = None, **attributes: str) -> Safe:
    """A link to the line, called as it is cited unless there is another text."""
    return tag("a", text or where(subject, source), href=href(subject, source), **attributes)


def short(subject: Subject, source: Source) -> Safe:
    """A link called by its episode and line, where there is no room for the path."""
    at = f" p. {source.page}" if source.page else f":{source.line}" if source.line else ""
    text = f"{subject.label(source.episode)}{at}"
    return cite(subject, source, text, class_="at", title=where(subject, source))


def quoted(subject: Subject, source: Source) -> Safe:
    """One cited line: where it stands, who says it, its words."""
    who = [tag("b", subject.name(source.speaker)), " "] if source.speaker else []
    return tag("li", cite(subject, source, class_="at"), " ", *who, tag("q", source.words))


def quotes(subject: Subject, sources: Iterable[Source]) -> Safe:
    """Cited lines, one under the other."""
    return tag("ul", *(quoted(subject, source) for source in sources), class_="quotes")


def badge(text: str, kind: str = "", title: str = "") -> Safe:
    """A small mark."""
    return tag("span", text, class_=f"badge {kind}".strip(), title=title or None)


def badges(subject: Subject, entry: Entry) -> Safe:
    """What a person decided of an entry, and how worn it is."""
    made = [badge(name, "own") for name in ("pinned", "locked", "retired") if getattr(entry, name)]
    made += [badge("let go", "own")] if entry.keep == "drop" else [badge("kept", "own")] if entry.keep else []
    made += [badge("rewritten" if entry.edited else "yours", "own")] if entry.by == "person" else []
    rest = subject.rests.get(entry.id)
    if rest is not None:
        made += [badge("resting", "rest", rest.why)] if rest.resting else []
        made += [badge("worn", "worn")] if rest.wear == "worn" and not rest.resting else []
    return joined(part for mark in made for part in (mark, " "))


def played(subject: Subject, entry: Entry) -> str:
    """When it last played, and how often in all."""
    rest = subject.rests.get(entry.id)
    if rest is None or not rest.last:
        return "not played yet"
    more = f", {rest.unrecorded} of them not recorded" if rest.unrecorded else ""
    return f"last {subject.label(rest.last)}, {rest.times}×{more}"
