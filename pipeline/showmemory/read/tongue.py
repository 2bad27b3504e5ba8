"""A script in which no scene heading was read, though lines in it look like some: which language they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from showmemory.model.screenplay import Element
from showmemory.model.span import Problem, Span
from showmemory.read.headings import heading_words, opens_scene
from showmemory.read.rules import languages, read_rules

# A short word in capitals with a dot, and the rest of the line in capitals too: ИНТ. КУХНЯ - ДЕНЬ
_LIKE = re.compile(r"[^\W\d_]{2,8}\.(?:\s?/\s?[^\W\d_]{2,8}\.?)?\s+\S")
# One such line may be a shout; two are a habit.
FEW = 2


def unread_headings(elements: Sequence[Element], path: str, language: str) -> list[Problem]:
    """One warning when there are no headings and at least FEW lines look like them, with what to do about it."""
    if any(element.kind == "heading" for element in elements):
        return []
    like = [e for e in elements if e.kind == "action" and e.text.isupper() and _LIKE.match(e.text)]
    if len(like) < FEW:
        return []
    first = like[0]
    tongue = next((name for name in languages() if name != language and _reads(name, like)), "")
    hint = (
        f'write language = "{tongue}" in show.toml'
        if tongue
        else "put a dot before each (.HALL - NIGHT), or give the words they open with in rules/LANGUAGE/headings.toml"
    )
    message = f"expected scene headings that open with INT. or EXT., found none, and {len(like)} lines like this one"
    return [Problem(Span(path, first.line, first.line), "warning", message, hint, first.text, group="headings")]


def _reads(language: str, like: Sequence[Element]) -> bool:
    rules, _ = read_rules(language)
    words = heading_words(rules)
    return 2 * sum(opens_scene(element.text, words) for element in like) > len(like)
