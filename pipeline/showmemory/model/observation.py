"""What one rule saw in one episode: the identity of an entry, and what is said of it there."""

from __future__ import annotations

from showmemory.model.base import Frozen
from showmemory.model.memory import Form, Kind, Said


class Observation(Frozen):
    """Immutable, sortable by (kind, key, episode), serialisable.

    `key` is the identity (speaker and folded phrase; subject and field; ...): two observations with the same kind and
    key are of one entry. `name` is what the entry's id is slugged from, and must depend on the key alone.
    """

    rule: str
    episode: str
    kind: Kind
    form: Form | None = None
    key: str
    name: str
    about: tuple[str, ...] = ()
    field: str | None = None
    said: Said
