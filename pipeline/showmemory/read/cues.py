"""Character cues taken apart: the name, its extensions, and what the layout put beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from showmemory.model.rules import Lexicon, Rules

_PAREN = re.compile(r"\(([^()]*)\)?")
_BARE = re.compile(r"(?:,\s*|\s+|\s*-\s*)((?:[A-Z]\.\s?){2,3}|CONT['’]D)$")


@dataclass(frozen=True, slots=True)
class CueWords:
    """A language's cue lexicon, ready for use. Every word is folded by `fold`."""

    continued: frozenset[str]
    voice_over: frozenset[str]
    heard: frozenset[str]
    voices: tuple[tuple[str, str], ...]
    joiners: tuple[str, ...]
    everyone: frozenset[str]
    titles: frozenset[str]
    family_titles: frozenset[str]
    same_titles: dict[str, str]


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue line: "KIT (V.O.) (CONT'D) ^" has name KIT, extensions ("V.O.",) and is dual."""

    name: str
    extensions: tuple[str, ...] = ()
    dual: bool = False


def cue_words(rules: Rules) -> CueWords:
    """The cue lexicon of the show's language."""
    held = rules.lexicons.get("cues") or Lexicon("cues", {})
    return _ready(tuple(sorted((name, words) for name, words in held.lists.items())))


@lru_cache(maxsize=16)
def _ready(lists: tuple[tuple[str, tuple[str, ...]], ...]) -> CueWords:
    held = dict(lists)

    def folded(name: str, *always: str) -> frozenset[str]:
        return frozenset(fold(word) for word in (*held.get(name, ()), *always))

    voices = tuple(fold(word).partition("{}")[::2] for word in held.get("voices", ()))
    return CueWords(
        folded("continued", "CONT'D", "CONT", "MORE"),
        folded("voice_over", "V.O."),
        folded("heard", "O.S."),
        tuple(sorted(voices, key=lambda pair: (-len(pair[0] + pair[1]), pair))),
        tuple(fold(word) for word in held.get("joiners", ("&", "/", "+"))),
        folded("everyone"),
        folded("titles", *held.get("family_titles", ())),
        folded("family_titles"),
        {fold(long): fold(short) for long, _, short in (each.partition("=") for each in held.get("same_titles", ()))},
    )


def fold(text: str) -> str:
    """Upper case, straight quotes, full stops dropped, single spaces."""
    return " ".join(text.replace("’", "'").replace("`", "'").upper().replace(".", "").split())


def take_apart(text: str, words: CueWords) -> Cue:
    """Read name and extensions off a cue, `text` being the line without marks of emphasis or force."""
    dual = text.endswith("^")
    line = text.rstrip("^ ").rstrip() if dual else text
    name, paren, _ = line.partition("(")
    found = [part.strip() for part in _PAREN.findall(line, len(name))] if paren else []
    name = " ".join(name.split())
    bare = _BARE.search(name[-40:])
    if bare:
        found.insert(0, bare.group(1).strip())
        name = name[: len(name) - len(bare.group())]
    kept = tuple(part for part in found if part and fold(part) not in words.continued)
    return Cue(_trimmed(name) or line.strip(), kept, dual)


def _trimmed(name: str) -> str:
    """A name without what typing left on its end; the full stop of JR. and D.A. stays."""
    name = name.strip(" :,-)")
    last = name[:-1].rpartition(" ")[2]
    return name[:-1] if name.endswith(".") and len(last) > 3 and "." not in last else name


def is_cue(text: str) -> bool:
    """Whether a line is in capitals as a cue is; only the extension may have small letters."""
    # Most lines that are asked about are prose: their first letters tell.
    head = text[:16]
    if head != head.upper() and "(" not in head and "ß" not in head:
        return False
    name = text.partition("(")[0]
    if "ß" in name:
        name = name.replace("ß", "SS")
    return name.isupper() and not name.endswith(("TO:", "TO: "))
