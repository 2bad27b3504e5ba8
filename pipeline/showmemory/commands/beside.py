"""Old and new words side by side on a wide terminal, one above the other on a narrow one."""

from __future__ import annotations

from difflib import SequenceMatcher

from showmemory.commands.screen import padded, wrapped

_WIDE, _GAP = 80, 3
_OLD, _NEW, _SAME = "was", "now", "…"


def beside(old: str, new: str, columns: int) -> list[str]:
    """Rows with both texts (one of them may be empty); `columns`: how wide the terminal is, 0 where there is none."""
    if old and new:
        old, new = _apart(old, new)
    if old and new and columns >= _WIDE:
        return _two(old, new, columns)
    return [row for name, text in ((_OLD, old), (_NEW, new)) if text for row in _one(name, text, columns)]


def _two(old: str, new: str, columns: int) -> list[str]:
    each = (columns - _GAP) // 2
    left, right = [_OLD, *_rows(old, each)], [_NEW, *_rows(new, each)]
    size = max(len(left), len(right))
    left, right = left + [""] * (size - len(left)), right + [""] * (size - len(right))
    return [f"{padded(one, each + _GAP)}{other}".rstrip() for one, other in zip(left, right, strict=True)]


def _one(name: str, text: str, columns: int) -> list[str]:
    rows = _rows(text, columns - 5 if columns else 0)
    return [f"{name}  {rows[0]}", *(f"     {row}" for row in rows[1:])]


def _rows(text: str, columns: int) -> list[str]:
    return [row for line in text.splitlines() or [""] for row in wrapped(line, columns, None)]


def _apart(old: str, new: str) -> tuple[str, str]:
    """Both texts without the lines they share, where those are many: what differs is what is decided on."""
    one, other = old.splitlines(), new.splitlines()
    rows: tuple[list[str], list[str]] = ([], [])
    for same, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for made, lines, start, end in ((rows[0], one, a, b), (rows[1], other, c, d)):
            made += [_SAME] if same == "equal" and end - start > 1 else lines[start:end]
    return "\n".join(rows[0]), "\n".join(rows[1])
