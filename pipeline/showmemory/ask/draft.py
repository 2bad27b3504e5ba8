"""The shapes an answer may have. Whatever a model says, it can only be one of these, and only a draft."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from showmemory.model.base import Frozen

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=600)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)]
# What the schema sent may hold: servers refuse bounds, and our own check knows them.
_SENT = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "$ref", "$defs", "description"}
)


class Cite(Frozen):
    """The number of a line as shown, and words that stand in what is said or told there."""

    line: int
    words: Line


Cites = Annotated[tuple[Cite, ...], Field(max_length=40)]
Ids = Annotated[tuple[Line, ...], Field(max_length=40)]


class Synopsis(Frozen):
    """What happens: one sentence that stands alone, then the story."""

    line: Line
    text: Text
    cites: Cites = ()


class Changed(Frozen):
    """What is different for whom once the episode is over."""

    who: Ids = ()
    text: Line
    cites: Cites = ()


class DraftEntry(Frozen):
    """One entry. `of`: the mark of what the rules found or memory holds, when it is about that."""

    kind: Literal["voice", "catchphrase", "relationship", "knowledge", "gag", "tone", "fact", "thread"]
    of: Line = ""
    title: Line = ""
    text: Text
    about: Ids = ()
    holders: Ids = ()
    field: Line = ""
    value: Line = ""
    move: Literal["", "opened", "moved", "resolved"] = ""
    cites: Cites = ()


class PassDraft(Frozen):
    """What the pass over one episode says."""

    synopsis: Synopsis
    changes: Annotated[tuple[Changed, ...], Field(max_length=40)] = ()
    entries: Annotated[tuple[DraftEntry, ...], Field(max_length=120)] = ()


class Spoken(Frozen):
    """Words about or of one character, with the lines they come from."""

    who: Line
    text: Text
    cites: Cites = ()


class VoiceDraft(Frozen):
    """How each lead talks."""

    voices: Annotated[tuple[Spoken, ...], Field(max_length=40)] = ()


class DiaryDraft(Frozen):
    """What each who was there would write down of it, in the first person."""

    entries: Annotated[tuple[Spoken, ...], Field(max_length=40)] = ()


class SeasonDraft(Frozen):
    """A season in a few sentences, and the episodes it rests on."""

    text: Text
    episodes: Ids = ()


class RewriteDraft(Frozen):
    """One entry's words, written again."""

    text: Text
    cites: Cites = ()


Draft = PassDraft | VoiceDraft | DiaryDraft | SeasonDraft | RewriteDraft
Pass = Literal["memory", "voice", "diary", "season", "rewrite"]
SHAPES: dict[Pass, type[Frozen]] = {
    "memory": PassDraft,
    "voice": VoiceDraft,
    "diary": DiaryDraft,
    "season": SeasonDraft,
    "rewrite": RewriteDraft,
}


def schema(pass_: Pass) -> dict[str, Any]:
    """The JSON Schema sent with a question: every key named and required, none besides, no bounds."""
    made: dict[str, Any] = _sent(SHAPES[pass_].model_json_schema(by_alias=True))
    return made


def _sent(node: Any) -> Any:
    if isinstance(node, list):
        return [_sent(one) for one in node]
    if not isinstance(node, dict):
        return node
    made = {key: _sent(value) for key, value in node.items() if key in _SENT and key not in ("properties", "$defs")}
    for key in ("properties", "$defs"):
        if key in node:
            made[key] = {name: _sent(value) for name, value in node[key].items()}
    if "properties" in made:
        made["required"] = list(made["properties"])
        made["additionalProperties"] = False
    return made
