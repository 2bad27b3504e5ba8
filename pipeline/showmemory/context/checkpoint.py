"""Memory made ready -> a checkpoint: its fields in the order its purpose wants, and why it is refused (E15)."""

from __future__ import annotations

from collections.abc import Iterator

from showmemory.context.drift import drift, state
from showmemory.context.focusing import focused
from showmemory.context.holding import verdicts
from showmemory.context.quote import line
from showmemory.context.ready import Ready
from showmemory.context.rhythm import rhythms
from showmemory.context.spent import budget
from showmemory.context.standing import (
    canon,
    decisions,
    established,
    hypotheses,
    invariants,
    next_step,
    promises,
    questions,
    stage,
    surfaces,
)
from showmemory.fold.likeness import same
from showmemory.model.checkpoint import Checkpoint, Part, Refused

_ORDER = (
    "stage", "nextStep", "lockedDecisions", "openQuestions", "unresolvedPromises", "currentState", "invariants",
    "canon", "hypotheses", "pressureOutside", "costInside", "arcBudget", "sourceSurfaces", "driftWarnings",
)  # fmt: skip
# What whoever takes over reads first; the other fields follow in their usual order.
PURPOSES: dict[str, tuple[str, ...]] = {
    "resume": ("stage", "nextStep"),
    "room": ("stage", "nextStep", "lockedDecisions", "hypotheses", "openQuestions"),
    "review": ("driftWarnings", "lockedDecisions", "hypotheses", "currentState"),
    "lane": ("stage", "nextStep", "currentState", "sourceSurfaces", "unresolvedPromises"),
    "adaptation": ("invariants", "lockedDecisions", "canon", "hypotheses"),
}
FOCUSES = ("event", "character", "world")
# Of what was spoken in the span a checkpoint may be so large a part: beyond, it replaces no reload (E16).
CLOSE = 0.5


def checkpoint(ready: Ready, purpose: str = "resume", focus: str = "") -> Checkpoint:
    """The checkpoint of a show as of a moment. What it is refused for stands in it."""
    found = verdicts(ready)
    following = next_step(ready)
    entry = following.lines[0].cite if following.lines else ""
    outside, inside = rhythms(ready)
    whole = [
        *(stage(ready), following, decisions(found), questions(ready), promises(ready), state(ready)),
        *(invariants(ready), canon(ready), hypotheses(ready), outside, inside, budget(ready)),
        *(surfaces(ready, entry), drift(ready, found)),
    ]
    first = PURPOSES[purpose]
    ranked = sorted(whole, key=lambda p: (p.name not in first, _ORDER.index(p.name)))
    ranked[: len(first)] = sorted(ranked[: len(first)], key=lambda p: first.index(p.name))
    more = focused(ready, focus)
    at = 2 if purpose in ("resume", "room", "lane") else 0
    moment = ready.moment
    return Checkpoint(
        show=line(ready.show.config.title) or ready.show.id,
        purpose=purpose,
        focus=focus,
        begins=moment.named(moment.order[0]) if moment.order else "",
        ends=moment.named(moment.newest) if moment.newest else "",
        episodes=len(moment.order),
        behind=", ".join(moment.label(e) for e in moment.behind),
        parts=(*ranked[:at], *more, *ranked[at:]),
        verdicts=found,
        refused=tuple(_refused(ready, following)),
    )


def _refused(ready: Ready, following: Part) -> Iterator[Refused]:
    """What makes it no checkpoint: nothing to hand over, nowhere to begin, a guess told as canon."""
    if not ready.moment.order:
        yield Refused("expected a remembered episode, found none", "doit remember reads the scripts; one is enough")
    if not following.lines:
        hint = "next: {step: what is done next, entry: the file it begins in}"
        yield Refused("expected the next step and where it begins, found none", hint, "next")
    elif not following.lines[0].cite:
        hint = "entry: a script or an outline (FILE or FILE:LINE), or an episode"
        yield Refused("expected where the next step begins, found only what it is", hint, "next")
    yield from _mixed(ready)


def _mixed(ready: Ready) -> Iterator[Refused]:
    """Hypotheses that stand among what is certain."""
    bible, language = ready.show.bible, ready.show.config.language
    certain = [("a decision", one.text) for one in bible.decisions]
    certain += [("never", text) for text in ready.show.theme.never]
    certain += [(entry.id, entry.text or entry.title) for entry in established(ready)]
    for at, guess in enumerate(bible.hypotheses):
        twin = next(((what, text) for what, text in certain if same(guess, text, language)), None)
        if twin is not None:
            hint = "take it out of the hypotheses once it is so; until then say it nowhere else"
            message = f"expected a hypothesis that is nowhere held as canon, found it as {twin[0]}: {line(twin[1])}"
            yield Refused(message, hint, "hypotheses", at)


def thin(ready: Ready, made: Checkpoint, text: str) -> list[Refused]:
    """Refused when the page is nearly as long as what its scripts speak: then they are read sooner than it."""
    memory = ready.moment.memory
    spoken = sum(who.words for e in memory.episodes for who in e.spoke.values()) if memory else 0
    words = len(text.split())
    if not made.episodes or words < CLOSE * spoken:
        return []
    message = f"expected scripts that speak at least twice the {words} words of their checkpoint, found {spoken}"
    return [Refused(message, "read the scripts, or come back when there are more of them")]
