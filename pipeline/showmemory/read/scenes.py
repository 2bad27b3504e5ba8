"""Flat elements -> the scenes over them, with their ids, places and parts of day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from showmemory.model.screenplay import UNSEEN, Element, Scene
from showmemory.read.headings import Heading, HeadingWords, take_apart


def scenes_of(
    elements: Sequence[Element], words: HeadingWords, numbers: Mapping[int, str]
) -> tuple[list[Scene], list[Heading]]:
    """Cut `elements` at their headings, and say how each heading reads. `numbers`: index -> printed scene number."""
    known: dict[str, Heading] = {}
    headings: list[Heading] = []
    heads = [index for index, element in enumerate(elements) if element.kind == "heading"]
    found: list[Scene] = []
    first = heads[0] if heads else len(elements)
    opening = next((e for e in elements[:first] if e.kind not in UNSEEN), None)
    if opening:
        found.append(Scene("0", "", opening.line, 0, first, page=opening.page))
        headings.append(Heading())
    taken = dict.fromkeys((scene.id for scene in found), 1)
    for ordinal, (start, end) in enumerate(pairwise([*heads, len(elements)]), start=1):
        head = elements[start]
        scene_id = _unique(numbers.get(start) or str(ordinal), taken)
        read = known.get(head.text) or known.setdefault(head.text, take_apart(head.text, words))
        headings.append(read)
        found.append(
            Scene(
                scene_id,
                head.text,
                head.line,
                start,
                end,
                setting=read.setting,
                place=read.place,
                daypart=read.daypart,
                omitted=read.omitted,
                page=head.page,
            )
        )
    return found, headings


def _unique(wanted: str, taken: dict[str, int]) -> str:
    """An id seen before takes the first free ".2", ".3", ...; two scenes numbered 12 become 12 and 12.2."""
    made = wanted
    count = taken.get(wanted, 0)
    while made in taken:
        count += 1
        made = f"{wanted}.{count}"
    taken[wanted] = count or 1
    taken.setdefault(made, 1)
    return made
