"""An entry as of a moment -> the words in which a writer is told of it, one clean line without any format's marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from showmemory.context.moment import Moment
from showmemory.context.names import Names, is_heading
from showmemory.context.quote import bare_end, growing, line, quoted, sentence
from showmemory.context.stamps import Stamps
from showmemory.context.unread import Unread
from showmemory.fold.rest import Rest
from showmemory.model.memory import Entry, Source, Use
from showmemory.model.show import BibleGag
from showmemory.text.fold import bare

_FORMS = {"callback": "Callback", "echo": "Echo, unconfirmed"}
_SAYS = {
    "template": "Says, filling the gap",
    "address": "Addresses people as",
    "introduction": "Introduces as",
    "oath": "Swears",
}

# From so many uses on it says something that most are one person's.
MOSTLY = 3
# A synopsis is told by about so many more words of its scenes at a time.
SCENES = 60
# How a synopsis without a logline says what its first scene opens with.
OPENS = " It opens: "
# A use of fewer words shows nothing of how a gag plays.
QUOTABLE = 3


def moves(moment: Moment, entry: Entry) -> tuple[str | None, str | None]:
    """The episodes in which a thread opened and last moved."""
    steps = [e for e in moment.order if e in entry.said and (entry.said[e].move or entry.said[e].status)]
    opened = next((e for e in steps if entry.said[e].move == "opened"), None) or entry.since or next(iter(steps), None)
    return opened, steps[-1] if steps else entry.changed or opened


class Teller:
    """Tells entries as of one moment."""

    def __init__(
        self,
        moment: Moment,
        names: Names,
        rests: Mapping[str, Rest],
        gags: Mapping[str, BibleGag],
        unread: Unread,
        witness: bool = False,
        stamps: Stamps | None = None,
    ) -> None:
        self.moment = moment
        self.names = names
        self.rests = rests
        self.gags = gags
        self.unread = unread
        self.behind = frozenset(unread.heard)
        self.witness = witness
        self.stamps = stamps

    def alone(self, entry: Entry) -> tuple[str, ...]:
        """What an entry says where nothing around it says whose it is."""
        kinds: dict[str, Callable[[Entry], tuple[str, ...]]] = {
            "gag": self.gag,
            "synopsis": self.synopsis,
            "summary": self.summary,
            "thread": self.thread,
            "fact": self.fact,
        }
        if entry.kind in kinds:
            return kinds[entry.kind](entry)
        if entry.kind in ("tone", "never", "style"):
            return self.rule(entry)
        who = self._who(entry.holders if entry.kind == "knowledge" else entry.about)
        return tuple(f"{who}: {text}" if who else text for text in self.of(entry))

    def of(self, entry: Entry, who: str = "") -> tuple[str, ...]:
        """What an entry says of a character, under that character's name."""
        if entry.kind == "voice":
            return self._voice(entry)
        if entry.kind == "catchphrase":
            return (self._catchphrase(entry),)
        if entry.kind == "knowledge":
            return tuple(f"Knows: {text}" for text in self._dated(entry))
        others = self._who([id_ for id_ in entry.about if id_ != who])
        return tuple(f"With {others}: {text}" if who and others else text for text in self._dated(entry))

    def rule(self, entry: Entry) -> tuple[str, ...]:
        """A tone, never or style entry."""
        return growing(f"{entry.kind.capitalize()}: {sentence(entry.text or entry.title)}")

    def fact(self, entry: Entry) -> tuple[str, ...]:
        """A fact, with the episode that established it and its canon where that is in doubt."""
        told = self._dated(entry)
        return tuple(f"Term: {text}" for text in told) if entry.form == "term" else told

    def synopsis(self, entry: Entry) -> tuple[str, ...]:
        """An episode, by name: its first line, and more of it."""
        return tuple(f"{self._episode(entry)}: {text}" for text in _synopsis(entry.text or entry.title))

    def episode(self, entry: Entry) -> tuple[str, ...]:
        """The same without its scenes, where they are told elsewhere."""
        scenes, others = _parts(entry.text or entry.title)
        if not scenes or not others:
            return self.synopsis(entry)
        title = self._episode(entry)
        return tuple(dict.fromkeys(f"{title}: {text}" for text in (others[0], " ".join(others))))

    def summary(self, entry: Entry) -> tuple[str, ...]:
        """A season, by number."""
        season = next((i.partition(".")[2] for i in entry.about if i.startswith("season.")), "")
        title = f"Season {season}" if season else line(entry.title)
        return tuple(f"{title}: {text}" for text in growing(entry.text or entry.title))

    def thread(self, entry: Entry) -> tuple[str, ...]:
        """An open thread, with where it opened and last moved."""
        opened, moved = moves(self.moment, entry)
        logged = next((m.episode for i in entry.about for m in reversed(self.unread.moves.get(i, ()))), None)
        moved = logged or moved
        ends = [f"opened {self._when(entry, opened)}"] if opened else []
        if opened and moved and moved != opened:
            ends.append(f"last moved {self._when(entry, moved)}")
        elif opened:
            ends.append("not moved since")
        title = sentence(entry.title or entry.text)
        more = sentence(entry.text) if line(entry.text) not in ("", line(entry.title)) else ""
        told = ", ".join(ends)
        where = f"{told[:1].upper()}{told[1:]}." if ends else ""
        if self.witness and more:
            # What a thread is called is the writers' question: whoever saw a step of it knows the step (D50).
            title, more = more, ""
        return tuple(" ".join(filter(None, (title, where, text))) for text in growing(more))

    def gag(self, entry: Entry) -> tuple[str, ...]:
        """A gag or callback: how it stands, what the bible says of its use, and the words it last played in."""
        rest = self.rests.get(entry.id, Rest())
        title = bare_end(entry.title or entry.text)
        if rest.resting:
            return (" ".join(filter(None, (f"RESTING {title}:", self._played(rest, entry), f"Rest it ({rest.why})."))),)
        form = _FORMS.get(entry.form or "", "")
        head = f"{form}: {title}" if form else title
        logged = next((u for i in entry.about for u in reversed(self.unread.uses.get(i, ()))), None)
        again = f"again in {self.moment.label(logged.episode)} by its log" if logged else ""
        short = ", ".join(filter(None, (self._last_played(rest, entry), again)))
        state = ", ".join(filter(None, (rest.wear, self._played(rest, entry, _whose(entry)).rstrip("."), again)))
        more = (self._planted(entry), self._note(entry), self._last(entry))
        named = head.split(" / ")[0]
        brief = f"{named} ({short})." if short else f"{named}."
        whole = " ".join(filter(None, (f"{head} ({state})." if state else f"{head}.", *more)))
        return tuple(dict.fromkeys((brief, whole)))

    def planned(self, gag: BibleGag) -> str:
        """A gag as the bible has it."""
        often = f"How often: {sentence(gag.frequency)}" if gag.frequency else ""
        parts = (f"{bare_end(gag.name)}.", sentence(gag.rule), sentence(gag.usage), often)
        return " ".join(filter(None, parts))

    def _when(self, entry: Entry, episode: str) -> str:
        """An episode's label, and when in the story that was, where that is asked for."""
        stamp = self.stamps.of(entry, episode) if self.stamps else ""
        return ", ".join(filter(None, (self.moment.label(episode), stamp)))

    def _last_played(self, rest: Rest, entry: Entry) -> str:
        if rest.last is None:
            return ""
        stamp = self.stamps.last(entry, rest.last) if self.stamps else ""
        return f"last {', '.join(filter(None, (self.moment.label(rest.last), stamp)))}"

    def _played(self, rest: Rest, entry: Entry, whose: str = "") -> str:
        if rest.last is None:
            return ""
        times = f"{rest.times} times" if rest.times > 1 else "once"
        times += f", mostly {self.names.name(whose)}" if whose else ""
        missed = f", {rest.unrecorded} later {_uses(rest.unrecorded)} not recorded" if rest.unrecorded else ""
        return f"{self._last_played(rest, entry)}, {times}{missed}."

    def _planted(self, entry: Entry) -> str:
        """A callback's set-up and its latest payoff, each with who said it."""
        setup = next((u for u in entry.uses if u.setup), None)
        later = [u for u in entry.uses if setup and not u.setup]
        if setup is None or not later:
            return ""
        back, here = later[-1], setup.episode == later[-1].episode
        return f"Planted {self._by(setup, here)}, back {self._by(back, here)}."

    def _by(self, use: Use, here: bool) -> str:
        """Who said it, and where, unless both were said in the one episode that is named already."""
        who = f"by {self.names.name(use.speaker)}" if use.speaker else "on sight"
        return who if here else f"{who} in {self.moment.label(use.episode)}"

    def _note(self, entry: Entry) -> str:
        """What the bible says of a gag's use, read live (A5); else what the entry's own words add to its title."""
        gag = next((self.gags[i] for i in entry.about if i in self.gags), None)
        if gag and (gag.usage or gag.rule or gag.frequency):
            often = f"How often: {sentence(gag.frequency)}" if gag.frequency else ""
            return " ".join(filter(None, (sentence(gag.usage or gag.rule), often)))
        return growing(entry.text)[0] if line(entry.text) not in ("", line(entry.title)) else ""

    def _last(self, entry: Entry) -> str:
        spoken = (u for u in reversed(entry.uses) if len(u.words.split()) >= QUOTABLE and not is_heading(u.words))
        said = next(spoken, None)
        if said is None or bare(line(said.words)).strip(".!?") in bare(line(entry.title)):
            return ""
        who = f"{self.names.name(said.speaker)}: " if said.speaker else ""
        return who + quoted(said.words)

    def _voice(self, entry: Entry) -> tuple[str, ...]:
        """A voice, then with one real line, then with all that were chosen."""
        lines = [quoted(source.words) for source in self.exemplars(entry)]
        first, *more = growing(entry.text)
        forms = [(first,), (first, *lines[:1]), (first, *lines), *((text, *lines) for text in more)]
        told = (" ".join(filter(None, form)) for form in forms)
        return tuple(dict.fromkeys(f"Heard: {text}" for text in told if text)) or ("",)

    def exemplars(self, entry: Entry) -> Sequence[Source]:
        """The latest real lines chosen to show a voice."""
        return next(
            (
                entry.said[e].exemplars
                for e in reversed(self.moment.order)
                if e in entry.said and entry.said[e].exemplars
            ),
            (),
        )[:3]

    def _catchphrase(self, entry: Entry) -> str:
        rest = self.rests.get(entry.id, Rest())
        said = _SAYS.get(entry.form or "", "Says")
        when = f" ({self._last_played(rest, entry)})" if rest.last else ""
        held = " Rest it." if rest.resting else ""
        return f"{said} {quoted(entry.title or entry.text)}{when}.{held}"

    def _dated(self, entry: Entry) -> tuple[str, ...]:
        marks: list[str] = [entry.canon] if entry.canon not in (None, "established") else []
        dated = self.moment.came(entry)
        if dated:
            by_log = "by the log of " if dated in self.behind else ""
            marks.append(by_log + self._when(entry, dated))
        tail = f" ({', '.join(marks)})" if marks else ""
        return tuple(f"{text}{tail}" for text in growing(sentence(entry.text or entry.title)))

    def _episode(self, entry: Entry) -> str:
        episode = next((i for i in entry.about if i.startswith("ep.")), entry.since or "")
        stamp = self.stamps.at(episode) if self.stamps else ""
        return f"{self.moment.named(episode)}{f' ({stamp})' if stamp else ''}"

    def _who(self, ids: Sequence[str]) -> str:
        return " and ".join(self.names.name(i) for i in ids if i.partition(".")[0] in ("character", "group"))


