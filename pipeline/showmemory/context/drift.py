"""What the newest episode changed, and what may carry resumed work off course: counted, each with its place (E14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from showmemory.context.changed import changes
from showmemory.context.quote import bare_end
from showmemory.context.readings import newer
from showmemory.context.ready import Ready
from showmemory.context.spent import overspent
from showmemory.context.standing import waits_long
from showmemory.model.checkpoint import Line, Part, Verdict


def state(ready: Ready) -> Part:
    """Where the story stands, by what its newest remembered episode changed."""
    newest = ready.moment.newest
    rows = changes(ready, newest) if newest else []
    label = f", {ready.moment.label(newest)}" if newest else ""
    return Part("currentState", "Current state", f"memory: what the newest episode changed{label}", tuple(rows))


def drift(ready: Ready, found: Sequence[Verdict]) -> Part:
    """Warnings, the gravest first."""
    return Part("driftWarnings", "Drift warnings", "computed", tuple(_drift(ready, found)), "none found")


def _drift(ready: Ready, found: Sequence[Verdict]) -> Iterator[Line]:
    for verdict in found:
        if verdict.state == "contradicted":
            yield Line(f"A locked decision is contradicted: {verdict.text}", verdict.cite, verdict.id)
    moment = ready.moment
    if moment.behind:
        yield Line(f"Memory is behind the story: {', '.join(moment.label(e) for e in moment.behind)}.")
    yield from (Line(text) for text in (*overspent(ready), *waits_long(ready)))
    contested = [e for e in ready.entries if e.canon == "contested" and not e.retired and e.until is None]
    if contested:
        yield Line(f"{_counted(len(contested), 'entry is', 'entries are')} contested.", id=contested[0].id)
    for entity, one in ready.readings.items():
        late = len(newer(ready, entity, one))
        if late:
            read = f"{ready.names.name(entity)} is read as of {moment.label(one.as_of)}"
            yield Line(f"{read}; {_counted(late, 'entry is', 'entries are')} newer.")
    gags = [e for e in ready.entries if e.kind == "gag" and e.id in ready.rests and ready.rests[e.id].resting]
    if gags:
        told = "; ".join(bare_end(e.title) for e in sorted(gags, key=lambda e: (e.form != "bible", e.id))[:3])
        yield Line(f"Played too often of late, to be rested: {told}{' …' if len(gags) > 3 else ''}.", id=gags[0].id)


def _counted(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"
