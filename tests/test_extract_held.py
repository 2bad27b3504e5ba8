"""A pass over what recurs, left after an episode and taken up there again, gives what a whole pass gives (DESIGN 3)."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from showmemory.extract.earn import Earning, earn
from showmemory.extract.held import Lost
from showmemory.extract.standing import stand
from showmemory.extract.tally import Tally
from showmemory.flow import Run
from showmemory.model.observation import Observation
from showmemory.model.rules import Rules
from showmemory.model.show import Bible


@pytest.fixture(scope="module")
def sample(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The sample show, parsed in a copy."""
    show = tmp_path_factory.mktemp("held") / "show"
    shutil.copytree(root / "sample_show", show, ignore=shutil.ignore_patterns(".showmemory"))
    run = Run(show)
    run.parse()
    return run


def left_after(
    tallies: Sequence[Tally], count: int, bible: Bible, rules: Rules, *, literal: bool
) -> tuple[bytes, list[tuple[str, list[Observation]]]]:
    """What a pass holds after so many episodes, and what it said until then."""
    earning = Earning(tallies, bible, rules, literal=literal)
    said = [earning.step() for _ in range(count)]
    return earning.held(), said


@pytest.mark.parametrize("literal", [False, True])
@pytest.mark.parametrize("count", [1, 4, 7, 10])
def test_taken_up_again(sample: Run, count: int, literal: bool) -> None:
    """Whatever the later episodes were when the pass was left, and whatever they are when it is taken up."""
    bible, rules = sample.show.bible, sample.rules
    tallies = sample.artifacts.tallies(sample.read)
    held, said = left_after([*tallies[:count], *reversed(tallies[count:])], count, bible, rules, literal=literal)
    again = Earning(tallies, bible, rules, literal=literal, held=held)
    assert again.next == count
    rest = [again.step() for _ in tallies[count:]]
    assert [*said, *rest] == list(earn(tallies, bible, rules, literal=literal))
    assert any(found for _, found in rest)


def test_a_catchphrase_of_the_bible_whose_speaker_comes_later(sample: Run) -> None:
    """A character that had not spoken when the pass was left keeps its phrases once it speaks."""
    tallies = sample.artifacts.tallies(sample.read)
    bible, rules = sample.show.bible, sample.rules
    given = {who.id for who in bible.characters if who.catchphrases}
    assert given, "the sample show's bible gives catchphrases"
    first = [t for t in tallies if not given & set(t.speakers)][:1] or [_without(tallies[0])]
    held, said = left_after(first, 1, bible, rules, literal=False)
    again = Earning([*first, *tallies], bible, rules, held=held)
    assert [*said, *(again.step() for _ in tallies)] == list(earn([*first, *tallies], bible, rules))


def _without(tally: Tally) -> Tally:
    """The same words in mouths nobody knows."""
    nobody = tuple(f"character.nobody-{n}" for n in range(len(tally.speakers)))
    return replace(tally, episode="ep.before", speakers=nobody, names=tuple("" for _ in nobody))


def test_other_episodes_are_not_gone_on_from(sample: Run) -> None:
    """What was held of other words is refused, so that the pass begins anew."""
    tallies = sample.artifacts.tallies(sample.read)
    bible, rules = sample.show.bible, sample.rules
    held, _ = left_after(tallies, 8, bible, rules, literal=False)
    with pytest.raises(Lost):
        Earning(tallies[::-1], bible, rules, held=held)


def test_sums_over_some_rows_are_those_over_all(sample: Run) -> None:
    """Scoring goes over the events in parts, and sums no more than a part."""
    standing = stand(tuple(sample.artifacts.tallies(sample.read)), sample.show.bible, sample.rules, 8)
    dice = np.random.default_rng(1)
    for table in (standing.show, standing.own):
        for size in (0, 1, 7, 400, len(table.run)):
            rows = np.sort(dice.choice(len(table.run), size, replace=False))
            for values in (table.count, table.whole > 0):
                assert (table.so_far(values)[rows] == table.so_far(values, rows)).all()
            assert (table.since()[rows] == table.since(rows)).all()
            assert (table.most_so_far(table.count)[rows] == table.most_so_far(table.count, rows)).all()
