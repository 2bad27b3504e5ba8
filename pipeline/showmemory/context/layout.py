"""Sections, and what was taken of each -> the blocks of the text in reading order, each with its row of the receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from showmemory.context.formats import Form
from showmemory.context.piece import Piece, Section
from showmemory.context.receipt import Row
from showmemory.context.tokens import count

_PLURALS = {
    "season summary": "season summaries",
    "piece of knowledge": "pieces of knowledge",
    "echo": "echoes",
    "reason of a reading": "reasons of a reading",
}
_ORDER = (
    "designed voice",
    "reason of a reading",
    "voice",
    "catchphrase",
    "relationship",
    "piece of knowledge",
    "gag",
    "callback",
    "echo",
    "episode",
    "season summary",
    "thread",
    "fact",
    "term",
    "plan",
    "past scene",
)


@dataclass(frozen=True, slots=True)
class Block:
    """A run of the text with its row."""

    text: str
    row: Row


def laid(form: Form, section: Section, taken: Mapping[str, int]) -> list[Block]:
    """A section as it prints: heading, groups, and each piece in the longest form that was taken."""
    if not taken:
        return []
    pieces = {id_: piece for id_, piece in section.pieces.items() if id_ in taken}
    opened, closed = form.open(section.name, section.title), form.close(section.name)
    blocks = [_mark(f"heading.{section.name}", opened, count(closed))]
    group = ""
    for piece in sorted(pieces.values(), key=lambda p: p.place):
        if piece.group != group:
            blocks += _shut(form, group)
            group = piece.group
            blocks += _grouped(form, group, section)
        blocks.append(_block(form, piece, taken[piece.id]))
    blocks += _shut(form, group)
    return [*blocks, Block(closed, _NONE)] if closed else blocks


def printed(form: Form, piece: Piece, level: int) -> str:
    """A piece as it prints in one of its forms."""
    return form.row(piece.id, piece.kind, piece.texts[level], bool(piece.group))


def heading_tokens(form: Form, section: Section, group: str) -> int:
    """What a section's heading costs, or a group's, with what closes it."""
    if group:
        return count(form.group(group, section.groups[group])) + count(form.shut(group))
    return count(form.open(section.name, section.title)) + count(form.close(section.name))


def last_line(left: Mapping[str, int]) -> str:
    """What was left out for room, in the world's own terms (D24); empty when nothing was."""
    known = [noun for noun in (*_ORDER, *sorted(set(left) - set(_ORDER))) if left.get(noun)]
    return f"Left out for room: {', '.join(_counted(left[noun], noun) for noun in known)}" if known else ""


def mark(id_: str, text: str) -> Block:
    """A block that is no entry: the frame, the last line, the end."""
    return _mark(id_, text, 0)


def text_of(blocks: Sequence[Block]) -> str:
    """The whole text."""
    return "".join(block.text for block in blocks)


def rows_of(blocks: Sequence[Block]) -> tuple[Row, ...]:
    """The rows of what is printed, one a block; what closes a heading is counted with it."""
    return tuple(block.row for block in blocks if block.row is not _NONE)


def _block(form: Form, piece: Piece, level: int) -> Block:
    text = printed(form, piece, level)
    short = level < len(piece.texts) - 1
    reason = f"{piece.reason}; cut short for room" if short else piece.reason
    return Block(text, Row(piece.id, piece.kind, count(text), "in", reason, "budget" if short else "", piece.title))


def _grouped(form: Form, group: str, section: Section) -> list[Block]:
    if not group:
        return []
    return [_mark(f"heading.{group}", form.group(group, section.groups[group]), count(form.shut(group)))]


def _shut(form: Form, group: str) -> list[Block]:
    text = form.shut(group) if group else ""
    return [Block(text, _NONE)] if text else []


def _mark(id_: str, text: str, more: int) -> Block:
    return Block(text, Row(id_, "heading", count(text) + more, "in", "layout"))


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {_PLURALS.get(noun, noun + 's')}"


# The row of what closes a heading: its tokens stand in the heading's own row.
_NONE = Row("", "", 0, "in", "")
