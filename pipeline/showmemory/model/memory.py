"""The notebook itself: ShowMemory, its entries, and what the passes say of each episode."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from showmemory.model.base import Frozen

Kind = Literal[
    "synopsis",
    "summary",
    "voice",
    "catchphrase",
    "relationship",
    "knowledge",
    "gag",
    "tone",
    "never",
    "style",
    "fact",
    "thread",
]
Group = Literal["story", "characters", "gags", "tone", "world", "threads"]
GROUPS: dict[str, tuple[str, ...]] = {
    "story": ("synopsis", "summary"),
    "characters": ("voice", "catchphrase", "relationship", "knowledge"),
    "gags": ("gag",),
    "tone": ("tone", "never", "style"),
    "world": ("fact",),
    "threads": ("thread",),
}
GROUP_OF: dict[str, str] = {kind: group for group, kinds in GROUPS.items() for kind in kinds}
Form = Literal[
    "bible", "running", "callback", "echo", "phrase", "template", "address", "introduction", "oath", "fact", "term"
]
Writer = Literal["person", "model", "deterministic"]
RANK: dict[str, int] = {"deterministic": 0, "model": 1, "person": 2}
Canon = Literal["established", "provisional", "contested", "plan"]
Status = Literal["open", "resolved"]
Keep = Literal["keep", "drop"]
# What a pass writes and a person may own; fingerprinted in `written`, dated in `edited`.
OWNED: tuple[str, ...] = ("title", "text", "about", "holders", "field", "value", "canon", "when", "status")


class Source(Frozen):
    """Words that stood at a line of a script: scene id, 1-based line (in a PDF: on its page)."""

    episode: str
    scene: str = ""
    line: int = 0
    words: str = ""
    page: int = 0
    paragraph: int = 0
    speaker: str = ""


class Use(Source):
    """One time a gag, callback or catchphrase played. `variant`: the folded wording when it is not the head's.

    `how`: which detectors saw it (outline, log, payoff, name, words). `setup`: this is what later uses pay off.
    """

    variant: str = ""
    how: tuple[str, ...] = ()
    setup: bool = False


class Said(Frozen):
    """What the passes say of one entry in one episode. This is the record; everything shown is folded from it.

    `numbers` and `tallies` are this episode's own counts and are summed; `score`, `measures` and `exemplars` depend
    on the whole prefix and are computed from counts up to this episode, so the latest one is printed.
    `earned` false: seen here, not yet over the bar. `held`: why it is not printed as of here.
    """

    by: Writer = "deterministic"
    rule: str = ""
    title: str | None = None
    text: str | None = None
    about: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    value: str | None = None
    canon: Canon | None = None
    when: str | None = None
    status: Status | None = None
    move: str | None = None
    variants: tuple[str, ...] = ()
    earned: bool = True
    score: float | None = None
    held: str | None = None
    numbers: dict[str, int | float] = Field(default_factory=dict)
    tallies: dict[str, dict[str, int]] = Field(default_factory=dict)
    measures: dict[str, float] = Field(default_factory=dict)
    exemplars: tuple[Source, ...] = ()
    sources: tuple[Source, ...] = ()
    uses: tuple[Use, ...] = ()
    stale: tuple[Source, ...] = ()


class Entry(Frozen):
    """One thing the show remembers. One shape for all kinds; absent fields are not written."""

    id: str = Field(pattern=r"^mem\.[^\s]+$")
    kind: Kind
    form: Form | None = None
    key: str = ""
    title: str = ""
    text: str = ""
    variants: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    field: str | None = None
    value: str | None = None
    canon: Canon | None = None
    when: str | None = None
    status: Status | None = None
    by: Writer = "deterministic"
    keep: Keep | None = None
    pinned: bool = False
    locked: bool = False
    retired: bool = False
    rested: bool | None = None
    since: str | None = None
    changed: str | None = None
    until: str | None = None
    numbers: dict[str, int | float] = Field(default_factory=dict)
    tallies: dict[str, dict[str, int]] = Field(default_factory=dict)
    sources: tuple[Source, ...] = ()
    uses: tuple[Use, ...] = ()
    said: dict[str, Said] = Field(default_factory=dict)
    original: dict[str, str | tuple[str, ...] | None] = Field(default_factory=dict)
    edited: dict[str, str] = Field(default_factory=dict)

    @property
    def frozen(self) -> bool:
        """Whether no pass may change it (A85)."""
        return self.pinned or self.locked or self.retired


_RESOLUTION = ("lookback", "semantic", "memory_cap", "scene_recall")


class Settings(Frozen):
    """Memory's own settings, with their defaults (A29 to A34); kept in memory.json.

    `quiet` ones are written only when they are set, so that an old memory keeps its bytes. Each says what it does where
    `showmemory set` lists them and in the published schema.
    """

    quiet: ClassVar[tuple[str, ...]] = ("measured_clock", "time_in_memory", "days_per_episode", *_RESOLUTION)
    apply: Literal["review", "auto", "manual"] = Field(
        "review", description="review: changes wait for you; auto: they are made, undoable; manual: none is made"
    )
    kinds: tuple[Group, ...] = Field(
        ("story", "characters", "gags", "tone", "world", "threads"), description="what passes may write of"
    )
    budget_tokens: int = Field(1500, ge=0, description="the size of a context that asks for none of its own")
    detailed_episodes: int = Field(6, ge=0, description="so many of the latest episodes are told in detail")
    rest_after: int = Field(2, ge=1, description="what played in each of so many latest episodes rests")
    model: Literal["auto", "off"] = Field("auto", description="auto: ask the model that show.toml names; off: ask none")
    context_episodes: int = Field(12, ge=0, description="so many of the newest episodes have a page under context/")
    token_factor: float = Field(1.0, ge=1.0, le=4.0, description="of a model that counts so many times the tokens")
    literal_catchphrases: bool = Field(False, description="any three words said again are a catchphrase")
    measured_clock: bool = Field(False, description="days are counted from the scripts, and show says when things were")
    time_in_memory: bool = Field(False, description="contexts say when in the story things were")
    days_per_episode: int = Field(1, ge=0, description="so many days from the end of an episode to the next")
    lookback: int = Field(0, ge=0, description="what nothing used for so many episodes is not sent; 0: ever so old")
    semantic: bool = Field(False, description="what is like a scene is found by meaning (extra semantic)")
    memory_cap: int = Field(12, ge=3, description="at most so many episodes are told, those most like the scene")
    scene_recall: int = Field(0, ge=0, le=2, description="so many past scenes are sent word for word")


class Spoke(Frozen):
    """How much one character spoke in one episode."""

    lines: int = 0
    words: int = 0


class EpisodeRecord(Frozen):
    """A remembered episode: its place, its script and the script's sha256 when remembered. `story`: in-story place."""

    id: str = Field(pattern=r"^ep\.[^\s]+$")
    season: int
    number: int
    story: float | None = None
    title: str = ""
    screenplay: str = ""
    hash: str = ""
    placed: bool = False
    clip_show: bool = False
    spoke: dict[str, Spoke] = Field(default_factory=dict)


class Tombstone(Frozen):
    """An entry the person threw out: matched by kind, about, and folded key or half its cited words (F3)."""

    id: str
    kind: Kind
    key: str = ""
    about: tuple[str, ...] = ()
    title: str = ""
    words: tuple[str, ...] = ()
    entry: Entry | None = None


class Refusal(Frozen):
    """A proposal the person turned down: a whole entry, or what one episode would have changed in one (`episode`)."""

    id: str
    kind: Kind
    key: str = ""
    about: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    episode: str | None = None
    fingerprint: str | None = None


class ShowMemory(Frozen):
    """The show's notebook, `bible/memory.json` (A1)."""

    kind: Literal["ShowMemory"] = "ShowMemory"
    version: Literal[1] = 1
    id: str = Field(pattern=r"^memory\.[^\s]+$")
    settings: Settings = Settings()
    episodes: tuple[EpisodeRecord, ...] = ()
    entries: tuple[Entry, ...] = ()
    forgotten: tuple[Tombstone, ...] = ()
    declined: tuple[Refusal, ...] = ()
    written: dict[str, dict[str, str]] = Field(default_factory=dict)
