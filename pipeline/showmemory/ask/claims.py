"""A draft -> claims: one entry each, with its identity, its words and its cites; what cannot be one is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from showmemory.ask.draft import (
    Changed,
    Cite,
    DiaryDraft,
    Draft,
    DraftEntry,
    PassDraft,
    RewriteDraft,
    SeasonDraft,
    Spoken,
    VoiceDraft,
)
from showmemory.ask.identity import identity
from showmemory.ask.ids import Ids
from showmemory.ask.record import Mark, Recorded
from showmemory.text.fold import Folding

_PEOPLE = ("character", "group")


@dataclass(frozen=True)
class Claim:
    """One thing an answer says. `at`: where in the answer; `said`: how it is called when it is dropped."""

    at: str
    said: str
    mark: Mark
    text: str = ""
    title: str = ""
    about: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    value: str = ""
    move: str = ""
    cites: tuple[tuple[str, Cite], ...] = ()
    episodes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Part:
    """A clause of a claim with cites of its own: without them it goes, and the claim stays."""

    at: str
    text: str
    cites: tuple[tuple[str, Cite], ...] = ()


@dataclass
class Claims:
    """What an answer claims, and what of it could not be taken, in words. Pure."""

    episode: str
    ids: Ids
    folding: Folding
    dropped: list[str] = field(default_factory=list)

    def of(self, recorded: Recorded, draft: Draft) -> list[Claim]:
        """The claims of one draft."""
        if isinstance(draft, PassDraft):
            return list(self._page(recorded, draft))
        if isinstance(draft, VoiceDraft):
            return list(self._spoken(draft.voices, "voices"))
        if isinstance(draft, DiaryDraft):
            return list(self._spoken(draft.entries, "entries", diary=True))
        if isinstance(draft, SeasonDraft):
            return list(self._season(recorded, draft))
        return list(self._rewrite(recorded, draft))

    def _page(self, recorded: Recorded, draft: PassDraft) -> Iterator[Claim]:
        told = draft.synopsis
        if told.line or told.text:
            parts = tuple(part for n, c in enumerate(draft.changes) if (part := self._changed(n, c)))
            mark = Mark(kind="synopsis", key=self.episode, name=self.episode.removeprefix("ep."), about=(self.episode,))
            text = "\n".join(part for part in (_flat(told.line), _flat(told.text)) if part)
            yield Claim(
                "synopsis",
                "the synopsis",
                mark,
                text,
                about=(self.episode,),
                cites=_at("synopsis", told.cites),
                parts=parts,
            )
        for number, entry in enumerate(draft.entries):
            claim = self._entry(f"entries.{number}", entry, recorded)
            if claim is not None:
                yield claim

    def _changed(self, number: int, change: Changed) -> Part | None:
        who = self._known(change.who, f"change {_quoted(change.text)}", _PEOPLE)
        text = _flat(change.text).rstrip(".")
        if not text:
            return None
        names = [self.ids.name(one) for one in who]
        told = any(name.split()[0] in text for name in names)
        led = f"{' and '.join(names)}: {text}" if names and not told else text
        return Part(f"changes.{number}", led, _at(f"changes.{number}", change.cites))

    def _entry(self, at: str, entry: DraftEntry, recorded: Recorded) -> Claim | None:
        said = f"{entry.kind} {_quoted(entry.title or entry.text)}"
        mark = recorded.marks.get(entry.of) if entry.of else None
        if entry.of and mark is None:
            self.dropped.append(f"{said}: it is about {entry.of}, which was not shown")
        about = self._known(entry.about, said)
        holders = self._known(entry.holders, said, _PEOPLE)
        if mark is not None and mark.kind != entry.kind:
            self.dropped.append(f"{said}: {entry.of} is a {mark.kind}, so it stands alone")
            mark = None
        made = mark or identity(entry, about, holders, self.folding)
        if isinstance(made, str):
            self.dropped.append(f"{said}: {made}")
            return None
        return Claim(
            at,
            said,
            made,
            _flat(entry.text),
            _flat(entry.title),
            about or made.about,
            holders,
            _flat(entry.value),
            entry.move,
            _at(at, entry.cites),
        )

    def _spoken(self, found: Iterable[Spoken], at: str, *, diary: bool = False) -> Iterator[Claim]:
        for number, one in enumerate(found):
            said = f"{'diary' if diary else 'voice'} of {one.who}"
            who, _ = self.ids.known((one.who,), ("character",))
            if not who or not one.text:
                self.dropped.append(f"{said}: {'it has no words' if who else 'the show has nobody called that'}")
                continue
            cites, name = _at(f"{at}.{number}", one.cites), who[0].partition(".")[2]
            if not diary:
                yield Claim(
                    f"{at}.{number}",
                    said,
                    Mark(kind="voice", key=who[0], name=name, about=who),
                    _flat(one.text),
                    cites=cites,
                )
                continue
            mark = Mark(kind="knowledge", key=f"diary|{who[0]}|{self.episode}", name=f"diary {name} {self.episode}")
            title = f"{self.ids.name(who[0])}'s diary"
            yield Claim(f"{at}.{number}", said, mark, _flat(one.text), title, (self.episode,), who, cites=cites)

    def _season(self, recorded: Recorded, draft: SeasonDraft) -> Iterator[Claim]:
        season = recorded.about
        rests, lost = self.ids.known(draft.episodes, ("ep",))
        self.dropped += [f"summary of {season}: {one} is no episode of it" for one in lost]
        mark = Mark(kind="summary", key=season, name=season.replace(".", " "), about=(season,))
        if not rests or not draft.text:
            self.dropped.append(f"summary of {season}: it rests on no episode")
        elif season:
            yield Claim("text", f"summary of {season}", mark, _flat(draft.text), about=(season,), episodes=rests)

    def _rewrite(self, recorded: Recorded, draft: RewriteDraft) -> Iterator[Claim]:
        mark = recorded.entry
        if mark is None or not draft.text:
            self.dropped.append("the rewritten words: there are none")
            return
        text = "\n".join(_flat(row) for row in draft.text.splitlines() if row.strip())
        text = text if mark.kind == "synopsis" else _flat(text)
        yield Claim("answer", f"the new words of {mark.name}", mark, text, about=mark.about, cites=_at("", draft.cites))

    def _known(self, written: tuple[str, ...], said: str, kinds: tuple[str, ...] = ()) -> tuple[str, ...]:
        kept, lost = self.ids.known(written, kinds)
        self.dropped += [f"{said}: the show has no {one}" for one in lost]
        return kept


def _at(where: str, cites: tuple[Cite, ...]) -> tuple[tuple[str, Cite], ...]:
    return tuple((f"{where}.cites.{number}".lstrip("."), cite) for number, cite in enumerate(cites))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    flat = _flat(text)
    return f'"{flat}"' if len(flat) <= 60 else f'"{flat[:57].rstrip()}…"'
