"""The model pass over a show: which questions are due, and what the recorded answers say of each episode."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from showmemory import answerbook
from showmemory.artifacts import Artifacts
from showmemory.ask.draft import Pass
from showmemory.ask.ids import Ids, ids_of
from showmemory.ask.numbered import Numbered
from showmemory.ask.observe import Observed, Reading
from showmemory.ask.provider import Off, provider
from showmemory.ask.record import Answers
from showmemory.ask.request import Asked, Asker
from showmemory.calling import Calling
from showmemory.context.tokens import count
from showmemory.fold.fold import as_of, order
from showmemory.model.canonical import compact
from showmemory.model.ids import digest
from showmemory.model.memory import Entry, ShowMemory
from showmemory.model.observation import Observation
from showmemory.model.plan import Plan
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Episode, ModelConfig, Show
from showmemory.model.span import Problem, Span
from showmemory.store.store import Store
from showmemory.text.fold import Folding
from showmemory.till import Till

VERSION = 2
CONFIG = "show.toml"
OBSERVATIONS: TypeAdapter[list[Observation]] = TypeAdapter(list[Observation])


@dataclass(frozen=True)
class Due:
    """What a run is to ask: nothing (`off`), an episode or an entry by name, `again` though it was asked before.

    `dry`: only show the question and its price.
    """

    off: bool = False
    episode: str = ""
    entry: str = ""
    again: bool = False
    dry: bool = False


@dataclass
class Asking:
    """One run's dealings with a model. `found` is what the rules saw; `wrote` the files written.

    `told`: what the plan is to say, by episode; `again`: something may pass by itself, so the next run looks anew.
    """

    root: Path
    show: Show
    folding: Folding
    environ: Mapping[str, str] = field(repr=False)
    tokens: Callable[[str], int]
    play: Callable[[Episode], Screenplay | None]
    scripts: Mapping[str, str]
    speakers: Mapping[str, Iterable[str]]
    found: tuple[Observation, ...]
    memory: ShowMemory | None
    kept: Store
    parsed: Mapping[str, str]
    wrote: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    dropped: dict[str, list[str]] = field(default_factory=dict)
    again: bool = False
    lacking: str = ""

    def __post_init__(self) -> None:
        """Sort out what each episode's rules found."""
        self.read = [e for e in self.show.episodes if e.id in self.scripts]
        self._found: dict[str, list[Observation]] = {}
        for one in self.found:
            self._found.setdefault(one.episode, []).append(one)
        self._numbered: dict[str, Numbered] = {}
        self.places = answerbook.places(self.show)

    @property
    def config(self) -> ModelConfig:
        """The show's `[model]`."""
        return self.show.config.model

    @property
    def model(self) -> str:
        """The model asked: the writers' room's, else the show's (A79)."""
        stage = self.config.stages.get("writers_room")
        return (stage.name if stage else "") or self.config.name

    def ask(self, due: Due) -> str:
        """Ask what is due and keep the answers; returns the stage's line."""
        if not self.config.provider:
            return "off: no model in show.toml"
        if due.off:
            return "off: by memory's settings or --model"
        llm = provider(self.config, self.environ, shown=due.dry)
        if isinstance(llm, Off):
            return self._not_asked(llm)
        till = Till(self.root, self.config, self.model, llm, self.tokens)
        episodes = {e.id: (e, self.places[e.id]) for e in self.read}
        calling = Calling(self.root, llm, till, episodes, self.reading, told=self.told)
        try:
            lines = [] if due.dry else calling.collect(self._question)
            if calling.waits and not due.entry:
                return "; ".join(lines)
            questions = self._due(due)
            if due.dry:
                return "\n".join(["dry run: nothing is asked", *map(calling.shown, questions)])
            batched = self.config.batch and not due.entry and not due.again
            lines += calling.send(questions) if batched else [calling.one(one) for one in questions]
        finally:
            self.wrote |= calling.wrote
            self.again = calling.again
            self.problems += calling.problems
        return "; ".join(line for line in (*lines, self._rewritten()) if line) or "nothing new to ask"

    def _question(self, episode: str, pass_: Pass) -> Asked | None:
        """The question of an episode as it would be asked now, for a repair of what a batch brought."""
        held = next((e for e in self.read if e.id == episode), None)
        asker = self._asker(held) if held else None
        return asker.page(pass_) if asker and pass_ in ("memory", "voice", "diary") else None

    def _not_asked(self, off: Off) -> str:
        if off.mistake:
            self.problems.append(Problem(Span(CONFIG), "warning", off.why, "no model is asked"))
        else:
            self.lacking = off.why.partition(" ")[0]
        return f"off: {off.why}"

    def _due(self, due: Due) -> list[Asked]:
        """The questions of this run: the newest episode's or a named one's, where their keys are new (A92)."""
        if due.entry:
            return self._rewrite(due.entry)
        named = next((e for e in reversed(self.read) if due.episode in ("", e.id)), None)
        if named is None:
            return []
        wanted = [named]
        if self.config.batch == "all" and not due.episode:
            wanted = [e for e in self.read if e is named or not self._answers(e).answers]
        questions = [q for e in wanted for q in self._questions(e)]
        if not due.episode and "season" in self.config.passes:
            questions += self._seasons(named)
        return [q for q in questions if due.again or not self._known(q)]

    def _known(self, question: Asked) -> bool:
        """Whether just this was asked before. In vain, too: then the plan says so and it is not paid for again."""
        episode = next(e for e in self.read if e.id == question.episode)
        answers = self._answers(episode)
        if question.pass_ == "season":
            return any(one.pass_ == "season" and one.about == question.about for one in answers.answers)
        held = [one for one in answers.answers if one.key == question.key]
        if held and held[-1].failed and not any(held[-1].failed in w for e, w in self.told if e == episode.id):
            self.told.append(
                (episode.id, f"no {question.pass_} pass by {self.model}: {held[-1].failed} (asked before)")
            )
        return bool(held)

    def _questions(self, episode: Episode) -> list[Asked]:
        further = [name for name in ("voice", "diary") if name in self.config.passes]
        asker = self._asker(episode, several=bool(further))
        if asker is None or self._load(episode)[0] is None:
            return []
        return [asker.page(), *(asker.page(name) for name in further)]

    def _seasons(self, newest: Episode) -> list[Asked]:
        made = []
        for season in sorted({e.season for e in self.read if e.season < newest.season}):
            held = [e for e in self.read if e.season == season]
            asker = self._asker(held[-1])
            texts = self._synopses(held)
            if asker is not None and texts:
                made.append(asker.season(f"season.{season}", texts, [self.scripts[e.id] for e in held]))
        return made

    def _synopses(self, episodes: list[Episode]) -> list[tuple[str, str]]:
        told = {o.episode: o.said.text for o in self.found if o.kind == "synopsis" and o.said.text}
        for episode in episodes:
            for one in self.recalled(episode)[0]:
                if one.kind == "synopsis" and one.said.text:
                    told[episode.id] = one.said.text
        return [(e.id, told[e.id]) for e in episodes if e.id in told]

    def _rewrite(self, id_: str) -> list[Asked]:
        """The question for one entry again (C18), about the newest episode that gave it words."""
        entry = next((e for e in self.memory.entries if e.id == id_), None) if self.memory else None
        if entry is None or entry.frozen:
            return []
        episode = self._last_said(entry)
        asker = self._asker(episode) if episode else None
        return [asker.rewrite(entry)] if asker else []

    def _last_said(self, entry: Entry) -> Episode | None:
        here = [e for e in self.read if e.id in entry.said]
        worded = [e for e in here if entry.said[e.id].text is not None]
        return next(reversed(worded or here), None)

    def _asker(self, episode: Episode, *, several: bool = False) -> Asker | None:
        numbered = self._number(episode)
        if numbered is None:
            return None
        stage = self.config.stages.get("writers_room")
        effort = (stage.effort if stage else "") or self.config.effort
        found = tuple(self._found.get(episode.id, ()))
        args = (self.show, episode.id, self.scripts[episode.id], numbered, self.ids(episode), self.model, effort)
        return Asker(*args, memory=self._before(episode), found=found, several=several)

    def _before(self, episode: Episode) -> ShowMemory | None:
        """Memory as it stood before an episode."""
        if self.memory is None:
            return None
        earlier = {e.id for e in self.show.episodes if e.place < episode.place}
        known = [id_ for id_ in order(self.memory.episodes) if id_ in earlier]
        empty = self.memory.model_copy(update={"entries": (), "episodes": ()})
        return as_of(self.memory, known[-1]) if known else empty

    def ids(self, episode: Episode) -> Ids:
        """The ids the show has as far as an episode knows them."""
        upto = [e for e in self.read if e.place <= episode.place]
        speakers = sorted({who for e in upto for who in self.speakers.get(e.id, ())})
        return ids_of(self.show.bible, speakers, {e.id: e.title for e in upto})

    def _number(self, episode: Episode) -> Numbered | None:
        if episode.id not in self._numbered:
            play = self.play(episode)
            if play is None:
                return None
            self._numbered[episode.id] = Numbered(play)
        return self._numbered[episode.id]

    def _answers(self, episode: Episode) -> Answers:
        return self._load(episode)[0] or Answers(id=episode.id)

    def _load(self, episode: Episode) -> tuple[Answers | None, str, list[Problem]]:
        return answerbook.load(self.root, self.places[episode.id], episode)

    def reading(self, episode: Episode) -> Reading | None:
        """An episode to tie answers to."""
        numbered = self._number(episode)
        if numbered is None:
            return None
        found = tuple(self._found.get(episode.id, ()))
        return Reading(episode.id, self.scripts[episode.id], numbered, self.ids(episode), self.folding, found)

    def recall(self) -> list[Observation]:
        """What all recorded answers say, whether or not a model is there to ask."""
        made: list[Observation] = []
        for episode in self.read:
            observations, dropped, problems = self.recalled(episode)
            made += observations
            self.problems += problems
            self.dropped[episode.id] = dropped
        return made

    def said(self, plan: Plan) -> tuple[str, ...]:
        """What the plan says of the passes: failures, and what was dropped of answers that are new or still wait."""
        rows = [f"{id_}: {line}" if id_ else line for id_, line in self.told]
        asked = {id_ for id_, _ in self.told}
        for id_ in dict.fromkeys(change.episode for change in plan.changes if change.by == "model"):
            rows += [f"{id_}: {line}" for line in self.dropped.get(id_, ()) if id_ not in asked]
        return tuple(dict.fromkeys(rows))

    def recalled(self, episode: Episode) -> tuple[list[Observation], list[str], list[Problem]]:
        """What an episode's recorded answers say now."""
        path = self.places[episode.id]
        if not episode.answers and path not in self.wrote:
            return [], [], []
        answers, text, problems = self._load(episode)
        if answers is None or not answers.answers:
            return [], [], problems
        key = self._key(episode, text)
        if (held := self.kept.get([key]).get(key)) is not None:
            row = json.loads(held)
            observations, dropped, wrong = OBSERVATIONS.validate_python(row[0]), row[1], row[2]
        else:
            reading = self.reading(episode)
            made = reading.observe(answers) if reading else Observed()
            observations, dropped, wrong = made.observations, made.dropped, made.wrong
            plain = OBSERVATIONS.dump_python(observations, mode="json", by_alias=True, exclude_defaults=True)
            self.kept.put("answers", {key: json.dumps([plain, dropped, wrong], ensure_ascii=False).encode()})
        return observations, dropped, [*problems, *([Problem(Span(path), "warning", wrong)] if wrong else [])]

    def _key(self, episode: Episode, text: str) -> str:
        """All that decides what recorded answers say: the file, the script as parsed, ids, what the rules saw play."""
        seen = [o for o in self._found.get(episode.id, ()) if o.said.uses]
        plain = OBSERVATIONS.dump_python(seen, mode="json", by_alias=True, exclude_defaults=True)
        parsed = self.parsed.get(episode.id, "")
        return digest(compact([VERSION, episode.id, digest(text), parsed, dict(self.ids(episode).names), plain]))

    def _rewritten(self) -> str:
        """Older episodes whose script is another than the one their answer is about: listed, not asked."""
        older = []
        for episode in self.read[:-1]:
            newest = self._answers(episode).newest("memory") if episode.answers else None
            if newest is not None and newest.script and newest.script != self.scripts[episode.id]:
                older.append(episode.id)
        if not older:
            return ""
        more = f" and {len(older) - 3} more" if len(older) > 3 else ""
        return f"rewritten since they were asked about: {', '.join(older[:3])}{more} (remember --episode ID asks again)"


def asking_of(
    artifacts: Artifacts,
    scripts: Mapping[str, str],
    spoke: Mapping[str, Iterable[str]],
    found: Iterable[Observation],
    memory: ShowMemory | None,
) -> Asking:
    """What a run needs to ask a model, or only to read what was answered before."""
    return Asking(
        root=artifacts.root,
        show=artifacts.show,
        folding=Folding.of(artifacts.rules),
        environ=os.environ,
        tokens=count,
        play=artifacts.screenplay,
        scripts=scripts,
        speakers=spoke,
        found=tuple(found),
        memory=memory,
        kept=artifacts.store,
        parsed={id_: want["parse"] for id_, want in artifacts.wants.items()},
    )
