"""`status`, `read`, `cast`, `show` and `why`: looking at a show without changing it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from doit.cmdparse import CmdParseError

from showmemory.commands.command import BEHIND, FINE, PROBLEMS, Call, ShowCommand, option, words
from showmemory.commands.rows import entry_rows

if TYPE_CHECKING:
    from showmemory.look import Placed, State
    from showmemory.model.span import Problem

_NOTHING = "Nothing is remembered yet. Memory is the show's notebook, made from its scripts:  doit remember"
_UNREAD = frozenset({"note", "boneyard"})
_SHOWN = 40
_ALIKE = 6


class Status(ShowCommand):
    """How the show stands."""

    name = "status"
    part = "Look"
    doc_purpose = "what is remembered, what changed since, what waits, and everything that is odd"

    def go(self, call: Call) -> int:
        """Print the state and all problems."""
        from showmemory.look import state

        words(call)
        now = state(call.root)
        call.screen.json(_state(now))
        _tell(call, now)
        return PROBLEMS if any(p.severity == "error" for p in now.problems) else FINE


class Read(ShowCommand):
    """One script as it is read."""

    name = "read"
    part = "Look"
    doc_purpose = "one script as it is read: its elements with their lines, its scenes, what is odd in it"
    doc_usage = "FILE [--json]"

    def go(self, call: Call) -> int:
        """Read one file, from any folder."""
        from showmemory.look import read_script

        path = Path(words(call, "FILE")[0])
        play = read_script(path, call.root if call["show_dir"] else None)
        seen = [e for e in play.elements if e.kind not in _UNREAD]
        call.screen.json(
            {
                "elements": [{"kind": e.kind, "line": e.line, "text": e.text, **_more(e)} for e in seen],
                "scenes": [{"id": s.id, "heading": s.heading, "line": s.line, **_more(s)} for s in play.scenes],
                "problems": [_problem(p) for p in play.problems],
            }
        )
        call.screen.table([(str(e.line), e.kind, e.text.replace("\n", " / ")) for e in seen])
        call.screen.problems(play.problems)
        return PROBLEMS if any(p.severity == "error" for p in play.problems) else FINE


class Cast(ShowCommand):
    """Who speaks."""

    name = "cast"
    part = "Look"
    doc_purpose = "who speaks, how much and where, and which names look alike"
    cmd_options = (option("all", "everybody, not only those who come back", False),)

    def go(self, call: Call) -> int:
        """Print the cast and near names."""
        from showmemory.cast import alike, cast_of

        words(call)
        people, problems = cast_of(call.root)
        near = alike(call.root, people)
        call.screen.json(
            {
                "cast": [
                    {
                        "id": p.id,
                        "name": p.name,
                        "lines": p.lines,
                        "words": p.words,
                        "episodes": list(p.episodes),
                        "cues": dict(p.cues),
                    }
                    for p in people
                ],
                "near": [
                    {"name": n.name, "count": n.count, "like": n.like, "likeCount": n.like_count, "why": n.why}
                    for n in near
                ],
            }
        )
        shown = people if call["all"] else people[:_SHOWN]
        call.screen.table([("", "lines", "words", "episodes")] + [_person(p) for p in shown])
        if len(people) > len(shown):
            call.screen.line(f"and {len(people) - len(shown)} who say less: showmemory cast --all")
        if near:
            call.screen.line()
            call.screen.head(
                "Names that look like another (nothing is merged; where two are one, give the alias in bible.yaml)"
            )
            call.screen.table(
                [(n.name, str(n.count), f"like {n.like} ({n.like_count or 'bible'})", n.why) for n in near], 2
            )
        errors = [p for p in problems if p.severity == "error"]
        call.screen.problems(errors)
        return PROBLEMS if errors else FINE


class Show(ShowCommand):
    """What is remembered."""

    name = "show"
    part = "Look"
    doc_purpose = "what is remembered, best first: by kind, character, episode, state, or words"
    doc_usage = "[options] [WORDS]"
    cmd_options = (
        option(
            "kind",
            "synopsis, voice, catchphrase, gag, fact, thread …, or a group: story, characters, gags, tone, world, threads",
        ),
        option("form", "bible, running, callback, echo; phrase, template, address …; fact, term"),
        option("character", "about, held or said by somebody: a name or an id", metavar="NAME"),
        option("episode", "said of or in an episode: an id, s03e16, 316 or a title", metavar="ID"),
        option(
            "filter",
            "all, held, dropped, edited, yours, pinned, locked, retired, resting, open, resolved, stale, forgotten",
            metavar="F",
        ),
        option("candidates", "the whole ranking, with the reason each one below the cut is held back", False),
        option("limit", "how many of each kind (0: all)", 0, metavar="N"),
        option("ids", "with each entry's id", False),
    )

    def go(self, call: Call) -> int:
        """Find and print entries."""
        from showmemory.model.memory import GROUPS
        from showmemory.search import FILTERS, KINDS, Wanted, as_json, find

        if call["kind"] and call["kind"] not in (*KINDS, *GROUPS):
            raise CmdParseError(f"expected one of {', '.join(dict.fromkeys((*KINDS, *GROUPS)))}, found {call['kind']}")
        if call["filter"] and call["filter"] not in FILTERS:
            raise CmdParseError(f"expected one of {', '.join(FILTERS)}, found {call['filter']}")
        wanted = Wanted(
            call["kind"],
            call["form"],
            call["character"],
            call["episode"],
            call["filter"],
            " ".join(call.words),
            call["candidates"],
        )
        found = find(call.root, wanted)
        call.screen.problems(found.problems)
        call.screen.json({"entries": [as_json(row) for row in found.rows]})
        if found.empty:
            call.screen.line(_NOTHING)
        elif not found.rows and not found.problems:
            call.screen.line(
                "Nothing like that is remembered."
                + (f" {found.hidden} held back: --filter all" if found.hidden else "")
            )
        entry_rows(
            call.screen, found, most=call["limit"] or (0 if wanted != Wanted() else 8), why=bool(call["candidates"])
        )
        return PROBLEMS if found.problems else FINE


class Why(ShowCommand):
    """Why something is as it is."""

    name = "why"
    part = "Look"
    doc_purpose = "what an entry or an episode was made from, or why something is not listed"
    doc_usage = "EPISODE | ENTRY | WORDS"

    def go(self, call: Call) -> int:
        """Explain one thing."""
        from showmemory.reasons import why

        name = " ".join(call.words)
        if not name:
            raise CmdParseError("expected an episode, an entry or words, found nothing")
        found = why(call.root, name)
        if found is None:
            call.screen.json({"found": False})
            call.screen.line(f"Nothing here is called {name}; showmemory show lists what is remembered.")
            return PROBLEMS
        call.screen.json({"found": True, "subject": found.subject, **found.data})
        call.screen.head(found.subject)
        for row in found.lines:
            call.screen.line(f"  {row}")
        return FINE


def _tell(call: Call, now: State) -> None:
    screen = call.screen
    screen.head(now.title)
    rows: list[tuple[str, str]] = []
    if now.memory is None and not now.broken:
        rows.append(("remembered", f"nothing of {_counted(len(now.episodes), 'episode')} yet:  doit remember"))
    elif now.memory is not None:
        done = len(now.memory.episodes)
        rows.append(("remembered", f"{_counted(done, 'episode')} of {len(now.episodes)}{_newest(now.memory.episodes)}"))
        counts = ", ".join(f"{count} {group}" for group, count in now.counts().items() if count)
        rows.append(("entries", f"{len(now.memory.entries)}{f': {counts}' if counts else ''}"))
    for name, held in (("changed", now.changed), ("new", now.new if now.memory else []), ("gone", now.gone)):
        if held:
            rows.append((name, f"{_counted(len(held), 'episode')} since:  {_some(held)}"))
    if now.unread:
        rows.append(("unread", f"{_counted(len(now.unread), 'script')} missing or empty:  {_some(now.unread)}"))
    if now.waiting:
        rows.append(("waiting", f"{_counted(now.waiting, 'change')} for you to decide:  showmemory review"))
    elif now.memory is not None and not now.behind:
        rows.append(("waiting", "nothing"))
    if now.notes:
        rows.append(("notes", f"{_counted(now.notes, 'note')}:  showmemory plan"))
    screen.table(rows, 2)
    if now.behind and now.memory is not None:
        screen.line("  Bring it up to date:  doit remember")
    if now.problems:
        screen.line()
        screen.problems(_ordered(now.problems), aside=False)


def _ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Errors first, then warnings and notices, in file and line order; each once."""
    rank = {"error": 0, "warning": 1, "notice": 2}
    return sorted(dict.fromkeys(problems), key=lambda p: (rank[p.severity], p.span, p.message))


