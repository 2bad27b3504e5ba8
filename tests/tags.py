"""A page of HTML as its tags, their attributes and their text; every tag must be closed."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br"}


class Page(HTMLParser):
    """A page as its tags with their attributes and the text inside each; every tag must be closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._open: list[int] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.texts.append("")
        if tag not in VOID:
            self._open.append(len(self.tags) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.tags[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for at in self._open:
            self.texts[at] += data

    def all(self, name: str, css: str = "") -> list[tuple[dict[str, str], str]]:
        """Attributes and text of every such tag."""
        found = zip(self.tags, self.texts, strict=True)
        return [(a, t) for (n, a), t in found if n == name and (not css or css in a.get("class", "").split())]
