"""Runs of the state machine that once broke a law: each is played again, and holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from test_state_machine import Show

Steps = Callable[[Any], None]


def a_locked_entry_lets_its_episode_move(show: Any) -> None:
    """An episode of which only a note was left moved its record, and the plan beside it was weighed before that."""
    show.begin(seeds=[914, 3746, 7270])
    show.edit(pick=3361, seed=9463)
    show.undo(back=False)
    show.write_one(number=1)
    show.spoil(pick=9699, empty=True)
    show.edit(pick=1405, seed=8240)
    show.add(seed=8335, number=4)
    show.mark(pick=9262, flag="locked", value=True)
    show.remember()
    show.remember()


FOUND: list[Steps] = [a_locked_entry_lets_its_episode_move]


@pytest.mark.parametrize("steps", FOUND, ids=lambda steps: steps.__name__)
def test_a_run_that_broke_a_law_no_longer_does(steps: Steps) -> None:
    """Law 1: clean = incremental."""
    show = Show()
    try:
        steps(show)
    finally:
        show.teardown()