def _grouped(problems: Iterable[Problem]) -> tuple[list[Problem], list[str]]:
    """All errors, and of warnings that are alike the first few; the rest are counted."""
    shown: list[Problem] = []
    counts: dict[str, int] = {}
    for problem in problems:
        alike = problem.group or problem.span.path
        counts[alike] = counts.get(alike, 0) + (problem.severity != "error")
        if problem.severity == "error" or counts[alike] <= _ALIKE:
            shown.append(problem)
    more = [f"and {count - _ALIKE} more like these: {alike}" for alike, count in counts.items() if count > _ALIKE]
    return shown, [*more, "all of them: showmemory status"] if more else []


def _state(now: State) -> dict[str, Any]:
    memory = now.memory
    return {
        "title": now.title,
        "remembered": [e.id for e in memory.episodes] if memory else [],
        "entries": now.counts() if memory else {},
        "changed": [e.id for e in now.changed],
        "new": [e.id for e in now.new],
        "gone": [e.id for e in now.gone],
        "unread": [e.id for e in now.unread],
        "waiting": now.waiting,
        "notes": now.notes,
        "behind": now.behind,
        "problems": [_problem(p) for p in _ordered(now.problems)],
    }


def _problem(problem: Problem) -> dict[str, Any]:
    made = {
        "path": problem.span.path,
        "line": problem.span.line,
        "severity": problem.severity,
        "message": problem.message,
    }
    return made | ({"hint": problem.hint} if problem.hint else {})


