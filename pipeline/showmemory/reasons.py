"""Why: what an entry or an episode was made from, and why something is not listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from showmemory.cast import plays
from showmemory.context.tokens import count
from showmemory.flow import Run
from showmemory.fold.fold import order
from showmemory.fold.place import place
from showmemory.look import State, find_episode, label, state
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory
from showmemory.search import Found, Row, Wanted, find
from showmemory.text.counted import counted

_CITED = 6


@dataclass
class Why:
    """The answer: what it is about, one line a fact, and the same for programs."""

    subject: str = ""
    lines: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)


def why(root: Path, name: str) -> Why | None:
    """Explain an entry (by id or words) or an episode; None when nothing is called so."""
    now = state(root, scripts=False)
    if now.memory is None:
        return None
    episode = find_episode(now.memory.episodes, name)
    if episode:
        return _episode(episode, now, now.memory)
    held = next((e for e in now.memory.entries if e.id == name or e.id == f"mem.{name}"), None)
    if held is not None:
        found = find(root, Wanted(chip="all"))
        row = next(row for row in found.rows if row.entry.id == held.id)
        return _entry(row, found, now.memory)
    found = find(root, Wanted(query=name, candidates=True, every=True))
    exact = [row for row in found.rows if name.casefold() in (row.entry.title.casefold(), *row.entry.variants)]
    rows = exact or found.rows[:1]
    return _entry(rows[0], found, now.memory) if rows else _said(root, name)


def _said(root: Path, phrase: str) -> Why | None:
    """Words that no rule takes up: how often they are said, and by whom."""
    wanted = _words(phrase)
    by: Counter[str] = Counter()
    places: list[str] = []
    episodes: dict[str, None] = {}
    run = Run(root)
    for episode, play in plays(run):
        for speech in play.speeches():
            count = f" {_words(speech.text)} ".count(f" {wanted} ") if wanted else 0
            if count:
                by.update(dict.fromkeys(speech.speakers, count))
                episodes[episode.id] = None
                places.append(f"{episode.script}:{speech.line}   {speech.text[:80]}")
    run.close()
    if not places:
        return None
    times, spread = sum(by.values()), len(episodes)
    told = ", ".join(
        f"{who.partition('.')[2]} {count}" for who, count in sorted(by.items(), key=lambda i: (-i[1], i[0]))
    )
    why = "said in one episode only" if spread == 1 else "no rule finds it telling enough to rank it"
    lines = [
        f"not listed: {why}",
        f"said {times} time{'' if times == 1 else 's'} in {spread} episode{'' if spread == 1 else 's'}: {told}",
        *(f"  {place}" for place in places[:_CITED]),
        f'take it up all the same: showmemory add --kind catchphrase --text "{phrase}" --about NAME',
    ]
    return Why(
        phrase, lines, {"words": phrase, "listed": False, "times": times, "episodes": list(episodes), "by": dict(by)}
    )


def _words(text: str) -> str:
    """The words of a text, folded, one blank between them."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold().replace("'", "").replace("’", "")))


