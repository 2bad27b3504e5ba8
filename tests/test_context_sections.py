"""What a context says, section by section and in which order (A93 to A106)."""

from __future__ import annotations

import pytest

from lantern import ENTRIES, EPISODES, LOG, ODILE, SHOW, TAM, WILL, entry, fact, gag, notebook, said, synopsis, use
from showmemory.context.context import memory_context
from showmemory.model.memory import Entry, Source
from showmemory.model.show import Bible, Show

MEMORY = notebook()
ALL = memory_context(SHOW, MEMORY, budget_tokens=5000, scene="INT. LAMP ROOM - DAY\n\nOdile and Tam.")


def section(text: str, title: str) -> list[str]:
    """The rows under a heading."""
    rows = text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0] if f"## {title}\n" in text else ""
    return [row for row in rows.splitlines() if row.startswith("- ")]


def one(kind_entry: Entry, **options) -> str:
    """The whole text with one entry only."""
    return memory_context(SHOW, notebook((kind_entry,)), budget_tokens=5000, **options).text


def test_the_order_of_the_sections():
    """A93, A95 to A103, D22: frame first, then rules, who is in play, gags, story, threads, facts, the scene last."""
    headings = [row for row in ALL.text.splitlines() if row.startswith("#") and not row.startswith("###")]
    assert headings == [
        "# Lantern Row: what the show remembers",
        "## Rules of the house",
        "## Pinned",
        "## Characters in play",
        "## Running gags and callbacks",
        "## The story so far",
        "## Open threads",
        "## The world",
        "## The scene",
    ]
    assert ALL.text.splitlines()[-2:] == ["- INT. LAMP ROOM - DAY.", "- In play: Odile Marsh and Tam Reed."]


def test_the_same_show_and_options_give_the_same_bytes():
    """A107."""
    for options in ({}, {"characters": ["Tam"]}, {"scene": "Odile waits.", "budget_tokens": 300}):
        assert memory_context(SHOW, MEMORY, **options) == memory_context(SHOW, MEMORY, **options)


def test_rules_are_read_live_and_come_before_memorys_own():
    """A4, A6, A95: a changed tone rule shows at once; memory's own tone stands after it."""
    rows = section(ALL.text, "Rules of the house")
    assert rows[0] == "- Never: a joke at a victim's expense; a villain who explains."
    assert rows[1:] == [
        "- Tone: dry, fast, kind underneath.",
        "- Tone: Nobody wins an argument.",
        "- Style: Action in paragraphs of 4 words.",
    ]
    changed = SHOW.model_copy(update={"bible": SHOW.bible.model_copy(update={"tone": ("slow",)})})
    assert "- Tone: slow." in memory_context(changed, MEMORY).text


def test_without_rules():
    """A95, A109: a prompt that holds the rules already gets memory's own only."""
    rows = section(memory_context(SHOW, MEMORY, rules=False).text, "Rules of the house")
    assert rows == ["- Tone: Nobody wins an argument.", "- Style: Action in paragraphs of 4 words."]


def test_rules_that_say_never_themselves():
    """A rule written as a sentence is not labelled twice."""
    theme = SHOW.theme.model_copy(update={"never": ("Never explain.", "Never a dog")})
    text = memory_context(SHOW.model_copy(update={"theme": theme}), MEMORY).text
    assert "- Never explain. Never a dog.\n" in text


def test_pinned_entries_are_always_there_and_once():
    """A11, A95, C57: in the always-section, not a second time in their own."""
    assert section(ALL.text, "Pinned") == ["- The inn is insured. (s01e02)"]
    assert ALL.text.count("The inn is insured") == 1
    voice = next(e for e in ENTRIES if e.id == "mem.voice.tam").model_copy(update={"pinned": True})
    assert "## Pinned\n- Tam Reed: Heard: Long lines." in one(voice)


@pytest.mark.parametrize("state", [{"retired": True}, {"keep": "drop"}, {"canon": "plan"}])
def test_what_is_never_read(state):
    """A13, A104, F3, F14: retired, let go and planned entries are in no writer's context, pinned or not."""
    for pinned in (False, True):
        entry_ = fact("x", "ep.101", "The attic is full.").model_copy(update={**state, "pinned": pinned})
        made = memory_context(SHOW, notebook((entry_,)), budget_tokens=5000)
        assert "attic" not in made.text
        assert [row.state for row in made.receipt.rows if row.id == entry_.id] == ["held"]


