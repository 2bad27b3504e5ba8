"""What waits for a person: changes, notes, citations whose words are gone, episodes not remembered; and the budget."""

from __future__ import annotations

from collections.abc import Sequence

from showmemory.model.memory import GROUP_OF
from showmemory.model.plan import Change
from showmemory.report.links import cite, quotes
from showmemory.report.markup import Safe, joined, tag
from showmemory.report.subject import Budget, Cost, Subject
from showmemory.text.counted import counted

_SIGN = {"added": "+", "changed": "~", "forgotten": "−", "note": "="}
_MORE = {"designed": "characters", "season": "story", "plan": "plans"}
_LAYOUT = "frame and headings"
# So many are shown at once; the others wait behind a line.
_FIRST = 10


def waits(subject: Subject) -> Safe:
    """Everything that somebody has to look at; one line where there is nothing."""
    plan = subject.plan
    parts: list[Safe] = []
    parts += [tag("p", line) for line in subject.behind]
    parts += _changes(subject, plan.changes)
    if plan.notes:
        rows = (tag("li", note.says) for note in plan.notes)
        parts += [tag("h4", "Not recorded, since protected"), tag("ul", *rows)]
    if subject.stale:
        rows = (tag("li", tag("b", title), " ", cite(subject, s), " ", tag("q", s.words)) for title, s in subject.stale)
        parts += [tag("h4", "Cited words that are gone"), tag("ul", *rows, class_="quotes")]
    return joined(parts) if parts else tag("p", "Nothing waits.", class_="none")


def _changes(subject: Subject, changes: Sequence[Change]) -> list[Safe]:
    if not changes:
        return []
    parts = [tag("div", *(_change(subject, change) for change in changes[:_FIRST]), class_="changes")]
    if more := changes[_FIRST:]:
        rest = (_change(subject, change) for change in more)
        parts.append(tag("details", tag("summary", f"{len(more)} more"), tag("div", *rest, class_="changes")))
    by_hand, all_ = tag("code", "showmemory review"), tag("code", "showmemory review --all")
    return [*parts, tag("p", "Decide: ", by_hand, ", or let it stand: ", all_)]


def _change(subject: Subject, change: Change) -> Safe:
    """One line, which opens to the words before and after and to where they stand."""
    sign = tag("b", _SIGN[change.op], class_=f"sign {change.op}", title=change.op)
    says = [tag("small", f" {change.says}")] if change.says else []
    head = tag("summary", sign, " ", tag("small", change.what), " ", change.title or change.entry, *says)
    before, after = (words if words != change.title else "" for words in (change.before, change.after))
    body = [tag("p", tag("small", "was"), " ", tag("del", before))] if before else []
    body += [tag("p", tag("small", "now"), " ", tag("ins", after))] if after else []
    body += [quotes(subject, change.sources)] if change.sources else []
    return tag("details", head, *body)


def budget(held: Budget) -> Safe:
    """The show's context against its budget: what each part takes of it, and what it leaves out."""
    groups: dict[str, list[Cost]] = {}
    for row in held.rows:
        groups.setdefault(_group(row), []).append(row)
    sizes = {name: sum(r.tokens for r in rows if r.state == "in") for name, rows in groups.items()}
    wide = max(held.budget, held.tokens, 1)
    shown = sorted((name for name in sizes if sizes[name]), key=lambda name: -sizes[name])
    bars, at = [], 0
    for number, name in enumerate(shown):
        told = tag("title", f"{name}: {counted(sizes[name], 'token')}")
        bars.append(tag("rect", told, x=at, width=sizes[name], height=20, class_=f"part p{number % 8}"))
        at += sizes[name]
    limit = tag("line", x1=held.budget, x2=held.budget, y1=0, y2=20, class_="limit")
    picture = tag(
        "svg", *bars, limit, viewBox=f"0 0 {wide} 20", preserveAspectRatio="none", role="img", class_="budget",
        aria_label=f"{held.tokens} of {held.budget} tokens",
    )  # fmt: skip
    over = f", {held.tokens - held.budget} over it" if held.tokens > held.budget else ""
    told = tag("p", tag("b", f"{held.tokens} tokens"), f" of {held.budget}{over}, counted by {held.encoding}.")
    rows = [_cost(name, groups[name], sizes[name], shown) for name in (*shown, *(n for n in groups if n not in shown))]
    heads = ("tokens", "in", "left out", "held")
    head = tag("tr", tag("td"), *(tag("th", name, scope="col", class_="number") for name in heads))
    return joined(
        [
            told,
            picture,
            tag("div", tag("table", tag("thead", head), tag("tbody", *rows), class_="narrow"), class_="scroll"),
        ]
    )


def _cost(name: str, rows: Sequence[Cost], tokens: int, shown: Sequence[str]) -> Safe:
    counts = [sum(r.state == state for r in rows) for state in ("in", "out", "held")]
    number = shown.index(name) % 8 if name in shown else None
    key = tag("svg", tag("rect", width=10, height=10, class_=f"part p{number}"), viewBox="0 0 10 10", class_="key")
    cells = (tag("td", str(count) if count else "", class_="number") for count in (tokens, *counts))
    return tag("tr", tag("th", *([key, " "] if number is not None else []), name, scope="row"), *cells)


def _group(row: Cost) -> str:
    return GROUP_OF.get(row.kind) or _MORE.get(row.kind) or _LAYOUT
