"""The characters in play: designed voice, heard voice, catchphrases, relationships, what they know (A96, A97)."""

from __future__ import annotations

from collections.abc import Container

from showmemory.context.piece import Not, Piece, Section, Step, row
from showmemory.context.quote import line, quoted, sentence
from showmemory.context.readings import told
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.touch import newness, piece, touch, twins
from showmemory.model.memory import Entry
from showmemory.model.show import Character

_KINDS = ("voice", "catchphrase", "relationship", "knowledge")
# A lead's second catchphrase comes before the first of somebody this many places further down the cast; what anybody is
# known to say, feel and know comes before the counts of how they talk, and those before lines that show it.
STRIDE, HEARD, LINES = 2, 2, 8
# A chosen cast of more than three has more of the budget for each further one, up to half.
USUAL, EACH, HALF = 30, 8, 50
# Nobody chose the cast: whoever comes after so many is a guest, and waits for what there is to tell of the leads.
LEADS, WAIT = 6, 9


def people(ready: Ready, scene: Scene) -> Section:
    """Each in their own group, in the order of the cast; items taken turn by turn, so that nobody starves another."""
    ranked, left = _theirs(ready, scene)
    queued: list[tuple[int, int, int, Step]] = []
    for at, who in enumerate(scene.cast):
        designed = _designed(ready, who, at)
        kinds = {kind: _sorted(ready, scene, ranked[who][kind]) for kind in _KINDS} if who in ranked else {}
        heard, *rest = (_pieces(ready, scene, who, at, kinds.get(kind, [])) for kind in _KINDS)
        first = at if scene.chosen or at < LEADS else at + WAIT
        queued += [(first, at, -3, Step(p)) for p in (*designed, *told(ready, who, (at, 0, 1), who))]
        queued += [(first + HEARD, at, -2, Step(p)) for p in heard]
        queued += [(first + LINES, at, -1, Step(p, 1)) for p in heard if len(p.texts) > 1]
        queued += [(first + STRIDE * turn, at, n, Step(p)) for n, own in enumerate(rest) for turn, p in enumerate(own)]
    queued.sort(key=lambda item: item[:3])
    steps = tuple(item[3] for item in queued)
    pieces = [step.piece for step in steps if step.level == 0]
    title = "Characters in play" if scene.chosen else "Characters"
    groups = {p.group: ready.names.name(p.group) for p in pieces}
    share = min(HALF, USUAL + EACH * max(0, len(scene.cast) - 3)) if scene.chosen else USUAL
    return Section("characters", title, steps, tuple(pieces), groups, left, twins(ready), share)


def _theirs(ready: Ready, scene: Scene) -> tuple[dict[str, dict[str, list[Entry]]], dict[str, Not]]:
    """Whose each entry is: the first in the cast whom it is about, or who holds it, alone or in a group."""
    rank = {who: at for at, who in enumerate(scene.cast)}
    groups = {g.id: ready.names.ids(g.members) for g in ready.show.bible.groups}
    made: dict[str, dict[str, list[Entry]]] = {}
    left: dict[str, Not] = {}
    for kind in _KINDS:
        for entry in ready.live.get(kind, ()):
            ids = entry.holders if kind == "knowledge" else entry.about
            people = [who for i in ids for who in groups.get(i, (i,)) if who in rank]
            if people:
                who = min(people, key=rank.__getitem__)
                made.setdefault(who, {k: [] for k in _KINDS})[kind].append(entry)
            else:
                left[entry.id] = Not("out", "of nobody in play", "cast")
    return made, left


def _sorted(ready: Ready, scene: Scene, entries: list[Entry]) -> list[Entry]:
    """What touches the scene first, then by score, then what changed last."""
    weights = {e.id: touch(ready, scene, e)[0] for e in entries}
    return sorted(entries, key=lambda e: (-weights[e.id], -ready.score(e), -newness(ready, e), e.id))


def _pieces(ready: Ready, scene: Scene, who: str, at: int, entries: list[Entry]) -> list[Piece]:
    reason = f"in play: {who} ({scene.how})" if scene.chosen else f"{who}, {scene.how}"
    rows = enumerate(entries)
    return [piece(ready, e, reason, (at, _KINDS.index(e.kind) + 1, n), group=who, who=who) for n, e in rows]


def _designed(ready: Ready, who: str, at: int) -> list[Piece]:
    """The persona's designed voice, read live, with those of its catchphrases that no script has played yet."""
    person = ready.people.get(who) if ready.witness in (None, who) else None
    text = _persona(person, ready.said_phrases, "" if ready.witness else ", not played yet") if person else ""
    place = (at, 0, 0)
    made = row(f"{who}.voice", "designed", text, "designed voice", noun="designed voice", group=who, place=place)
    return [made] if text else []


def _persona(person: Character, said: Container[str], unplayed: str) -> str:
    own = [quoted(p) for p in person.catchphrases if line(p).casefold().strip(".!?") not in said]
    voice = f"Voice: {sentence(person.voice)}" if person.voice.strip() else ""
    return " ".join(filter(None, (voice, f"Own words{unplayed}: {', '.join(own)}." if own else "")))
