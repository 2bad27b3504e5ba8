"""The four forms a context is printed in: how a frame, a section, a group and a row look in each.

Every block ends with a line break and none begins with white space or a slash: so blocks are counted one by one
and their tokens add up exactly to the tokens of the whole text (a test holds this against the tokenizer).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from typing import Literal, Protocol

Format = Literal["markdown", "plain", "xml", "json"]
# Of the kinds of rows the one whose text has several lines.
VERBATIM = "verbatim"
_MARKS = re.compile(r"([\\`*_\[\]])")
_ENTITY = re.compile(r"&(?=#?\w+;)")


class Form(Protocol):
    """How one format prints each kind of block. A block without words in a format is an empty string."""

    def frame(self, title: str, lines: Sequence[str], operator: str = "") -> str:
        """Print the opening: for whom, which show, as of when."""

    def open(self, name: str, title: str) -> str:
        """Print the opening of a section."""

    def group(self, name: str, title: str) -> str:
        """Print the opening of a group in a section: one character."""

    def row(self, name: str, kind: str, text: str, grouped: bool) -> str:
        """Print one entry."""

    def shut(self, name: str) -> str:
        """Print what closes a group."""

    def close(self, name: str) -> str:
        """Print what closes a section."""

    def last(self, text: str) -> str:
        """Print the line that says what was left out."""

    def end(self) -> str:
        """Print what closes the whole."""


class Plain:
    """Plain lines, for a terminal or a mail."""

    mark = "|"

    def clean(self, text: str) -> str:
        """`<` and `>` could open a tag in a prompt that holds the text."""
        return text.replace("<", "‹").replace(">", "›")

    def frame(self, title: str, lines: Sequence[str], operator: str = "") -> str:
        """Print the title and its lines."""
        return "".join(self.clean(part) + "\n" for part in (operator, title, *lines) if part)

    def open(self, name: str, title: str) -> str:
        """Print a heading in capitals."""
        return self.clean(title).upper() + "\n"

    def group(self, name: str, title: str) -> str:
        """Print a name on a line of its own; brackets, so that no name can begin a block with a slash."""
        return f"[{self.clean(title)}]\n"

    def row(self, name: str, kind: str, text: str, grouped: bool) -> str:
        """Print a dash and the text; what is word for word stands line by line behind a mark of its own."""
        if kind == VERBATIM:
            return "".join(f"{self.mark} {self.clean(row)}\n" for row in text.splitlines())
        return f"- {self.clean(text)}\n"

    def shut(self, name: str) -> str:
        """Nothing closes a group."""
        return ""

    def close(self, name: str) -> str:
        """Nothing closes a section."""
        return ""

    def last(self, text: str) -> str:
        """Print the line, and where to read more."""
        return f"{self.clean(text)} (showmemory context --receipt)\n"

    def end(self) -> str:
        """Nothing closes the whole."""
        return ""


class Markdown(Plain):
    """Markdown, the form of the context files."""

    mark = ">"

    def clean(self, text: str) -> str:
        """Marks of emphasis, links and tags inside a text are escaped."""
        return _MARKS.sub(r"\\\1", _ENTITY.sub("&amp;", text)).replace("<", "&lt;")

    def frame(self, title: str, lines: Sequence[str], operator: str = "") -> str:
        """Print a first heading and the lines under it."""
        first = f"{self.clean(operator)}\n" if operator else ""
        return f"{first}# {self.clean(title)}\n" + "".join(self.clean(part) + "\n" for part in lines)

    def open(self, name: str, title: str) -> str:
        """Print a second heading."""
        return f"## {self.clean(title)}\n"

    def group(self, name: str, title: str) -> str:
        """Print a third heading."""
        return f"### {self.clean(title)}\n"


class Xml:
    """Tags for a prompt; what stands between them is escaped."""

    def frame(self, title: str, lines: Sequence[str], operator: str = "") -> str:
        """Open the memory."""
        first = f"<operator>{_tagged(operator)}</operator>\n" if operator else ""
        return f"<memory>\n{first}<frame>{_tagged(' '.join((title + '.', *lines)))}</frame>\n"

    def open(self, name: str, title: str) -> str:
        """Open a section."""
        return f'<{name} title="{_tagged(title)}">\n'

    def group(self, name: str, title: str) -> str:
        """Open a character."""
        return f'<{name.partition(".")[0]} id="{_tagged(name)}" name="{_tagged(title)}">\n'

    def row(self, name: str, kind: str, text: str, grouped: bool) -> str:
        """Print an entry in a tag of its kind."""
        return f'<{kind} id="{_tagged(name)}">{_tagged(text)}</{kind}>\n'

    def shut(self, name: str) -> str:
        """Close a character."""
        return f"</{name.partition('.')[0]}>\n"

    def close(self, name: str) -> str:
        """Close a section."""
        return f"</{name}>\n"

    def last(self, text: str) -> str:
        """Print what was left out."""
        return f"<left-out>{_tagged(text)}</left-out>\n"

    def end(self) -> str:
        """Close the memory."""
        return "</memory>\n"


class Json:
    """One JSON object: sections by name, in them each entry's text by id, in reading order."""

    def frame(self, title: str, lines: Sequence[str], operator: str = "") -> str:
        """Open the object."""
        first = f'"operator":{_json(operator)},' if operator else ""
        return "{" + f'{first}"title":{_json(title)},"frame":{_json(" ".join(lines))}\n'

    def open(self, name: str, title: str) -> str:
        """Open a section's object."""
        return f",{_json(name)}:" + "{" + f'"title":{_json(title)}\n'

    def group(self, name: str, title: str) -> str:
        """Open a character's object."""
        return f",{_json(name)}:" + "{" + f'"name":{_json(title)}\n'

    def row(self, name: str, kind: str, text: str, grouped: bool) -> str:
        """Print one entry."""
        return f",{_json(name)}:{_json(text)}\n"

    def shut(self, name: str) -> str:
        """Close a character's object."""
        return "}\n"

    def close(self, name: str) -> str:
        """Close a section's object."""
        return "}\n"

    def last(self, text: str) -> str:
        """Print what was left out."""
        return f',"leftOut":{_json(text)}\n'

    def end(self) -> str:
        """Close the object."""
        return "}\n"


def form_of(name: Format) -> Form:
    """The form called `name`."""
    forms: dict[str, Form] = {"markdown": Markdown(), "plain": Plain(), "xml": Xml(), "json": Json()}
    return forms[name]


def _tagged(text: str) -> str:
    return html.escape(text, quote=True).replace("&#x27;", "'")


def _json(text: str) -> str:
    """A JSON string in which no tag can open."""
    return json.dumps(text, ensure_ascii=False).replace("<", "\\u003c")
