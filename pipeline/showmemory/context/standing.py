"""The fields of a checkpoint that every purpose has: what is settled, open, owed, certain, guessed, and come next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from showmemory.context.holding import cited
from showmemory.context.quote import bare_end, line, quoted, sentence
from showmemory.context.ready import Ready
from showmemory.context.told import moves
from showmemory.fold.ageing import Owed, owed
from showmemory.model.checkpoint import NOT_RECORDED, Line, Part, Verdict
from showmemory.model.memory import Entry

# A promise that has waited so many episodes is told as a danger.
LONG = 6
_SURE = (None, "established")


def stage(ready: Ready) -> Part:
    """Where the work stands."""
    said = line(ready.show.bible.stage)
    return Part("stage", "Stage", "bible.yaml: stage", (Line(said),) if said else ())


def next_step(ready: Ready) -> Part:
    """What comes next, and where to begin: as the bible says, else the first outline that has no script."""
    told = ready.show.bible.next
    entry = line(told.entry) or next(iter(_outlines(ready)), "")
    step = (Line(sentence(told.step), entry),) if line(told.step) else ()
    return Part("nextStep", "Next step", "bible.yaml: next", step)


def decisions(found: Sequence[Verdict]) -> Part:
    """What is locked, and what speaks against it."""
    rows = (Line(f"{_MARKS[v.state]}: {v.text} ({v.why})" if v.why else v.text, v.cite, v.id, v.text) for v in found)
    return Part("lockedDecisions", "Locked decisions", "bible.yaml: decisions, held against memory", tuple(rows))


_MARKS = {"contradicted": "CONTRADICTED", "in doubt": "IN DOUBT", "touched": "TO LOOK AT"}


def questions(ready: Ready) -> Part:
    """What nobody has settled: the bible's questions, threads it has no answer to, what memory holds as contested."""
    rows = [Line(sentence(q)) for q in ready.show.bible.questions if line(q)]
    answered = {t.id for t in ready.show.bible.threads if t.answer}
    open_ = (one.entry for one in _open(ready) if not answered.intersection(one.entry.about))
    rows += [Line(f"{sentence(e.title or e.text)} No answer is recorded.", id=e.id) for e in open_]
    rows += [_said(ready, e, "Contested: ") for e in _of_canon(ready, "contested")]
    return Part("openQuestions", "Open questions", "bible.yaml: questions; computed: threads, contested", tuple(rows))


def promises(ready: Ready) -> Part:
    """What was set up and awaits its payoff, the longest wait first."""
    empty = "none is open" if any(e.kind == "thread" for e in ready.entries) else NOT_RECORDED
    return Part("unresolvedPromises", "Unresolved promises", "computed: threads", tuple(_owed(ready)), empty)


def waits_long(ready: Ready) -> list[str]:
    """Promises that have waited long, as warnings."""
    late = [one for one in _open(ready) if one.waited >= LONG]
    return [f"{bare_end(o.entry.title or o.entry.text)} has waited {o.waited} episodes." for o in late]


def invariants(ready: Ready) -> Part:
    """What never changes: the theme's never list, the bible's tone, and what a person pinned or locked."""
    rows = [Line(sentence(n)) for n in ready.show.theme.never if line(n)]
    rows += [Line(sentence(t)) for t in ready.show.bible.tone if line(t)]
    rows += [_said(ready, e) for e in ready.entries if (e.pinned or e.locked) and not e.retired]
    source = "theme.yaml: never; bible.yaml: tone; memory: pinned, locked"
    return Part("invariants", "Invariants", source, tuple(rows))


def canon(ready: Ready) -> Part:
    """What is certain, in figures and by its fields as they stand."""
    sure = established(ready)
    fields = [e for e in sure if e.field]
    told = f"{len(sure)} facts, ties and pieces of knowledge are established."
    rows = [Line(told)] if sure else []
    rows += [_said(ready, e) for e in _newest_first(ready, fields)]
    return Part("canon", "Canon", "memory: established", tuple(rows))


def hypotheses(ready: Ready) -> Part:
    """What is only supposed: the bible's hypotheses, and what memory holds as provisional."""
    rows = [Line(sentence(h)) for h in ready.show.bible.hypotheses if line(h)]
    rows += [_said(ready, e, "Provisional: ") for e in _of_canon(ready, "provisional")]
    if ready.reader == "showrunner":
        rows += [_said(ready, e, "Planned: ") for e in _of_canon(ready, "plan")]
    return Part("hypotheses", "Hypotheses, not canon", "bible.yaml: hypotheses; memory: provisional", tuple(rows))


def surfaces(ready: Ready, entry: str) -> Part:
    """What to open first: the entry, outlines to come, where what is owed the longest was set up, the newest script."""
    rows = [Line(entry, "where the next step begins")] if entry else []
    rows += [Line(path, "the outline that is next") for path in _outlines(ready) if path != entry]
    for one in _open(ready)[:2]:
        where = cited(ready, one.entry.model_copy(update={"sources": (one.setup,), "uses": ()})) if one.setup else ""
        rows += [Line(where, f"set up here: {bare_end(one.entry.title or one.entry.text)}")] if where else []
    newest = ready.moment.records.get(ready.moment.newest or "")
    rows += [Line(newest.screenplay, "the newest script")] if newest and newest.screenplay else []
    kept = {PurePosixPath(row.text).as_posix(): row for row in reversed(rows)}
    return Part("sourceSurfaces", "Read first", "computed: next, outlines, threads", tuple(reversed(kept.values())))


def established(ready: Ready) -> list[Entry]:
    """What memory holds for certain."""
    kinds = ("fact", "knowledge", "relationship")
    sure = (e for e in ready.entries if e.kind in kinds and e.canon in _SURE and e.form != "term")
    return [e for e in sure if not e.retired and e.until is None and e.keep != "drop"]


def _open(ready: Ready) -> list[Owed]:
    closed = {e.id for e in ready.entries if e.id in ready.held}
    return [one for one in owed(ready.entries, ready.moment.order) if one.entry.id not in closed]


def _owed(ready: Ready) -> Iterable[Line]:
    for one in _open(ready):
        opened, moved = moves(ready.moment, one.entry)
        since = f"opened {ready.moment.label(opened)}" if opened else ""
        stood = f"last moved {ready.moment.label(moved)}" if moved and moved != opened else "not moved since"
        waits = f", {one.waited} episodes ago" if one.waited > 1 else ""
        told = f"{sentence(one.entry.title or one.entry.text)} {', '.join(filter(None, (since, stood))).capitalize()}"
        where = cited(ready, one.entry.model_copy(update={"sources": (one.setup,), "uses": ()})) if one.setup else ""
        yield Line(f"{told}{waits}.", where, one.entry.id)


def _of_canon(ready: Ready, level: str) -> list[Entry]:
    found = [e for e in ready.entries if e.canon == level and not e.retired and e.until is None and e.keep != "drop"]
    return _newest_first(ready, found)


def _newest_first(ready: Ready, entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda e: (-ready.place.get(e.changed or e.since or "", -1), e.id))


def _said(ready: Ready, entry: Entry, mark: str = "") -> Line:
    text = line(entry.text.splitlines()[0] if entry.text.strip() else entry.title)
    told = quoted(text) if entry.kind == "catchphrase" else sentence(text)
    return Line(f"{mark}{told}", cited(ready, entry), entry.id)


def _outlines(ready: Ready) -> list[str]:
    """Outlines of episodes that have no script yet."""
    return [e.outline for e in ready.show.episodes if e.outline and not e.script]
