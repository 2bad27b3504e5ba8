"""Tokens are counted on the exact text, offline, and blocks add up (A94, G14)."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from showmemory.context.formats import Form, form_of
from showmemory.context.quote import growing, line, quoted, sentence
from showmemory.context.tokens import ENCODING, SHA256, _installed, count

FORMS = ("markdown", "plain", "xml", "json")
# Words as hostile as they come: marks, tags, quotes, odd spaces, turned directions, lone surrogates.
HOSTILE = st.text(
    st.one_of(st.characters(), st.sampled_from(list(" \n\r\t/.*#`_<>&\"'“”[]()-|\\\u2028\u0085\u202e\ud800'é日"))),
    max_size=60,
)


@pytest.mark.parametrize(("text", "tokens"), [("hello world", 2), ("", 0), ("<|endoftext|>", 7), ("Define safe.", 3)])
def test_known_counts(text, tokens):
    """A94, G14: the encoding is o200k_base; what looks like a special token is ordinary text."""
    assert count(text) == tokens


def test_a_wrong_table_is_refused(monkeypatch):
    """G14: the table's sha256 is held against the one that is published."""
    assert ENCODING == "o200k_base"
    monkeypatch.setattr("showmemory.context.tokens.SHA256", hashlib.sha256(b"another").hexdigest())
    with pytest.raises(RuntimeError, match="expected sha256"):
        _installed("", SHA256)


def test_nothing_is_loaded_before_something_is_counted():
    """Start-up stays light: tiktoken comes in with the first count."""
    code = "import sys, showmemory.context.context; sys.exit('tiktoken' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def blocks(form: Form, texts: list[str]) -> list[str]:
    rows = [form.frame(line(texts[0]) or "x", [sentence(t) for t in texts if line(t)]), form.open("gags", "Gags")]
    for at, text in enumerate(texts):
        rows.append(form.group(f"character.n{at}", line(text) or "x"))
        rows.append(form.row(f"mem.gag.n{at}", "gag", f"{sentence(text)} {quoted(text)}", True))
        rows.append(form.shut(f"character.n{at}"))
    rows += [form.close("gags"), form.last(f"Left out for room: {len(texts)} gags"), form.end()]
    return [row for row in rows if row]


@pytest.mark.parametrize("name", FORMS)
@given(texts=st.lists(HOSTILE, min_size=1, max_size=5))
def test_blocks_add_up_to_the_whole(name, texts):
    """A94, G3: whatever the words, the tokens of the blocks are the tokens of the text."""
    rows = blocks(form_of(name), texts)
    assert all(row.endswith("\n") and not row[0].isspace() and row[0] != "/" for row in rows[1:])
    assert sum(map(count, rows)) == count("".join(rows))


@given(HOSTILE)
def test_a_text_becomes_one_clean_line(text):
    """G15: one line, no control, nothing that cannot be written as UTF-8; cleaning twice changes nothing."""
    made = line(text)
    assert "\n" not in made
    assert made.isprintable() or not made.isascii()
    assert made.encode("utf-8").decode("utf-8") == made
    assert line(made) == made
    assert quoted(text).count('"') in (0, 2)


@given(HOSTILE)
def test_a_text_grows_to_its_whole(text):
    """D24: a text that is cut is cut at a sentence and says so; its last form is all of it."""
    forms = growing(text, 3, 3)
    assert [len(form) for form in forms[:-1]] == sorted(len(form) for form in forms[:-1])
    assert all(form.endswith(" …") for form in forms[:-1])
    assert "".join(forms[-1].split()) == "".join(line(text).split())
