"""Laws of reading Fountain: what is written comes back, every line ends up somewhere, and no bytes break it."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Element, ElementKind, Screenplay
from showmemory.model.show import Bible
from showmemory.read.cast import resolve
from showmemory.read.decode import split_lines
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

Block = list[tuple[ElementKind, str]]


@cache
def rules() -> Rules:
    return read_rules("en")[0]


def read(text: str, name: str = "script.fountain") -> Screenplay:
    return read_screenplay(text.encode("utf-8", "surrogatepass"), name, rules())


WORDS = st.lists(
    st.sampled_from(
        re.split(" ", "a bun the train late is never Wren said éclair Ω 7 o'clock half-past it's über ¿qué? …")
    ),
    min_size=1,
    max_size=7,
)
SENTENCE = WORDS.map(lambda words: "The " + " ".join(words) + ".")
NAME = st.sampled_from(["WREN", "TOLLY MARSH", "ÉLODIE", "GUARD #2", "O’MALLEY", "АННА", "MR. D'ARCY", "WREN & TOLLY"])
EXTENSION = st.sampled_from(["", " (V.O.)", " (O.S.)", " (into the tube)"])


def block(kind: ElementKind, texts: st.SearchStrategy[str]) -> st.SearchStrategy[Block]:
    return texts.map(lambda text: [(kind, text)])


SPOKEN = st.lists(
    st.one_of(
        SENTENCE.map(lambda text: ("dialogue", text)),
        WORDS.map(lambda words: ("paren", f"({' '.join(words).strip('()')})")),
        SENTENCE.map(lambda text: ("lyric", text)),
    ),
    min_size=1,
    max_size=5,
)
BLOCKS = st.one_of(
    block("heading", WORDS.map(lambda words: f"INT. {' '.join(words).upper()} - DAY")),
    st.lists(SENTENCE, min_size=1, max_size=4).map(lambda lines: [("action", line) for line in lines]),
    st.tuples(NAME, EXTENSION, SPOKEN).map(lambda made: [("character", made[0] + made[1]), *made[2]]),
    block("transition", st.sampled_from(["CUT TO:", "MATCH CUT TO:", "FADE OUT."])),
    block("section", SENTENCE),
    block("synopsis", SENTENCE),
    block("centered", SENTENCE),
    block("pagebreak", st.just("")),
    block("note", SENTENCE),
)
FORCE = {
    "section": "# {}", "synopsis": "= {}", "centered": "> {} <", "pagebreak": "==={}", "note": "[[{}]]",
    "transition": "> {}", "lyric": "~{}",
}  # fmt: skip


def written(blocks: list[Block], end: str) -> str:
    """A script as a program would write it: one element a line, an empty line between blocks."""
    lines = (end.join(FORCE.get(kind, "{}").format(text) for kind, text in part) for part in blocks)
    return (end * 2).join(lines) + end


@given(st.lists(BLOCKS, min_size=1, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_is_written_is_read_back(blocks: list[Block], end: str) -> None:
    """A3: kinds, texts and lines of a written script are those that went in."""
    wanted: list[tuple[str, str, int]] = []
    line = 1
    for part in blocks:
        for number, (kind, text) in enumerate(part):
            wanted.append((kind, text, line + number))
        line += len(part) + 1
    found = [(e.kind, e.text, e.line) for e in read("\ufeff" + written(blocks, end)).elements]
    assert found == wanted


MARKS = "[[ ]] /* */ ( ) ^ : TO: # = === ~ ! . @ > < * ** _ \\ é WREN Tolly"
PIECES = st.lists(
    st.sampled_from(
        ["\n", "\n", "\n\n", " ", "  \n", "\t", "INT. X - DAY", "Title: a", "key: b", "\r", "\x00", *MARKS.split()]
    ),
    max_size=60,
).map("".join)


def lines_of(element: Element, following: int) -> range:
    """A title element stands for all lines of its key."""
    return range(element.line, following if element.kind == "title" else element.line + 1)


@given(PIECES)
@example("[[a\n\nb]]\nWREN\n/*\n\n*/Hi\n")
@example("Title: a\n\tb\nc: d\n\n[[")
def test_every_line_is_in_exactly_one_element(text: str) -> None:
    """Every source line that is not blank is in exactly one element, note, boneyard or title; no line is made up."""
    play = read(text)
    clean = text.replace("\x00", "")
    filled = [number for number, line in enumerate(split_lines(clean), start=1) if line.strip()]
    first = next((e.line for e in play.elements if e.kind != "title"), len(split_lines(clean)) + 1)
    titles = [e.line for e in play.elements if e.kind == "title"] + [first]
    ends = dict(pairwise(titles))
    held = [line for e in play.elements for line in lines_of(e, ends.get(e.line, first)) if line in filled]
    assert held == filled


@given(PIECES)
def test_scenes_cover_the_script_once(text: str) -> None:
    """Scenes follow each other without gap from the first heading on, and their ids differ."""
    play = read(text)
    ids = [scene.id for scene in play.scenes]
    assert len(set(ids)) == len(ids)
    for scene, after in pairwise(play.scenes):
        assert scene.end == after.start
    if play.scenes:
        assert play.scenes[-1].end == len(play.elements)
    for speech in play.speeches():
        assert all(line.line > speech.cue.line for line in speech.lines)


@given(st.lists(SENTENCE | NAME, min_size=1, max_size=8).map("\n\n".join))
def test_plain_words_are_never_lost(text: str) -> None:
    """Without marks, the words of a script are the words of its elements."""
    words = [word for e in read("!" + text).elements for word in e.text.split()]
    assert words == text.split()


@given(
    st.binary(max_size=400),
    st.sampled_from([".fountain", ".fdx", ".txt", ".osf", ".trelby", ".highland", ".fadein", ""]),
)
def test_any_bytes_are_read_or_refused(data: bytes, suffix: str) -> None:
    """No bytes raise: a script that cannot be read has no elements and one error."""
    play = resolve(read_screenplay(data, "script" + suffix, rules()), Bible(), rules())
    if not play.elements:
        assert [problem.severity for problem in play.problems].count("error") == 1


SCRIPT = written(
    [[("heading", "INT. BUFFET - DAY")], [("character", "WREN"), ("dialogue", "A bun.")]] * 3, "\n"
).encode()
FINAL_DRAFT = b"""<?xml version="1.0" encoding="UTF-8"?>
<FinalDraft><Content><Paragraph Type="Scene Heading"><Text>INT. BUFFET</Text></Paragraph>
<Paragraph Type="Character"><Text>WREN</Text></Paragraph><Paragraph Type="Dialogue"><Text>A bun.</Text></Paragraph>
</Content></FinalDraft>"""


@given(
    st.sampled_from([(SCRIPT, "a.fountain"), (FINAL_DRAFT, "a.fdx")]),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=6),
    st.integers(0, 400),
)
def test_changed_bytes_never_crash(script: tuple[bytes, str], changes: list[tuple[int, int]], cut: int) -> None:
    """A script with bytes changed, or cut short, is read or refused."""
    data = bytearray(script[0])
    for place, byte in changes:
        data[place % len(data)] = byte
    for made in (bytes(data), bytes(data[:cut])):
        resolve(read_screenplay(made, script[1], rules()), Bible(), rules())


@given(PIECES)
def test_reading_is_pure(text: str) -> None:
    """The same bytes give the same screenplay, and resolving it twice changes nothing."""
    assert read(text) == read(text)
    once = resolve(read(text), Bible(), rules())
    assert resolve(once, Bible(), rules()) == once
