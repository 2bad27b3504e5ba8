"""Bad input of every kind: what is said to the letter, and how long it may take."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from functools import cache

import pytest

from showmemory.model.rules import Rules
from showmemory.model.screenplay import Screenplay
from showmemory.model.show import Bible
from showmemory.model.span import Problem, Span
from showmemory.read import containers, decode
from showmemory.read.cast import near_names, resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

FDX = "<FinalDraft><Content>{}</Content></FinalDraft>"
BOMB = '<!DOCTYPE b [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>' + FDX.format(
    "<Paragraph><Text>&b;</Text></Paragraph>"
)
OUTSIDE = '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + FDX.format("&x;")
SCENE = b"INT. BUFFET - DAY\n\nWREN\nA bun.\n"


@cache
def rules() -> Rules:
    return read_rules("en")[0]


def read(data: bytes, name: str) -> Screenplay:
    return read_screenplay(data, name, rules())


def zipped(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in members.items():
            packed.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return held.getvalue()


REFUSED = [
    (b"", "a.fountain", "a.fountain: error: expected a script, found an empty file"),
    (b"\n \n\n", "a.fountain", "a.fountain: error: expected a script, found an empty file"),
    (b"Title: ONLY A TITLE\n", "a.fountain", "a.fountain: error: expected a script, found an empty file"),
    (
        bytes(range(256)) * 40,
        "a.fountain",
        "a.fountain: error: expected text, found binary data\n    export the script as Fountain, FDX or PDF",
    ),
    (
        b"PK\x03\x04rest of a zip",
        "a.txt",
        "a.txt: error: expected a script, found a file of another program\n"
        "    export the script as Fountain, FDX or PDF",
    ),
    (b"", "a.fdx", "a.fdx: error: expected a Final Draft script, found an empty file"),
    (
        b"<html><body/></html>",
        "a.fdx",
        "a.fdx:1: error: expected a Final Draft script (<FinalDraft>), found XML of another kind (<html>)\n"
        "    save it again from Final Draft",
    ),
    (
        BOMB.encode(),
        "a.fdx",
        "a.fdx:1: error: expected a Final Draft script, found a document type declaration, which none has\n"
        "    save it again from Final Draft",
    ),
    (
        OUTSIDE.encode(),
        "a.fdx",
        "a.fdx:1: error: expected a Final Draft script, found a document type declaration, which none has\n"
        "    save it again from Final Draft",
    ),
    (
        FDX.format("<Paragraph>" * 30000).encode(),
        "a.fdx",
        "a.fdx:1: error: expected elements at most 64 deep, found more\n    save it again from Final Draft",
    ),
    (
        b"<FinalDraft>\n<Content>\n<Paragraph><Text>cut",
        "a.fdx",
        "a.fdx:3: error: expected Final Draft XML, found no element found\n"
        "    the file is cut short or damaged: save it again from Final Draft",
    ),
    (
        b"<FinalDraft>\n<Content>\n</Paragraph>",
        "a.fdx",
        "a.fdx:3: error: expected Final Draft XML, found mismatched tag\n"
        "    the file is cut short or damaged: save it again from Final Draft",
    ),
    (
        b"<?xml version='1.0'?><script/>",
        "a.osf",
        "a.osf:1: error: expected a Fade In script (<document>), found XML of another kind (<script>)\n"
        "    save it again from Fade In",
    ),
    (
        b"not a zip",
        "a.highland",
        "a.highland: error: expected a zip container, found a damaged one\n"
        "    save it again, or export it as Fountain or FDX",
    ),
    (
        zipped(notes_dot_json=b"{}"),
        "a.highland",
        "a.highland: error: expected text.fountain in the container, found none\n"
        "    save it again, or export it as Fountain or FDX",
    ),
    (
        zipped(__etc__text_dot_fountain=SCENE),
        "a.highland",
        "a.highland: error: expected text.fountain in the container, found none\n"
        "    save it again, or export it as Fountain or FDX",
    ),
    (
        zipped(text_dot_fountain=b"a" * 20_000_000),
        "a.highland",
        "a.highland: error: expected a script, found a member that unpacks to over 3 MB\n"
        "    save it again, or export it as Fountain or FDX",
    ),
    (b"", "a.pdf", "a.pdf: error: expected a PDF, found a damaged one (EmptyFileError)"),
    (b"#Version 3\n", "a.trelby", "a.trelby: error: expected a Trelby script, found no lines of script"),
    (
        SCENE,
        "a.celtx",
        "a.celtx: error: expected a script that can be read here, found a Celtx file\n"
        "    in Celtx: export as Final Draft (.fdx), or as PDF",
    ),
    (
        SCENE,
        "Draft 3.DOCX",
        "Draft 3.DOCX: error: expected a script that can be read here, found a Word file\n"
        "    in Word: save as PDF, or paste the script into a Fountain file",
    ),
    (
        SCENE,
        "a.fdr",
        "a.fdr: error: expected a script that can be read here, found a Final Draft 5 to 7 file\n"
        "    in Final Draft 8 or later: save as .fdx",
    ),
]


@pytest.mark.parametrize(("data", "name", "message"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_refused_to_the_letter(data: bytes, name: str, message: str) -> None:
    """What cannot be read is an error with its name, its place and what to do; nothing of it is taken."""
    play = read(data, name)
    assert not [e for e in play.elements if e.kind != "title"]
    errors = [str(problem) for problem in play.problems if problem.severity == "error"]
    assert len(errors) == 1
    assert errors[0].startswith(message)


READ = [
    (
        "INT. CAFÉ - DAY\n\nO’BRIEN\nIt’s me – hi.\n".encode("cp1252"),
        "a.fountain",
        "a.fountain:1: warning: expected UTF-8, found byte 0xc9; read as Windows-1252\n    save the file as UTF-8",
        "It’s me – hi.",
    ),
    ("INT. X - DAY\n\nWREN\nÀ bientôt.\n".encode("utf-16"), "a.fountain", "", "À bientôt."),
    ("INT. X - DAY\n\nWREN\nÀ bientôt.\n".encode("utf-16-le"), "a.fountain", "", "À bientôt."),
    ("INT. X - DAY\n\nWREN\nÀ bientôt.\n".encode("utf-16-be"), "a.fountain", "", "À bientôt."),
    (
        b"INT. X - DAY\n\nWREN\nHi\x00 there.\x07\n",
        "a.fountain",
        "a.fountain:4: warning: 2 control characters left out, the first one here",
        "Hi there.",
    ),
    (
        "\ufeffWREN\nHi.\n".encode("utf-16-le") + b"\x00",
        "a.fountain",
        "a.fountain: warning: expected UTF-16, as its first bytes say, found bytes that are not\n"
        "    byte 20; save the file as UTF-8",
        "Hi.",
    ),
    (
        ('<?xml version="1.0" encoding="ISO-8859-1"?>' + FDX.format(
            '<Paragraph Type="Character"><Text>JOSÉ</Text></Paragraph>'
            '<Paragraph Type="Dialogue"><Text>¿Qué?</Text></Paragraph>'
        )).encode("latin-1"),
        "a.fdx",
        "",
        "¿Qué?",
    ),
    (
        FDX.format('<Paragraph Type="Dialogue"><Text>a\x0bb \uffff</Text></Paragraph>').encode(),
        "a.fdx",
        "",
        "a b",
    ),
    (SCENE.replace(b"\n", b"\r"), "a.spmd", "", "A bun."),
    (FDX.format('<Paragraph Type="Dialogue"><Text>Content.</Text></Paragraph>').encode(), "a.txt", "", "Content."),
]  # fmt: skip


@pytest.mark.parametrize(("data", "name", "message", "spoken"), READ, ids=[str(n) for n in range(len(READ))])
def test_odd_encodings_are_read(data: bytes, name: str, message: str, spoken: str) -> None:
    """UTF-8 and UTF-16 with mark or without, Windows-1252 with a warning, control characters taken out."""
    play = read(data, name)
    assert [e.text for e in play.elements if e.kind == "dialogue"] == [spoken]
    assert [str(problem) for problem in play.problems] == ([message] if message else [])


def test_too_large_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script of more than 64 MB is refused before it is looked at."""
    data = b"x" * (decode.LIMIT + 1)
    assert str(read(data, "a.fountain").problems[0]) == (
        "a.fountain: error: expected a script of at most 64 MB, found 64 MB"
    )


