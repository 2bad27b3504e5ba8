"""Ids of shows, episodes and entries: readable slugs that never depend on order of reading."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_NOT_WORD = re.compile(r"[^\w]+", re.UNICODE)


def slug(text: str, limit: int = 48) -> str:
    """Fold `text` to a slug: case folded, accents dropped where letters remain, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("'", "").replace("’", ""))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    words = [w for w in _NOT_WORD.split(plain.replace("_", " ")) if w]
    made = "-".join(words)
    if len(made) > limit:
        made = made[:limit].rsplit("-", 1)[0] or made[:limit]
    return made or "x" + digest(text)[:8]


def digest(text: str | bytes) -> str:
    """The sha256 of `text` (UTF-8), in hex."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return hashlib.sha256(raw).hexdigest()


def entry_id(kind: str, name: str) -> str:
    """The plain id of an entry of `kind` called `name`; clashes are settled by `unique_ids`."""
    return f"mem.{kind}.{slug(name)}"


def unique_ids(wanted: dict[str, tuple[str, str, int]], taken: dict[str, str]) -> dict[str, str]:
    """Give each key its id. `wanted`: key -> (kind, name, rank in story order); `taken`: key -> the id it has already.

    A key that has an id keeps it. Of new keys with one slug the earliest in story order is plain and the others
    take a hash of their key, so that a later episode never moves the id of an earlier entry.
    """
    made = {key: taken[key] for key in wanted if key in taken}
    used = set(taken.values())
    for key, (kind, name, _) in sorted(wanted.items(), key=lambda item: (item[1][2], item[0])):
        if key in made:
            continue
        plain = entry_id(kind, name)
        made[key] = plain if plain not in used else f"{plain}-{digest(key)[:6]}"
        used.add(made[key])
    return made


def show_id(prefix: str, name: str) -> str:
    """Give a show id its prefix: ("character", "kit") and ("character", "character.kit") both give character.kit."""
    return name if name.startswith(prefix + ".") else f"{prefix}.{slug(name)}"
