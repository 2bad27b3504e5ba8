"""Which episode a script is, told from names and title pages of every real habit (G9, A35)."""

from __future__ import annotations

import pytest

from showmemory.read.drafts import Draft, Mark, colour_name, pick
from showmemory.read.identity import guess, is_paper, natural
from showmemory.read.places import settle, show_title, titled

# name -> season, number (as settled alone), title, draft
NAMES = [
    ("104 Kettle BLUE.fdx", 1, 4, "Kettle", "blue"),
    ("104 Kettle PINK rev2.fdx", 1, 4, "Kettle", "pink, rev 2"),
    ("104 - The Blue Room.fdx", 1, 4, "The Blue Room", ""),
    ("104_KETTLE_SHOOTING_DRAFT_PINK.fdx", 1, 4, "Kettle", "pink"),
    ("104 Kettle - Double Blue 05.01.24.fdx", 1, 4, "Kettle", "double blue, 2024-05-01"),
    ("104 Kettle 2nd Blue.fdx", 1, 4, "Kettle", "double blue"),
    ("104 Kettle (Final Draft).fdx", 1, 4, "Kettle", ""),
    ("104 Kettle Writer's Draft.fdx", 1, 4, "Kettle", ""),
    ("104 Kettle draft 2.fdx", 1, 4, "Kettle", "rev 2"),
    ("104 Kettle v2.1.fdx", 1, 4, "Kettle", "rev 2.1"),
    ("104 Kettle copy.fdx", 1, 4, "Kettle", ""),
    ("104 Kettle (1).fdx", 1, 4, "Kettle", ""),
    ("104 Kettle May 1 2024.fdx", 1, 4, "Kettle", "2024-05-01"),
    ("104A Kettle.fdx", 1, 4, "Kettle", ""),
    ("BLUE_104_Kettle.fdx", 1, 4, "Kettle", "blue"),
    ("Kettle 104 BLUE.fdx", 1, 4, "Kettle", "blue"),
    ("3X07 The Long Night.fdx", 3, 7, "The Long Night", ""),
    ("1x04.fountain", 1, 4, "", ""),
    ("s01e04-the-long-kettle.fountain", 1, 4, "The Long Kettle", ""),
    ("s01e04-the-long-kettle/screenplay.fountain", 1, 4, "The Long Kettle", ""),
    ("S1 E4 Kettle.fdx", 1, 4, "Kettle", ""),
    ("S01E04E05 Kettle.fdx", 1, 4, "Kettle", ""),
    ("season-1-episode-4-kettle.fountain", 1, 4, "Kettle", ""),
    ("Episode 104.fdx", 1, 4, "", ""),
    ("Ep 4 - Kettle.fdx", 1, 4, "Kettle", ""),
    ("ep-104-the-long-kettle-blue-rev-2.fountain", 1, 4, "The Long Kettle", "blue, rev 2"),
    ("LANTERN ROW #104 KETTLE GOLDENROD.FDX", 1, 4, "Kettle", "goldenrod"),
    ("Lantern Row - 104 - Kettle.fdx", 1, 4, "Kettle", ""),
    ("Lantern Row 104 Kettle.fdx", 1, 4, "Kettle", ""),
    ("Lantern Row S01E04 Kettle PRODUCTION WHITE.fdx", 1, 4, "Kettle", "white"),
    ("LR_206_rev3_2024-05-01.fountain", 2, 6, "", "rev 3, 2024-05-01"),
    ("LR206.fdx", 2, 6, "", ""),
    ("2ACX01 Kettle.fdx", 2, 1, "Kettle", ""),
    ("101-102 Pilot.pdf", 1, 1, "Pilot", ""),
    ("204/screenplay.fountain", 2, 4, "", ""),
    ("204/Kettle YELLOW.fdx", 2, 4, "Kettle", "yellow"),
    ("204 Kettle/draft 2.fdx", 2, 4, "Kettle", "rev 2"),
    ("Season 2/04 Kettle.fdx", 2, 4, "Kettle", ""),
    ("1204 Kettle.fdx", 12, 4, "Kettle", ""),
    ("100 Pilot.fdx", 1, 0, "Pilot", ""),
]


