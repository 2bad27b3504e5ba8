"""Drafts and memory -> what would change, decision by decision, and what protected entries refused. Pure, no I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from showmemory.merge.drafts import Draft
from showmemory.merge.refused import Refused, Rename, filled, renamer
from showmemory.model.canonical import fingerprint
from showmemory.model.ids import unique_ids
from showmemory.model.memory import GROUP_OF, Entry, EpisodeRecord, Said, ShowMemory

_WEIGHED = ("running", "callback", "echo", "term")
_COUNTED = {"numbers", "tallies", "measures", "score", "held", "earned", "exemplars", "sources", "uses", "stale"}


@dataclass(frozen=True, slots=True)
class Delta:
    """One decision: what `episodes` would come to say of one entry. `episode` is the one that caused it."""

    op: Literal["added", "changed", "forgotten", "gone"]
    id: str
    episode: str
    episodes: tuple[str, ...]
    draft: Draft | None
    before: Entry | None

    @property
    def quiet(self) -> bool:
        """Whether only numbers, scores and line numbers move: no word, no use, nothing a person would decide on."""
        if self.op != "changed" or self.draft is None or self.before is None:
            return False
        said, held = self.draft.said, self.before.said
        return all(e in said and e in held and _same_words(said[e], held[e]) for e in self.episodes)


@dataclass(frozen=True, slots=True)
class Note:
    """What a pass wanted of an entry that no pass may change."""

    entry: Entry
    episode: str
    wanted: Said | None


@dataclass(frozen=True)
class Target:
    """The whole difference between what the passes say now and what memory holds."""

    memory: ShowMemory
    deltas: tuple[Delta, ...]
    notes: tuple[Note, ...]
    records: Mapping[str, EpisodeRecord]
    ids: Mapping[tuple[str, str], str] = field(default_factory=dict)


def words_of(said: Said | None) -> str:
    """A fingerprint of what an episode says without its numbers: a refusal holds until the words say something new."""
    if said is None:
        return ""
    words = said.model_dump(mode="json", exclude=_COUNTED, exclude_defaults=True)
    words["at"] = sorted({w.words for w in (*said.uses, *said.sources)})
    return fingerprint(words)


def _same_words(one: Said, other: Said) -> bool:
    cited = (sorted(w.words for w in (*said.uses, *said.sources)) for said in (one, other))
    return words_of(one) == words_of(other) and next(cited) == next(cited) and one.earned == other.earned


def target(
    memory: ShowMemory,
    drafts: Mapping[tuple[str, str], Draft],
    records: Mapping[str, EpisodeRecord],
    gone: Sequence[str] = (),
    was: Mapping[str, str] | None = None,
    *,
    whole: bool = True,
) -> Target:
    """Compare. `records`: the episodes read now, in story order; `gone`: remembered ones the show no longer has.

    What an episode that was not read says stays as it is; so does what a disabled group holds (A30). Not `whole`: a
    remembered episode could not be read, so all that is weighed over the whole show waits until it can.
    """
    rename = renamer(was or {})
    enabled = set(memory.settings.kinds)
    drafts = {at: d for at, d in drafts.items() if GROUP_OF[d.kind] in enabled and (whole or not weighed(d))}
    tombs = filled(memory.forgotten, drafts)
    memory = memory.model_copy(update={"forgotten": tombs})
    refused = Refused(tombs, memory.declined, rename)
    memory = memory.model_copy(update={"entries": tuple(_followed(e, rename, drafts) for e in memory.entries)})
    held: dict[tuple[str, str], Entry] = {(e.kind, rename(e.key)): e for e in memory.entries}
    place = {episode: at for at, episode in enumerate(records)}
    live = {at: d for at, d in drafts.items() if at in held or not refused.entry(d)}
    ids = _ids(live, held, tombs, records)
    caused = _caused(memory, records)
    deltas: list[Delta] = []
    notes: list[Note] = []
    for at in sorted({*live, *held}):
        entry, draft = held.get(at), live.get(at)
        if entry is None and draft is not None:
            deltas.append(_added(ids[at], draft, records))
        elif entry is not None and GROUP_OF[entry.kind] in enabled and (whole or not weighed(entry)):
            _compare(entry, draft, place, caused, refused, deltas, notes)
    deltas += [Delta("gone", episode, episode, (episode,), None, None) for episode in gone]
    return Target(memory, tuple(deltas), tuple(notes), records, ids)


def weighed(entry: Entry | Draft) -> bool:
    """Whether an entry is weighed over the whole show: what recurs, and voices against each other."""
    return entry.kind in ("catchphrase", "voice") or (entry.form in _WEIGHED)


def _followed(entry: Entry, rename: Rename, drafts: Mapping[tuple[str, str], Draft]) -> Entry:
    """An entry follows a renaming in the bible (`was`); a locked one keeps its bytes and is only matched."""
    key = rename(entry.key)
    draft = drafts.get((entry.kind, key))
    update: dict[str, Any] = {}
    if draft is not None and not any(s.about for s in draft.said.values()):
        if "about" in entry.edited:
            update = {"original": {**entry.original, "about": draft.about}}
        elif entry.about != draft.about:
            update = {"about": draft.about}
    if key != entry.key:
        holders = tuple(rename(h) for h in entry.holders)
        update |= {"key": key, "holders": holders, "about": tuple(rename(a) for a in entry.about), **update}
    return entry if entry.locked or entry.frozen or not update else entry.model_copy(update=update)


def _ids(
    live: Mapping[tuple[str, str], Draft],
    held: Mapping[tuple[str, str], Entry],
    tombs: Iterable[Any],
    records: Mapping[str, EpisodeRecord],
) -> dict[tuple[str, str], str]:
    place = {episode: at for at, episode in enumerate(records)}
    wanted: dict[str, tuple[str, str, int]] = {}
    for at, draft in live.items():
        first = min((place.get(e, 0) for e, s in draft.said.items() if s.earned), default=0)
        wanted["\0".join(at)] = (draft.kind, draft.name, first)
    taken = {"\0".join(at): entry.id for at, entry in held.items()}
    taken |= {f"\0tomb\0{t.id}": t.id for t in tombs}
    made = unique_ids(wanted, taken)
    return {at: made["\0".join(at)] for at in live}


def _caused(memory: ShowMemory, records: Mapping[str, EpisodeRecord]) -> tuple[str, ...]:
    """Episodes whose script is new or differs from what memory read, in story order."""
    known = {e.id: e.hash for e in memory.episodes}
    return tuple(id_ for id_, record in records.items() if known.get(id_) != record.hash)


def _added(id_: str, draft: Draft, records: Mapping[str, EpisodeRecord]) -> Delta:
    said = tuple(e for e in records if e in draft.said)
    since = next(e for e in said if draft.said[e].earned)
    return Delta("added", id_, since, said, draft, None)


def _compare(
    entry: Entry,
    draft: Draft | None,
    place: Mapping[str, int],
    caused: Sequence[str],
    refused: Refused,
    deltas: list[Delta],
    notes: list[Note],
) -> None:
    said = draft.said if draft else {}
    either = [e for e in {*said, *entry.said} if e in place]
    differs = [e for e in either if said.get(e) != entry.said.get(e) and _may(entry, said.get(e), e)]
    differs.sort(key=place.__getitem__)
    differs = [e for e in differs if not refused.change(entry, e, words_of(said.get(e)))]
    if not differs:
        return
    if entry.frozen:
        notes += [Note(entry, e, said.get(e)) for e in differs]
        return
    rest = set(entry.said) - set(differs)
    if not rest and not said and not _protected(entry):
        deltas.append(Delta("forgotten", entry.id, differs[-1], tuple(differs), draft, entry))
        return
    for cause, episodes in _by_cause(differs, caused).items():
        deltas.append(Delta("changed", entry.id, cause, tuple(episodes), draft, entry))


def _may(entry: Entry, wanted: Said | None, episode: str) -> bool:
    """A pass takes back only what it said itself: an answer stays until a newer one replaces it (A86)."""
    held = entry.said.get(episode)
    if wanted is None and held is not None:
        return held.by == "deterministic" and bool(held.model_copy(update={"stale": ()}) != Said(rule=held.rule))
    return True


def _protected(entry: Entry) -> bool:
    return bool(entry.edited) or entry.by == "person" or entry.keep is not None or entry.rested is not None


def _by_cause(differs: Sequence[str], caused: Sequence[str]) -> dict[str, list[str]]:
    """Each changed script decides for itself; what changed only because an earlier script did goes with that one."""
    groups: dict[str, list[str]] = {}
    for episode in differs:
        if episode in caused or not caused:
            groups.setdefault(episode if caused else differs[0], []).append(episode)
    for episode in differs:
        if caused and episode not in caused:
            cause = next((e for e in differs if e in caused), caused[0])
            groups.setdefault(cause, []).append(episode)
    return {cause: groups[cause] for cause in sorted(groups, key=lambda e: differs.index(e) if e in differs else -1)}