def test_too_many_members() -> None:
    """A container of thousands of files is none of a writing program."""
    found = containers.member(zipped(**{f"f{n}": b"" for n in range(2001)}), containers.re.compile("x"), "x", "a")
    assert found[1][0].message == "expected a container of at most 2000 files, found 2001"


def test_repeated_problems_are_few() -> None:
    """A script with a thousand of the same mistake says so in twenty lines and a sum."""
    play = read(b"McCLANE\nHi.\n\n" * 1000, "a.fountain")
    assert len(play.problems) == 21
    assert play.problems[-1] == Problem(Span("a.fountain"), "notice", "980 more: mixed cue", group="mixed cue")


LONG: dict[str, Callable[[int], str]] = {
    "open notes": lambda n: "[[" * n,
    "open notes in paragraphs": lambda n: "[[ a\n\n" * n,
    "notes side by side": lambda n: "[[]]" * n,
    "open boneyards": lambda n: "/*" * n,
    "boneyards closed once": lambda n: "/*" * n + "*/",
    "notes in boneyards": lambda n: "[[ /* ]] */" * n,
    "stars": lambda n: "*a **b ***c _d " * n,
    "escapes": lambda n: "\\*" * n,
    "spaces in a heading": lambda n: "INT. " + " " * n + "x - DAY",
    "dashes in a heading": lambda n: "INT. " + "- " * n + "DAY",
    "brackets in a heading": lambda n: "INT. " + "( " * n,
    "brackets in a cue": lambda n: "A" + " (B" * n + ")\nx",
    "dots in a cue": lambda n: "A." * n + "\nx",
    "one long word": lambda n: "A" * n + "\nx",
    "a cue for many": lambda n: "A AND " * n + "B\nx\n\nB\nx\n\nA\nx",
    "many cues": lambda n: "".join(f"NAME{i}\nx\n\nName{i} and Name{i + 1} go.\n\n" for i in range(n // 8)),
    "open brackets in a speech": lambda n: "WREN\n" + "(\n" * n,
    "everyone": lambda n: "WREN\nx\n\n" * (n // 4) + "ALL\ny\n\n" * (n // 8),
    "one scene number": lambda n: "INT. A - DAY #1#\n\n" * (n // 4),
    "flashbacks": lambda n: "INT. A - DAY\n\nFLASHBACK TO:\n\n" * (n // 8),
    "steps back": lambda n: "INT. A - DAY\n\nTWO DAYS EARLIER\n\nWREN\nx\n\n" * (n // 8),
    "keys": lambda n: "Title: a\n" + "b: c\n" * n,
    "line ends": lambda n: "\r\n" * n + "x",
    "trelby": lambda n: "#Version 3\n" + ">_A\n" * n,
    "nested paragraphs": lambda n: FDX.format(("<Paragraph>" * 9 + "</Paragraph>" * 9) * (n // 20)),
    "paragraphs in a long one": lambda n: FDX.format(
        "<Paragraph>" + "<Text>a</Text>" * n + "<Paragraph></Paragraph>" * n + "</Paragraph>"
    ),
    "texts": lambda n: FDX.format("<Paragraph>" + "<Text>a</Text>" * n + "</Paragraph>"),
}


def took(text: str) -> float:
    """The least processor time of three runs: reading, and resolving the cast."""
    name = "a.fdx" if text.startswith("<F") else "a.fountain"
    data = text.encode()
    best = 9.0
    for _ in range(3):
        begin = time.process_time()
        play = resolve(read(data, name), Bible(), rules())
        near_names({e.name: 1 for e in play.elements if e.kind == "character"}, Bible())
        best = min(best, time.process_time() - begin)
    return best


@pytest.mark.parametrize("kind", sorted(LONG))
def test_time_is_linear(kind: str) -> None:
    """Eight times the input takes about eight times as long; a quadratic reader would take sixty-four."""
    make = LONG[kind]
    tries = ((took(make(2000)), took(make(16000))) for _ in range(3))
    assert any(large < 24 * max(small, 0.002) for small, large in tries), kind


@pytest.mark.parametrize(
    ("opens", "hint"),
    [("INNEN. KÜCHE - TAG", 'write language = "de" in show.toml'), ("ИНТ. КУХНЯ - ДЕНЬ", "put a dot before each")],
)
def test_headings_of_another_language_are_told(opens: str, hint: str) -> None:
    """A9: a script in which no heading is read, though it has some, is not read in silence."""
    rules, _ = read_rules("en")
    text = f"{opens}\n\nANNA\nNein.\n\n{opens}\n\nOTTO\nDoch.\n"
    (problem,) = read_screenplay(text.encode(), "one.fountain", rules).problems
    assert (problem.severity, problem.span.line) == ("warning", 1)
    assert problem.hint.startswith(hint)
    headed = f"INT. HALL - DAY\n\n{text}"
    assert not read_screenplay(headed.encode(), "one.fountain", rules).problems
    assert not read_screenplay(b"HALT. ALL OF YOU\n\nANNA\nNo.\n", "one.fountain", rules).problems
