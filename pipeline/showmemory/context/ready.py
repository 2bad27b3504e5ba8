"""Memory as of a moment, ready for any number of contexts: what may be printed, what is held and why, the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property

from showmemory.context.moment import Moment
from showmemory.context.names import Names, names_of
from showmemory.context.piece import Not
from showmemory.context.quote import line
from showmemory.context.readings import in_force, replaced
from showmemory.context.spoken import Spoken, spoken
from showmemory.context.stamps import Stamps
from showmemory.context.told import Teller, moves
from showmemory.context.unread import Unread, unread, witnessed
from showmemory.fold.presence_view import Vantage, seen_by, vantage
from showmemory.fold.relevance import Links, Wanted, links, stems, telling, wording
from showmemory.fold.rest import Rest, rests
from showmemory.fold.shown import Cut, Shown, shown
from showmemory.fold.wordings import Wordings
from showmemory.model.interpretation import Interpretation
from showmemory.model.memory import Entry, Settings, Use
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import BibleGag, Character, Show, SideFiles

_NONE: frozenset[str] = frozenset()


class Ready:
    """What every context of one show, moment and reader shares; nothing here depends on a scene or a budget."""

    def __init__(
        self,
        show: Show,
        moment: Moment,
        logs: Mapping[str, SideFiles],
        reader: str = "writer",
        later: Mapping[str, Sequence[Use]] | None = None,
        witness: str | None = None,
        scripts: Mapping[str, Screenplay] | None = None,
        cut: Cut | None = None,
        reading: str = "",
        timing: Mapping[str, Screenplay] | None = None,
    ) -> None:
        self.show = show
        self.whole = moment
        self.moment = moment
        self.reader = reader
        self.logs = logs
        self.scripts = {e: scripts[e] for e in moment.upto if scripts and e in scripts}
        self.witness = (names_of(show, moment.memory).id_of(witness) or witness) if witness else None
        if self.vantage and moment.memory:
            memory = seen_by(moment.memory, self.vantage, self.scripts, self._summaries())
            self.moment = replace(moment, memory=memory)
        self._later = later or {}
        self._cut = cut or Cut()
        self._reading = reading
        self._timing = timing or {}
        self._links: dict[str, Links] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._asked: frozenset[str] = _NONE
        self._sharing: dict[str, frozenset[str]] = {}
        self._told: dict[tuple[str, str | None], tuple[str, ...]] = {}
        self._cold: Mapping[str, Not] = {}
        self._named: dict[str, tuple[str, ...]] = {}

    @cached_property
    def vantage(self) -> Vantage | None:
        """Whose view this is, if it is somebody's."""
        return self.view(self.scripts)

    def view(self, scripts: Mapping[str, Screenplay]) -> Vantage | None:
        """What of these scripts the witness saw or heard."""
        if self.witness is None:
            return None
        names = names_of(self.show, self.whole.memory)
        groups = {g.id: names.ids(g.members) for g in self.show.bible.groups}
        return vantage(self.witness, groups, scripts)

    def _summaries(self) -> dict[tuple[str, str], str]:
        """How a person summed up each scene: as directed, else as outlined."""
        made: dict[tuple[str, str], str] = {}
        for episode in self.scripts:
            side = self.logs.get(episode, SideFiles())
            outlined = [(s.scene, s.summary) for s in side.outline.scenes] if side.outline else []
            directed = [(s.scene, s.summary) for s in side.directed.scenes] if side.directed else []
            made |= {(episode, scene): line(told) for scene, told in (*outlined, *directed) if told.strip()}
        return made

    @cached_property
    def spoken(self) -> tuple[Spoken, ...]:
        """The scenes of the remembered episodes whose scripts are at hand; of a witness those they saw or heard."""
        seen = self.vantage.seen if self.vantage else None
        return spoken(self.scripts, self.whole.order, seen, self.show.config.language)

    def named_in(self, text: str) -> tuple[str, ...]:
        """Whom a sentence of a script names; asked once for each."""
        if text not in self._named:
            self._named[text] = self.names.found(text)
        return self._named[text]

    @cached_property
    def settings(self) -> Settings:
        """Memory's settings, or the defaults."""
        return self.moment.memory.settings if self.moment.memory else Settings()

    @cached_property
    def names(self) -> Names:
        """Everybody's names."""
        return names_of(self.show, self.moment.memory)

    @cached_property
    def unread(self) -> Unread:
        """What the logs say of episodes that memory has not remembered."""
        read = unread(self.whole, self.logs, self.names)
        return witnessed(read, self.vantage) if self.vantage else read

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Memory's entries and those of unread logs."""
        return (*(self.moment.memory.entries if self.moment.memory else ()), *self.unread.entries)

    @cached_property
    def by_id(self) -> dict[str, Entry]:
        """The same by id."""
        return {e.id: e for e in self.entries}

    def any_of(self, id_: str) -> Entry:
        """The entry of an id, be it outside this view."""
        whole = self.whole.memory.entries if self.whole.memory else ()
        return self.by_id.get(id_) or next(e for e in whole if e.id == id_)

    @cached_property
    def readings(self) -> dict[str, Interpretation]:
        """The reading that stands in for an entity's raw entries, by entity."""
        return in_force(self, self._reading)

    @cached_property
    def held(self) -> dict[str, Not]:
        """Entries that no context of this moment and reader prints, and why."""
        made = {e.id: held for e in self.entries if (held := self._held(e)) is not None}
        if self.witness and self.whole.memory:
            why = Not("held", f"not seen, heard or told: {self.witness}", "witness")
            made |= {e.id: why for e in self.whole.memory.entries if e.id not in self.by_id}
        return {**self._cold, **made}

    def without(self, cold: Mapping[str, Not]) -> Ready:
        """The same, with some entries held for their own reasons."""
        made = copy(self)
        for name in ("held", "live", "rests", "teller"):
            made.__dict__.pop(name, None)
        made._cold = cold
        return made

    @cached_property
    def synopses(self) -> dict[str, Entry]:
        """What a pass said of each episode, scene by scene; not where a person let it go."""
        told = (e for e in self.entries if e.kind == "synopsis" and not (e.retired or e.keep == "drop"))
        return {episode: e for e in told for episode in e.said}

    @cached_property
    def live(self) -> dict[str, list[Entry]]:
        """Entries that may be printed, by kind, pinned ones apart under `pinned` and plans under `plan`."""
        made: dict[str, list[Entry]] = {}
        for entry in self.entries:
            if entry.id not in self.held:
                kind = "pinned" if entry.pinned else "plan" if entry.canon == "plan" else entry.kind
                made.setdefault(kind, []).append(entry)
        return made

    @cached_property
    def rests(self) -> dict[str, Rest]:
        """How each gag and catchphrase that may be printed stands."""
        live = (e for e in self.entries if e.id not in self.held)
        return rests(live, self.moment.order, self.settings, self._later)

    @cached_property
    def teller(self) -> Teller:
        """Tells entries in words."""
        # What the bible says of its gags is the writers' to know, not a character's.
        gags = {} if self.witness else self.gags
        return Teller(self.moment, self.names, self.rests, gags, self.unread, bool(self.witness), self.stamps)

    @cached_property
    def stamps(self) -> Stamps | None:
        """When in the story things happened, where settings ask for it.

        What a witness did not see sets no clock of theirs: for them every episode is at the flat rate (B3).
        """
        if not self.settings.time_in_memory:
            return None
        measured = self.settings.measured_clock and self.witness is None
        return Stamps(self.moment, self.settings, self._timing, measured=measured)

    @cached_property
    def place(self) -> dict[str, int]:
        """Where each episode up to the moment stands."""
        return {e: at for at, e in enumerate(self.moment.upto)}

    @cached_property
    def people(self) -> dict[str, Character]:
        """The bible's characters, by id."""
        return {c.id: c for c in self.show.bible.characters}

    @cached_property
    def gags(self) -> dict[str, BibleGag]:
        """The bible's gags, by id."""
        return {g.id: g for g in self.show.bible.gags}

    @cached_property
    def _cast_of(self) -> dict[str, tuple[str, ...]]:
        """Whom the bible ties to each of its gags and threads."""
        bible = self.show.bible
        tied = [*((g.id, g.characters) for g in bible.gags), *((t.id, t.about) for t in bible.threads)]
        return {id_: self.names.ids(who) for id_, who in tied if who}

    @cached_property
    def said_phrases(self) -> frozenset[str]:
        """Every wording of a catchphrase that some script has played, folded."""
        said = (w for e in self.entries if e.kind == "catchphrase" for w in (e.title, *e.variants))
        return frozenset(line(words).casefold().strip(".!?") for words in said)

    @cached_property
    def _ranked(self) -> dict[str, Shown]:
        """Where each ranked entry stands in its list, and why it is not shown."""
        return {one.entry.id: one for one in shown(self.entries, self.moment.order, self._cut)}

    def score(self, entry: Entry) -> float:
        """The latest score of a ranked entry; 0 where nothing is ranked."""
        one = self._ranked.get(entry.id)
        return one.score or 0.0 if one else 0.0

    def weighed(self, wanted: Wanted) -> Wanted:
        """What a scene wants, its words weighed by how telling they are in this notebook."""
        shared = self.sharing(wanted)
        live = (shared.get(e.id, _NONE) for e in self.entries if e.id not in self.held)
        return Wanted(wanted.ids, telling(wanted.words, live))

    def shared(self, entry: Entry, wanted: Wanted) -> frozenset[str]:
        """Which of the words of a scene an entry shares."""
        return self.sharing(wanted).get(entry.id, _NONE)

    def sharing(self, wanted: Wanted) -> Mapping[str, frozenset[str]]:
        """The same of every entry that shares any; found once for a scene."""
        if self._asked != wanted.words.keys():
            found = self._wordings.holding(wanted.words)
            self._asked = frozenset(wanted.words)
            self._sharing = {self.entries[number].id: held for number, held in found.items()}
        return self._sharing

    @cached_property
    def _wordings(self) -> Wordings:
        return Wordings([wording(e) for e in self.entries], self.show.config.language)

    @cached_property
    def linked(self) -> frozenset[str]:
        """The bible's gags and threads that some entry or log is about."""
        about = (i for e in self.entries for i in e.about)
        return frozenset((*about, *self.unread.uses, *self.unread.moves))

    def links(self, entry: Entry) -> Links:
        """The show ids an entry touches, those of its gag or thread in the bible among them."""
        if entry.id not in self._links:
            more = (who for i in entry.about for who in self._cast_of.get(i, ()))
            self._links[entry.id] = links(entry, more)
        return self._links[entry.id]

    def words(self, entry: Entry) -> frozenset[str]:
        """The stems of an entry's words."""
        if entry.id not in self._words:
            self._words[entry.id] = frozenset(stems(wording(entry), self.show.config.language))
        return self._words[entry.id]

    def told(self, entry: Entry, who: str | None = None) -> tuple[str, ...]:
        """An entry in words, alone or under a character's name; told once and kept."""
        key = (entry.id, who)
        if key not in self._told:
            self._told[key] = self.teller.alone(entry) if who is None else self.teller.of(entry, who)
        return self._told[key]

    def _held(self, entry: Entry) -> Not | None:
        if entry.retired:
            return Not("held", "retired", "retired")
        if entry.keep == "drop":
            return Not("held", "let go", "let go")
        if entry.until is not None:
            return Not("held", f"superseded in {self.moment.label(entry.until)}", "superseded")
        if entry.canon == "plan" and self.reader != "showrunner":
            return Not("held", "planned: for the showrunner", "reader")
        if entry.pinned:
            return None
        if self.readings and (instead := replaced(self, entry, self.readings)):
            return instead
        ranked = self._ranked.get(entry.id)
        return self._finished(entry) or (Not("held", ranked.held, "rank") if ranked and ranked.held else None)

    def _finished(self, entry: Entry) -> Not | None:
        if entry.kind != "thread":
            return None
        if entry.status == "resolved":
            return Not("held", f"resolved in {self.moment.label(moves(self.moment, entry)[1] or '')}", "resolved")
        moved = [m for i in entry.about for m in self.unread.moves.get(i, ())]
        if moved and moved[-1].step == "resolved":
            return Not("held", f"resolved by the log of {self.moment.label(moved[-1].episode)}", "resolved")
        return None