def test_each_character_in_turn():
    """A97: designed voice, heard voice with real lines, catchphrases with their last play, bonds, knowledge."""
    text = ALL.text.split("### Odile Marsh\n")[1].split("## ")[0]
    assert text.splitlines()[:4] == [
        "- Voice: Short lines. Questions as attacks.",
        '- Heard: Short lines, 4 words. "Define safe."',
        '- Says "define safe" (last s02e02).',
        "- With Tam Reed: Odile has paid Tam back. (s02e03)",
    ]
    tam = ALL.text.split("### Tam Reed\n")[1].split("\n## ")[0]
    assert tam.splitlines() == [
        "- Voice: Begins in the middle.",
        "- Heard: Long lines.",
        "- With Will: Tam taught Will to swim. (s01e04)",
        "- Knows: The lamp was sold before the storm. (s02e01)",
    ]


def test_own_words_that_no_script_has_played():
    """A55, A97: the persona's catchphrases stand with the designed voice until memory has them."""
    odile = SHOW.bible.characters[0].model_copy(update={"catchphrases": ("Define safe!", "Mind the step.")})
    bible = SHOW.bible.model_copy(update={"characters": (odile, *SHOW.bible.characters[1:])})
    text = memory_context(SHOW.model_copy(update={"bible": bible}), MEMORY, characters=["Odile"]).text
    assert 'Own words, not played yet: "Mind the step."' in text


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("phrase", 'Says "x y z"'),
        ("address", 'Addresses people as "x y z"'),
        ("oath", 'Swears "x y z"'),
        ("template", 'Says, filling the gap "x y z"'),
    ],
)
def test_forms_of_catchphrases(form, told):
    """A97: what kind of words they are is said."""
    steps = {"ep.101": said(title="x y z", about=(ODILE,), uses=(use("ep.101"),))}
    assert f"{told} (last s01e01)." in one(entry("x", "catchphrase", steps, form=form), characters=["Odile"])


def test_a_group_knows_together():
    """D50: what a group holds, its members know."""
    knows = entry("x", "knowledge", {"ep.101": said(text="The till is empty.", holders=("group.the-inn",))})
    assert "### Tam Reed\n" in one(knows, characters=["Tam"])
    assert "Knows: The till is empty. (s01e01)" in one(knows, characters=["Tam"])
    assert "till" not in one(knows, characters=["Will"])


def test_gags_relevant_first_resting_last():
    """A98: by the scene's words and people and the bible's frequency, fresh before worn, resting ones at the end."""
    rows = section(ALL.text, "Running gags and callbacks")
    assert rows[0].startswith("- Counting exits (fresh, last s02e01, 3 times). Four is calm.")
    assert rows[-1].startswith("- RESTING The wrong lighthouse")
    kettle = memory_context(SHOW, MEMORY, scene="A kettle and an apology.", characters=["Will"], budget_tokens=5000)
    assert section(kettle.text, "Running gags and callbacks")[0].startswith("- The kettle apology")


def test_fresh_before_worn():
    """A98: of two gags that touch the scene alike, the one that has not played lately comes first."""
    made = memory_context(SHOW, notebook((gag("a", "Aaa", ("ep.204",)), gag("b", "Bbb", ("ep.101",)))))
    rows = section(made.text, "Running gags and callbacks")
    assert [row.split(" (")[0] for row in rows] == ["- Bbb", "- Aaa"]


def test_a_resting_gag():
    """A99, A106: marked, with why, and listed."""
    assert (
        "- RESTING The wrong lighthouse: last s02e04, 3 times. Rest it (used in each of the last 2 episodes).\n"
        in ALL.text
    )
    assert ALL.resting == ("mem.gag.lighthouse",)
    rested = gag("x", "X", ("ep.101",), rested=True)
    assert "RESTING X: last s01e01, once. Rest it (rested by the person)." in one(rested)
    awake = gag("x", "X", ("ep.203", "ep.204"), rested=False)
    assert "RESTING" not in one(awake)


def test_the_bible_is_read_live_for_its_gags():
    """A5: usage and frequency come from the bible when printed."""
    assert "Four is calm. How often: every few episodes." in ALL.text
    assert "How often" not in MEMORY.model_dump_json()


def test_later_uses_of_a_frozen_gag():
    """F13: "n later uses not recorded", which rest counts."""
    locked = gag("x", "X", ("ep.203",), locked=True)
    later = {"mem.gag.x": (use("ep.204"),)}
    made = memory_context(SHOW, notebook((locked,)), later=later)
    assert "RESTING X: last s02e04, 2 times, 1 later use not recorded. Rest it" in made.text


def test_a_callback_says_who_planted_it_and_who_brought_it_back():
    """A62, A63: set-up and payoff, each with its speaker and episode."""
    steps = {
        "ep.101": said(title="insured for ghosts", uses=(use("ep.101", speaker=TAM, setup=True),)),
        "ep.202": said(title="insured for ghosts", uses=(use("ep.202", "Are we insured for ghosts?", ODILE),)),
    }
    text = one(entry("ghosts", "gag", steps, form="callback"))
    assert "Callback: insured for ghosts" in text
    assert "Planted by Tam Reed in s01e01, back by Odile Marsh in s02e02." in text
    assert 'Odile Marsh: "Are we insured for ghosts?"' in text


