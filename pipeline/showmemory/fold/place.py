"""Where a citation stands, for a person to open: the script's path and line, and where no lines are seen, its page."""

from __future__ import annotations

from collections.abc import Mapping

from showmemory.model.memory import EpisodeRecord, Source

# A writer opens these by scene and page; in a PDF the line counts on its page and opens nothing.
_PAGED = (".fdx", ".pdf")


def place(source: Source, records: Mapping[str, EpisodeRecord]) -> str:
    """A citation as terminals and editors open it, path:line; of Final Draft and PDF also scene and page."""
    record = records.get(source.episode)
    if record is None or not record.screenplay:
        return source.episode
    script = record.screenplay.lower()
    line = "" if script.endswith(".pdf") or not source.line else f":{source.line}"
    page = paged(source) if script.endswith(_PAGED) else ""
    return f"{record.screenplay}{line}{f' ({page})' if page else ''}"


def paged(source: Source) -> str:
    """Scene and page, as far as they are known: sc. 12 p. 8."""
    parts = (("sc.", source.scene), ("p.", source.page))
    return " ".join(f"{name} {value}" for name, value in parts if value)
