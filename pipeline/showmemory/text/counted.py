"""A number of things in words that fit it: 1 gag, 2 gags."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """The number and the noun, singular or plural; `many` where an s does not make it."""
    return f"{number} {one if number == 1 else many or one + 's'}"