def test_the_story_picks_newest_first_and_prints_in_order():
    """A32, A100: with little room the newest are there; they stand in story order."""
    for budget in (250, 400, 700):
        rows = section(memory_context(SHOW, MEMORY, budget_tokens=budget).text, "The story so far")
        told = [row[2:8] for row in rows if not row.startswith("- Season")]
        labels = [f"s0{e[3]}e0{e[5]}" for e in EPISODES]
        assert told == labels[len(labels) - len(told) :]
    assert len(section(ALL.text, "The story so far")) == 1 + 8


def test_earlier_episodes_by_their_first_lines():
    """A32, A101: beyond `detailedEpisodes`, first lines only, however much room there is."""
    rows = section(ALL.text, "The story so far")
    assert rows[1] == "- s01e01 Night 101: Opening of 101."
    assert rows[3].endswith("Changed: Night 103 costs a pane.")
    two = memory_context(SHOW, notebook(detailed_episodes=2), budget_tokens=5000)
    assert sum("Changed" in row for row in section(two.text, "The story so far")) == 2


def test_earlier_seasons_by_their_summary():
    """A101, D25: a season's summary stands for its episodes that are no longer told in detail, and only for those."""
    told = entry("season-1", "summary", {"ep.104": said(text="The lamp was lost.", about=("season.1",))})
    made = memory_context(SHOW, notebook((*ENTRIES, told), detailed_episodes=5), budget_tokens=5000)
    rows = section(made.text, "The story so far")
    assert rows[0] == "- Season 1: The lamp was lost."
    assert rows[1].startswith("- s01e04 Night 104: Opening")
    held = {row.id: row.reason for row in made.receipt.rows if row.state == "held"}
    assert held["mem.synopsis.101"] == "told by its season's summary"


def test_a_synopsis_grows_with_the_room():
    """A100, D24: its first line, then what changed, then scene by scene; the receipt says when it is cut short."""
    lines = "Logline.\n" + "".join(f"- Place {n}: something happens {n}.\n" for n in range(60)) + "Changed: all of it."
    memory = notebook((synopsis("ep.204", lines),))
    assert section(memory_context(SHOW, memory, budget_tokens=200).text, "The story so far") == [
        "- s02e04 Night 204: Logline. Changed: all of it."
    ]
    assert "Place 59" in memory_context(SHOW, memory, budget_tokens=5000).text
    row = next(r for r in memory_context(SHOW, memory, budget_tokens=200).receipt.rows if r.kind == "synopsis")
    assert row.reason.endswith("cut short for room")
    assert row.limit == "budget"


def test_threads_say_where_they_opened_and_last_moved():
    """A102, A15, F4: open ones only."""
    assert section(ALL.text, "Open threads") == [
        "- Who sold the lamp? Opened s01e02, last moved s02e03. The buyer rings."
    ]
    early = memory_context(SHOW, MEMORY, as_of="ep.103", budget_tokens=5000).text
    assert "- Who sold the lamp? Opened s01e02, not moved since. A receipt turns up." in early
    assert "- Will the roof hold? Opened s01e01, not moved since." in early


def test_facts_about_those_in_play_first():
    """A103: people and place, then the rest."""
    rows = section(ALL.text, "The world")
    assert {row.split(". (")[0] for row in rows[:3]} == {
        "- Odile sleeps in room two",
        "- Tam limps on his left leg",
        "- The fog horn has been broken since the war",
    }
    assert rows[-1].startswith(("- The cellar door", "- Will owns"))


def test_a_value_that_was_replaced_is_not_read():
    """D32, F4, G8: the newer value of the same field holds, and both are readable as of their own time."""
    assert "room two" in ALL.text
    assert "room one" not in ALL.text
    assert "room one" in memory_context(SHOW, MEMORY, as_of="ep.201", budget_tokens=5000).text


@pytest.mark.parametrize("canon", ["provisional", "contested"])
def test_what_is_in_doubt_says_so(canon):
    """D18, D52: provisional and contested facts are marked, and come after what is sure."""
    doubt = fact("a", "ep.101", "Tam was a diver.", TAM).model_copy(update={"canon": canon})
    doubt = doubt.model_copy(update={"said": {"ep.101": doubt.said["ep.101"].model_copy(update={"canon": canon})}})
    sure = fact("b", "ep.101", "Tam was a sailor once.", TAM)
    rows = section(memory_context(SHOW, notebook((doubt, sure)), characters=["Tam"]).text, "The world")
    assert rows == ["- Tam was a sailor once. (s01e01)", f"- Tam was a diver. ({canon}, s01e01)"]


