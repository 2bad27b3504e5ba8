"""Sentences of a spoken text."""

from __future__ import annotations

from showmemory.text.fold import Folding
from showmemory.text.tokens import ENDS, Token, tokens


def sentences(text: str, folding: Folding) -> list[list[Token]]:
    """The tokens of `text`, sentence by sentence."""
    found: list[list[Token]] = []
    open_: list[Token] = []
    for token in tokens(text, folding):
        open_.append(token)
        if token.bounds & ENDS:
            found.append(open_)
            open_ = []
    return found
