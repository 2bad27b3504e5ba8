"""What a person writes about a show: show.toml, the bible, the theme, and an episode's side files."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from showmemory.model.base import Frozen
from showmemory.model.ids import show_id
from showmemory.model.intent import Decided, Next, NextStep
from showmemory.model.interpretation import Readings
from showmemory.model.memory import Canon


class Named(Frozen):
    """Something of the bible with a show id, made from its name when none is given. `was`: ids it had before."""

    prefix: ClassVar[str] = ""
    id: str = ""
    name: str
    was: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _with_id(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("name"):
            return {**data, "id": show_id(cls.prefix, str(data.get("id") or data["name"]))}
        return data


class Character(Named):
    """A character of the bible. `voice`: the designed voice; `lies` still stand, `wounds` are still open."""

    prefix: ClassVar[str] = "character"
    aliases: tuple[str, ...] = ()
    voice: str = ""
    catchphrases: tuple[str, ...] = ()
    wants: str = ""
    lies: tuple[str, ...] = ()
    wounds: tuple[str, ...] = ()


class CharacterGroup(Named):
    """People who know things together; `members` are character ids."""

    prefix: ClassVar[str] = "group"
    members: tuple[str, ...] = ()


class Place(Named):
    """A place of the show; `aliases` are headings it goes by."""

    prefix: ClassVar[str] = "place"
    aliases: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


class BibleGag(Named):
    """A gag the creator means to run: its rule, its payoff (words in quotes are detected), how often."""

    prefix: ClassVar[str] = "gag"
    rule: str = ""
    payoff: str = ""
    frequency: str = ""
    usage: str = ""
    characters: tuple[str, ...] = ()


class BibleThread(Named):
    """A set-up waiting for its payoff. `answer` is for the showrunner alone (F14)."""

    prefix: ClassVar[str] = "thread"
    answer: str = ""
    about: tuple[str, ...] = ()


class Beat(Frozen):
    """One step of an arc."""

    id: str
    text: str = ""


class Arc(Named):
    """A longer movement with its beats; `budget`: how many turns it may spend."""

    prefix: ClassVar[str] = "arc"
    direction: str = ""
    beats: tuple[Beat, ...] = ()
    budget: int | None = None
    characters: tuple[str, ...] = ()


class Bible(Frozen):
    """The creator's intent, `bible/bible.yaml`. Memory never copies from it; contexts read it live.

    `stage`, `decisions`, `questions`, `hypotheses`, `budget` and `next` are what a checkpoint hands over.
    """

    characters: tuple[Character, ...] = ()
    groups: tuple[CharacterGroup, ...] = ()
    places: tuple[Place, ...] = ()
    gags: tuple[BibleGag, ...] = ()
    tone: tuple[str, ...] = ()
    threads: tuple[BibleThread, ...] = ()
    arcs: tuple[Arc, ...] = ()
    decisions: tuple[Decided, ...] = ()
    questions: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    budget: int | None = None
    next: Next = NextStep()
    stage: str = ""


class Theme(Frozen):
    """`bible/theme.yaml`: the theme in a line, and what the show never does."""

    theme: str = ""
    never: tuple[str, ...] = ()


class OutlineScene(Frozen):
    """One planned scene; `scene` is the script's scene number or ordinal."""

    scene: str
    summary: str = ""
    gags: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    resolves: tuple[str, ...] = ()
    beats: tuple[str, ...] = ()
    cast: tuple[str, ...] = ()


class Outline(Frozen):
    """`outline.yaml`: the episode as planned. Beats are written ARC/BEAT, for example arc.lease/second-offer."""

    title: str = ""
    logline: str = ""
    cast: tuple[str, ...] = ()
    scenes: tuple[OutlineScene, ...] = ()


class LogFact(Frozen):
    """Something the episode established. With `field` and `value` a later value of the same field supersedes it."""

    text: str
    about: tuple[str, ...] = ()
    field: str | None = None
    value: str | None = None
    canon: Canon | None = None
    when: str | None = None
    scene: str = ""
    words: str = ""


class LogChange(Frozen):
    """A lasting change: `who` learned something, a relationship of `about` changed, or another state did."""

    kind: Literal["knowledge", "relationship", "state"] = "state"
    text: str
    who: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    scene: str = ""
    words: str = ""


class LogPayoff(Frozen):
    """A bible gag that played, by id, with its scene and words."""

    gag: str
    scene: str = ""
    words: str = ""


class LogThread(Frozen):
    """A bible thread that this episode opened, moved or resolved."""

    thread: str
    move: Literal["opened", "moved", "resolved"]
    text: str = ""
    scene: str = ""
    words: str = ""


