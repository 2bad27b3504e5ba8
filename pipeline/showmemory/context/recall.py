"""Scene recall: at most two past scenes that the scene at hand goes back to, word for word and told as past (C35)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from showmemory.context.formats import VERBATIM
from showmemory.context.names import is_heading, place_words
from showmemory.context.piece import Piece, Section, Step
from showmemory.context.quote import line
from showmemory.context.ready import Ready
from showmemory.context.scene import Scene
from showmemory.context.similar import CLOSE, SAME, aged, like
from showmemory.fold.relevance import stems, telling_stems
from showmemory.model.screenplay import UNSEEN, Screenplay
from showmemory.model.screenplay import Scene as Played
from showmemory.text.brief import titled

MOST = 2
SHARE = 30
# A scene of fewer words shows nothing; a longer one is taken in parts of about so many.
LEAST, STEP = 25, 90
_Key = tuple[str, str]


def recall(ready: Ready, scene: Scene, most: int) -> Section | None:
    """The past scenes that are most like the one at hand, by the scripts that are given."""
    query = scene.brief
    if most <= 0 or not query.strip():
        return None
    query = _unheaded(query)
    texts = {key: _unheaded(text) for key, text in _scenes(ready)}
    meaning = ready.settings.semantic
    scores = like(query, {_id(key): text for key, text in texts.items()}, meaning=meaning, language=_language(ready))
    now = len(ready.moment.order)
    bar = CLOSE["meaning" if meaning else "words"]
    ranked = sorted(texts, key=lambda key: (-aged(scores[_id(key)], now - ready.place[key[0]]), _id(key)))
    chosen: list[_Key] = []
    for key in ranked:
        if len(chosen) == min(most, MOST) or scores[_id(key)] < bar:
            break
        if not any(_overlap(ready, texts[key], texts[other]) >= SAME for other in chosen):
            chosen.append(key)
    why = {key: f"{scores[_id(key)]:.2f} like this scene" for key in chosen}
    if not meaning:
        shared = {key: _shared(query, texts[key], texts.values(), _language(ready)) for key in chosen}
        why = {key: f"{told}: {', '.join(shared[key])}" for key, told in why.items()}
    return _section(ready, chosen, why) if chosen else None


def scene_text(play: Screenplay, scene: Played) -> str:
    """A scene's heading and all that is seen and said in it."""
    return "\n".join(e.name or e.text for e in play.elements[scene.start : scene.end] if e.kind not in UNSEEN)


def _scenes(ready: Ready) -> Iterator[tuple[_Key, str]]:
    """Every past scene of some length; for a witness those they saw or heard."""
    seen = ready.vantage.seen if ready.vantage else None
    for episode in ready.moment.order:
        play = ready.scripts.get(episode)
        for scene in play.scenes if play else ():
            text = scene_text(play, scene) if play and not scene.omitted else ""
            if len(text.split()) >= LEAST and (seen is None or (episode, scene.id) in seen):
                yield (episode, scene.id), text


def _unheaded(text: str) -> str:
    """A heading counts for its place: every other scene is INT. and at NIGHT."""
    return "\n".join(place_words(row) if is_heading(row) else row for row in text.splitlines())


def _section(ready: Ready, chosen: list[_Key], why: Mapping[_Key, str]) -> Section:
    """Each scene under its own heading, which says that it is past."""
    pieces, groups = [], {}
    for at, key in enumerate(chosen):
        episode, scene = key
        group = f"recalled.{_id(key)}"
        groups[group] = f"{ready.moment.named(episode)}, scene {scene}: past, not now"
        parts = partial(tuple, tuple(_parts(ready.scripts[episode], scene)))
        pieces.append(Piece(group, VERBATIM, parts, why[key], groups[group], "recalled scene", group, (at,)))
    steps = tuple(Step(p, level) for p in pieces for level in range(len(p.texts)))
    return Section("recall", "Past scenes, word for word", steps, groups=groups, share=SHARE)


def _parts(play: Screenplay, scene: str) -> Iterator[str]:
    """The scene's lines: more and more of them, the last part all; none is cut within a line."""
    held: list[str] = []
    words, bound = 0, STEP
    rows = list(_lines(play, next(s for s in play.scenes if s.id == scene)))
    for at, row in enumerate(rows):
        held.append(row)
        words += len(row.split())
        if words >= bound and at + 1 < len(rows):
            yield "\n".join((*held, "…"))
            bound = words + STEP
    yield "\n".join(held)


def _lines(play: Screenplay, scene: Played) -> Iterator[str]:
    """A scene as a reader takes it in: who speaks before what they say."""
    speaker, spoken = "", []
    for element in play.elements[scene.start : scene.end]:
        text = line(element.text)
        if element.kind in UNSEEN or not text:
            continue
        if element.kind in ("dialogue", "lyric", "paren") and speaker:
            spoken.append(text)
            continue
        if spoken:
            yield f"{speaker}: {' '.join(spoken)}"
        speaker, spoken = (titled(element.name or text), []) if element.kind == "character" else ("", [])
        if not speaker:
            yield text
    if spoken:
        yield f"{speaker}: {' '.join(spoken)}"


def _shared(query: str, text: str, texts: Collection[str], language: str) -> tuple[str, ...]:
    """The most telling words the two have in common: those of the fewest past scenes."""
    theirs = frozenset(stems(text, language))
    both = [word for word in telling_stems(query, language) if word in theirs]
    often = {word: sum(word in stems(other, language) for other in texts) for word in both}
    return tuple(sorted(both, key=lambda word: (often[word], word))[:3])


def _overlap(ready: Ready, one: str, other: str) -> float:
    ours, theirs = (frozenset(stems(text, _language(ready))) for text in (one, other))
    return len(ours & theirs) / max(1, len(ours | theirs))


def _id(key: _Key) -> str:
    return f"{key[0].removeprefix('ep.')}.{key[1]}"


def _language(ready: Ready) -> str:
    return ready.show.config.language