def test_near_duplicates_are_not_both_printed():
    """D21: the better placed one stands, the other is held and says by which."""
    one_ = fact("a", "ep.101", "The boiler in the cellar leaks oil every winter.", TAM)
    other = fact("b", "ep.102", "Every winter the boiler in the cellar leaks oil.", TAM)
    made = memory_context(SHOW, notebook((one_, other)))
    assert len(section(made.text, "The world")) == 1
    held = [row for row in made.receipt.rows if row.limit == "near-duplicate"]
    assert [row.reason for row in held] == ["nearly the same as mem.fact.b"]


@pytest.mark.parametrize(
    ("one_", "other"),
    [
        ("The inn has four rooms to let.", "The inn has seven rooms to let."),
        ("The boiler in the cellar leaks oil.", "The boiler in the cellar never leaks oil."),
        ("Room 4 in the east wing is haunted.", "Room 5 in the east wing is haunted."),
        ("Tam owes Odile ten.", "Odile owes Tam ten."),
    ],
)
def test_near_misses_are_both_printed(one_, other):
    """D21: another number, a denial or another order of words is another fact."""
    made = memory_context(SHOW, notebook((fact("a", "ep.101", one_, TAM), fact("b", "ep.101", other, TAM))))
    assert len(section(made.text, "The world")) == 2


def test_the_showrunner_reads_the_plans():
    """D29, F14: answers and gags not yet played, in a section of their own, told as plans, for the showrunner alone."""
    plan = fact("x", "ep.101", "The inn burns down.").model_copy(update={"canon": "plan"})
    plan = plan.model_copy(update={"said": {"ep.101": plan.said["ep.101"].model_copy(update={"canon": "plan"})}})
    memory = notebook((*ENTRIES, plan))
    rows = section(
        memory_context(SHOW, memory, reader="showrunner", budget_tokens=5000).text, "Planned, not yet played"
    )
    assert rows == [
        "- Thread, not opened: The sealed cellar: It is empty.",
        "- Answer to Who sold the lamp?: Will did, for a boat.",
        "- Gag, not played: The unplayed piano. It is never opened.",
        "- The inn burns down. (plan, s01e01)",
    ]
    text = memory_context(SHOW, memory, budget_tokens=5000).text
    for words in ("It is empty", "for a boat", "piano", "burns down", "sealed cellar"):
        assert words not in text


def test_without_a_memory():
    """A44, A45, A46: the bible's gags and threads and the logs' facts, and how to build a memory; no answers."""
    text = memory_context(SHOW, None, logs={"ep.101": LOG}, budget_tokens=5000).text
    for words in ("There is no memory of this show yet", "doit remember", "Counting exits", "The unplayed piano"):
        assert words in text
    for words in ("The sealed cellar", "three rungs left", "Begins in the middle", "Knows: Will sold the lamp."):
        assert words in text
    assert "It is empty" not in text
    assert "Who sold the lamp?" not in text


def test_a_show_with_nothing_at_all():
    """A44: no memory, no bible, no episodes: a text all the same."""
    made = memory_context(Show(), None)
    assert made.text.startswith("# This show: what the show remembers\n")
    assert made.omitted == ()


def test_a_show_without_a_bible():
    """A44: voices are those that memory heard, names are made from ids."""
    bare = SHOW.model_copy(update={"bible": Bible(), "theme": SHOW.theme.model_copy(update={"never": ()})})
    text = memory_context(bare, MEMORY, budget_tokens=5000).text
    assert "### Odile Marsh\n- Heard: Short lines, 4 words." in text


def test_everyone_by_how_much_they_talk():
    """A96: nobody given or named, so the cast is everyone, the talkative first."""
    text = memory_context(SHOW, MEMORY, budget_tokens=5000).text
    assert text.index("### Odile Marsh") < text.index("### Tam Reed") < text.index("### Will\n")


def test_lately_counts_before_ever():
    """D28: who talked most long ago does not lead today's cast; all-time only breaks ties."""
    spoke = MEMORY.episodes[0].spoke
    records = [
        e.model_copy(update={"spoke": {WILL: spoke[ODILE].model_copy(update={"words": 9000})} if at == 0 else spoke})
        for at, e in enumerate(MEMORY.episodes)
    ]
    memory = MEMORY.model_copy(update={"episodes": tuple(records)})
    text = memory_context(SHOW, memory, budget_tokens=5000).text
    assert text.index("### Odile Marsh") < text.index("### Will\n")


def test_old_sources_never_matter_to_a_text():
    """A8: a source is a citation; no line number or path is printed."""
    cited = fact("a", "ep.101", "Tam sings.", TAM)
    again = cited.model_copy(update={"sources": (Source(episode="ep.101", scene="9", line=99, words="la"),)})
    assert one(cited) == one(again)
