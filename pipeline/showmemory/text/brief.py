"""Prose cut short for a notebook, and names out of capitals."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SENTENCE = re.compile(r"[.!?…]+[\"”’')]*(?=\s+[^\W_a-z]|\s*$)")
_ABBREVIATED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Lt|Capt|Sgt|Prof|vs|No)|\b[A-Z])\.$")


def sentences(text: str) -> Iterator[str]:
    """The sentences of prose, as written."""
    begins = 0
    for match in _SENTENCE.finditer(text):
        if not _ABBREVIATED.search(text[begins : match.end()]):
            yield text[begins : match.end()].strip()
            begins = match.end()
    if text[begins:].strip():
        yield text[begins:].strip()


def first_sentence(text: str, most: int) -> str:
    """The first sentence of `text`, in at most `most` words."""
    return clipped(next(sentences(text), ""), most)


def telling(text: str, least: int) -> str:
    """The first sentence that tells something: `least` words or more, not all in capitals ("LATER.", "(OPTICAL)")."""
    told = (s for s in sentences(text) if len(s.split()) >= least and any(c.islower() for c in s))
    return next(told, "")


def clipped(text: str, most: int) -> str:
    """`text` on one line in at most `most` words, an ellipsis where it was cut."""
    held = text.split()
    if len(held) <= most:
        return " ".join(held)
    return " ".join(held[:most]).rstrip(",;:.-–—") + "…"


def unstopped(text: str) -> str:
    """`text` on one line without its full stop, to stand within a sentence."""
    return " ".join(text.split()).removesuffix(".")


def stopped(text: str) -> str:
    """`text` on one line, ended as a sentence."""
    held = " ".join(text.split())
    return held if not held or held[-1] in ".!?…\"”'’" else held + "."


def titled(name: str) -> str:
    """A name written in capitals as it stands in a sentence: "DR. O'NEIL" -> "Dr. O'Neil"; others are left alone."""
    if name != name.upper():
        return name
    made = []
    for word in name.split(" "):
        low = word.lower()
        starts = [at for at, c in enumerate(low) if c.isalpha() and (at == 0 or not low[at - 1].isalnum())]
        keep = [
            at for at in starts if at == 0 or low[at - 1] in '-(/&"“' or (low[at - 1] in "'’" and len(low) - at > 2)
        ]
        made.append("".join(c.upper() if at in keep else c for at, c in enumerate(low)))
    return " ".join(made)
