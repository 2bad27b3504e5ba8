"""Going on from a checkpoint: what to confirm first, what to settle, where to begin; and an anchor for who is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from showmemory.context.formats import Markdown
from showmemory.context.holding import cited, told_against, verdicts
from showmemory.context.quote import line, sentence
from showmemory.context.ready import Ready
from showmemory.context.standing import next_step, promises, questions, stage, surfaces
from showmemory.context.touch import newness
from showmemory.fold.likeness import telling
from showmemory.model.checkpoint import Checkpoint, Line, Part, Refused, Verdict

_FORM = Markdown()
# So much of what is open is brought up before the next step, when it names none of it.
SETTLE = 3
ASK = "What is the last thing you were certain about in this story?"


@dataclass(frozen=True)
class Resumed:
    """What somebody who comes back needs, and no more (E5). `since`: what is new after a checkpoint handed over."""

    show: str
    ends: str
    verdicts: tuple[Verdict, ...]
    parts: tuple[Part, ...]
    since: Part | None = None
    refused: tuple[Refused, ...] = ()

    def plain(self) -> dict[str, Any]:
        """As plain JSON values."""
        decisions = [_decision(verdict) for verdict in self.verdicts]
        made: dict[str, Any] = {
            "kind": "story_memory_resume",
            "show": self.show,
            "asOf": self.ends or None,
            "holds": all(v.state == "holds" for v in self.verdicts),
            "lockedDecisions": decisions,
        }
        parts = (*self.parts, *([self.since] if self.since else []))
        held = Checkpoint("", "", "", "", "", 0, "", parts, ()).plain()
        return made | {part.name: held[part.name] for part in parts}


@dataclass(frozen=True)
class Anchor:
    """One thing that is certain, and the question to begin with."""

    text: str
    found: Line | None

    def plain(self) -> dict[str, Any]:
        """As plain JSON values."""
        one = self.found
        held = {"text": one.text, "cite": one.cite, "id": one.id} if one else None
        return {"kind": "story_memory_anchor", "question": ASK, "anchor": held}


def resumed(ready: Ready, said: str = "", handed: Mapping[str, Any] | None = None) -> Resumed:
    """What to confirm: each locked decision against memory, and against what somebody says is new (E6, E8)."""
    following = next_step(ready)
    entry = following.lines[0].cite if following.lines else ""
    found = verdicts(ready)
    if line(said):
        # The graver of the two, what memory has before what is only said.
        against = zip(found, told_against(ready, said), strict=True)
        found = tuple(new if _GRAVE[new.state] < _GRAVE[old.state] else old for old, new in against)
    settle = _to_settle(ready, following, (questions(ready), promises(ready)))
    return Resumed(
        show=line(ready.show.config.title) or ready.show.id,
        ends=ready.moment.named(ready.moment.newest) if ready.moment.newest else "",
        verdicts=found,
        parts=(stage(ready), following, settle, surfaces(ready, entry)),
        since=_since(ready, found, handed) if handed is not None else None,
    )


_GRAVE = {"contradicted": 0, "in doubt": 1, "touched": 2, "holds": 3}
_MARKS = {"contradicted": "CONTRADICTED", "in doubt": "IN DOUBT", "touched": "TO LOOK AT", "holds": "Holds"}


def resumed_page(made: Resumed) -> str:
    """The page: decisions first, then only what the next step needs."""
    first = f"As of {made.ends}." if made.ends else "No episode is remembered."
    rows = [_FORM.frame(f"{made.show}: going on", [first])]
    rows.append(
        _FORM.open(
            "lockedDecisions", "Do these still hold? (bible.yaml: decisions; words are held against memory, not judged)"
        )
    )
    rows += [_row(_verdict(v)) for v in made.verdicts] or [_FORM.row("", "", "not recorded", False)]
    for part in (*([made.since] if made.since else []), *made.parts):
        rows.append(_FORM.open(part.name, f"{part.title} ({part.source})"))
        rows += [_row(one) for one in part.lines] or [_FORM.row("", "", part.empty, False)]
    return "".join(rows)


def anchor(ready: Ready, said: str = "") -> Anchor:
    """The one thing memory is surest of that somebody means, else what the newest episode tells first."""
    if not line(said):
        newest = next((e for e in ready.live.get("synopsis", ()) if ready.moment.newest in e.about), None)
        told = Line(ready.told(newest)[0], cited(ready, newest), newest.id) if newest else None
        last = f"The last that memory has: {told.text} ({told.cite})\n" if told else "Nothing is remembered yet.\n"
        return Anchor(f'{ASK}\n{last}Say it: showmemory checkpoint --certainty lost "…"\n', told)
    words, ids = telling(said, ready.show.config.language), frozenset(ready.names.found(said))
    ranked = sorted(
        (e for e in ready.entries if e.id not in ready.held and e.kind in _CERTAIN),
        key=lambda e: (-len(words & ready.words(e)), -len(ids & ready.links(e).own), -newness(ready, e), e.id),
    )
    # Whole episodes hold every word: what is told by itself comes before them.
    ranked.sort(key=lambda e: e.kind == "synopsis")
    enough = min(2, len(words) or 1)
    best = next((e for e in ranked if len(words & ready.words(e)) >= enough), None)
    if best is None:
        return Anchor(f"Nothing in memory says that. {ASK}\n", None)
    one = Line(sentence((best.text or best.title).splitlines()[0]), cited(ready, best), best.id)
    where = f" ({one.cite})" if one.cite else ""
    return Anchor(f"Certain: {one.text}{where}\nHold on to that. The rest: showmemory checkpoint\n", one)


_CERTAIN = frozenset({"fact", "knowledge", "relationship", "thread", "synopsis"})


def _to_settle(ready: Ready, following: Part, open_: Sequence[Part]) -> Part:
    """Of what is open: all that the next step names, else the first few."""
    step = " ".join(row.text for row in following.lines)
    words, ids = telling(step, ready.show.config.language), frozenset(ready.names.found(step))
    rows = [row for part in open_ for row in part.lines]
    met = [row for row in rows if _meets(ready, row, words, ids)]
    source = "open questions and promises that the next step names" if met else "the first open questions and promises"
    return Part("toSettle", "To settle first", source, tuple(met or rows[:SETTLE]), "nothing is open")


def _meets(ready: Ready, row: Line, words: frozenset[str], ids: frozenset[str]) -> bool:
    entry = ready.by_id.get(row.id)
    own = frozenset(entry.about) if entry else frozenset(ready.names.found(row.text))
    return bool(ids & own) or len(words & telling(row.text, ready.show.config.language)) > 1


def _since(ready: Ready, found: Sequence[Verdict], handed: Mapping[str, Any]) -> Part:
    """What is otherwise than when a checkpoint was handed over: episodes since, decisions dropped and added."""
    span = handed.get("span")
    ends = str(span.get("to") or "") if isinstance(span, dict) else ""
    names = [ready.moment.named(e) for e in ready.moment.order]
    rows = []
    if ends in names:
        rows += [Line(f"Remembered since: {name}.") for name in names[names.index(ends) + 1 :]]
    elif ends:
        rows.append(Line(f"It was made as of {line(ends)}, which memory does not have."))
    held, now = _decided(handed), [v.text for v in found]
    rows += [Line(f"No longer among the decisions: {text}") for text in held if text not in now]
    rows += [Line(f"Decided since: {text}") for text in now if text not in held]
    return Part(
        "since", "Since it was handed over", "that checkpoint against the show as it is", tuple(rows), "nothing"
    )


def _decided(handed: Mapping[str, Any]) -> list[str]:
    """The decisions of a checkpoint, without what was found against them then."""
    part = handed.get("lockedDecisions")
    lines = part.get("lines") if isinstance(part, dict) else None
    rows = [row for row in lines if isinstance(row, dict)] if isinstance(lines, list) else []
    return [str(row.get("decision") or row.get("text") or "") for row in rows]


def _decision(verdict: Verdict) -> dict[str, str]:
    more = (("why", verdict.why), ("cite", verdict.cite), ("id", verdict.id))
    return {"text": verdict.text, "state": verdict.state} | {name: value for name, value in more if value}


def _verdict(verdict: Verdict) -> Line:
    why = f" ({verdict.why})" if verdict.why else ""
    return Line(f"{_MARKS[verdict.state]}: {verdict.text}{why}", verdict.cite)


def _row(one: Line) -> str:
    told = f"{one.text} ({one.cite})" if one.cite and one.cite not in one.text else one.text
    return _FORM.row("", "", told, False)
