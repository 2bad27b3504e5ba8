"""Any text -> text that a terminal only prints: control characters, which could do something to it, made visible."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    r"""`text` with each control character but tab and line feed as \x1b."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
