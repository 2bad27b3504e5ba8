"""A small made-up show and its notebook, for tests of what writers read: two seasons of a lighthouse inn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from showmemory.fold.fold import closed, order, refold
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Source, Spoke, Use
from showmemory.model.show import (
    Bible,
    BibleGag,
    BibleThread,
    Character,
    CharacterGroup,
    ContinuityLog,
    Episode,
    LogChange,
    LogFact,
    LogPayoff,
    LogThread,
    Place,
    Show,
    ShowConfig,
    SideFiles,
    Theme,
)

EPISODES = tuple(f"ep.{season}0{number}" for season in (1, 2) for number in (1, 2, 3, 4))
STORY = {"ep.203": 0.5}


def said(**fields: Any) -> Said:
    return Said(**fields)


def entry(id_: str, kind: str, steps: dict[str, Said], **fields: Any) -> Entry:
    """An entry folded from what is said of each episode, as merge would leave it."""
    made = Entry(id=f"mem.{kind}.{id_}", kind=kind, key=id_, said=steps, **fields)  # type: ignore[arg-type]
    return refold(made, EPISODES, thaw=True)


def use(episode: str, words: str = "It is a lighthouse.", speaker: str = "character.odile", **fields: Any) -> Use:
    return Use(episode=episode, scene="1", line=12, words=words, speaker=speaker, **fields)


def fact(id_: str, episode: str, text: str, *about: str, value: str | None = None, **fields: Any) -> Entry:
    step = said(text=text, title=text, about=about, value=value)
    return entry(id_, "fact", {episode: step}, form="fact", **fields)


def gag(id_: str, title: str, played: Sequence[str], about: tuple[str, ...] = (), **fields: Any) -> Entry:
    steps = {e: said(title=title, about=about, uses=(use(e),)) for e in played}
    return entry(id_, "gag", steps, form="bible" if about else "running", **fields)


def synopsis(episode: str, text: str) -> Entry:
    return entry(episode.removeprefix("ep."), "synopsis", {episode: said(text=text, about=(episode,))})


SHOW = Show(
    config=ShowConfig(id="lantern", title="Lantern Row"),
    theme=Theme(never=("a joke at a victim's expense", "a villain who explains")),
    bible=Bible(
        tone=("dry, fast, kind underneath",),
        characters=(
            Character(name="Odile Marsh", aliases=("Odile", "the keeper"), voice="Short lines. Questions as attacks."),
            Character(name="Tam Reed", aliases=("Tam", "the old man"), voice="Begins in the middle."),
            Character(name="Will", voice="Agrees with the last person."),
        ),
        groups=(CharacterGroup(name="The inn", members=("odile-marsh", "tam-reed")),),
        places=(Place(name="Lamp Room", aliases=("LANTERN ROOM",), people=("character.tam-reed",)),),
        gags=(
            BibleGag(
                name="Counting exits", usage="Four is calm.", frequency="every few episodes", characters=("Odile",)
            ),
            BibleGag(name="The unplayed piano", rule="It is never opened.", payoff='"Not tonight."'),
        ),
        threads=(
            BibleThread(name="Who sold the lamp?", answer="Will did, for a boat.", about=("tam-reed",)),
            BibleThread(name="The sealed cellar", answer="It is empty."),
        ),
    ),
    episodes=tuple(
        Episode(id=e, season=int(e[3]), number=int(e[5]), script=f"episodes/{e}.fountain", title=f"Night {e[3:]}")
        for e in EPISODES
    ),
)

ODILE, TAM, WILL = "character.odile-marsh", "character.tam-reed", "character.will"

THREAD = ("thread.who-sold-the-lamp",)


def _stories() -> list[Entry]:
    rows = "Opening of {0}.\n- Lamp Room (Tam): He winds it.\nChanged: Night {0} costs a pane."
    return [synopsis(e, rows.format(e.removeprefix("ep."))) for e in EPISODES]


def _voices() -> list[Entry]:
    def heard(e: str) -> Said:
        lines = (Source(episode=e, words="Define safe."),)
        return said(text=f"Short lines, {e[5]} words.", about=(ODILE,), exemplars=lines)

    return [
        entry("odile", "voice", {e: heard(e) for e in EPISODES}),
        entry("tam", "voice", {"ep.101": said(text="Long lines.", about=(TAM,))}),
        entry("will", "voice", {"ep.102": said(text="Echoes.", about=(WILL,))}),
    ]


def _bonds() -> list[Entry]:
    owes = said(text="Odile owes Tam a lamp.", about=(ODILE, TAM))
    paid = said(text="Odile has paid Tam back.", about=(ODILE, TAM))
    swim = said(text="Tam taught Will to swim.", about=(TAM, WILL))
    knew = said(text="The lamp was sold before the storm.", about=THREAD, holders=(TAM,))
    return [
        entry("odile-tam", "relationship", {"ep.102": owes, "ep.203": paid}),
        entry("tam-will", "relationship", {"ep.104": swim}),
        entry("tam-knows", "knowledge", {"ep.201": knew}),
    ]


def _gags() -> list[Entry]:
    def defined(e: str) -> Said:
        return said(title="define safe", about=(ODILE,), score=12.0, uses=(use(e, "Define safe.", ODILE),))

    return [
        entry("odile-define", "catchphrase", {e: defined(e) for e in ("ep.101", "ep.103", "ep.202")}, form="phrase"),
        gag("exits", "Counting exits", ("ep.101", "ep.103", "ep.201"), ("gag.counting-exits",)),
        gag("lighthouse", "The wrong lighthouse", ("ep.102", "ep.203", "ep.204")),
        gag("kettle", "The kettle apology", ("ep.104",)),
    ]


def _facts() -> list[Entry]:
    return [
        fact("horn", "ep.103", "The fog horn has been broken since the war.", "place.lamp-room"),
        fact("limp", "ep.102", "Tam limps on his left leg.", TAM),
        fact("boat", "ep.204", "Will owns a boat.", WILL),
        fact("cellar-colour", "ep.101", "The cellar door is green."),
        fact("room-one", "ep.101", "Odile sleeps in room one.", ODILE, field="room", value="one"),
        fact("room-two", "ep.202", "Odile sleeps in room two.", ODILE, field="room", value="two"),
    ]


def _threads() -> list[Entry]:
    opened = said(title="Who sold the lamp?", text="A receipt turns up.", about=THREAD, status="open", move="opened")
    moved = said(text="The buyer rings.", about=THREAD, status="open", move="moved")
    roof = said(title="Will the roof hold?", status="open", move="opened")
    return [
        entry("lamp", "thread", {"ep.102": opened, "ep.203": moved}),
        entry("storm", "thread", {"ep.101": roof, "ep.104": said(status="resolved", move="resolved")}),
    ]


def _person() -> list[Entry]:
    return [
        Entry(id="mem.tone.ours", kind="tone", text="Nobody wins an argument.", by="person", since="ep.101"),
        Entry(id="mem.fact.note", kind="fact", text="The inn is insured.", by="person", since="ep.102", pinned=True),
        Entry(id="mem.fact.old", kind="fact", text="The inn has a dog.", by="person", since="ep.101", retired=True),
        Entry(id="mem.fact.gone", kind="fact", text="The ferry is slow.", by="person", since="ep.101", keep="drop"),
    ]


def _house() -> list[Entry]:
    return [entry("house", "style", {e: said(text=f"Action in paragraphs of {e[5]} words.") for e in EPISODES})]


ENTRIES = (
    *_stories(), *_voices(), *_bonds(), *_gags(), *_facts(), *_threads(), *_person(), *_house()
)  # fmt: skip


def notebook(entries: Sequence[Entry] = ENTRIES, **settings: Any) -> ShowMemory:
    made = ShowMemory(
        id="memory.lantern",
        episodes=tuple(
            EpisodeRecord(
                id=e, season=int(e[3]), number=int(e[5]), title=f"Night {e[3:]}", story=STORY.get(e),
                spoke={ODILE: Spoke(lines=9, words=90), TAM: Spoke(lines=5, words=50), WILL: Spoke(lines=2, words=20)},
            )
            for e in EPISODES
        ),
        entries=closed(entries, EPISODES),
    )  # fmt: skip
    assert order(made.episodes) == EPISODES
    return made.model_copy(update={"settings": made.settings.model_copy(update=settings)})


def rebuilt(upto: Sequence[str], entries: Sequence[Entry] = ENTRIES, **settings: Any) -> ShowMemory:
    """The notebook as it would stand had nothing after `upto` been written, under the same person's layer."""
    kept = []
    for one in entries:
        steps = {e: s for e, s in one.said.items() if e in upto}
        if steps:
            kept.append(refold(one.model_copy(update={"said": steps, "since": None}), upto, thaw=True))
        elif not one.said and one.since in upto:
            kept.append(one)
    whole = notebook((), **settings)
    episodes = tuple(e for e in whole.episodes if e.id in upto)
    return whole.model_copy(update={"entries": closed(kept, upto), "episodes": episodes})


LOG = SideFiles(
    continuity=ContinuityLog(
        facts=(LogFact(text="The pier has three rungs left.", about=("Tam",), words="Three rungs."),),
        changes=(
            LogChange(kind="knowledge", text="Will sold the lamp.", who=("Odile",), about=("Will",)),
            LogChange(kind="relationship", text="Odile stops talking to Will.", who=("Odile",), about=("Will",)),
            LogChange(kind="state", text="The roof is off."),
        ),
        payoffs=(LogPayoff(gag="gag.counting-exits", words="Five, if we are thin."),),
        threads=(LogThread(thread="thread.who-sold-the-lamp", move="resolved"),),
    )
)
