"""What the bible means to do and no script has done: the showrunner's to read, never told as done (D29, F14)."""

from __future__ import annotations

from showmemory.context.piece import Piece, Section, row, stepwise
from showmemory.context.quote import bare_end, sentence
from showmemory.context.ready import Ready
from showmemory.context.touch import piece
from showmemory.model.show import BibleGag, BibleThread

PLAN = "the bible's plan"


def plans(ready: Ready) -> Section:
    """Answers of open threads, gags and threads no script has played, entries that are plans."""
    if ready.reader != "showrunner" or ready.witness:
        return Section("plans", "")
    known = ready.linked
    closed = {i for e in ready.entries if e.id in ready.held and e.kind == "thread" for i in e.about}
    bible = ready.show.bible
    rows = [_thread(t, t.id in known) for t in bible.threads if t.id not in closed and (t.answer or t.id not in known)]
    rows += [_gag(ready, g) for g in bible.gags if g.id not in known and ready.moment.memory is not None]
    rows += [piece(ready, e, "a plan", (2, e.id)) for e in ready.live.get("plan", ())]
    return Section("plans", "Planned, not yet played", stepwise(rows), tuple(rows))


def bible_gags(ready: Ready) -> list[Piece]:
    """Bible gags no entry is about: all of them without a memory (A45), else those a log alone has seen (A48)."""
    uses = ready.unread.uses
    entries = {i for e in ready.entries for i in e.about}
    alone = ready.moment.memory is None and not ready.witness
    gags = [g for g in ready.show.bible.gags if g.id not in entries and (alone or g.id in uses)]
    made = []
    for gag in gags:
        last = f" Last {ready.moment.label(uses[gag.id][-1].episode)}, by its log." if gag.id in uses else ""
        text = ready.teller.planned(gag) + last
        made.append(
            row(gag.id, "gag", text, "a bible gag memory does not have", noun="gag", title=gag.name, place=(0, gag.id))
        )
    return made


def bible_threads(ready: Ready) -> list[Piece]:
    """Bible threads no entry is about, without their answers, under the same condition."""
    moves = ready.unread.moves
    entries = {i for e in ready.entries for i in e.about}
    made = []
    for thread in ready.show.bible.threads:
        steps = moves.get(thread.id, ())
        if thread.id in entries or ((ready.moment.memory is not None or ready.witness) and not steps):
            continue
        if steps and steps[-1].step == "resolved":
            continue
        last = (
            f" {steps[-1].step.capitalize()} in {ready.moment.label(steps[-1].episode)}, by its log." if steps else ""
        )
        text = sentence(thread.name) + last
        reason = "a bible thread memory does not have"
        made.append(row(thread.id, "thread", text, reason, noun="thread", title=thread.name, place=(0, thread.id)))
    return made


def _thread(thread: BibleThread, opened: bool) -> Piece:
    head = f"Answer to {bare_end(thread.name)}" if opened else f"Thread, not opened: {bare_end(thread.name)}"
    text = f"{head}: {sentence(thread.answer)}" if thread.answer else sentence(head)
    return row(f"{thread.id}.answer", "plan", text, PLAN, noun="plan", title=thread.name, place=(0, thread.id))


def _gag(ready: Ready, gag: BibleGag) -> Piece:
    text = f"Gag, not played: {ready.teller.planned(gag)}"
    return row(f"{gag.id}.plan", "plan", text, PLAN, noun="plan", title=gag.name, place=(1, gag.id))
