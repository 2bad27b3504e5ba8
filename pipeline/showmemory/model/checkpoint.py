"""A checkpoint: what stands of a story, field by field, each with where it comes from; and what refuses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

KIND = "story_memory_checkpoint"
NOT_RECORDED = "not recorded"
Purpose = Literal["resume", "room", "review", "lane", "adaptation"]
Focus = Literal["", "event", "character", "world"]
State = Literal["holds", "contradicted", "in doubt", "touched"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a checkpoint: its words, where they can be looked up, the entry they are of.

    `decision`: a locked decision's own words, where `text` says more.
    """

    text: str
    cite: str = ""
    id: str = ""
    decision: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a checkpoint. `source`: a key of the bible, or what it is counted from; `empty`: what it says then."""

    name: str
    title: str
    source: str
    lines: tuple[Line, ...] = ()
    empty: str = NOT_RECORDED


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a locked decision stands: what was found against it, the entry and where it is cited from."""

    decision: int
    text: str
    state: State
    why: str = ""
    cite: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why this is no checkpoint. `key` and `at`: the place in the bible to mend."""

    message: str
    hint: str = ""
    key: str = ""
    at: int = -1


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint as of a moment. `begins` and `ends`: the span it covers; `behind`: what memory has not taken up."""

    show: str
    purpose: str
    focus: str
    begins: str
    ends: str
    episodes: int
    behind: str
    parts: tuple[Part, ...]
    verdicts: tuple[Verdict, ...]
    refused: tuple[Refused, ...] = ()

    def part(self, name: str) -> Part:
        """One field."""
        return next(part for part in self.parts if part.name == name)

    def plain(self) -> dict[str, Any]:
        """As plain JSON values."""
        made: dict[str, Any] = {
            "kind": KIND,
            "show": self.show,
            "purpose": self.purpose,
            "focus": self.focus or None,
            "span": {"from": self.begins or None, "to": self.ends or None, "episodes": self.episodes},
            "behind": self.behind or None,
        }
        made |= {part.name: _part(part) for part in self.parts}
        made["refused"] = [refused.message for refused in self.refused]
        return made


def _part(part: Part) -> dict[str, Any]:
    if not part.lines:
        return {"source": part.source, "lines": part.empty}
    return {"source": part.source, "lines": [_line(line) for line in part.lines]}


def _line(line: Line) -> dict[str, str]:
    return {"text": line.text} | {
        k: v for k, v in (("cite", line.cite), ("id", line.id), ("decision", line.decision)) if v
    }
