"""HTML that cannot be broken by what it tells: tags are made here, and whatever is not made here is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_VOID = frozenset({"br", "meta"})


class Safe(str):
    """Markup made of our own tags and of escaped text."""

    __slots__ = ()


def tag(name: str, /, *inner: str, **attributes: str | float | None) -> Safe:
    """An element. `class_` is class, other underscores are hyphens; an attribute that is None is left out."""
    held = "".join(f' {_named(key)}="{escape(str(value))}"' for key, value in attributes.items() if value is not None)
    if name in _VOID:
        return Safe(f"<{name}{held}>")
    return Safe(f"<{name}{held}>{joined(inner)}</{name}>")


def joined(parts: Iterable[str]) -> Safe:
    """Markup and text one after the other, the text escaped."""
    return Safe("".join(part if isinstance(part, Safe) else escape(part) for part in parts))


def trusted(text: str) -> Safe:
    """Text of ours that is no element: the style sheet."""
    return Safe(text)


def _named(key: str) -> str:
    # SVG's own names have capitals; everything else is in lower case with hyphens.
    return key.rstrip("_") if key in ("viewBox", "preserveAspectRatio") else key.rstrip("_").replace("_", "-")
