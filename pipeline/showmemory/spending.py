"""What model passes cost: one file a month under spend/, one line a call, and their sums."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from showmemory.ask.seam import Usage
from showmemory.store import files

FOLDER = "spend"


@dataclass(frozen=True)
class Call:
    """One call: under which session it is billed, what it used and cost. `unknown`: counted at the most it can be."""

    session: str
    pass_: str
    provider: str
    model: str
    usd: float
    usage: Usage = Usage()
    id: str = ""
    batch: bool = False
    unknown: bool = False


def this_month() -> str:
    """The month whose file is written; the only clock value of a pass."""
    return datetime.now(UTC).strftime("%Y-%m")


def bill(root: Path, call: Call) -> None:
    """Add one call to this month's file; one of a batch that stands there already is not added again."""
    if call.batch and any(row.get("id") == call.id for row in calls(root)):
        return
    row: dict[str, Any] = {
        "session": call.session,
        "pass": call.pass_,
        "provider": call.provider,
        "model": call.model,
        "usd": round(call.usd, 6),
        "input": call.usage.input,
        "output": call.usage.output,
        "cacheWrite": call.usage.cache_write,
        "cacheRead": call.usage.cache_read,
    }
    row |= {"id": call.id} if call.id else {}
    row |= {name: True for name in ("batch", "unknown") if getattr(call, name)}
    files.append_line(root / FOLDER / f"{this_month()}.jsonl", json.dumps(row, ensure_ascii=False))


def calls(root: Path, month: str = "") -> list[dict[str, Any]]:
    """Every call, oldest first, of one month or of all; a line that is broken is left out."""
    folder = root / FOLDER
    found: list[dict[str, Any]] = []
    for path in sorted(folder.glob("????-??.jsonl")) if folder.is_dir() else ():
        if month and path.stem != month:
            continue
        for line in (files.read_text(path) or "").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict) and isinstance(row.get("usd"), int | float):
                found.append({"month": path.stem, **row})
    return found


def spent(root: Path, month: str) -> float:
    """What a month cost so far."""
    return float(sum(row["usd"] for row in calls(root, month)))
