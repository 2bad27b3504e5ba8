"""What calls to a model may cost a show and did cost it: refused before they are made, billed after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from showmemory import spending
from showmemory.ask.price import Price, budget_of, price_of, priced_on, reckoned
from showmemory.ask.provider import is_local
from showmemory.ask.request import Asked
from showmemory.ask.seam import LlmProvider, Request, Usage
from showmemory.model.canonical import compact
from showmemory.model.show import ModelConfig


@dataclass(frozen=True)
class Till:
    """The money side of one run's calls."""

    root: Path
    config: ModelConfig
    model: str
    llm: LlmProvider
    tokens: Callable[[str], int]

    @property
    def price(self) -> Price | None:
        """The model's price."""
        return price_of(self.config, self.model, free=is_local(self.config))

    @property
    def left(self) -> float:
        """What is left of this month's budget."""
        return max(0.0, budget_of(self.config) - spending.spent(self.root, spending.this_month()))

    def quote(self, request: Request) -> str:
        """Tokens and the most they can cost, reckoned here alone: a dry run sends nothing, not even to be counted."""
        tokens, price, longest = self._least(request), self.price, self.config.max_tokens
        size = f"about {reckoned(tokens)} tokens, an answer of at most {longest}"
        if price is None:
            return f"{size}, no price is known for {self.model}"
        paid = price.most(reckoned(tokens, guard=True), longest, batch=bool(self.config.batch))
        return f"{size}, at most {usd(paid)} (prices of {priced_on()}; {usd(self.left)} of this month's budget is left)"

    def refused(self, *requests: Request, batch: bool = False) -> str:
        """Why calls are not made: no price, or more than the month's budget leaves (A77)."""
        price, left, longest = self.price, self.left, self.config.max_tokens
        if price is None:
            return f"no price is known for {self.model}: set price = {{ input = …, output = … }} under [model]"
        least = [self._least(request) for request in requests]
        counted = [reckoned(n, guard=True) for n in least]
        # Only what fits by the lowest count is sent anywhere to be counted exactly.
        if not batch and sum(price.most(n, longest) for n in least) <= left:
            counted = [self.llm.count(r) or n for r, n in zip(requests, counted, strict=True)]
        most = sum(price.most(n, longest, batch=batch) for n in counted)
        if most <= left:
            return ""
        of = f"{usd(left)} of this month's {usd(budget_of(self.config))} is left"
        return f"it may cost {usd(most)}, and {of} (budget_usd under [model])"

    def bill(self, asked: Asked, usage: Usage, id_: str = "", *, batch: bool = False) -> float:
        """Write down what a call used; returns its cost."""
        cost = self.price.cost(usage, batch=batch) if self.price is not None else 0.0
        self._write(asked, cost, usage, id_, batch=batch)
        return cost

    def bill_unknown(self, asked: Asked, id_: str = "", *, batch: bool = False) -> None:
        """Write down a call that went out and whose use nobody told: counted at the most it can have cost."""
        if self.price is not None:
            most = self.price.most(reckoned(self._least(asked.request)), self.config.max_tokens, batch=batch)
            self._write(asked, most, Usage(), id_, batch=batch, unknown=True)

    def _write(self, asked: Asked, cost: float, usage: Usage, id_: str, *, batch: bool, unknown: bool = False) -> None:
        session = f"memory.{asked.episode}"
        who = (session, asked.pass_, self.config.provider, self.model)
        spending.bill(self.root, spending.Call(*who, cost, usage, id_, batch, unknown))

    def _least(self, request: Request) -> int:
        return self.tokens(request.text + compact(dict(request.schema)))


def usd(value: float) -> str:
    """Dollars, with more digits where they are few."""
    return f"${value:.4f}" if 0 < value < 0.01 else f"${value:.2f}"
