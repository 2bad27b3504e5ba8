"""What the state machine throws at a show: scripts, bibles, side files, rules; and what a person wrote in memory."""

from __future__ import annotations

import json
import random
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import showmemory_rules
from shows import script

NAMES = ("Ada", "Bo", "Cy", "Dot")
LINES = (
    "Define safe.",
    "Nobody counts the lighthouse keys twice.",
    "The kettle is a witness, and it is not talking.",
    "Come on, what are you doing?",
    "Strictly speaking that is a lantern, Bo.",
    "I brought the loud one, obviously.",
    "Define twice.",
    "Put it with the others, Ada.",
)
PLACES = ("PIER", "GALLEY", "LANTERN ROOM")
BIBLE: dict[str, list[dict[str, Any]]] = {
    "characters": [
        {"name": "Ada"},
        {"name": "Ada", "aliases": ["Dot"]},
        {"name": "Bo", "catchphrases": ["Define safe"]},
    ],
    "groups": [{"name": "The crew", "members": ["Ada", "Bo"]}],
    "places": [{"name": "The Pier", "aliases": ["PIER"]}, {"name": "Galley"}],
    "gags": [{"name": "Lighthouse keys"}, {"name": "Keys", "was": ["gag.lighthouse-keys"]}, {"name": "The kettle"}],
    "threads": [{"name": "Who sold the keys", "about": ["Ada"]}],
    "arcs": [{"name": "Ada", "beats": [{"id": "counts", "text": "She counts."}]}],
}
SIDES: dict[str, dict[str, Any]] = {
    "outline": {"title": "Safe", "scenes": [{"scene": "1", "summary": "Ada counts.", "gags": ["gag.the-kettle"]}]},
    "continuity": {
        "facts": [
            {"text": "The kettle is a witness.", "about": ["character.ada"], "field": "kettle", "value": "witness"}
        ],
        "changes": [{"kind": "knowledge", "text": "Bo knows.", "who": ["character.bo"], "scene": "1"}],
        "threads": [{"thread": "thread.who-sold-the-keys", "move": "opened", "scene": "1"}],
    },
    "directed": {"scenes": [{"scene": "1", "summary": "All count.", "cast": ["Cy", "Dot"]}]},
}
SETTINGS: dict[str, tuple[Any, ...]] = {
    "apply": ("review", "auto", "manual"),
    "restAfter": (1, 2, 3),
    "detailedEpisodes": (1, 6),
    "contextEpisodes": (0, 2, 12),
    "kinds": (["story", "gags"], ["story", "characters", "gags", "tone", "world", "threads"]),
}


def overlays() -> list[tuple[str, str]]:
    """A file of a show's own rules for each number and each list that the standard ones hold."""
    made = []
    for folder in ("", "en/"):
        for path in sorted((Path(showmemory_rules.__path__[0]) / folder).glob("*.toml")):
            for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items():
                if type(value) in (int, float):
                    made.append((folder + path.name, f"{key} = {value + 1}\n"))
                elif isinstance(value, list) and len(value) > 1 and folder:
                    made.append((folder + path.name, f"{key} = {json.dumps(value[1:])}\n"))
    return made


OVERLAYS = overlays()


def text(seed: int) -> str:
    """A script of a few scenes; the same seed gives the same one."""
    rng = random.Random(seed)
    return "\n\n".join(
        script(
            *((rng.choice(NAMES).upper(), rng.choice(LINES)) for _ in range(rng.randint(2, 6))),
            heading=f"INT. {rng.choice(PLACES)} - {rng.choice(('DAY', 'NIGHT'))}",
        )
        for _ in range(rng.randint(1, 3))
    )


@dataclass
class Words:
    """What the person wrote into memory.json and must find there after every run."""

    texts: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    settings: dict[str, Any] = field(default_factory=dict)
    flags: dict[str, dict[str, bool]] = field(default_factory=dict)

    def lost(self, memory: dict[str, Any]) -> list[str]:
        """What is not as the person left it."""
        entries = {e["id"]: e for e in memory.get("entries", [])}
        buried = {t["id"] for t in memory.get("forgotten", [])}
        made = [i for i, words in self.texts.items() if entries.get(i, {}).get("text") != words]
        made += [f"{i} is back" for i in self.gone if i in entries or i not in buried]
        made += [n for n, v in self.settings.items() if memory["settings"].get(n) != v]
        flagged = ((i, n, v) for i, held in self.flags.items() for n, v in held.items())
        return made + [f"{i} {n}" for i, n, v in flagged if entries.get(i, {}).get(n, False) != v]
