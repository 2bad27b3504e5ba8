"""Arc budgets: which beats have been played by the moment, what is left, and what the show may spend in all (E4)."""

from __future__ import annotations

from showmemory.context.quote import bare_end, line
from showmemory.context.ready import Ready
from showmemory.model.checkpoint import Line, Part
from showmemory.model.show import Arc

SOURCE = "bible.yaml: arcs, budget; outlines: beats"


def played(ready: Ready) -> dict[str, str]:
    """ARC/BEAT -> the remembered episode whose outline plays it first."""
    arcs = {name: arc.id for arc in ready.show.bible.arcs for name in (arc.id, arc.id.partition(".")[2], *arc.was)}
    made: dict[str, str] = {}
    for episode in ready.moment.order:
        outline = ready.logs[episode].outline if episode in ready.logs else None
        for scene in outline.scenes if outline else ():
            for beat in scene.beats:
                arc, _, name = beat.partition("/")
                if arc in arcs:
                    made.setdefault(f"{arcs[arc]}/{name}", episode)
    return made


def budget(ready: Ready) -> Part:
    """What each arc has spent and has left, and the show. The beats to come are named to the showrunner alone (F14)."""
    done = played(ready)
    rows = [_arc(ready, arc, done) for arc in ready.show.bible.arcs]
    whole = ready.show.bible.budget
    if whole is not None:
        rows.insert(0, Line(f"The show: {len(done)} of {whole} turns spent, {_left(whole - len(done))}."))
    return Part("arcBudget", "Arc budget", SOURCE, tuple(rows))


def _arc(ready: Ready, arc: Arc, done: dict[str, str]) -> Line:
    spent = [beat for beat in arc.beats if f"{arc.id}/{beat.id}" in done]
    rest = [beat for beat in arc.beats if f"{arc.id}/{beat.id}" not in done]
    may = arc.budget if arc.budget is not None else len(arc.beats)
    told = f"{bare_end(arc.name)}: {len(spent)} of {may} turns spent, {_left(may - len(spent))}"
    last = done.get(f"{arc.id}/{spent[-1].id}") if spent else None
    told += f", last in {ready.moment.label(last)}" if last else ""
    if rest and ready.reader == "showrunner":
        return Line(f"{told}. To come: {'; '.join(bare_end(beat.text or beat.id) for beat in rest)}.")
    if rest:
        told += f"; {len(rest)} beat{'' if len(rest) == 1 else 's'} not played"
    return Line(f"{told}.")


def _left(count: int) -> str:
    return f"{count} left" if count >= 0 else f"{-count} over"


def overspent(ready: Ready) -> list[str]:
    """Arcs that have spent more than they may."""
    done = played(ready)
    over = []
    for arc in ready.show.bible.arcs:
        spent = sum(beat.startswith(f"{arc.id}/") for beat in done)
        if arc.budget is not None and spent > arc.budget:
            over.append(f"{line(arc.name)} has spent {spent} turns of {arc.budget}.")
    return over