class ContinuityLog(Frozen):
    """`continuity.yaml`: one episode's record."""

    facts: tuple[LogFact, ...] = ()
    changes: tuple[LogChange, ...] = ()
    payoffs: tuple[LogPayoff, ...] = ()
    threads: tuple[LogThread, ...] = ()


class DirectedScene(Frozen):
    """A scene as directed: its number in the script, a stable id, a summary, who is on the set.

    `when` places it in story time ("Day 3, evening"), where the script does not tell or tells otherwise.
    """

    scene: str
    id: str = ""
    summary: str = ""
    cast: tuple[str, ...] = ()
    when: str = ""


class Directed(Frozen):
    """`directed.yaml`: the episode as it was staged."""

    scenes: tuple[DirectedScene, ...] = ()


def _episode_id(value: object) -> object:
    return show_id("ep", value) if isinstance(value, str) and value.strip() else value


class EpisodeEntry(Frozen):
    """An episode in show.toml's list. An id without its prefix is given it: pilot is ep.pilot."""

    id: Annotated[str, BeforeValidator(_episode_id), Field(pattern=r"^ep\.[^\s]+$")]
    season: int = Field(ge=0, strict=True)
    number: int = Field(ge=0, strict=True)
    script: str
    title: str = ""
    story: float | None = None


class ModelPrice(Frozen):
    """What a model costs, in dollars a million tokens, where the price file does not know it."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class StageModel(Frozen):
    """What one stage asks instead of the show's own model, and how hard that one thinks (A79)."""

    name: str = ""
    effort: str = ""


class ModelConfig(Frozen):
    """show.toml `[model]`: which provider and model, what a month of passes may cost. Keys come from the environment.

    `api_key_env` names another variable that holds the key; `batch` sends passes at half price, answered by a later
    run (newest: the newest episode; all: every episode that has no answer yet); `passes` are asked for besides.
    """

    provider: str = ""
    name: str = ""
    base_url: str = ""
    effort: str = ""
    budget_usd: float | None = Field(None, ge=0)
    max_tokens: int = Field(16000, ge=1)
    api_key_env: str = ""
    timeout_s: float | None = Field(None, gt=0)
    retries: int | None = Field(None, ge=0, le=5)
    retry_wait_s: float | None = Field(None, ge=0)
    batch: Literal["", "newest", "all"] = ""
    passes: tuple[Literal["voice", "diary", "season"], ...] = ()
    price: ModelPrice | None = None
    stages: dict[Literal["writers_room"], StageModel] = Field(default_factory=dict)


class CacheConfig(Frozen):
    """show.toml `[cache]`: where results are shared with other machines (file, s3, gs, http), and whether only read.

    `megabytes`: from this size on the cache lets go of what the show as it is does not need, the oldest first.
    """

    url: str = ""
    read_only: bool = False
    megabytes: int = Field(1000, ge=0)


class ShowConfig(Frozen):
    """show.toml whole."""

    id: str = Field("", pattern=r"^[^\s]*$")
    title: str = ""
    language: str = "en"
    scripts: str = "episodes"
    story_order: tuple[str, ...] = ()
    episodes: tuple[EpisodeEntry, ...] = ()
    model: ModelConfig = ModelConfig()
    cache: CacheConfig = CacheConfig()


class Episode(Frozen):
    """An episode the show has: its fixed id, its place, its script (path relative to the show) and side files.

    `guessed`: id and place come from the file's name and are not yet recorded in show.toml or memory.json.
    """

    id: str
    season: int
    number: int
    script: str
    title: str = ""
    story: float | None = None
    guessed: bool = False
    outline: str = ""
    continuity: str = ""
    directed: str = ""
    answers: str = ""

    @property
    def place(self) -> tuple[int, int, str]:
        """Story order: season, then number (broadcast)."""
        return (self.season, self.number, self.id)


class SideFiles(Frozen):
    """What stands beside one script; each part optional."""

    outline: Outline | None = None
    continuity: ContinuityLog | None = None
    directed: Directed | None = None


class Show(Frozen):
    """A show as a person wrote it: config, bible, theme, readings, and its episodes in story order."""

    config: ShowConfig = ShowConfig()
    bible: Bible = Bible()
    theme: Theme = Theme()
    readings: Readings = Readings()
    episodes: tuple[Episode, ...] = ()

    @property
    def id(self) -> str:
        """The show's id, without prefix."""
        return self.config.id

    @property
    def was(self) -> dict[str, str]:
        """Old ids of everything the bible renamed -> the new ones."""
        bible = self.bible
        kinds = (bible.characters, bible.groups, bible.places, bible.gags, bible.threads, bible.arcs)
        return {old: thing.id for things in kinds for thing in things for old in thing.was}
