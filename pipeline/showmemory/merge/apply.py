"""Decisions -> the next memory: what was accepted is folded in, what was turned down is remembered as such. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from showmemory.fold.fold import closed, fingerprints, order, refold
from showmemory.merge.person import owning
from showmemory.merge.plan import Delta, Target, words_of
from showmemory.merge.refused import cited
from showmemory.model.memory import Entry, EpisodeRecord, Refusal, Said, ShowMemory

_CITED = 12


def decision(delta: Delta) -> str:
    """How a person names a decision: ENTRY@EPISODE."""
    return f"{delta.id}@{delta.episode}"


def apply(target: Target, approved: Collection[str], rejected: Collection[str] = ()) -> ShowMemory:
    """The next memory once these decisions (ENTRY@EPISODE) are taken; the others go on waiting.

    Where only numbers move nobody is asked: they follow once nothing else of their episode waits.
    """
    memory = target.memory
    refused = [d for d in target.deltas if decision(d) in rejected]
    decided = {*approved, *rejected}
    waits = {d.episode for d in target.deltas if decision(d) not in decided and not d.quiet}
    follows = {decision(d) for d in target.deltas if d.quiet and d.episode not in waits}
    taken = {*approved, *follows} - set(rejected)
    accepted = [d for d in target.deltas if decision(d) in taken]
    dropped = {d.episode for d in accepted if d.op == "gone"}
    entries = {e.id: e for e in memory.entries}
    touched: set[str] = set()
    for delta in accepted:
        _take(delta, entries, touched)
    for episode in sorted(dropped):
        _lose(episode, entries, touched)
    episodes = _episodes(target, accepted, refused, dropped)
    aired = order(episodes)
    moved = [e for e in order(memory.episodes) if e in set(aired)] != [e for e in aired if e in _ids(memory)]
    for id_ in entries.keys() if moved else touched & entries.keys():
        entries[id_] = refold(entries[id_], aired)
    turned_down = [r for d in refused for r in _refusals(d)]
    declined = {(r.id, r.episode or "", r.fingerprint or ""): r for r in (*memory.declined, *turned_down)}
    kept = closed(entries.values(), aired, hold=True)
    old = memory.written
    written = {e.id: fingerprints(e, old.get(e.id)) for e in kept if e.id in old or e.id in touched}
    return memory.model_copy(
        update={
            "episodes": episodes,
            "entries": kept,
            "declined": tuple(declined[at] for at in sorted(declined)),
            "written": {id_: written[id_] for id_ in sorted(written)},
        }
    )


def _ids(memory: ShowMemory) -> set[str]:
    return {e.id for e in memory.episodes}


def _take(delta: Delta, entries: dict[str, Entry], touched: set[str]) -> None:
    draft, id_ = delta.draft, delta.id
    if delta.op == "gone":
        return
    touched.add(id_)
    if delta.op == "forgotten":
        entries.pop(id_, None)
        return
    entry = entries.get(id_)
    if entry is None:
        assert draft is not None, "an added entry has a draft"
        entry = Entry(id=id_, kind=draft.kind, form=draft.form, key=draft.key, about=draft.about, field=draft.field)
    entry = owning(entry)
    said = dict(entry.said)
    for episode in delta.episodes:
        wanted = draft.said.get(episode) if draft else None
        if wanted is not None:
            said[episode] = wanted
        elif episode in said:
            _withdraw(said, episode, entry)
    form = draft.form if draft and draft.form else entry.form
    entries[id_] = entry.model_copy(update={"said": said, "form": form})


def _withdraw(said: dict[str, Said], episode: str, entry: Entry) -> None:
    """What no longer stands goes; where a person's words lean on it, it stays listed as stale (G2)."""
    old = said.pop(episode)
    cites = (*old.stale, *old.sources, *old.uses)
    if cites and (entry.edited or entry.by == "person" or entry.keep or entry.rested is not None):
        said[episode] = Said(rule=old.rule, stale=tuple(cites))


def _lose(episode: str, entries: dict[str, Entry], touched: set[str]) -> None:
    """The person agreed that an episode is gone: what it said goes, what they wrote stays."""
    for id_, entry in list(entries.items()):
        if episode not in entry.said or entry.frozen:
            continue
        said = dict(entry.said)
        _withdraw(said, episode, entry)
        touched.add(id_)
        if said or entry.edited or entry.by == "person":
            entries[id_] = entry.model_copy(update={"said": said})
        else:
            del entries[id_]


def _episodes(
    target: Target, accepted: Sequence[Delta], refused: Sequence[Delta], dropped: set[str]
) -> tuple[EpisodeRecord, ...]:
    """An episode is remembered once anything of it was decided, or when nothing of it waits for a decision."""
    decided = {e for d in (*accepted, *refused) for e in (d.episode, *d.episodes)}
    waits = {d.episode for d in target.deltas if not d.quiet} - {d.episode for d in (*accepted, *refused)}
    held: dict[str, EpisodeRecord] = {e.id: e for e in target.memory.episodes if e.id not in dropped}
    held |= {id_: r for id_, r in target.records.items() if id_ in decided or id_ not in waits}
    return tuple(sorted(held.values(), key=lambda e: (e.season, e.number, e.id)))


def _refusals(delta: Delta) -> list[Refusal]:
    """A new entry is refused whole; a change only for its episodes, until they say something new."""
    draft, entry = delta.draft, delta.before
    if delta.op == "added" and draft:
        known = {"id": delta.id, "kind": draft.kind, "key": draft.key, "about": draft.about}
        return [Refusal(**known, words=cited(draft)[:_CITED])]
    if entry is None:
        return []
    said = draft.said if draft else {}
    known = {"id": delta.id, "kind": entry.kind, "key": entry.key, "about": entry.about}
    return [Refusal(**known, episode=e, fingerprint=words_of(said.get(e)) or None) for e in delta.episodes]


def nothing_waits(target: Target) -> ShowMemory:
    """Memory with the records of episodes of which nothing waits, and hand edits made explicit; no decision taken."""
    return apply(target, ())


def all_decisions(target: Target, *, gone: bool = False) -> frozenset[str]:
    """Every decision that may be taken without asking; that an episode is gone always waits for the person."""
    return frozenset(decision(d) for d in target.deltas if gone or d.op != "gone")
