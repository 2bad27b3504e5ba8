"""Bible threads that the episode opened, moved or resolved."""

from __future__ import annotations

from showmemory.extract.evidence import evidence, run_at
from showmemory.extract.plot import Move, thread_moves
from showmemory.extract.showids import ShowIds, show_ids
from showmemory.model.memory import Said
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible
from showmemory.text.fold import Folding
from showmemory.text.sentences import sentences
from showmemory.text.tokens import tokens, words

VERSION = 1
READS = ("script", "cast", "threads", "outline", "continuity")
# A sentence of an answer with fewer words ("No.") gives nothing away by being said elsewhere.
_SENTENCE = 3


def find(read: EpisodeRead, bible: Bible, rules: Rules) -> list[Observation]:
    """One observation a thread: where it stands after the episode, every step with its line."""
    ids, folding = show_ids(read, bible, "threads"), Folding.of(rules)
    steps: dict[str, list[Move]] = {}
    for move in thread_moves(read, ids):
        steps.setdefault(move.thread, []).append(move)
    answers = {thread.id: thread.answer for thread in bible.threads}
    return [
        _observation(read, ids, thread, moves, answers.get(thread, ""), folding)
        for thread, moves in sorted(steps.items())
    ]


def _observation(
    read: EpisodeRead, ids: ShowIds, thread: str, moves: list[Move], answer: str, folding: Folding
) -> Observation:
    found = [evidence(read, move.scene, move.words, folding) for move in moves]
    fit = [move for move in moves if move.text.strip() and not _tells(move.text, answer, folding)]
    # What the log says of the thread goes before what the outline says of a scene.
    texts = [move.text.strip() for move in sorted(fit, key=lambda move: move.logged)]
    said = Said(
        rule="thread",
        title=ids.name(thread),
        text=texts[-1] if texts else None,
        status="resolved" if moves[-1].step == "resolved" else "open",
        move=moves[-1].step,
        sources=tuple(dict.fromkeys(one.source for one in found)),
        stale=tuple(dict.fromkeys(missing for one in found for missing in one.missing)),
    )
    tail = thread.partition(".")[2] or thread
    return Observation(
        rule="thread", episode=read.episode.id, kind="thread", key=thread, name=tail, about=(thread,), said=said
    )


def _tells(text: str, answer: str, folding: Folding) -> bool:
    """Whether `text` gives the bible's answer, or a sentence of it, away word for word: that is the showrunner's."""
    told = tokens(text, folding)
    whole = words(answer, folding)
    parts = [tuple(token.word for token in sentence) for sentence in sentences(answer, folding)]
    return any(run and run_at(run, told) >= 0 for run in (whole, *(p for p in parts if len(p) >= _SENTENCE)))
