"""`init` and `remember`: how a show starts, and how its memory is brought up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from doit.cmd_base import ModuleTaskLoader
from doit.cmdparse import CmdParseError
from doit.doit_cmd import DoitMain

from showmemory.commands.command import FAULT, FINE, PROBLEMS, Call, ShowCommand, option, words
from showmemory.commands.fleet import WORKERS, workers_of
from showmemory.tasks import tasks_for
from showmemory.text.counted import counted

if TYPE_CHECKING:
    from showmemory.model.span import Problem
    from showmemory.opening import Opening

_CODES = {0: FINE, 1: PROBLEMS}


class Init(ShowCommand):
    """Open a folder of scripts as a show."""

    name = "init"
    part = "Begin"
    doc_purpose = "open a folder of scripts as a show: find its episodes, write show.toml and a first bible"
    doc_usage = "[--yes] [--git]"
    doc_description = (
        "Groups an episode's drafts and picks one by revision colour, number or date in its name or title page.\n"
        "Run again it brings the list of episodes up to date; nothing else that you wrote is touched."
    )
    cmd_options = (
        option("yes", "write without asking", False, short="y"),
        option("git", "make it a git repository too, with the driver that merges two memories", False),
    )

    def go(self, call: Call) -> int:
        """Show what was found, ask, and write."""
        from showmemory.opening import cast_line, look_at, write

        words(call)
        opening = look_at(call.root)
        _show(call, opening)
        wrong = [p for p in opening.problems if p.severity == "error" and p.span.path == "show.toml"]
        if not opening.entries or (wrong and all("no such file" not in p.message for p in wrong)):
            call.screen.json(_json(opening, [], []))
            return PROBLEMS
        if not call["yes"]:
            opening = _chosen(call, opening)
            if not _agreed(call, opening):
                return FINE
        made = write(opening, git=call["git"])
        screen = call.screen
        people = [p for p in made.people if p.lines]
        near = _near(call.root, people)
        screen.line(" ".join([cast_line(people, len(opening.entries)), *near]))
        wrote = [name for name in made.wrote if name != ".gitignore"]
        screen.line(f"Wrote {_listed(wrote)}. Next: doit remember" if wrote else "Nothing to write: all is as it was.")
        screen.json(_json(opening, made.wrote, [p.message for p in made.problems]))
        return FINE


class Remember(ShowCommand):
    """Bring memory up to date."""

    name = "remember"
    part = "Begin"
    doc_purpose = "read what changed and bring memory and contexts up to date (as doit remember does)"
    doc_usage = "[FOLDER] [options]"
    cmd_options = (
        option(
            "apply", "review: changes wait for you; auto: applied, undoable; manual: only with --episode", metavar="HOW"
        ),
        option("model", "auto or off", metavar="HOW"),
        option("episode", "remember this episode now", metavar="ID"),
        option("dry-run", "say what would change, write nothing", False),
        option("fresh", "begin a new memory where the old one is gone", False),
        WORKERS,
        option("commit", "commit memory and contexts to git afterwards, with what changed as the message", False),
    )

    def go(self, call: Call) -> int:
        """Run the six stages as doit does, or in one go for --json."""
        folder = words(call, "FOLDER", least=0)
        root = Path(folder[0]) if folder else call.root
        if not root.is_dir():
            raise CmdParseError(f"expected a folder of scripts, found {root}")
        options = _options(call)
        if call["episode"]:
            episode = _meant(root, call["episode"])
            if not isinstance(episode, str):
                call.screen.json({"problems": [str(episode)]})
                call.screen.problems([episode])
                return PROBLEMS
            options["episode"] = episode
        if call["json"]:
            return _as_json(call, root, options)
        if not (root / "show.toml").is_file() and not (root / "bible" / "memory.json").is_file():
            from showmemory.opening import look_at

            _show(call, look_at(root), doubts=False)
        code = DoitMain(ModuleTaskLoader(tasks_for(root, **options)), config_filenames=()).run(["run", "remember"])
        if code != 0 or not call["commit"] or call["dry_run"]:
            return _CODES.get(code, FAULT)
        from showmemory.committing import commit

        done = commit(root)
        call.screen.lines(done.lines)
        call.screen.problems(done.problems)
        return PROBLEMS if done.problems else FINE


def _options(call: Call) -> dict[str, Any]:
    for name, known in (("apply", ("review", "auto", "manual")), ("model", ("auto", "off"))):
        if call[name] and call[name] not in known:
            raise CmdParseError(f"expected --{name} to be {' or '.join(known)}, found {call[name]}")
    named = {name: call[name] for name in ("apply", "model", "episode") if call[name]}
    named |= {"workers": said} if (said := workers_of(call)) else {}
    return named | {name: True for name in ("dry_run", "fresh") if call[name]}


def _meant(root: Path, name: str) -> str | Problem:
    """The id of the episode meant, or a Problem where the show has none of that name."""
    from showmemory.look import find_episode, listed, no_episode

    episodes = listed(root)
    return find_episode(episodes, name) or no_episode(episodes, name)


def _as_json(call: Call, root: Path, options: dict[str, Any]) -> int:
    from showmemory.committing import Committed, commit
    from showmemory.flow import Options, remember

    run = remember(root, Options(**options))
    commits = call["commit"] and not call["dry_run"] and not run.errors
    committed = commit(root) if commits else Committed()
    call.screen.json(
        {
            "episodes": len(run.memory.episodes) if run.memory else 0,
            "entries": len(run.memory.entries) if run.memory else 0,
            "first": run.first,
            "applied": run.applied,
            "waiting": [
                change.model_dump(mode="json", by_alias=True, exclude_defaults=True) for change in run.plan.changes
            ],
            "notes": [note.says for note in run.plan.notes],
            "files": run.changed_files,
            "committed": committed.lines,
            "problems": [str(problem) for problem in (*run.problems, *committed.problems)],
        }
    )
    return PROBLEMS if run.errors or committed.problems else FINE


def _show(call: Call, opening: Opening, *, doubts: bool = True) -> None:
    from showmemory.opening import table

    where = f"{opening.folder}/" if opening.folder not in ("", ".") else "this folder"
    size = f"{counted(opening.scripts, 'script')} in {where}, {counted(len(opening.entries), 'episode')}"
    call.screen.head(f"{opening.title}: {size}")
    call.screen.table(table(opening, doubts=doubts), indent=2)
    call.screen.lines(f"  {news}" for news in opening.news)
    call.screen.problems(opening.problems if doubts else ())
    if not opening.entries:
        call.screen.line("no script was found here: put .fountain, .fdx, .pdf or .highland files in this folder")


def _chosen(call: Call, opening: Opening) -> Opening:
    """Ask which draft to use where the names do not say."""
    for entry in opening.unclear if call.screen.asks else ():
        paths = opening.drafts[entry.id].paths
        call.screen.line(f"Which script is {entry.id.removeprefix('ep.')}?")
        call.screen.lines(f"  {at}  {path}" for at, path in enumerate(paths, 1))
        answer = call.screen.ask("  [1] ")
        if answer.isdecimal() and 1 <= int(answer) <= len(paths):
            opening = opening.choose(entry.id, paths[int(answer) - 1])
    return opening


def _agreed(call: Call, opening: Opening) -> bool:
    if call.screen.asks:
        return call.screen.ask("Write this? [Y/n] ").lower() in ("", "y", "yes")
    call.screen.line("Nothing was written. showmemory init --yes writes show.toml, dodo.py and a first bible")
    call.screen.json(_json(opening, [], []))
    return False


def _near(root: Path, people: list[Any]) -> list[str]:
    from showmemory.cast import alike

    found = alike(root, people)
    if not found:
        return []
    pairs = ", ".join(f"{near.name}/{near.like}" for near in found[:3])
    look = "name looks" if len(found) == 1 else "names look"
    return [f"{len(found)} {look} like another: {pairs}{' …' if len(found) > 3 else ''}   showmemory cast"]


def _listed(names: list[str]) -> str:
    told = [f"a first {name} (cast only)" if name.startswith("bible/bible") else name for name in names]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"


def _json(opening: Opening, wrote: list[str], problems: list[str]) -> dict[str, Any]:
    drafts = {id_: list(found.paths) for id_, found in opening.drafts.items() if len(found.paths) > 1}
    return {
        "id": opening.id,
        "title": opening.title,
        "episodes": [entry.model_dump(mode="json", exclude_none=True) for entry in opening.entries],
        "drafts": drafts,
        "unclear": [entry.id for entry in opening.unclear],
        "wrote": wrote,
        "problems": [*(str(problem) for problem in opening.problems), *problems],
    }
