"""Who is who, and who is there."""

from __future__ import annotations

from functools import cache

import pytest

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Bible, Character, CharacterGroup, Directed, DirectedScene, SideFiles
from showmemory.read.cast import near_names, near_note, resolve
from showmemory.read.presence import with_directed
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

BIBLE = Bible(
    characters=(
        Character(id="character.wren", name="Wren Abbot", aliases=("The Abbess",)),
        Character(name="Tolly Marsh"),
        Character(name="Ida Marsh"),
        Character(name="May"),
        Character(name="Dr. Quill"),
    ),
    groups=(CharacterGroup(name="The Porters", members=("character.wren", "character.may")),),
)


@cache
def rules(language: str = "en") -> Rules:
    return read_rules(language)[0]


def play(*cues: str, bible: Bible = BIBLE, language: str = "en") -> Screenplay:
    text = "INT. BUFFET - DAY\n\n" + "".join(f"{cue}\nWords.\n\n" for cue in cues)
    return resolve(read_screenplay(text.encode(), "a.fountain", rules(language)), bible, rules(language))


def speakers(*cues: str, bible: Bible = BIBLE, language: str = "en") -> list[tuple[str, ...]]:
    read = play(*cues, bible=bible, language=language)
    return [tuple(s.removeprefix("character.") for s in e.speaker) for e in read.elements if e.kind == "character"]


@pytest.mark.parametrize(
    ("cue", "who"),
    [
        ("WREN ABBOT", ["wren"]),
        ("WREN", ["wren"]),
        ("@Wren", ["wren"]),
        ("Wren Abbot (cont'd)".upper(), ["wren"]),
        ("WREN ^", ["wren"]),
        ("WREN (O.S.) (CONT’D) ^", ["wren"]),
        ("THE ABBESS", ["wren"]),
        ("ABBOT", ["wren"]),
        ("MARSH", ["marsh"]),
        ("TOLLY", ["tolly-marsh"]),
        ("DOCTOR QUILL", ["dr-quill"]),
        ("QUILL", ["dr-quill"]),
        ("CAPTAIN ABBOT", ["wren"]),
        ("MRS. ABBOT", ["mrs-abbot"]),
        ("MRS. WREN ABBOT", ["wren"]),
        ("MR. QUILL", ["mr-quill"]),
        ("WREN'S VOICE", ["wren"]),
        ("WREN’S RECORDED VOICE", ["wren"]),
        ("VOICE OF WREN", ["wren"]),
        ("WREN COM VOICE", ["wren"]),
        ("COMPUTER VOICE", ["computer-voice"]),
        ("WREN ON MONITOR", ["wren"]),
        ("MAN ON A BENCH", ["man-on-a-bench"]),
        ("WREN AND TOLLY", ["wren", "tolly-marsh"]),
        ("WREN & A STRANGER", ["wren", "a-stranger"]),
        ("WREN, TOLLY & IDA", ["wren", "tolly-marsh", "ida-marsh"]),
        ("WREN/TOLLY", ["wren", "tolly-marsh"]),
        ("WREN/GHOST", ["wren"]),
        ("SALT AND PEPPER", ["salt-and-pepper"]),
        ("MR. KNOTT, JR.", ["mr-knott-jr"]),
        ("THE PORTERS", ["wren", "may"]),
        ("COP #2", ["cop-2"]),
        ("COP#2", ["cop-2"]),
        ("YOUNG WREN", ["young-wren"]),
        ("WREM", ["wrem"]),
        ("WREN)", ["wren"]),
        ("WREN.", ["wren"]),
        ("WREN'S", ["wren"]),
    ],
)
def test_one_cue(cue: str, who: list[str]) -> None:
    """G9: aliases, first and last names, extensions, voices, groups and numbered parts are told apart; typos stay."""
    assert speakers(cue) == [tuple(who)]


def test_everyone() -> None:
    """G9: ALL are those who speak for themselves in the scene; alone it is a part of its own."""
    assert speakers("WREN", "MAN", "ALL") == [("wren",), ("man",), ("wren", "man")]
    assert speakers("ALL") == [("all",)]


