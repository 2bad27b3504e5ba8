"""What a call will cost at most, and what it did cost, by the newest price file under rules/."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from showmemory.ask.seam import Usage
from showmemory.model.show import ModelConfig

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars a million tokens. `above`: from how many tokens on a prompt costs `input_above` and `output_above`."""

    input: float
    output: float
    cache_write: float
    cache_read: float
    above: int = 0
    input_above: float = 0.0
    output_above: float = 0.0
    batch: float = 1.0

    def most(self, tokens: int, answer: int, *, batch: bool = False) -> float:
        """What a request of `tokens` costs at most: all of it written to the cache, the answer as long as it may be."""
        return self.cost(Usage(output=answer, cache_write=tokens), batch=batch)

    def cost(self, usage: Usage, *, batch: bool = False) -> float:
        """What these tokens cost."""
        long = bool(self.above) and usage.input + usage.cache_write + usage.cache_read > self.above
        more = self.input_above / self.input if long and self.input else 1.0
        paid = usage.input * self.input + usage.cache_write * self.cache_write + usage.cache_read * self.cache_read
        output = usage.output * (self.output_above if long else self.output)
        return (paid * more + output) / _MILLION * (self.batch if batch else 1.0)


@lru_cache(maxsize=1)
def _file() -> tuple[str, dict[str, Any]]:
    folder = files("showmemory_rules") / "prices"
    newest = max((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return newest.name.removesuffix(".toml"), tomllib.loads(newest.read_text(encoding="utf-8"))


def priced_on() -> str:
    """The day the prices are of."""
    return _file()[0]


def price_of(config: ModelConfig, model: str, *, free: bool = False) -> Price | None:
    """The price of a model: the show's own, else the file's, else nothing where it runs on this machine."""
    table = _file()[1]
    if config.price is not None:
        return _price(config.price.model_dump(), table)
    row = _row(table["models"], model)
    if row is not None:
        return _price(row, table)
    return Price(0.0, 0.0, 0.0, 0.0) if free else None


def budget_of(config: ModelConfig) -> float:
    """What a month of passes may cost this show."""
    return config.budget_usd if config.budget_usd is not None else float(_file()[1]["budget_usd"])


def reckoned(tokens: int, *, guard: bool = False) -> int:
    """Tokens of another tokenizer from those counted here; `guard`: what a budget is held against."""
    table = _file()[1]
    return int(tokens * float(table["guard" if guard else "factor"])) + 1


def _row(models: Mapping[str, Any], model: str) -> Mapping[str, Any] | None:
    """The row of a model's name; a name with a date behind it costs the same."""
    if model in models:
        found: Mapping[str, Any] = models[model]
        return found
    head, _, day = model.rpartition("-")
    return models.get(head) if len(day) == 8 and day.isdecimal() else None


def _price(row: Mapping[str, Any], table: Mapping[str, Any]) -> Price:
    return Price(
        input=float(row["input"]),
        output=float(row["output"]),
        cache_write=float(row["input"]) * float(table["cache_write"]),
        cache_read=float(row.get("cache_read", row["input"])),
        above=int(row.get("above", 0)),
        input_above=float(row.get("input_above", 0.0)),
        output_above=float(row.get("output_above", 0.0)),
        batch=float(table["batch"]),
    )
