"""`set`: memory's own settings, changed, or listed with what each does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand
from showmemory.commands.editing import AS, make

if TYPE_CHECKING:
    from showmemory.model.memory import Settings

_TIME = "TIME IN THE STORY"
# Under which heading each stands; what few people need comes last (C41).
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "A RUN": ("apply", "kinds", "model"),
    "WHAT IS SENT": ("budget_tokens", "detailed_episodes", "rest_after", "context_episodes", "scene_recall"),
    _TIME: ("measured_clock", "time_in_memory", "days_per_episode"),
    "ADVANCED": ("lookback", "semantic", "memory_cap", "token_factor", "literal_catchphrases"),
}
# A setting that does nothing until one of these is on.
_NEEDS = {"memory_cap": ("semantic",), "days_per_episode": ("measured_clock", "time_in_memory")}


class Set(ShowCommand):
    """Settings."""

    name = "set"
    part = "Edit"
    doc_purpose = "memory's own settings; without any, what each is and does"
    doc_usage = "[NAME=VALUE …]     as in: set apply=auto restAfter=3 kinds=gags,tone"
    cmd_options = (AS,)

    def go(self, call: Call) -> int:
        """Change or print settings."""
        from showmemory.model.memory import Settings
        from showmemory.targets import current, settings

        if call.words:
            fields, problems = settings(list(call.words))
            return make(call, problems[0] if problems else "", fields)
        memory, errors = current(call.root)
        held = memory.settings if memory else Settings()
        call.screen.json(held.model_dump(mode="json", by_alias=True))
        for heading, names in SECTIONS.items():
            if heading != _TIME or _timed(held):
                call.screen.head(heading)
                call.screen.table([_row(held, name) for name in names], 2)
        call.screen.problems(errors)
        return PROBLEMS if errors else FINE


def _timed(held: Settings) -> bool:
    """Where the story is not remembered there is nothing to date (C40), unless somebody set that."""
    return "story" in held.kinds or any(getattr(held, n) != _default(held, n) for n in SECTIONS[_TIME])


def _row(held: Settings, name: str) -> tuple[str, str, str]:
    info, value = type(held).model_fields[name], getattr(held, name)
    does, default = info.description or "", _default(held, name)
    notes = [f"as it comes: {_written(default)}"] if value != default else []
    if not any(getattr(held, other) for other in _NEEDS.get(name, (name,))) and name in _NEEDS:
        notes += [f"does nothing without {' or '.join(_alias(held, other) for other in _NEEDS[name])}"]
    return _alias(held, name), _written(value), f"{does} ({'; '.join(notes)})" if notes else does


def _default(held: Settings, name: str) -> Any:
    return type(held).model_fields[name].default


def _alias(held: Settings, name: str) -> str:
    return type(held).model_fields[name].alias or name


def _written(value: Any) -> str:
    """A value as it is written after NAME=."""
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