@pytest.mark.parametrize(("name", "season", "number", "title", "draft"), NAMES, ids=[row[0] for row in NAMES])
def test_a_name_says_where_an_episode_belongs(name: str, season: int, number: int, title: str, draft: str) -> None:
    """A35: season, number and title come from the name, whatever the habit."""
    found = settle([guess(name)])[0]
    assert (found.season, found.number, found.title) == (season, number, title)
    assert str(guess(name).mark) == draft


@pytest.mark.parametrize("name", ["The 400 Blows.fountain", "Kettle.fdx", "Kettle BLUE.fdx", "Summer of 2024.fdx"])
def test_a_title_with_a_number_in_it_is_no_episode_number(name: str) -> None:
    """A35: what is no number of an episode is not taken for one."""
    assert guess(name).number is None


def test_papers_about_a_show_are_no_scripts() -> None:
    """A35: a bible or an outline in the folder is not an episode; an episode called so is."""
    assert is_paper("Lantern Row Bible.pdf")
    assert is_paper("beat sheet.fountain") or is_paper("beatsheet.fountain")
    assert not is_paper("104 The Bible.fdx")


def test_a_title_page_fills_what_the_name_leaves_open() -> None:
    """A35: Episode, Season, Draft date and colour on the title page."""
    head = {
        "title": 'LANTERN ROW\n"Kettle"',
        "episode": "104",
        "draft date": "5/1/24",
        "revision": "White 4/1/24, Pink 5/1/24",
    }
    found = guess("kettle.fountain", head)
    assert (found.number, found.title, found.show) == (104, "Kettle", "LANTERN ROW")
    assert str(found.mark) == "pink, 2024-05-01"
    assert settle([found])[0].id == "ep.s01e04"
    spoken = guess("k.fountain", {"title": "Lantern Row", "season": "2", "episode": "4", "episode title": "Kettle"})
    assert (spoken.season, spoken.number, spoken.title) == (2, 4, "Kettle")


def test_the_name_wins_over_the_title_page() -> None:
    """A35: a title page copied from another episode does not move a file that says where it belongs."""
    found = guess("s02e03.fountain", {"title": "Lantern Row", "season": "1", "episode": "1", "draft": "BLUE"})
    assert (found.season, found.number, str(found.mark)) == (2, 3, "blue")


def test_scripts_without_numbers_follow_in_name_order() -> None:
    """A35: natural order, season 1; an unnumbered pilot is the first."""
    found = settle([guess(name) for name in ("b.fountain", "a.fountain", "Pilot.fountain")])
    assert [(one.id, one.season, one.number) for one in found] == [
        ("ep.pilot", 1, 1),
        ("ep.a", 1, 2),
        ("ep.b", 1, 3),
    ]
    assert sorted(["ep 10", "ep 9", "ep 1"], key=natural) == ["ep 1", "ep 9", "ep 10"]


def test_a_folder_that_counts_through_is_one_season() -> None:
    """A35: Episode 98, 99, 100, 101 are not four seasons."""
    found = settle([guess(f"Episode {n}.fdx") for n in (98, 99, 100, 101)])
    assert [(one.season, one.number) for one in found] == [(1, 98), (1, 99), (1, 100), (1, 101)]


def test_drafts_of_one_episode_are_one_episode() -> None:
    """A40: three drafts make one episode, and the newest colour is read."""
    names = ["104 Kettle.fdx", "104 Kettle PINK rev2.fdx", "104 Kettle BLUE.fdx", "105 Lamp.fdx"]
    found = settle([guess(name) for name in names])
    assert [one.script for one in found] == ["104 Kettle PINK rev2.fdx", "105 Lamp.fdx"]
    assert found[0].picked.others == ("104 Kettle BLUE.fdx", "104 Kettle.fdx")
    assert found[0].picked.clear
    assert found[0].picked.why == "newest colour"


