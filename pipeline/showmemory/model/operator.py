"""Who is writing: the name and a few words about them, from a profile outside every show (B38, B39)."""

from __future__ import annotations

from pydantic import Field

from showmemory.model.base import Frozen


class Operator(Frozen):
    """Whoever a context is printed for. A first or last name alone is enough; nothing is ever made up in its place."""

    name: str = Field("", max_length=120)
    about: str = Field("", max_length=1200)

    @property
    def says(self) -> str:
        """One line, empty for an empty profile."""
        name, about = " ".join(self.name.split()), " ".join(self.about.split())
        if name and about:
            return f"You are working with {name}, who says: {about}"
        if name:
            return f"You are working with {name}."
        return f"You are working with somebody who says: {about}" if about else ""
