"""Build keys: sha256 over everything a result depends on, contents and versions, never names or times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from showmemory.extract import earn, voices
from showmemory.extract import tally as tallies
from showmemory.extract.per_episode import MECHANISMS
from showmemory.model.canonical import compact, plain
from showmemory.model.ids import digest
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, Episode, SideFiles
from showmemory.read import screenplay
from showmemory.store import program

FORMAT = 2
RANKED = ("callback", "catchphrase", "echo", "gag", "reuse", "world")


@dataclass(frozen=True)
class Keys:
    """The parts of keys that all episodes share, hashed once."""

    parts: Mapping[str, str]
    rules: Mapping[str, str]
    lexicons: str
    language: str
    program: str = ""

    def parse(self, sha: str, suffix: str) -> str:
        """The key of a parsed script."""
        return self._key("parse", screenplay.VERSION, self.language, self.lexicons, suffix, sha)

    def mechanism(self, name: str, episode: Episode, parsed: str, side: Mapping[str, str]) -> str:
        """The key of one mechanism's observations in one episode."""
        reads = MECHANISMS[name].READS
        parts = [side.get(part, self.parts.get(part, "")) for part in reads]
        return self._key(
            name, MECHANISMS[name].VERSION, self.rules.get(name, ""), self.lexicons, *_at(episode), parsed, *parts
        )

    def tally(self, episode: Episode, parsed: str, directed: str) -> str:
        """The key of one episode's tally."""
        return self._key("tally", tallies.VERSION, self.lexicons, *_at(episode), parsed, self.parts["cast"], directed)

    def spoke(self, parsed: str) -> str:
        """The key of who spoke how much."""
        return self._key("spoke", 1, self.lexicons, parsed, self.parts["cast"])

    def problems(self, parsed: str) -> str:
        """The key of what a reader had to say of a script."""
        return self._key("problems", 1, self.lexicons, parsed, self.parts["cast"])

    def chain(self, stage: str, steps: Iterable[str]) -> list[str]:
        """Keys of a pass in story order: each step's key holds all steps before it."""
        version = voices.VERSION if stage == "voices" else earn.VERSION
        rules = [self.rules.get(name, "") for name in (("voice",) if stage == "voices" else RANKED)]
        made = [self._key(stage, version, self.lexicons, *rules, self.parts["cast"])]
        for step in steps:
            made.append(_key(stage, made[-1], step))
        return made[1:]

    def contexts(self, memory: str, given: Iterable[str]) -> str:
        """The key of everything that is written for writers, from all that is given to what writes it."""
        return _key("contexts", program.everything(), self.lexicons, memory, *given)

    def _key(self, *parts: object) -> str:
        return _key(self.program, *parts)


def keys_of(bible: Bible, rules: Rules) -> Keys:
    """Hash what all episodes share."""
    whole = plain(bible)
    cast = {"characters": whole.get("characters", []), "groups": whole.get("groups", [])}
    parts = {"cast": digest(compact(cast)), "script": ""}
    parts |= {name: digest(compact(whole.get(name, []))) for name in ("places", "gags", "threads", "arcs")}
    held = {name: rule.hash for name, rule in rules.rules.items()}
    lexicons = digest(compact({n: x.hash for n, x in rules.lexicons.items()}))
    return Keys(parts, held, lexicons, rules.language, program.makers())


def side_keys(side: SideFiles) -> dict[str, str]:
    """The hash of each side file's meaning, so that a comment or a blank line changes nothing."""
    made = {}
    for name in ("outline", "continuity", "directed"):
        held = getattr(side, name)
        made[name] = digest(compact(plain(held))) if held is not None else ""
    return made


def _at(episode: Episode) -> tuple[str, ...]:
    return (episode.id, str(episode.season), str(episode.number), episode.title)


def _key(*parts: object) -> str:
    return digest("\0".join(map(str, (FORMAT, *parts))))