def test_without_a_bible() -> None:
    """A44, G9: a cue is whoever bears its name; a group is split where its parts speak for themselves."""
    assert speakers("KIT", "BO (O.S.)", "KIT AND BO", "KIT/BO", bible=Bible())[2:] == [("kit", "bo"), ("kit", "bo")]
    assert speakers("KIT, BO", "BO", bible=Bible()) == [("kit-bo",), ("bo",)]
    assert speakers("LT. KIT", "KIT", bible=Bible()) == [("lt-kit",), ("kit",)]


@pytest.mark.parametrize(
    ("language", "cue", "who"),
    [
        ("fr", "VOIX DE WREN", ("wren",)),
        ("fr", "WREN ET TOLLY (SUITE)", ("wren", "tolly-marsh")),
        ("de", "STIMME VON WREN", ("wren",)),
        ("de", "WRENS STIMME", ("wren",)),
        ("de", "WREN UND TOLLY", ("wren", "tolly-marsh")),
        ("es", "VOZ DE WREN", ("wren",)),
        ("es", "WREN Y TOLLY", ("wren", "tolly-marsh")),
        ("it", "VOCE DI WREN", ("wren",)),
        ("it", "WREN E TOLLY", ("wren", "tolly-marsh")),
    ],
)
def test_languages(language: str, cue: str, who: tuple[str, ...]) -> None:
    """G9: voices and groups in the show's language."""
    assert speakers(cue, language=language) == [who]


def there(text: str, bible: Bible = BIBLE, language: str = "en") -> tuple[list[str], list[str]]:
    script = f"INT. BUFFET - DAY\n\n{text}\n"
    scene = resolve(read_screenplay(script.encode(), "a.fountain", rules(language)), bible, rules(language)).scenes[-1]
    present, heard = ([each.removeprefix("character.") for each in ids] for ids in (scene.present, scene.heard))
    return present, heard


@pytest.mark.parametrize(
    ("text", "present", "heard"),
    [
        ("WREN\nHi.", ["wren"], []),
        ("WREN (V.O.)\nHi.", [], []),
        ("WREN (O.S.)\nHi.", [], ["wren"]),
        ("WREN (ON PHONE)\nHi.", [], ["wren"]),
        ("WREN (on the phone with Tolly)\nHi.", [], ["wren"]),
        ("WREN (into phone)\nHi.", ["wren"], []),
        ("WREN'S VOICE\nHi.", [], ["wren"]),
        ("WREN (O.S.)\nHi.\n\nWren comes in.", ["wren"], []),
        ("WREN (V.O./FILTERED)\nHi.", [], ["wren"]),
        ("Wren sits.", ["wren"], []),
        ("On the bench: WREN ABBOT, 40, and Tolly.", ["wren", "tolly-marsh"], []),
        ("Somebody hands Tolly the bun.", ["tolly-marsh"], []),
        ("Wren's hand shakes.", ["wren"], []),
        ("Wren's flat, empty.", [], []),
        ("A photo of Wren on the wall.", [], []),
        ("No sign of Wren.", [], []),
        ("Ida thinks of Wren.", ["ida-marsh"], []),
        ("INTERCUT WITH TOLLY ON THE PLATFORM.", [], ["tolly-marsh"]),
        ("A renwren flies by. The abbey stands.", [], []),
        ("They may come.\n\nMay comes.\n\nMaybe.", ["may"], []),
        ("They may come.\n\nMay they come.", [], []),
        ("They may come.\n\nThen May, with a bun.", ["may"], []),
        ("Marsh lies all around.", [], []),
        ("[[Wren is cut from this scene]]", [], []),
    ],
)
def test_presence(text: str, present: list[str], heard: list[str]) -> None:
    """F9: speakers and those named in action are there; a voice over is not; O.S., phone and INTERCUT hear."""
    assert there(text) == (present, heard)


def test_entrances_and_exits() -> None:
    """F9: who comes in late or leaves early is there only in between, as far as action says."""
    text = (
        "INT. BUFFET - DAY\n\nWren sits.\n\nWREN\nOne.\n\nTolly enters.\n\nTOLLY\nTwo.\n\nWREN EXITS.\n\n"
        "TOLLY\nThree.\n\nIda and May quickly walk in.\n\nTolly leaves. Tolly comes back.\n\nMAY\nFour.\n"
    )
    scene = resolve(read_screenplay(text.encode(), "a.fountain", rules()), BIBLE, rules()).scenes[0]
    there = {line: [who.removeprefix("character.") for who in scene.there_at(line)] for line in (6, 11, 16, 23)}
    assert there == {
        6: ["wren"],
        11: ["wren", "tolly-marsh"],
        16: ["tolly-marsh"],
        23: ["tolly-marsh", "ida-marsh", "may"],
    }
    assert scene.present == ("character.wren", "character.tolly-marsh", "character.ida-marsh", "character.may")


