"""What the passes said and what the person decided -> an entry, or a whole memory, as of one episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, cast

from showmemory.fold.making import made_words
from showmemory.model.canonical import fingerprint
from showmemory.model.memory import OWNED, RANK, Entry, EpisodeRecord, Said, ShowMemory, Source, Writer

Axis = Literal["broadcast", "story"]
ABSENT = {name: Entry.model_fields[name].get_default(call_default_factory=True) for name in OWNED}
# What the passes say of an entry once and not by episode, unless an episode says otherwise.
_UNFOLDED = ("about", "field")
_LATEST = ("title", "text", "value", "canon", "when", "status")


def order(episodes: Iterable[EpisodeRecord], axis: Axis = "broadcast") -> tuple[str, ...]:
    """Episode ids in broadcast order (season, number) or as it happens in the story.

    An in-story place is a number on the broadcast count (1-based): 0.5 stands before the first episode.
    """
    aired = sorted(episodes, key=lambda e: (e.season, e.number, e.id))
    if axis == "broadcast":
        return tuple(e.id for e in aired)
    placed = [(e.story if e.story is not None else float(at), at, e.id) for at, e in enumerate(aired, 1)]
    return tuple(id_ for _, _, id_ in sorted(placed))


def as_of(memory: ShowMemory, episode: str | None, axis: Axis = "broadcast") -> ShowMemory:
    """Memory as it stood once `episode` was remembered, that episode included; None is now.

    Nothing is earned anew on the in-story axis: an entry is there when the episode that earned it is.
    """
    whole = order(memory.episodes, axis)
    upto = whole if episode is None else whole[: whole.index(episode) + 1]
    if episode is None and axis == "broadcast":
        return memory
    seen = frozenset(upto)
    kept = [made for e in memory.entries if (made := _entry_as_of(e, upto, seen, axis))]
    episodes = tuple(e for e in memory.episodes if e.id in seen)
    entries = closed(kept, upto)
    written = {e.id: fingerprints(e) for e in entries if e.id in memory.written}
    return memory.model_copy(update={"entries": entries, "episodes": episodes, "written": written})


def fingerprints(entry: Entry, known: Mapping[str, str] | None = None) -> dict[str, str]:
    """The fingerprint of each field a pass wrote in `entry`; a field the person rewrote counts with the pass's own.

    Where a pass has come to say what the person wrote the print is empty: it stays the person's, also when a later pass
    says something else. `known`: the prints there were; they stand where a person rewrote what cannot be folded anew.
    """
    made: dict[str, str] = {}
    for name in OWNED:
        if name in entry.edited and name not in entry.original:
            made |= {name: known[name]} if known and name in known else {}
            continue
        value = entry.original.get(name) if name in entry.edited else getattr(entry, name)
        value = ABSENT[name] if value is None else tuple(value) if isinstance(value, list) else value
        if name in entry.edited and value == getattr(entry, name):
            made[name] = ""
        elif value != ABSENT[name]:
            made[name] = fingerprint(value)
    return made


def _entry_as_of(entry: Entry, upto: Sequence[str], seen: frozenset[str], axis: Axis) -> Entry | None:
    if not entry.said:
        return entry if entry.since is None or entry.since in seen else None
    if axis == "story" and entry.since is not None and entry.since not in seen:
        return None
    said = {e: s for e, s in entry.said.items() if e in seen}
    if not said:
        return None
    if not any(s.earned for s in said.values()) and entry.by != "person":
        return None
    edited = {f: e for f, e in entry.edited.items() if e in seen}
    changes: dict[str, Any] = {"said": said, "edited": edited}
    return refold(entry.model_copy(update=changes), upto, thaw=True)


def refold(entry: Entry, upto: Sequence[str], *, thaw: bool = False) -> Entry:
    """`entry` with every cache folded anew from its `said`; fields the person rewrote stay theirs.

    A frozen entry (pinned, locked, retired) keeps its bytes unless `thaw`, which reading as of a moment needs.
    """
    if entry.frozen and not thaw:
        return entry
    steps = [(e, entry.said[e]) for e in upto if e in entry.said]
    if not steps:
        return entry
    made = _folded(entry, steps)
    made["said"] = {**dict(steps), **{e: s for e, s in entry.said.items() if e not in dict(steps)}}
    for name in OWNED:
        if name in entry.edited:
            if name not in _UNFOLDED or any(getattr(s, name, None) for _, s in steps):
                made["original"][name] = made[name]
            elif name in entry.original:
                made["original"][name] = entry.original[name]
            made[name] = getattr(entry, name)
    if "text" in entry.edited or "title" in entry.edited or entry.by == "person":
        made["by"] = "person"
    return entry.model_copy(update=made)


def _folded(entry: Entry, steps: Sequence[tuple[str, Said]]) -> dict[str, Any]:
    said = [s for _, s in steps]
    variants = _union(s.variants for s in said)
    known = {*variants, ""}
    made: dict[str, Any] = {name: _latest(said, name) for name in _LATEST}
    numbers, tallies = _sums(said), _tallies(said)
    text = made["text"] or made_words(entry, numbers, tallies, _latest_mapping(said)) or ""
    made.update(
        title=made["title"] or "",
        text=text,
        by=_writer(said),
        variants=variants,
        about=_union(s.about for s in said) or entry.about,
        holders=_union(s.holders for s in said),
        field=entry.field,
        numbers=numbers,
        tallies=tallies,
        sources=tuple(sorted({_at(x): x for s in said for x in s.sources}.values(), key=_rank(steps))),
        uses=tuple(sorted({_at(x): x for s in said for x in s.uses if x.variant in known}.values(), key=_rank(steps))),
        since=next((e for e, s in steps if s.earned), entry.since),
        changed=steps[-1][0],
        original={},
    )
    return made


def _rank(steps: Sequence[tuple[str, Said]]) -> Any:
    place = {episode: at for at, (episode, _) in enumerate(steps)}
    return lambda source: (place.get(source.episode, -1), source.page, source.line, source.paragraph, source.words)


def _at(source: Source) -> tuple[str, int, int, str]:
    return (source.episode, source.page, source.line, source.words)


def _latest(said: Sequence[Said], name: str) -> Any:
    """The latest words, but never a lower rank's over a higher's: a model's text holds until a model says more."""
    best: Any = None
    rank = -1
    for step in said:
        value = getattr(step, name)
        if value is not None and RANK[step.by] >= rank:
            best, rank = value, RANK[step.by]
    return best


