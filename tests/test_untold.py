"""Who has not been told: never of what is about oneself (D53, E21)."""

from __future__ import annotations

import pytest

from lantern import ENTRIES, ODILE, SHOW, TAM, WILL, entry, notebook, said
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.untold import unaware
from showmemory.model.memory import Entry

SISTERS = entry("bond", "relationship", {"ep.203": said(text="The sisters share a lamp.", about=(ODILE, WILL))})


def learned(text: str, *about: str) -> Entry:
    return entry("it", "knowledge", {"ep.202": said(text=text, about=about, holders=(TAM,))})


def untold(entry: Entry, *more: Entry, until: str = "ep.204") -> list[str]:
    memory = notebook((*ENTRIES, *more, entry))
    return unaware(Ready(SHOW, moment_of(SHOW, memory, until=until), {}), entry)


@pytest.mark.parametrize(
    ("text", "about", "expected"),
    [
        ("Will sold the lamp.", (WILL, ODILE), [ODILE]),
        ("It was sold by Will.", (ODILE,), [ODILE]),
        ("Odile Marsh pays for it.", (WILL, ODILE), [WILL]),
        ("The soup was their mother's.", (WILL, ODILE), []),
        ("She is afraid of water.", (ODILE,), []),
        ("Will's boat leaks, and Odile paid for it.", (WILL, ODILE), [ODILE]),
        ("Tam heard it.", (TAM,), []),
    ],
)
def test_what_is_about_oneself_is_known_to_oneself(text: str, about: tuple[str, ...], expected: list[str]) -> None:
    """D53: whoever acts knows, and whoever alone is spoken of; whom another's doing concerns does not."""
    assert untold(learned(text, *about)) == expected


def test_two_people_know_their_own_bond() -> None:
    """D53, D27: that Odile has a sister is no news to the sister, from when memory has them as sisters on."""
    has = learned("Odile has a sister.", ODILE, WILL)
    assert untold(has) == [WILL]
    assert untold(has, SISTERS) == []
    assert untold(has, SISTERS.model_copy(update={"about": (ODILE, TAM)})) == [WILL]
    more = learned("Odile has sold a sister's lamp to the bank.", ODILE, WILL)
    assert untold(more, SISTERS) == [WILL], "the bond does not say that"
