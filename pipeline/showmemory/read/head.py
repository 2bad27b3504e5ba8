"""The title page of a script, from a small part of its file."""

from __future__ import annotations

import html
import re
from pathlib import Path

from showmemory.read.decode import decode, split_lines
from showmemory.read.fountain_title import title_page

PART = 4096
# Final Draft writes the title page after the script.
_FDX_PART = 262_144
_TEXT = re.compile(r"<Text[^>]*>([^<]*)</Text>")
_PARAGRAPH = re.compile(r"<Paragraph\b.*?</Paragraph>", re.DOTALL)
_HEADING = re.compile(r"^\s*\.?(?:INT|EXT|EST|I/E)\b[. /]", re.MULTILINE | re.IGNORECASE)
_KEYED = re.compile(r"^\s*([A-Za-z][A-Za-z ]{1,24}):\s*(.+)$")


def head_of(path: Path) -> dict[str, str]:
    """The keys (lower case) and values of the title page; `text` holds lines without a key; empty when unknown."""
    try:
        if path.suffix.lower() == ".fdx":
            return _fdx_head(_part(path, _FDX_PART, last=True))
        if path.suffix.lower() in (".fountain", ".spmd", ".txt"):
            return _fountain_head(_part(path, PART))
    except OSError:
        return {}
    return {}


def looks_like_script(path: Path) -> bool:
    """Whether a plain text file opens as a script does: a title page, or a scene heading."""
    try:
        text, _ = decode(_part(path, PART), path.name)
    except OSError:
        return False
    return bool(_HEADING.search(text)) or title_page(split_lines(text))[1] > 0


def _part(path: Path, size: int, *, last: bool = False) -> bytes:
    with path.open("rb") as file:
        if last:
            end = file.seek(0, 2)
            file.seek(max(0, end - size))
        return file.read(size)


def _fountain_head(raw: bytes) -> dict[str, str]:
    # A cut in the middle of a letter must not make the whole read as another encoding.
    cut = raw[: raw.rfind(b"\n") + 1] if len(raw) == PART else raw
    text, _ = decode(cut, "")
    elements, _ = title_page(split_lines(text))
    return {element.key: element.text for element in elements}


def _fdx_head(raw: bytes) -> dict[str, str]:
    text = raw.decode("utf-8", "replace")
    start = text.find("<TitlePage")
    if start < 0:
        return {}
    page = text[start : text.find("</TitlePage>", start)]
    rows = ["".join(html.unescape(t) for t in _TEXT.findall(p)).strip() for p in _PARAGRAPH.findall(page)]
    rows = [row for row in rows if row]
    head: dict[str, str] = {}
    loose: list[str] = []
    for row in rows:
        keyed = _KEYED.match(row)
        if keyed:
            head[keyed[1].strip().lower()] = keyed[2].strip()
        else:
            loose.append(row)
    if loose:
        head.setdefault("title", loose[0])
        head.setdefault("notes", "\n".join(loose[1:]))
    return {key: value for key, value in head.items() if value}
