"""Which drafts a person has thrown out or turned down, by what they are and not by id alone (F3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from showmemory.merge.drafts import Draft
from showmemory.model.ids import digest, entry_id
from showmemory.model.memory import Entry, Refusal, Tombstone

Rename = Callable[[str], str]
_CITED = 12


def renamer(was: Mapping[str, str]) -> Rename:
    """A function that maps an old show id to its new one wherever it stands in a key (parts are split by |)."""

    def renamed(key: str) -> str:
        return "|".join(was.get(part, part) for part in key.split("|")) if was else key

    return renamed


def cited(draft: Draft) -> tuple[str, ...]:
    """The words a draft stands on, for a tombstone to know it by later."""
    words = {w.words for s in draft.said.values() for w in (*s.uses, *s.sources) if w.words}
    return tuple(sorted(words))


def cited_entry(entry: Entry) -> tuple[str, ...]:
    """The words an entry stands on."""
    return tuple(sorted({w.words for w in (*entry.uses, *entry.sources) if w.words})[:_CITED])


def filled(tombs: Iterable[Tombstone], drafts: Mapping[tuple[str, str], Draft]) -> tuple[Tombstone, ...]:
    """Tombstones of entries removed by hand know only an id; give them what the drafts know of it."""
    bare = [t for t in tombs if not t.key]
    if not bare:
        return tuple(tombs)
    by_id: dict[str, Draft] = {}
    for draft in drafts.values():
        plain = entry_id(draft.kind, draft.name)
        by_id.setdefault(f"{plain}-{digest(draft.key)[:6]}", draft)
        by_id.setdefault(plain, draft)
    made = []
    for tomb in tombs:
        found = by_id.get(tomb.id) if not tomb.key else None
        if found is not None:
            known = {"key": found.key, "about": found.about, "words": cited(found)[:_CITED]}
            tomb = tomb.model_copy(update=known)
        made.append(tomb)
    return tuple(made)


class Refused:
    """All a person threw out, indexed by kind and about so that asking costs little."""

    def __init__(self, tombs: Iterable[Tombstone], refusals: Iterable[Refusal], rename: Rename) -> None:
        """Take tombstones and refusals of whole entries; refusals of one episode are asked by `change`."""
        self._rename = rename
        self._whole: dict[tuple[str, frozenset[str]], list[Tombstone | Refusal]] = {}
        self._changes: set[tuple[str, str, str, str]] = set()
        for tomb in tombs:
            self._add(tomb)
        for refusal in refusals:
            if refusal.episode is None:
                self._add(refusal)
            else:
                at = (refusal.kind, rename(refusal.key), refusal.episode, refusal.fingerprint or "")
                self._changes.add(at)

    def _add(self, thrown: Tombstone | Refusal) -> None:
        about = frozenset(self._rename(a) for a in thrown.about)
        self._whole.setdefault((thrown.kind, about), []).append(thrown)

    def entry(self, draft: Draft) -> bool:
        """Whether the draft is one the person threw out: folded key, or at least half of the cited words."""
        rivals = self._whole.get((draft.kind, frozenset(draft.about)), ())
        if any(self._rename(t.key) == draft.key for t in rivals if t.key):
            return True
        said = set(cited(draft)) if any(t.words for t in rivals) else set()
        return any(t.words and 2 * len(said.intersection(t.words)) >= len(t.words) for t in rivals)

    def change(self, entry: Entry, episode: str, words: str) -> bool:
        """Whether the person turned down just this, said by this episode of this entry."""
        return (entry.kind, self._rename(entry.key), episode, words) in self._changes
