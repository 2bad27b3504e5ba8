"""Recorded answers and the script as it is now -> observations by the model, and what of the answers was dropped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from showmemory.ask.answer import checked
from showmemory.ask.claims import Claim, Claims
from showmemory.ask.draft import Cite
from showmemory.ask.ids import Ids
from showmemory.ask.numbered import Numbered, Passage
from showmemory.ask.record import Answers, Recorded
from showmemory.ask.tie import followed, tied
from showmemory.model.memory import Said, Source, Use
from showmemory.model.observation import Observation
from showmemory.text.fold import Folding


@dataclass
class Observed:
    """What an episode's answers say. `fell`: cites whose words do not stand; `cited`: how many there were."""

    observations: list[Observation] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    fell: list[str] = field(default_factory=list)
    cited: int = 0
    wrong: str = ""


@dataclass
class Reading:
    """One episode to tie answers to: its script as it is now, the ids it knows, what the rules found there."""

    episode: str
    sha: str
    numbered: Numbered
    ids: Ids
    folding: Folding
    found: tuple[Observation, ...] = ()

    def observe(self, answers: Answers) -> Observed:
        """All that stands of an episode's answers, the newest of each pass."""
        whole = Observed()
        for recorded in answers.standing():
            one = self.one(recorded)
            whole.observations = _with(whole.observations, one.observations)
            whole.dropped += one.dropped
            whole.wrong = whole.wrong or one.wrong
        return whole

    def one(self, recorded: Recorded) -> Observed:
        """What stands of one answer. Against another draft than it was given for, words are looked for anew (G2)."""
        draft = checked(recorded.answer, recorded.pass_)
        if isinstance(draft, tuple):
            return Observed(wrong=f"expected an answer of the pass {recorded.pass_}, found {draft[0]}")
        same = not recorded.script or recorded.script == self.sha
        claims = Claims(self.episode, self.ids, self.folding)
        made = Observed()
        for claim in claims.of(recorded, draft):
            said = self._said(claim, recorded, made, same=same)
            if said is not None:
                made.observations.append(self._observation(claim, recorded, said))
        made.dropped = [*claims.dropped, *made.dropped] if same else list(recorded.dropped)
        return made

    def _said(self, claim: Claim, recorded: Recorded, made: Observed, *, same: bool) -> Said | None:
        """What the episode says by this claim; without a line that stood when it was given there is nothing (A74)."""
        sources, stale = self._sources(claim.cites, recorded, made, same=same)
        parts = []
        for part in claim.parts:
            here, gone = self._sources(part.cites, recorded, made, same=same)
            if here or gone:
                parts.append(part.text)
                sources, stale = [*sources, *here], [*stale, *gone]
            else:
                made.dropped.append(f'change "{part.text[:60]}": its words are not at the lines it names')
        sources += [Source(episode=one) for one in claim.episodes]
        if not sources and not stale:
            made.dropped.append(f"{claim.said}: its words are not at the lines it names")
            return None
        text = "\n".join([claim.text, *([f"Changed: {'; '.join(parts)}."] if parts else [])])
        return self._worded(claim, recorded, text, sources, stale)

    def _worded(self, claim: Claim, recorded: Recorded, text: str, sources: list[Source], stale: list[Source]) -> Said:
        kind = claim.mark.kind
        fields: dict[str, Any] = {"by": "model", "rule": recorded.pass_, "about": claim.about, "holders": claim.holders}
        fields |= {"title": claim.title or None, "text": text or None, "value": claim.value or None}
        fields["stale"] = tuple(dict.fromkeys(stale))
        if kind == "thread":
            fields |= _moved(claim)
        if kind in ("gag", "catchphrase"):
            fields["uses"] = tuple(self._uses(claim, sources))
            if not claim.mark.key.startswith("model|"):
                del fields["about"]
        else:
            fields["sources"] = tuple(dict.fromkeys(sources))
        return Said(**fields)

    def _sources(
        self, cites: Iterable[tuple[str, Cite]], recorded: Recorded, made: Observed, *, same: bool
    ) -> tuple[list[Source], list[Source]]:
        here: list[Source] = []
        gone: list[Source] = []
        for at, cite in cites:
            made.cited += 1
            if not same and at in recorded.fell:
                continue
            find = tied if same else followed
            source = find(cite, self.numbered, self.episode, self.folding)
            if source is not None:
                here.append(source)
            elif same:
                made.fell.append(at)
            else:
                gone.append(Source(episode=self.episode, words=" ".join(cite.words.split())))
        return here, gone

    def _uses(self, claim: Claim, sources: list[Source]) -> list[Use]:
        """Each time it plays once: not again where a rule saw it in the same speech or paragraph (A60)."""
        taken = [p for o in self._same(claim) for u in o.said.uses if (p := self._passage(u.line, u.page))]
        uses: list[Use] = []
        for source in dict.fromkeys(sources):
            passage = self._passage(source.line, source.page)
            if passage is not None and passage in taken:
                continue
            taken += [passage] if passage is not None else []
            uses.append(Use(**source.model_dump(), how=("model",)))
        return uses

    def _same(self, claim: Claim) -> list[Observation]:
        return [o for o in self.found if o.kind == claim.mark.kind and o.key == claim.mark.key]

    def _passage(self, line: int, page: int) -> Passage | None:
        for place, number in self.numbered.numbers.items():
            element = self.numbered.script.elements[place]
            if element.line == line and element.page == page:
                return self.numbered.passages.get(number, (None,))[-1]
        return None

    def _observation(self, claim: Claim, recorded: Recorded, said: Said) -> Observation:
        mark = claim.mark
        return Observation(
            rule=recorded.pass_,
            episode=self.episode,
            kind=mark.kind,
            form=mark.form,
            key=mark.key,
            name=mark.name,
            about=mark.about or claim.about,
            field=mark.field,
            said=said,
        )


def _moved(claim: Claim) -> dict[str, Any]:
    """Where a thread stands. That one of the bible's is open is the log's to say: a model's word would outlast it."""
    moved: dict[str, Any] = {"move": claim.move} if claim.move else {}
    if claim.move == "resolved":
        return moved | {"status": "resolved"}
    return moved | ({"status": "open"} if claim.mark.key.startswith("model|") else {})


def _with(held: list[Observation], more: list[Observation]) -> list[Observation]:
    """Both, where a later pass speaks of the same entry with its words and the lines of both."""
    made = {(o.kind, o.key): o for o in held}
    for new in more:
        old = made.get((new.kind, new.key))
        if old is not None:
            sources = tuple(dict.fromkeys((*new.said.sources, *old.said.sources)))
            uses = tuple(dict.fromkeys((*old.said.uses, *new.said.uses)))
            stale = tuple(dict.fromkeys((*new.said.stale, *old.said.stale)))
            words = {"text": new.said.text, "rule": new.said.rule, "sources": sources, "uses": uses, "stale": stale}
            new = old.model_copy(update={"rule": new.rule, "said": old.said.model_copy(update=words)})
        made[new.kind, new.key] = new
    return list(made.values())
