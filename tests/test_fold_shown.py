"""Which of what recurs is shown: order, bars and ends of lists, as of any moment."""

from __future__ import annotations

from ranked import RULES
from showmemory.fold.shown import Cut, Shown, bar, cut_of, shown
from showmemory.model.memory import Entry, Form, Kind, Said

AIRED = [f"ep.{number}" for number in range(1, 31)]


def entry(
    name: str,
    score: float | None,
    *,
    kind: Kind = "catchphrase",
    form: Form = "phrase",
    held: str | None = None,
    **more: object,
) -> Entry:
    said = {"ep.1": Said(score=99.0), "ep.2": Said(score=score, held=held)}
    made = Entry(id=f"mem.{kind}.{name}", kind=kind, form=form, title=name, about=("character.ada",), said=said)
    return made.model_copy(update=more)


def told(rows: list[Shown]) -> list[tuple[str, bool]]:
    return [(row.entry.title, not row.held) for row in rows]


def test_a_speakers_list_is_in_order_of_its_latest_score_and_stops_at_the_bar() -> None:
    """A56: best first; what scores too little by now is held back, with the reason."""
    rows = shown([entry("low", 5.0), entry("best", 40.0), entry("good", 30.0)], AIRED)
    assert told(rows) == [("best", True), ("good", True), ("low", False)]
    assert rows[-1].held == f"scores 5.0, and {bar(30):.1f} is needed by now"


def test_a_speakers_list_is_never_longer_than_its_cut() -> None:
    """A56: twelve at most, the rest is held back."""
    rows = shown([entry(f"{number:02}", 90.0 - number) for number in range(14)], AIRED)
    assert [row.held for row in rows] == [""] * 12 + ["only the first 12 of a list are shown"] * 2


def test_what_a_person_named_or_holds_is_always_shown() -> None:
    """A55: the bible's own catchphrases, and what a person added, pinned, locked or keeps."""
    kept = [entry("pinned", 1.0, pinned=True), entry("locked", 1.0, locked=True), entry("kept", 1.0, keep="keep")]
    bible = Entry(
        id="mem.catchphrase.given",
        kind="catchphrase",
        form="phrase",
        title="given",
        about=("character.ada",),
        said={"ep.1": Said()},
    )
    added = entry("added", 1.0, by="person")
    rows = shown([*kept, bible, added, entry("poor", 1.0)], AIRED)
    assert {row.entry.title for row in rows if not row.held} == {"pinned", "locked", "kept", "given", "added"}
    assert rows[0].entry.title == "given"


def test_what_failed_last_is_held_for_that_reason() -> None:
    """Issue 4, item 6: one reason, the one that was given where it was said last."""
    rows = shown([entry("shared", 0.0, held="others say it as often")], AIRED)
    assert rows[0].held == "others say it as often"


def test_young_shows_show_fewer_gags() -> None:
    """A57: the first ten below twenty episodes, then the first forty; held entries take no place."""
    gags = [entry(f"{number:02}", 900.0 - number, kind="gag", form="running") for number in range(50)]
    gags[0] = entry("00", 900.0, kind="gag", form="running", held="a word of the show's world")
    assert sum(not row.held for row in shown(gags, AIRED[:10])) == 10
    assert sum(not row.held for row in shown(gags, AIRED)) == 40
    assert shown(gags, AIRED)[0].held


def test_as_of_reads_the_score_of_that_moment() -> None:
    """Truncation: as of the first episode its score counts, not the later one."""
    low = entry("fell", 1.0)
    assert shown([low], AIRED[:1])[0].score == 99.0
    assert shown([low], AIRED)[0].score == 1.0


def test_the_cut_is_what_the_rules_say() -> None:
    """DESIGN 7: the defaults are the rule files' thresholds."""
    values, cut = RULES.rule("catchphrase").values["bar"], Cut()
    assert (values["floor"], values["slope"], values["stay"], values["most"]) == (
        cut.floor,
        cut.slope,
        cut.stay,
        cut.each,
    )
    assert values["from"] == 10
    assert cut_of(RULES) == cut


def test_lists_are_not_padded() -> None:
    """A57: what scores far below the best of the show is held back; echoes, that wait for a yes, are not."""
    scores = (1000.0, 900.0, 800.0, 300.0, 200.0)
    for form, left in (("running", 4), ("echo", 5)):
        gags = [entry(str(score), score, kind="gag", form=form) for score in scores]
        assert sum(not row.held for row in shown(gags, AIRED)) == left
