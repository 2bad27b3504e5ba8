"""The common ground of every type that is read from or written to a show."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Frozen(BaseModel):
    """Frozen, unknown keys forbidden; JSON keys are camelCase, Python names snake_case, either is read."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
    )