def _episode(id_: str, now: State, memory: ShowMemory) -> Why:
    record = next(e for e in memory.episodes if e.id == id_)
    rules: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for entry in memory.entries:
        if id_ in entry.said:
            kinds[entry.form or entry.kind] += 1
            rules[entry.said[id_].rule or entry.said[id_].by] += 1
    changed = any(e.id == id_ for e in now.changed)
    gone = any(e.id == id_ for e in now.gone)
    script = (
        "is gone from the show" if gone else "changed since it was remembered" if changed else "is as it was remembered"
    )
    speakers = sorted(record.spoke.items(), key=lambda item: (-item[1].words, item[0]))
    by_hand = ", placed by you" if record.placed else ""
    lines = [
        f"season {record.season}, number {record.number}{by_hand}   {record.screenplay}",
        f"the script {script} (sha256 {record.hash[:12]})",
        "next doit remember reads it again" if changed else "nothing of it has to be made again",
        "it said: " + (", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "nothing"),
        "by rule: " + (", ".join(f"{rule} {count}" for rule, count in sorted(rules.items())) or "none"),
    ]
    if speakers:
        told = ", ".join(f"{who.partition('.')[2]} {spoke.lines}" for who, spoke in speakers[:8])
        lines.append(f"who spoke: {told}{' …' if len(speakers) > 8 else ''}")
    data = {"episode": id_, "script": record.screenplay, "hash": record.hash, "changed": changed, "gone": gone}
    title = f'{label(record)} "{record.title}"' if record.title else label(record)
    return Why(title, lines, data | {"kinds": dict(sorted(kinds.items())), "rules": dict(sorted(rules.items()))})


def _entry(row: Row, found: Found, memory: ShowMemory) -> Why:
    entry, records = row.entry, found.records
    aired = order(memory.episodes)
    steps = [(e, entry.said[e]) for e in aired if e in entry.said]
    there = any(e.id == entry.id for e in memory.entries)
    lines = [_standing(row, there)]
    if entry.about:
        lines.append(f"about {', '.join(found.names.get(i, i) for i in entry.about)}")
    if entry.since in records:
        lines.append(f"first in {label(records[entry.since or ''])}, last changed in {_last(entry, records)}")
    if row.when:
        lines.append(f"in the story: {row.when}")
    if row.activation and there:
        lines.append(f"{row.activation.phrase}; {_size(entry, row.activation.active, records)}")
    lines += [line for e, said in steps[-_CITED:] if (line := _step(label(records[e]) if e in records else e, said))]
    if len(steps) > _CITED:
        lines.append(f"and in {counted(len(steps) - _CITED, 'episode')} before")
    cited = [*entry.uses, *(s for s in entry.sources if not entry.uses)]
    said_at = list(dict.fromkeys(f"  {place(source, records)}   {source.words}" for source in cited))
    lines += said_at[:_CITED]
    if len(said_at) > _CITED:
        lines.append(f"  and {len(said_at) - _CITED} more: showmemory show {entry.id} --json")
    if not there and row.held:
        lines.append(f'take it up all the same: showmemory add {entry.id} --kind {entry.kind} --text "{entry.title}"')
    data = {"entry": entry.id, "listed": there and not row.held, "score": row.score, "heldBack": row.held or None}
    said = {e: {"rule": s.rule, "by": s.by, "earned": s.earned, "score": s.score, "held": s.held} for e, s in steps}
    return Why(f"{entry.title or entry.id}   {entry.form or entry.kind}", lines, data | {"said": said})


def _standing(row: Row, there: bool) -> str:
    entry = row.entry
    if entry.by == "person" and not entry.said:
        return "yours: added by you"
    score = f"score {row.score:g}" if row.score is not None else "not ranked"
    if row.held:
        return f"{'held back' if there else 'not listed'}: {row.held} ({score})"
    marks = [name for name in ("pinned", "locked", "retired") if getattr(entry, name)]
    edited = [f"{', '.join(entry.edited)} rewritten by you"] if entry.edited else []
    return "; ".join(["listed", *(["ranked, " + score] if row.score is not None else []), *marks, *edited])


def _step(name: str, said: Said) -> str:
    played = [counted(len(said.uses), "use")] if said.uses else []
    how = sorted({detector for use in said.uses for detector in use.how})
    by = said.rule or said.by
    bits = [*played, *([f"seen by {', '.join(how)}"] if how else []), *([said.move] if said.move else [])]
    return f"{name}: rule {by}{': ' + '; '.join(bits) if bits else ''}"


def _size(entry: Entry, active: Sequence[str], records: dict[str, EpisodeRecord]) -> str:
    """Tokens, and the span of the episodes that lean on it (B36)."""
    names = [label(records[e]) for e in active if e in records]
    span = f", {names[0]} to {names[-1]}" if len(names) > 1 else f", {names[0]}" if names else ""
    return f"{counted(count(f'{entry.title} {entry.text}'.strip()), 'token')}{span}"


def _last(entry: Entry, records: dict[str, EpisodeRecord]) -> str:
    return label(records[entry.changed]) if entry.changed in records else "the same"