def _more(one: Any) -> dict[str, Any]:
    names = ("page", "paragraph", "dual", "omitted")
    return {name: getattr(one, name) for name in names if getattr(one, name, None)}


def _person(person: Any) -> tuple[str, str, str, str]:
    other = [f"{cue} {count}" for cue, count in person.cues if cue != person.name][:4]
    also = f"   ({', '.join(other)})" if other and person.name != other[0].rpartition(" ")[0].title() else ""
    return (person.name, str(person.lines), str(person.words), f"{len(person.episodes)}{also}")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _newest(records: Any) -> str:
    from showmemory.look import label

    return f", newest {label(records[-1])}" if records else ""


def _some(held: Iterable[Placed]) -> str:
    from showmemory.look import label

    named = [label(one) for one in held]
    return ", ".join(named[:8]) + (f" and {len(named) - 8} more" if len(named) > 8 else "")


class Check(ShowCommand):
    """Hold the show and its memory against each other."""

    name = "check"
    part = "Check"
    doc_purpose = "for CI: is memory sound, is it as the scripts are, does every citation hold"
    doc_usage = "[--citations] [--strict]"
    cmd_options = (
        option("citations", "hold every cited word against its line", False),
        option(
            "strict", "a waiting review, and no memory at all, count as behind; warnings are still only told", False
        ),
    )

    def go(self, call: Call) -> int:
        """Check; exit 1 for problems, 2 when memory is behind the scripts."""
        from showmemory.checking import check

        words(call)
        found = check(call.root, citations=call["citations"], strict=call["strict"])
        call.screen.json(
            {
                "problems": [_problem(p) for p in found.problems],
                "behind": found.behind,
                "citations": found.cited,
                "waiting": found.waiting,
            }
        )
        shown, more = _grouped(found.problems)
        call.screen.problems(shown, aside=False)
        call.screen.lines(more)
        call.screen.lines(found.lines)
        if any(p.severity == "error" for p in found.problems):
            return PROBLEMS
        return BEHIND if found.behind else FINE