def _synopsis(text: str) -> tuple[str, ...]:
    """A synopsis in growing forms: its first line; with what changed and moved; then more and more of its scenes."""
    scenes, others = _parts(text)
    if not scenes or not others:
        return growing(text)
    first, changed = others[0], " ".join(others[1:])
    told = growing("\n".join(scenes), SCENES, SCENES)
    # The scenes, told beside it, open with the same.
    head = f" {first}".partition(OPENS)[0].strip()
    forms = (first, f"{first} {changed}", *(f"{head} {part} {changed}" for part in told))
    return tuple(dict.fromkeys(form.strip() for form in forms))


def _parts(text: str) -> tuple[list[str], list[str]]:
    """The lines that tell its scenes, and the others."""
    rows = [line(row) for row in text.splitlines() if row.strip()]
    scenes = [sentence(row[2:]) for row in rows if row.startswith("- ")]
    return scenes, [sentence(row) for row in rows if not row.startswith("- ")]


def _whose(entry: Entry) -> str:
    """Who plays a gag nobody planned, where most of it is one person's."""
    spoke = Counter(use.speaker for use in entry.uses if use.speaker)
    if entry.form != "running" or len(entry.uses) < MOSTLY:
        return ""
    who, times = min(spoke.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    return who if 2 * times > len(entry.uses) else ""


def _uses(count: int) -> str:
    return "use" if count == 1 else "uses"
