"""`show`, `why`, `cast` and `read`: looking at a show without changing it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from doit.cmdparse import CmdParseError

from showmemory.commands.checkpoint import printed
from showmemory.commands.command import FINE, PROBLEMS, Call, ShowCommand, option, words
from showmemory.commands.rows import entry_rows, problem_json

_NOTHING = "Nothing is remembered yet. Memory is the show's notebook, made from its scripts:  doit remember"
_UNREAD = frozenset({"note", "boneyard"})
_SHOWN = 40


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
                "problems": [problem_json(p) for p in play.problems],
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
            "synopsis, voice, catchphrase, gag, fact, thread …, or a group: story, characters, tone, world, threads",
        ),
        option("form", "bible, running, callback, echo; phrase, template, address …; fact, term"),
        option("character", "about, held or said by somebody: a name or an id", metavar="NAME"),
        option("episode", "said of or in an episode: an id, s03e16, 316 or a title", metavar="ID"),
        option("filter", "all, verbatim, summary, held, let-go, edited, custom or deleted", metavar="F"),
        option("state", "pinned, locked, retired, resting, open, resolved or stale", metavar="S"),
        option("standing", "with how much the show leans on each: hot, warm, cold, fresh; hub, bridge, leaf", False),
        option("candidates", "the whole ranking, with the reason each one below the cut is held back", False),
        option("changed", "with --episode: what that episode changed, as a list", False),
        option("limit", "how many of each kind (0: all)", 0, metavar="N"),
        option("ids", "with each entry's id", False),
    )

    def go(self, call: Call) -> int:
        """Find and print entries."""
        from showmemory.model.memory import GROUPS
        from showmemory.search import FILTERS, KINDS, STATES, Wanted, as_json, find

        if call["kind"] and call["kind"] not in (*KINDS, *GROUPS):
            raise CmdParseError(f"expected one of {', '.join(dict.fromkeys((*KINDS, *GROUPS)))}, found {call['kind']}")
        if call["changed"]:
            return _changed(call)
        chip, state = _chip(call["filter"]), call["state"].casefold()
        if chip in STATES and not state:
            chip, state = "", chip
        for name, value, known in (("filter", chip, FILTERS), ("state", state, STATES)):
            if value and value not in known:
                raise CmdParseError(f"expected --{name} to be one of {', '.join(known)}, found {call[name]}")
        wanted = Wanted(
            call["kind"],
            call["form"],
            call["character"],
            call["episode"],
            state,
            " ".join(call.words),
            call["candidates"],
            chip=chip,
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
        most = call["limit"] or (0 if wanted != Wanted() else 8)
        entry_rows(call.screen, found, most=most, why=call["candidates"], ids=call["ids"], standing=call["standing"])
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


def _changed(call: Call) -> int:
    """What one episode changed."""
    from showmemory.checkpointing import changes_of

    words(call)
    if not call["episode"]:
        raise CmdParseError("expected --changed with --episode ID, found no episode")
    return printed(call, changes_of(call.root, call["episode"]))


def _chip(name: str) -> str:
    """A filter as it is called, however it is written: Let go, let-go, letgo."""
    told = name.casefold().replace(" ", "-").replace("_", "-")
    return {"letgo": "let-go", "dropped": "let-go", "yours": "custom", "forgotten": "deleted"}.get(told, told)


def _more(one: Any) -> dict[str, Any]:
    names = ("page", "paragraph", "dual", "omitted")
    return {name: getattr(one, name) for name in names if getattr(one, name, None)}


def _person(person: Any) -> tuple[str, str, str, str]:
    other = [f"{cue} {count}" for cue, count in person.cues if cue != person.name][:4]
    also = f"   ({', '.join(other)})" if other and person.name != other[0].rpartition(" ")[0].title() else ""
    return (person.name, str(person.lines), str(person.words), f"{len(person.episodes)}{also}")