def test_a_colour_in_a_lone_title_is_a_title() -> None:
    """A35: "Deep Pink" is a title until another draft stands beside it."""
    assert settle([guess("105 Deep Pink.fdx")])[0].title == "Deep Pink"
    both = settle([guess("105 Deep Pink.fdx"), guess("105 Deep.fdx")])
    assert (len(both), both[0].title, both[0].script) == (1, "Deep", "105 Deep Pink.fdx")


def test_two_titles_for_one_place_are_told() -> None:
    """A40: two scripts with one number and no word in common are a doubt, not two episodes."""
    found = settle([guess("102 Fog.fdx"), guess("102 Bell.fdx")])
    assert len(found) == 1
    assert found[0].doubt == "their titles have no word in common"


ORDERS = [
    (("k.fdx", Mark()), ("k WHITE.fdx", Mark(colour=0)), "newest colour"),
    (("k TAN.fdx", Mark(colour=9)), ("k 2nd BLUE.fdx", Mark(colour=11)), "newest colour"),
    (("k BLUE.fdx", Mark(colour=1, revision=(9, -1))), ("k PINK.fdx", Mark(colour=2)), "newest colour"),
    (("k rev2.fdx", Mark(revision=(2, -1))), ("k rev10.fdx", Mark(revision=(10, -1))), "highest revision"),
    (("k table draft.fdx", Mark(stage=8)), ("k shooting draft.fdx", Mark(stage=10)), "latest draft"),
    (("k 2024.fdx", Mark(date=(2024, 1, 9))), ("k 2025.fdx", Mark(date=(2025, 1, 1))), "latest date"),
]


@pytest.mark.parametrize(("older", "newer", "why"), ORDERS)
def test_the_newest_draft_is_told_by_its_marks(older: tuple[str, Mark], newer: tuple[str, Mark], why: str) -> None:
    """A35: colour, revision number, stage, date, in this order; the order of the files does not count."""
    for pair in ((older, newer), (newer, older)):
        picked = pick([Draft(*one) for one in pair])
        assert (picked.path, picked.why, picked.clear) == (newer[0], why, True)


def test_unclear_choices_are_told() -> None:
    """A35: a tie, and a colour that a later date contradicts, are not settled silently."""
    tie = pick([Draft("a/k.fdx", Mark()), Draft("b/kk.fdx", Mark())])
    assert not tie.clear
    later = pick(
        [Draft("k BLUE.fdx", Mark(colour=1, date=(2024, 6, 1))), Draft("k PINK.fdx", Mark(colour=2, date=(2024, 5, 1)))]
    )
    assert later.path == "k PINK.fdx"
    assert "k BLUE.fdx has a later date" in later.why
    assert not later.clear


def test_one_draft_in_two_formats_is_clear() -> None:
    """A35: an export beside its script is the same draft; the one that keeps lines best is read."""
    picked = pick([Draft("104 Kettle.pdf", Mark()), Draft("104 Kettle.fountain", Mark())])
    assert (picked.path, picked.clear) == ("104 Kettle.fountain", True)


def test_colours_have_names() -> None:
    """A35: rounds of colours print in words."""
    assert [colour_name(n) for n in (0, 5, 11, 29)] == ["white", "goldenrod", "double blue", "triple tan"]


def test_the_show_is_called_what_most_title_pages_say() -> None:
    """A35: one common title is the show's; a title that is not is the episode's."""
    heads = [guess("1.fountain", {"title": "Lantern Row"}), guess("2.fountain", {"title": "Lantern Row"})]
    assert show_title(heads) == "Lantern Row"
    other = guess("3.fountain", {"title": "Kettle"})
    assert titled([*heads, other], "Lantern Row")[2].title == "Kettle"
    assert titled(heads, "Lantern Row")[0].title == ""
