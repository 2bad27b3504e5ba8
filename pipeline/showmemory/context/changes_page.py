"""What one episode changed, as a page of its own: the change list that its writer rules on (D53, D55)."""

from __future__ import annotations

from typing import Any

from showmemory.context.changed import changes
from showmemory.context.checkpoint_page import row
from showmemory.context.formats import Markdown
from showmemory.context.quote import line
from showmemory.context.ready import Ready

_FORM = Markdown()


def changes_page(ready: Ready, episode: str) -> str:
    """The list, each line with its place in the script; empty where memory has nothing that the episode changed."""
    rows = changes(ready, episode)
    if not rows:
        return ""
    show = line(ready.show.config.title) or ready.show.id
    title = f"{show}: what {ready.moment.named(episode)} changed"
    return _FORM.frame(title, ()) + "".join(map(row, rows))


def changes_plain(ready: Ready, episode: str) -> dict[str, Any]:
    """The same as plain values."""
    rows = changes(ready, episode)
    return {"episode": episode, "changes": [{"text": r.text, "cite": r.cite, "id": r.id} for r in rows]}