def test_a_part_that_only_has_cues_is_named_in_action() -> None:
    """F9: without a bible, action names those who have a cue somewhere in the script."""
    text = "The Signalman waves.\n\nINT. CAB - DAY\n\nSIGNALMAN\nHi.\n\nINT. BOX - DAY\n\nOn a chair, SIGNALMAN."
    assert there(text, Bible()) == (["signalman"], [])


def test_directed_cast_is_there() -> None:
    """F9, A64, C53: the cast that was directed into a scene is present, by id, name or cue; so is its time."""
    read = play("WREN (O.S.)", "PORTER")
    cast = ("character.wren", "Ida Marsh", "porter", "character.nobody-yet")
    side = SideFiles(directed=Directed(scenes=(DirectedScene(scene="1", cast=cast, when="Day 4, dawn"),)))
    scene = with_directed(read, side, BIBLE).scenes[0]
    assert scene.present == ("character.porter", "character.wren", "character.ida-marsh", "character.nobody-yet")
    assert scene.heard == ()
    assert scene.clock == "Day 4, dawn"


COUNTS = {"WREN": 900, "WREM": 1, "WEREN": 2, "WERN": 1, "TOLLY": 400, "TOLLEY": 3, "KIT": 9, "KAT": 9}
COUNTS |= {"MR. BELL": 4, "MRS. BELL": 5, "COP #1": 2, "COP #2": 2, "GUARD": 3, "GUARDS": 2, "O'MARA": 50, "O’MARA": 1}
COUNTS |= {"ANNA": 60, "АNNА": 1, "STAGE HAND": 2, "STAGEHAND": 7, "WREN & TOLLEY": 1}


def test_near_names_are_flagged() -> None:
    """D33, G9: one letter off, swapped, or of the same look: flagged with both counts, likeliest slips first."""
    found = [str(near) for near in near_names(COUNTS, Bible())]
    assert found == [
        "WERN (1) like WREN (900)",
        "WREM (1) like WREN (900)",
        "АNNА (1) like ANNA (60)",
        "WEREN (2) like WREN (900)",
        "STAGE HAND (2) like STAGEHAND (7)",
        "TOLLEY (3) like TOLLY (400)",
    ]


def test_the_bible_settles_a_name() -> None:
    """D33: a name that the bible has is never a slip; one like a name of the bible is, however often it stands."""
    bible = Bible(characters=(Character(name="Wrem"), Character(name="Tolli")))
    assert [near.name for near in near_names({"WREM": 1, "WREN": 900, "TOLLY": 3}, bible)] == ["TOLLY", "WREN"]
    assert str(near_names({"TOLLY": 3}, bible)[0]) == "TOLLY (3) like Tolli (bible)"


def test_near_names_are_never_merged() -> None:
    """G9: both names keep their own id."""
    assert speakers("WREN", "WREM", bible=Bible()) == [("wren",), ("wrem",)]


def test_near_names_make_one_notice() -> None:
    """A show with two hundred odd names gets one notice, and `cast` lists the rest."""
    many = {f"NAME{chr(65 + n % 26)}{chr(65 + n // 26)}X": 1 for n in range(40)} | {"WREN": 9, "WREM": 1}
    note = near_note(near_names({"WREN": 9, "WREM": 1}, Bible()), "show.toml")
    assert str(note) == (
        "show.toml: notice: 1 cue name is nearly another: WREM (1) like WREN (9)\n"
        "    nothing is merged; where two are one person, give the alias in bible.yaml (`showmemory cast` lists all)"
    )
    longer = near_note(near_names(many, Bible()), "show.toml")
    assert longer is not None
    assert longer.message.count(" like ") == 6
    assert longer.message.endswith("more")
    assert near_note([], "show.toml") is None
