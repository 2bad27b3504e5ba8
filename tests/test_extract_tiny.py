"""Shows with next to nothing in them: the passes over the whole show take any of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from shows import run, tiny

CUE = "INT. A - DAY\n\nADA\n"
SHOWS = {
    "two words": [CUE + "Hi there.\n"],
    "one word": [CUE + "Hi.\n"],
    "no speech": ["INT. A - DAY\n\nThe boat.\n"],
    "a speech without a word": [CUE + "...\n"],
    "nothing but a heading": ["INT. A - DAY\n"],
    "an empty one after": [CUE + "Hi there.\n", "INT. B - DAY\n\nNobody.\n"],
    "the same twice": [CUE + "Define safe, Bo.\n"] * 2,
    "words of other writing": [CUE + "こんにちは。\n", CUE + "こんにちは。\n"],
    "a few hundred one-word speeches": ["INT. A - DAY\n\n" + "ADA\nNo.\n\nBO\nNo.\n\n" * 200] * 3,
}


@pytest.mark.parametrize("name", SHOWS)
def test_any_small_show_is_remembered(name: str, tmp_path: Path) -> None:
    """A44: works as it is, and a second run has nothing to do."""
    show = tiny(tmp_path / "show", {f"s01e{n:02d}.fountain": text for n, text in enumerate(SHOWS[name], 1)})
    assert run(show).errors == []
    assert run(show).plan.changes == ()
