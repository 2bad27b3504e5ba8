"""One question to a model, or a batch: priced, asked, checked, repaired once, kept beside its episode and billed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from showmemory import answerbook
from showmemory.ask.answer import draft_of, repair
from showmemory.ask.draft import Draft, Pass
from showmemory.ask.observe import Reading
from showmemory.ask.record import Recorded, Used
from showmemory.ask.request import Asked
from showmemory.ask.seam import Batching, Failure, LlmProvider, Reply, Request, Usage
from showmemory.model.canonical import dumps, plain
from showmemory.model.show import Episode
from showmemory.model.span import Problem, Span
from showmemory.till import Till, usd

Ask = Callable[[str, Pass], Asked | None]


@dataclass(frozen=True)
class Billing:
    """How a reply is billed, and whether it may be repaired."""

    id: str = ""
    batch: bool = False
    repairable: bool = True


@dataclass
class Calling:
    """Calls for one show in one run. `told`: what the plan is to say, by episode; `waits`: a batch is on its way.

    `again`: something may pass by itself, so the next run is to look anew.
    """

    root: Path
    llm: LlmProvider
    till: Till
    episodes: Mapping[str, tuple[Episode, str]]
    reading: Callable[[Episode], Reading | None]
    wrote: set[str] = field(default_factory=set)
    told: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    again: bool = False
    waits: bool = False

    def shown(self, asked: Asked) -> str:
        """The exact request and its price, for a dry run."""
        head = f"{asked.pass_} of {asked.episode}: {self.till.quote(asked.request)}"
        return f"{head}\n{dumps(self.llm.body(asked.request)).rstrip()}"

    def one(self, asked: Asked) -> str:
        """Ask one question; returns its line. What goes wrong is said in the plan, and memory is as without a model."""
        if refused := self.till.refused(asked.request):
            return self._failed(asked, Failure(refused))
        return self._settled(asked, self.llm.ask(asked.request), Billing())

    def send(self, due: Sequence[Asked]) -> list[str]:
        """Send all questions as one batch at half price; without batches, one by one."""
        if not due:
            return []
        if not isinstance(self.llm, Batching):
            why = f"{self.till.config.provider} takes no batches: each question is asked by itself, at the full price"
            self.problems.append(Problem(Span("show.toml"), "warning", why))
            return [self.one(asked) for asked in due]
        if refused := self.till.refused(*(asked.request for asked in due), batch=True):
            return [self._failed(asked, Failure(refused)) for asked in due]
        by_id = {f"{asked.pass_}-{asked.key[:40]}": asked for asked in due}
        sent = self.llm.submit({id_: asked.request for id_, asked in by_id.items()})
        if isinstance(sent, Failure):
            return [self._failed(asked, sent) for asked in due]
        kept = {id_: self._kept(asked) for id_, asked in by_id.items()}
        episodes = {id_: asked.episode for id_, asked in by_id.items()}
        batch = answerbook.Waiting(batch=sent, provider=self.till.config.provider, asked=kept, episodes=episodes)
        answerbook.keep_waiting(self.root, batch)
        self.again = self.waits = True
        questions = f"{len(due)} question{'' if len(due) == 1 else 's'}"
        return [f"{questions} sent as batch {sent}, at half price: a later run takes up the answers"]

    def collect(self, ask: Ask) -> list[str]:
        """Take up the answers of a batch sent before; each is kept as it is read, so that a killed run goes on."""
        held = answerbook.waiting(self.root)
        if held is None or not isinstance(self.llm, Batching) or held.provider != self.till.config.provider:
            return []
        found = self.llm.collect(held.batch)
        if isinstance(found, Failure):
            return self._lost(held, found)
        if not found.ended:
            self.again = self.waits = True
            return [f"batch {held.batch}: {found.done} of {found.of} answered, the next run looks again"]
        lines = []
        for id_, kept in sorted(held.asked.items()):
            reply = found.answers.get(id_, Failure("the batch holds no answer to this question", again=True))
            if held.episodes[id_] in self.episodes and not self._has(held.episodes[id_], kept.key):
                lines.append(self._taken(held, id_, kept, reply, ask))
        answerbook.keep_waiting(self.root, None)
        return lines

    def _lost(self, held: answerbook.Waiting, failure: Failure) -> list[str]:
        """A batch that cannot be reached now is looked for again; one that nobody knows any more is given up."""
        self.again, self.waits = True, failure.again or failure.sent
        if not self.waits:
            answerbook.keep_waiting(self.root, None)
        line = f"batch {held.batch}: {failure.why}"
        self.told.append(("", line))
        return [line]

    def _has(self, episode: str, key: str) -> bool:
        held, path = self.episodes[episode]
        answers = answerbook.load(self.root, path, held)[0]
        return answers is None or answers.has(key)

    def _taken(self, held: answerbook.Waiting, id_: str, kept: Recorded, reply: Reply | Failure, ask: Ask) -> str:
        now = ask(held.episodes[id_], kept.pass_)
        same = now is not None and now.key == kept.key
        request = now.request if now is not None else Request(kept.model, "", (), {}, self.till.config.max_tokens)
        asked = Asked(
            pass_=kept.pass_,
            episode=held.episodes[id_],
            key=kept.key,
            prompt=kept.prompt,
            prompt_hash=kept.prompt_hash,
            script=kept.script,
            request=request,
            marks=kept.marks,
            about=kept.about,
        )
        return self._settled(asked, reply, Billing(f"{held.batch}/{id_}", batch=True, repairable=same))

    def _settled(self, asked: Asked, reply: Reply | Failure, bill: Billing) -> str:
        """What comes of a reply: kept when it is a draft, repaired once when it is not, said when it is none."""
        if isinstance(reply, Failure):
            return self._failed(asked, reply, bill)
        cost = self.till.bill(asked, reply.usage, bill.id or reply.id, batch=bill.batch)
        draft = draft_of(reply.text, asked.pass_)
        if not isinstance(draft, tuple):
            return self._keep(asked, draft, Used.of(reply.usage, cost))
        if not bill.repairable:
            return self._unusable(asked, _shape(draft), reply.usage, cost)
        return self._repaired(asked, reply, draft, cost)

    def _repaired(self, asked: Asked, reply: Reply, errors: tuple[str, ...], cost: float) -> str:
        """The one repair round: the same question, the answer, and what is wrong with it (A73)."""
        request = asked.request.after(reply.text, repair(errors))
        if refused := self.till.refused(request):
            return self._unusable(asked, f"{_shape(errors)}; no repair: {refused}", reply.usage, cost)
        second = self.llm.ask(request)
        if isinstance(second, Failure):
            more = second.usage or Usage()
            cost += self.till.bill(asked, more) if second.usage else 0.0
            return self._unusable(asked, f"{_shape(errors)}; its repair: {second.why}", reply.usage + more, cost)
        cost += self.till.bill(asked, second.usage, second.id)
        draft = draft_of(second.text, asked.pass_)
        if isinstance(draft, tuple):
            return self._unusable(asked, f"{_shape(draft)}, also after one repair", reply.usage + second.usage, cost)
        return self._keep(asked, draft, Used.of(reply.usage + second.usage, cost), repaired=True)

    def _keep(self, asked: Asked, draft: Draft, used: Used, *, repaired: bool = False) -> str:
        kept = self._kept(asked).model_copy(update={"answer": plain(draft), "used": used, "repaired": repaired})
        reading = self.reading(self.episodes[asked.episode][0])
        made = reading.one(kept) if reading is not None else None
        if made is not None:
            kept = kept.model_copy(update={"fell": tuple(made.fell), "dropped": tuple(made.dropped)})
            self.told += [(asked.episode, line) for line in made.dropped]
        self._write(asked, kept)
        entries = len(made.observations) if made else 0
        dropped = f", {len(made.dropped)} dropped" if made and made.dropped else ""
        count = f"{entries} entr{'y' if entries == 1 else 'ies'}{dropped}"
        return f"{asked.pass_} of {asked.episode}: {count}, {usd(used.usd)} ({self.till.model})"

    def _unusable(self, asked: Asked, why: str, usage: Usage, cost: float) -> str:
        """It was paid for and says nothing: kept as such, so that it is not paid for twice."""
        self._write(asked, self._kept(asked).model_copy(update={"failed": why, "used": Used.of(usage, cost)}))
        return self._tell(asked, why)

    def _failed(self, asked: Asked, failure: Failure, bill: Billing = Billing()) -> str:
        if failure.usage is not None:
            cost = self.till.bill(asked, failure.usage, bill.id, batch=bill.batch)
            return self._unusable(asked, failure.why, failure.usage, cost)
        if failure.sent:
            self.till.bill_unknown(asked, bill.id, batch=bill.batch)
        self.again = True
        return self._tell(asked, failure.why)

    def _tell(self, asked: Asked, why: str) -> str:
        line = f"no {asked.pass_} pass by {self.till.model}: {why}"
        self.told.append((asked.episode, line))
        return f"{asked.episode}: {line}"

    def _kept(self, asked: Asked) -> Recorded:
        settings: dict[str, str | int] = {"maxTokens": asked.request.max_tokens}
        settings |= {"effort": asked.request.effort} if asked.request.effort else {}
        return Recorded(
            pass_=asked.pass_,
            key=asked.key,
            script=asked.script,
            prompt=asked.prompt,
            prompt_hash=asked.prompt_hash,
            provider=self.till.config.provider,
            model=self.till.model,
            settings=settings,
            about=asked.about,
            entry=asked.entry,
            marks=dict(asked.marks),
        )

    def _write(self, asked: Asked, kept: Recorded) -> None:
        episode, path = self.episodes[asked.episode]
        answers, _, problems = answerbook.load(self.root, path, episode)
        self.problems += problems
        if answers is not None:
            answerbook.save(self.root, path, answers.adding((kept,)))
            self.wrote.add(path)


def _shape(errors: tuple[str, ...]) -> str:
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"the answer has not the shape of a draft: {errors[0]}{more}"
