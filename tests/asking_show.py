"""A small show that asks a model, and drafts of what one could answer, for tests of the model pass."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from shows import outputs, run, tiny

SECRET = "not-a-real-key-0451"
KEY = "ANTHROPIC_API_KEY"
ONE = """INT. BOATHOUSE - DAY

Rope, tar, one kettle.

ADA
Define safe.

BO
Nobody counts the lighthouse keys twice.

ADA
(not looking up)
Define twice.
"""
TWO = """INT. LAMP ROOM - NIGHT

The lamp is out. Somebody has been here.

BO
The kettle is a witness.

ADA
Define witness. The lighthouse keys are gone.

BO
I sold them to the harbour for a bicycle.

She looks at him for a long time.

ADA
(quietly)
Then we are the dark part of the coast.
"""
# Lines of TWO: 1 heading, 3 action, 5 BO, 6, 8 ADA, 9, 11 BO, 12, 14 action, 16 ADA, 17 paren, 18.
CONFIG = """id = "coast"
[[episodes]]
id = "ep.s01e01"
season = 1
number = 1
script = "episodes/s01e01.fountain"
[[episodes]]
id = "ep.s01e02"
season = 1
number = 2
script = "episodes/s01e02.fountain"
"""


def cite(line: int, words: str) -> dict[str, Any]:
    return {"line": line, "words": words}


def claim(kind: str, text: str, *cites: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """One entry of a draft, every key there as the schema asks."""
    empty = {"of": "", "title": "", "about": [], "holders": [], "field": "", "value": "", "move": ""}
    return {"kind": kind, "text": text, **empty, "cites": list(cites), **fields}


def draft(*entries: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A page on the second episode that stands."""
    synopsis = {
        "line": "Bo sells the lighthouse keys for a bicycle.",
        "text": "The lamp is out. Bo confesses, and Ada takes it badly.",
        "cites": [cite(12, "I sold them to the harbour")],
    }
    changes = [{"who": ["character.bo"], "text": "has sold the keys", "cites": [cite(12, "for a bicycle")]}]
    return {"synopsis": synopsis, "changes": changes, "entries": list(entries)} | fields


def plain_show(to: Path, config: str = CONFIG) -> Path:
    """Two episodes and no model."""
    made = tiny(to, {"s01e01.fountain": ONE, "s01e02.fountain": TWO})
    (made / "show.toml").write_text(config, encoding="utf-8")
    return made


def model_show(to: Path, url: str, monkeypatch: pytest.MonkeyPatch, **fields: Any) -> Path:
    """The same with a model at `url`, and a key in the environment."""
    monkeypatch.setenv(KEY, SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", "")
    held = {"provider": "anthropic", "name": "claude-sonnet-5-5", "base_url": url, "timeout_s": 0.6} | fields
    held = {"retry_wait_s": 0.05} | held
    rows = [f"{name} = {_toml(value)}" for name, value in held.items()]
    return plain_show(to, CONFIG + "[model]\n" + "\n".join(rows) + "\n")


def set_model(show: Path, **fields: Any) -> None:
    """Change lines of `[model]`."""
    path = show / "show.toml"
    head, _, tail = path.read_text(encoding="utf-8").partition("[model]\n")
    rows = dict(line.split(" = ", 1) for line in tail.splitlines() if " = " in line)
    rows |= {name: _toml(value) for name, value in fields.items()}
    path.write_text(head + "[model]\n" + "\n".join(f"{n} = {v}" for n, v in rows.items()) + "\n", encoding="utf-8")


def answers(show: Path, episode: str = "s01e02") -> list[dict[str, Any]]:
    """What is recorded of an episode."""
    import json

    path = show / f"episodes/{episode}.answers.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["answers"] if path.exists() else []
    return found


@cache
def _remembered() -> dict[str, bytes]:
    folder = Path(mkdtemp())
    try:
        show = plain_show(folder / "show")
        run(show)
        return outputs(show)
    finally:
        shutil.rmtree(folder)


def remembered() -> dict[str, bytes]:
    """Every byte that two episodes make without a model."""
    return _remembered()


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
