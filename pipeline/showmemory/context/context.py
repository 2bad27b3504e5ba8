"""What a writer reads: a show and its memory -> a text within a budget, with its receipt (A93 to A108)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from showmemory.context.accounts import left_out, nouns, receipt_of
from showmemory.context.always import frame, house, pinned, scene_rows
from showmemory.context.budget import Prices, Queued, fitting, queue
from showmemory.context.formats import Form, Format, form_of
from showmemory.context.gags import gags
from showmemory.context.handover import handover
from showmemory.context.layout import Block, heading_tokens, laid, last_line, mark, printed, text_of
from showmemory.context.lines import lines
from showmemory.context.moment import moment_of
from showmemory.context.outline import outline
from showmemory.context.past import Cursor
from showmemory.context.people import people
from showmemory.context.piece import Section
from showmemory.context.plans import plans
from showmemory.context.ready import Ready
from showmemory.context.recall import recall
from showmemory.context.receipt import Receipt
from showmemory.context.recency import cold
from showmemory.context.scene import Scene, scene_of
from showmemory.context.story import story
from showmemory.context.threads import threads
from showmemory.context.tokens import count
from showmemory.context.world import world
from showmemory.fold.fold import Axis
from showmemory.fold.shown import Cut
from showmemory.model.memory import ShowMemory, Use
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Show, SideFiles

Reader = Literal["writer", "showrunner"]


@dataclass(frozen=True)
class Context:
    """A text for a writer. `omitted`: ids that did not fit; `resting`: ids of gags to leave alone (A105, A106)."""

    text: str
    tokens: int
    omitted: tuple[str, ...]
    resting: tuple[str, ...]
    receipt: Receipt


def memory_context(
    show: Show,
    memory: ShowMemory | None,
    *,
    logs: Mapping[str, SideFiles] | None = None,
    scripts: Mapping[str, Screenplay] | None = None,
    characters: Sequence[str] | None = None,
    scene: str | None = None,
    place: str | None = None,
    episode: str | None = None,
    budget_tokens: int | None = None,
    rules: bool = True,
    as_of: str | None = None,
    axis: Axis = "broadcast",
    witness: str | None = None,
    reader: Reader = "writer",
    format: Format = "markdown",  # noqa: A002  the name that commands and callers know
    later: Mapping[str, Sequence[Use]] | None = None,
    cut: Cut | None = None,
    reading: str = "",
    cursor: Cursor | None = None,
    past: int | None = None,
    operator: str = "",
    handing: bool = False,
    timing: Mapping[str, Screenplay] | None = None,
) -> Context:
    """What a writer reads of a show: for a scene, for some characters, for an episode being written, or of it all.

    `scene` is the text of a scene, a brief or a heading. `episode` is the one being written: memory as of the one
    before, itself left out. `as_of` includes its episode. `logs` are side files by episode id; `later` are uses that
    frozen entries could not take up, by entry id. `witness`, a character or a group, needs the `scripts`: what stands
    in an episode without one was not seen. `cut` says where ranked lists stop, as the show's rules have it. `reading`
    is the id of a reading in place of the one that is bound, or `none`. `cursor` is the scene at hand in the script
    being written: then the context holds the outline of what lies before it. `operator` says who reads it, first of
    all. `handing`: before everything that is picked stands what a session begins with.
    `timing` are the scripts by which the story's clock is measured, where settings ask for that.
    """
    moment = moment_of(show, memory, episode, as_of, axis)
    ready = Ready(show, moment, logs or {}, reader, later, witness, scripts, cut, reading, timing)
    return compose(
        ready, characters=characters, scene=scene, place=place, budget=budget_tokens, rules=rules, format=format,
        cursor=cursor, operator=operator, handing=handing, past=past,
    )  # fmt: skip


def compose(
    ready: Ready,
    *,
    characters: Sequence[str] | None = None,
    scene: str | None = None,
    place: str | None = None,
    budget: int | None = None,
    rules: bool = True,
    format: Format = "markdown",  # noqa: A002
    cursor: Cursor | None = None,
    past: int | None = None,
    operator: str = "",
    handing: bool = False,
) -> Context:
    """One context of a memory made ready: what always stands, then as much of the queue as fits, then the scene."""
    form = form_of(format)
    at_hand = _at_hand(ready, characters, scene, place)
    if cold_ones := cold(ready, at_hand):
        ready = ready.without(cold_ones)
    if cursor is not None:
        at_hand = _behind(ready, at_hand, cursor)
    at_hand = replace(at_hand, recalled=recall(ready, at_hand, ready.settings.scene_recall if past is None else past))
    opening = [
        mark("frame", form.frame(*frame(ready), operator)),
        *_whole(form, house(ready, rules)),
        *_whole(form, pinned(ready)),
    ]
    closing = _whole(form, scene_rows(ready, at_hand))
    ending = [mark("end", form.end())] if form.end() else []
    always = sum(block.row.tokens for block in (*opening, *closing, *ending))

    sections = sections_of(ready, at_hand)
    if handing:
        sections = (handover(ready, at_hand), *sections)
    allowed = ready.settings.budget_tokens if budget is None else budget
    room = int(allowed / ready.settings.token_factor) - always
    queued = queue(
        sections, room, Prices(lambda s: count(printed(form, s.piece, s.level)), partial(heading_tokens, form))
    )
    beyond = nouns(left_out(sections, queued.twins, queued.steps).values())
    taken = queued.steps[: fitting(queued.steps, room, beyond, lambda left: count(_last(form, left)))]
    out = left_out(sections, queued.twins, taken)
    missing = _last(form, nouns(out.values()))
    last = [mark("left-out", missing)] if missing else []

    blocks = [*opening, *_middle(form, sections, taken), *closing, *last, *ending]
    receipt = receipt_of(ready, form, sections, blocks, out, queued.twins, allowed, always)
    text = text_of(blocks)
    return Context(text, count(text), tuple(out), _resting(ready), receipt)


def sections_of(ready: Ready, scene: Scene) -> tuple[Section, ...]:
    """The sections that a budget picks from, in the order in which they are printed."""
    made = (people, gags, story, threads, world)
    behind = [section for section in (scene.recalled, scene.outline) if section]
    return (*(section(ready, scene) for section in made), plans(ready), *behind, lines(ready, scene))


def _behind(ready: Ready, scene: Scene, cursor: Cursor) -> Scene:
    """The scene with the outline of what lies before it."""
    made = outline(ready, cursor)
    return replace(scene, outline=made.section, behind=made.behind, outlined=made.episodes)


def _at_hand(ready: Ready, characters: Sequence[str] | None, text: str | None, place: str | None) -> Scene:
    side = ready.logs.get(ready.moment.writing or "")
    planned = side.outline if side else None
    made = scene_of(
        ready.show, ready.moment, ready.names, ready.entries,
        characters=characters, text=text, place=place, outline=planned, witness=ready.witness,
    )  # fmt: skip
    return replace(made, wanted=ready.weighed(made.wanted)) if made.wanted.words else made


def _whole(form: Form, section: Section) -> list[Block]:
    """All of a section, each piece in its longest form."""
    return laid(form, section, {id_: len(piece.texts) - 1 for id_, piece in section.pieces.items()})


def _middle(form: Form, sections: Sequence[Section], taken: Sequence[Queued]) -> list[Block]:
    levels: dict[str, dict[str, int]] = {}
    for queued in taken:
        levels.setdefault(queued.section, {})[queued.step.piece.id] = queued.step.level
    return [block for section in sections for block in laid(form, section, levels.get(section.name, {}))]


def _last(form: Form, left: Mapping[str, int]) -> str:
    line = last_line(left)
    return form.last(line) if line else ""


def _resting(ready: Ready) -> tuple[str, ...]:
    return tuple(
        e.id for e in ready.entries if e.id not in ready.held and e.id in ready.rests and ready.rests[e.id].resting
    )
