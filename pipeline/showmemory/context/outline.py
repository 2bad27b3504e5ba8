"""The outline to the scene at hand: near scenes whole, mid ones by their threads, far ones as one run (B12 to B15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from showmemory.context.past import Cursor, Past, remembered, scenes_of, written
from showmemory.context.piece import Piece, Section, Step
from showmemory.context.quote import bare_end, sentence
from showmemory.context.ready import Ready

# So many scenes before the one at hand are near, so many before those mid: by distance alone (F2).
NEAR, MID = 5, 15
SHARE = 15
ELSEWHERE = "Elsewhere."


@dataclass(frozen=True)
class Outline:
    """The section, the row that counts every scene behind, and the episodes whose scenes are told here."""

    section: Section
    behind: str = ""
    episodes: frozenset[str] = frozenset()


def outline(ready: Ready, cursor: Cursor) -> Outline:
    """The outline of what lies behind a scene."""
    here = written(ready, cursor)
    if ready.witness:
        return Outline(_section(_pieces(ready, cursor.episode, _seen(ready, cursor, here))))
    earlier: list[Past] = []
    for episode in reversed(ready.moment.order):
        if len(here) + len(earlier) >= NEAR + MID:
            break
        earlier = [*remembered(ready, episode), *earlier]
    pieces = _pieces(ready, cursor.episode, [*earlier, *here])
    told = frozenset(past.episode for past in earlier if past.summary)
    return Outline(_section(pieces), _behind(ready, len(here)), told)


def _section(pieces: Sequence[Piece]) -> Section:
    """The nearest scenes first, then the next ones, the far run, and what the near ones changed."""
    nearest = list(reversed(pieces))
    steps = [*(Step(p) for p in nearest), *(Step(p, 1) for p in nearest if len(p.texts) > 1)]
    return Section("outline", "The scenes before this one", tuple(steps), share=SHARE)


def _pieces(ready: Ready, writing: str, scenes: Sequence[Past]) -> list[Piece]:
    """Every scene near enough as a piece; of the episode being written also the far ones, as one run."""
    far, rest = scenes[: -NEAR - MID], scenes[-NEAR - MID :]
    own = [past for past in far if past.episode == writing]
    made = [_run(own)] if own else []
    for past in _joined(rest[:-NEAR]):
        made.append(_piece(ready, writing, past, _mid(past), "of the 15 scenes before those", len(made)))
    for past in rest[-NEAR:]:
        forms = _near(past) if past.episode == writing else _near(past)[:1]
        made.append(_piece(ready, writing, past, forms, "of the 5 scenes before this one", len(made)))
    return made


def _joined(scenes: Sequence[Past]) -> list[Past]:
    """Mid scenes; those of one episode that follow each other and moved no thread share a line."""
    made: list[Past] = []
    for past in scenes:
        last = made[-1] if made else None
        if last is None or last.episode != past.episode or last.moves or past.moves or past.where == ELSEWHERE:
            made.append(replace(past, summary=""))
        else:
            first = last.scene.partition(" to ")[0]
            made[-1] = replace(last, scene=f"{first} to {past.scene}", where=f"{last.where}; {past.where}")
    return made


def _piece(ready: Ready, writing: str, past: Past, forms: Sequence[str], reason: str, at: int) -> Piece:
    if past.where == ELSEWHERE:
        texts: tuple[str, ...] = (ELSEWHERE,)
    else:
        texts = tuple(f"{_called(ready, writing, past)}, {form}" for form in forms)
    id_ = f"scene.{past.episode.removeprefix('ep.')}.{past.scene.replace(' to ', '-')}"
    return Piece(id_, "scene", lambda: texts, reason, past.where, "scene", place=(at,))


def _called(ready: Ready, writing: str, past: Past) -> str:
    noun = "scenes" if " to " in past.scene else "scene"
    label = "" if past.episode == writing else ready.moment.label(past.episode)
    return f"{label} {noun} {past.scene}" if label else f"{noun.capitalize()} {past.scene}"


def _near(past: Past) -> tuple[str, ...]:
    """What happened and how its threads moved; then all that it changed.

    What a remembered scene changed stands in its episode's line, in the world and under the people it concerns.
    """
    brief = " ".join(filter(None, (_where(past), _threads(past))))
    changes = f"Changed: {'; '.join(past.changes)}." if past.changes else ""
    return tuple(dict.fromkeys((brief, f"{brief} {changes}".strip())))


def _mid(past: Past) -> tuple[str, ...]:
    """Who was where, and the steps of threads."""
    return (" ".join(filter(None, (f"{past.where}.", _threads(past)))),)


def _where(past: Past) -> str:
    return f"{past.where}: {sentence(past.summary)}" if past.summary else f"{past.where}."


def _threads(past: Past) -> str:
    return f"Threads: {'; '.join(past.moves)}." if past.moves else ""


def _run(scenes: Sequence[Past]) -> Piece:
    """The far scenes of the episode being written, as one: how many, where, and how its threads moved (B15)."""
    first, last = scenes[0].scene, scenes[-1].scene
    span = f"Scenes {first} to {last}" if first != last else f"Scene {first}"
    brief = f"{span}, {len(scenes)} in all" if len(scenes) > 1 else span
    steps = [move for past in scenes for move in past.moves]
    moves = f" Threads: {'; '.join(dict.fromkeys(steps))}." if steps else ""
    places = "; ".join(dict.fromkeys(bare_end(past.where.partition(" (")[0]) for past in scenes))
    texts = tuple(dict.fromkeys((f"{brief}.{moves}", f"{brief}: {places}.{moves}")))
    return Piece(
        f"scenes.{first}-{last}", "scene", lambda: texts, "far scenes, as one run", brief, "scene", place=(-1,)
    )


def _behind(ready: Ready, here: int) -> str:
    """Every scene behind the one at hand, counted: of this episode, of its season, of each earlier one (B12)."""
    seasons: dict[int, list[int]] = {}
    for episode in ready.moment.order:
        seasons.setdefault(ready.moment.records[episode].season, []).append(scenes_of(ready, episode))
    told = [f"{_counted(here, 'scene')} of this episode" if here else "this one opens its episode"]
    for season in sorted(seasons, reverse=True):
        counts = seasons[season]
        told.append(f"{sum(counts)} of season {season} ({_counted(len(counts), 'episode')})")
    return f"Behind it: {'; '.join(told)}."


def _seen(ready: Ready, cursor: Cursor, scenes: Sequence[Past]) -> list[Past]:
    """The scenes somebody saw or heard, without what the logs say of them; `Elsewhere.` for what lies between (B4)."""
    view = ready.view({cursor.episode: cursor.play})
    seen = view.seen if view else frozenset()
    made: list[Past] = []
    for past in scenes:
        if (past.episode, past.scene) in seen:
            made.append(replace(past, moves=(), changes=()))
        elif not made or made[-1].where != ELSEWHERE:
            made.append(replace(past, where=ELSEWHERE, summary="", moves=(), changes=()))
    return made


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