def _writer(said: Sequence[Said]) -> Writer:
    spoken = [s.by for s in said if s.text is not None or s.title is not None]
    return cast(Writer, max(spoken, key=lambda by: RANK[by], default="deterministic"))


def _latest_mapping(said: Sequence[Said]) -> Mapping[str, float]:
    return next((s.measures for s in reversed(said) if s.measures), {})


def _union(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))


def _sums(said: Sequence[Said]) -> dict[str, int | float]:
    total: dict[str, int | float] = {}
    for step in said:
        for name, value in step.numbers.items():
            total[name] = total.get(name, 0) + value
    return {name: total[name] for name in sorted(total)}


def _tallies(said: Sequence[Said]) -> dict[str, dict[str, int]]:
    total: dict[str, dict[str, int]] = {}
    for step in said:
        for name, counts in step.tallies.items():
            held = total.setdefault(name, {})
            for word, count in counts.items():
                held[word] = held.get(word, 0) + count
    return {name: {w: total[name][w] for w in sorted(total[name])} for name in sorted(total)}


def closed(entries: Iterable[Entry], upto: Sequence[str], *, hold: bool = False) -> tuple[Entry, ...]:
    """Entries sorted by id; an older value of a field is closed by the next of the same field and subject (G8).

    `hold`: frozen entries keep their bytes, as they must in what is written; a reader sees every value closed.
    """
    place = {episode: at for at, episode in enumerate(upto)}
    made = {e.id: e for e in entries}
    lines: dict[tuple[str, tuple[str, ...], str], list[Entry]] = {}
    for entry in made.values():
        if entry.field and not entry.retired:
            lines.setdefault((entry.kind, entry.about, entry.field), []).append(entry)
    for rivals in lines.values():
        rivals.sort(key=lambda e: (place.get(e.since or "", -1), e.id))
        for entry, later in zip(rivals, [*rivals[1:], None], strict=True):
            until = later.since if later is not None and later.value != entry.value else None
            if entry.until != until and not (hold and entry.frozen):
                made[entry.id] = entry.model_copy(update={"until": until})
    return tuple(made[id_] for id_ in sorted(made))
