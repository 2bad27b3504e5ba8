"""What is asked about one episode: the show, what memory held, what the rules found, the numbered script, the task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from showmemory.ask.draft import Pass, schema
from showmemory.ask.ids import Ids
from showmemory.ask.numbered import Numbered
from showmemory.ask.prompts import prompt, shown
from showmemory.ask.record import Mark
from showmemory.ask.seam import Block, Request
from showmemory.fold.fold import order
from showmemory.model.canonical import compact
from showmemory.model.ids import digest
from showmemory.model.memory import GROUP_OF, Entry, ShowMemory
from showmemory.model.observation import Observation
from showmemory.model.show import Show

FORMAT = 1
_KINDS = ("voice", "catchphrase", "relationship", "knowledge", "gag", "tone", "fact", "thread")
_WORDS = 240


@dataclass(frozen=True)
class Asked:
    """A question, what its marks stand for, and the key that decides whether it was asked before."""

    pass_: Pass
    episode: str
    key: str
    prompt: str
    prompt_hash: str
    script: str
    request: Request
    marks: Mapping[str, Mark] = field(default_factory=dict)
    about: str = ""
    entry: Mark | None = None


@dataclass(frozen=True)
class Asker:
    """What all questions about one episode share. `memory` is as it stood before the episode."""

    show: Show
    episode: str
    sha: str
    script: Numbered
    ids: Ids
    model: str
    effort: str
    memory: ShowMemory | None = None
    found: tuple[Observation, ...] = ()
    several: bool = False

    def page(self, pass_: Pass = "memory") -> Asked:
        """The pass over the episode, or one of its further passes."""
        held, marks = self._memory()
        seen, more = self._found()
        parts = (held, seen, _tagged("script", self.script.text()))
        kept = Block("\n\n".join(parts), kept=self.several)
        task = Block(f"{prompt(pass_).text}\n{self._left_out()}".strip())
        return self._asked(pass_, (self._show(), kept, task), marks={**marks, **more})

    def rewrite(self, entry: Entry) -> Asked:
        """One entry's words again, from this episode's script."""
        mark = Mark(
            kind=entry.kind,
            key=entry.key,
            name=entry.title or entry.id,
            form=entry.form,
            about=entry.about,
            field=entry.field,
        )
        told = escape(f"{entry.kind} {entry.title}\nabout: {', '.join(entry.about)}\n{entry.text}", quote=False)
        parts = (_tagged("entry", told), _tagged("script", self.script.text()))
        blocks = (self._show(), Block("\n\n".join(parts)), Block(prompt("rewrite").text))
        return self._asked("rewrite", blocks, entry=mark, of=f"{entry.kind}|{entry.key}|{digest(entry.text)[:16]}")

    def season(self, season: str, synopses: Sequence[tuple[str, str]], scripts: Iterable[str]) -> Asked:
        """A whole season, from its synopses (episode id, text)."""
        rows = "\n\n".join(f"{id_}\n{escape(text, quote=False)}" for id_, text in synopses)
        blocks = (self._show(), Block(_tagged("season", rows)), Block(prompt("season").text))
        return self._asked("season", blocks, about=season, of="|".join((season, *scripts)))

    def _asked(
        self,
        pass_: Pass,
        blocks: tuple[Block, ...],
        *,
        marks: Mapping[str, Mark] | None = None,
        about: str = "",
        entry: Mark | None = None,
        of: str = "",
    ) -> Asked:
        system, task, shape = prompt("system"), prompt(pass_), schema(pass_)
        words = digest(system.text + "\0" + task.text)[:16]
        config = self.show.config.model
        request = Request(self.model, system.text, blocks, shape, config.max_tokens, self.effort)
        held = [FORMAT, pass_, config.provider, self.model, self.effort, config.max_tokens, words, shape, self.sha, of]
        return Asked(
            pass_, self.episode, digest(compact(held)), task.name, words, self.sha, request, marks or {}, about, entry
        )

    def _show(self) -> Block:
        """Ids and names; of what the bible plans only what the scripts have played, and no answer (F14)."""
        bible = self.show.bible
        played = {m.about[0] for m in self._seen() if m.kind == "gag" and m.about}
        rules = {gag.id: gag.rule for gag in bible.gags if gag.id in played}
        rows = [f"title: {self.show.config.title}"] if self.show.config.title else []
        for id_, name in self.ids.names.items():
            rows.append(f"{id_}  {name}{f' - {rules[id_]}' if rules.get(id_) else ''}")
        written = [*bible.tone, *(f"never {rule}" for rule in self.show.theme.never)]
        rows += [f"rule of the house, written already: {rule}" for rule in written]
        return Block(_tagged("show", escape("\n".join(rows), quote=False)), kept=True)

    def _seen(self) -> Iterator[Mark]:
        for entry in self.memory.entries if self.memory else ():
            yield _mark(entry)
        for one in self.found:
            yield _mark(one)

    def _memory(self) -> tuple[str, dict[str, Mark]]:
        if self.memory is None or not self.memory.entries:
            return _tagged("memory", "nothing yet"), {}
        aired = {e: at for at, e in enumerate(order(self.memory.episodes))}
        kept = [e for e in self.memory.entries if e.kind in _KINDS and not e.retired and (e.text or e.title)]
        kept.sort(key=lambda e: (-aired.get(e.changed or e.since or "", -1), e.id))
        marks, rows = {}, []
        for number, entry in enumerate(kept[: shown("entries")], 1):
            marks[f"m{number}"] = _mark(entry)
            rows.append(_row(f"m{number}", entry.kind, entry.title, entry.text, entry.about))
        stories = sorted(
            (e for e in self.memory.entries if e.kind == "synopsis"), key=lambda e: aired.get(e.about[0], -1)
        )
        told = [f"{e.about[0]}: {e.text.splitlines()[0]}" for e in stories if e.about and e.text]
        return _tagged("memory", escape("\n".join([*told[-shown("story") :], *rows]), quote=False)), marks

    def _found(self) -> tuple[str, dict[str, Mark]]:
        marks, rows = {}, []
        told = [one for one in self.found if one.said.earned and one.kind in (*_KINDS, "synopsis")]
        told = [one for one in told if one.said.text or one.said.title or one.said.uses]
        for number, one in enumerate(sorted(told, key=lambda o: (o.kind, o.key)), 1):
            if one.kind != "synopsis":
                marks[f"r{number}"] = _mark(one)
            row = _row(
                f"r{number}", one.kind, one.said.title or one.name, one.said.text or "", one.said.about or one.about
            )
            lines = sorted({s.line for s in (*one.said.uses, *one.said.sources) if s.line and self.script.own})
            rows.append(f"{row} (lines {', '.join(map(str, lines))})" if lines and one.kind != "synopsis" else row)
        return _tagged("found", escape("\n".join(rows) or "nothing", quote=False)), marks

    def _left_out(self) -> str:
        enabled = self.memory.settings.kinds if self.memory else ()
        off = [kind for kind in _KINDS if enabled and GROUP_OF[kind] not in enabled]
        return f"This show keeps no entries of these kinds: {', '.join(off)}." if off else ""


def _mark(one: Entry | Observation) -> Mark:
    name = one.name if isinstance(one, Observation) else one.title or one.id.rpartition(".")[2]
    return Mark(kind=one.kind, key=one.key, name=name, form=one.form, about=one.about, field=one.field)


def _row(mark: str, kind: str, title: str, text: str, about: Sequence[str]) -> str:
    flat = " ".join(text.split())
    short = flat if len(flat) <= _WORDS or kind == "synopsis" else flat[: _WORDS - 1].rstrip() + "…"
    whom = f" [{', '.join(about)}]" if about else ""
    return f"{mark} {kind}{whom}: {' - '.join(part for part in (title, short) if part)}"


def _tagged(tag: str, text: str) -> str:
    return f"<{tag}>\n{text}\n</{tag}>"
