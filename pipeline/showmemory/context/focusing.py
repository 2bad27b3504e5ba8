"""What a checkpoint tells besides for one focus: events, characters or the world (E20 to E22)."""

from __future__ import annotations

from collections.abc import Iterable

from showmemory.context.holding import cited
from showmemory.context.quote import bare_end, line, listed, sentence
from showmemory.context.ready import Ready
from showmemory.context.scene import by_talk
from showmemory.context.spent import played
from showmemory.context.standing import established
from showmemory.context.touch import newness
from showmemory.context.untold import unaware
from showmemory.model.checkpoint import Line, Part
from showmemory.model.memory import Entry
from showmemory.model.show import Character

# Of the latest so many pieces of knowledge it is asked who was not told.
LATEST = 60


def focused(ready: Ready, focus: str) -> list[Part]:
    """The fields of a focus, the first of them first."""
    if focus == "event":
        return [_turns(ready), _reveals(ready), _escalations(ready)]
    if focus == "character":
        return [_wants(ready), _lies(ready), _wounds(ready), _bonds(ready)]
    if focus == "world":
        return [_rules(ready), _implied(ready), _unset(ready)]
    return []


def _turns(ready: Ready) -> Part:
    arcs = {arc.id: arc for arc in ready.show.bible.arcs}
    rows = []
    for beat, episode in reversed(played(ready).items()):
        arc = arcs[beat.partition("/")[0]]
        step = next((b for b in arc.beats if beat.endswith(f"/{b.id}")), None)
        if step is not None:
            rows.append(Line(f"{ready.moment.label(episode)}: {bare_end(step.text or step.id)} ({line(arc.name)})."))
    return Part("turnsSpent", "Turns spent", "outlines: beats", tuple(rows))


def _reveals(ready: Ready) -> Part:
    rows = (_learned(ready, e) for e in _latest(ready, "knowledge"))
    return Part("revealsSpent", "Reveals spent", "memory: knowledge", tuple(rows))


def _escalations(ready: Ready) -> Part:
    rows = []
    for entry in _latest(ready, "thread"):
        steps = [e for e in ready.moment.order if e in entry.said and entry.said[e].move]
        if steps:
            told = f"{ready.moment.label(steps[-1])}: {bare_end(entry.title or entry.text)}"
            rows.append(Line(f"{told} ({entry.said[steps[-1]].move}).", cited(ready, entry), entry.id))
    return Part("escalations", "Escalations", "computed: threads", tuple(rows))


def _wants(ready: Ready) -> Part:
    rows = (Line(f"{line(c.name)}: {sentence(c.wants)}") for c in _people(ready) if line(c.wants))
    return Part("activeWants", "Active wants", "bible.yaml: characters: wants", tuple(rows))


def _lies(ready: Ready) -> Part:
    rows = [Line(f"{line(c.name)}: {sentence(lie)}") for c in _people(ready) for lie in c.lies if line(lie)]
    rows += [row for e in _latest(ready, "knowledge")[:LATEST] if (row := _secret(ready, e))]
    source = "bible.yaml: characters: lies; computed: who does not know what concerns them"
    return Part("outstandingLies", "Lies and secrets that stand", source, tuple(rows))


def _secret(ready: Ready, entry: Entry) -> Line | None:
    """What somebody knows and those it concerns do not."""
    unknowing = unaware(ready, entry)
    if not unknowing:
        return None
    who = listed([ready.names.name(i) for i in unknowing])
    told = _learned(ready, entry)
    verb = "has" if len(unknowing) == 1 else "have"
    return Line(f"{told.text} {who} {verb} not been told.", told.cite, entry.id)


def _wounds(ready: Ready) -> Part:
    rows = (Line(f"{line(c.name)}: {sentence(w)}") for c in _people(ready) for w in c.wounds if line(w))
    return Part("unresolvedWounds", "Unresolved wounds", "bible.yaml: characters: wounds", tuple(rows))


def _bonds(ready: Ready) -> Part:
    rows = []
    for entry in _latest(ready, "relationship"):
        who = listed([ready.names.name(i) for i in entry.about if i.startswith(("character.", "group."))])
        rows.append(Line(f"{who}: {sentence(entry.text or entry.title)}", cited(ready, entry), entry.id))
    return Part("relationshipDebts", "Between them", "memory: relationships, as they last changed", tuple(rows))


def _rules(ready: Ready) -> Part:
    facts = [e for e in established(ready) if e.kind == "fact"]
    rows = (_line(ready, e) for e in _by_newness(ready, facts))
    return Part("rulesEstablished", "Established", "memory: established", tuple(rows))


def _implied(ready: Ready) -> Part:
    doubtful = [e for e in ready.live.get("fact", ()) if e.canon in ("provisional", "contested")]
    rows = (_line(ready, e, f"{e.canon}: ".capitalize()) for e in _by_newness(ready, doubtful))
    return Part("rulesImplied", "Implied, not confirmed", "memory: provisional, contested", tuple(rows))


def _unset(ready: Ready) -> Part:
    bible = ready.show.bible
    rows = [Line(sentence(q)) for q in bible.questions if line(q)]
    known = {i for e in established(ready) for i in e.about}
    rows += [Line(f"Nothing is established about {line(p.name)}.") for p in bible.places if p.id not in known]
    return Part("rulesUnset", "Unset, and open", "bible.yaml: questions; computed: places without facts", tuple(rows))


def _people(ready: Ready) -> list[Character]:
    """The bible's characters, those who talk most of late first."""
    talk = {who: at for at, who in enumerate(by_talk(ready.moment))}
    return sorted(ready.show.bible.characters, key=lambda c: talk.get(c.id, len(talk)))


def _latest(ready: Ready, kind: str) -> list[Entry]:
    return _by_newness(ready, ready.live.get(kind, ()))


def _by_newness(ready: Ready, entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda e: (-newness(ready, e), e.id))


def _learned(ready: Ready, entry: Entry) -> Line:
    who = listed([ready.names.name(i) for i in entry.holders])
    verb = "know" if len(entry.holders) > 1 else "knows"
    return Line(f"{who} {verb}: {sentence(entry.text or entry.title)}", cited(ready, entry), entry.id)


def _line(ready: Ready, entry: Entry, mark: str = "") -> Line:
    return Line(f"{mark}{sentence(entry.text or entry.title)}", cited(ready, entry), entry.id)
