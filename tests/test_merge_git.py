"""Real git: what two branches did to one show's memory, merged with the driver, without it, and by hand after it."""

from __future__ import annotations

import os
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from showmemory import desk
from showmemory.fold.fold import order
from showmemory.merge.driver import merge_memories
from showmemory.merge.edit import Edit, edit
from showmemory.merge.person import absorb
from showmemory.model.canonical import dumps
from showmemory.model.memory import ShowMemory
from showmemory.model.span import Problem
from showmemory.notebook import Notebook
from showmemory.opening import look_at, write
from shows import run, sample

ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": f"{who}@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
LATER = ("ep.hen", "ep.vote")
LEADS = ("mem.voice.imogen", "mem.voice.marguerite")


def git(root: Path, *words: str, fails: bool = False) -> str:
    done = subprocess.run(["git", *words], cwd=root, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert fails or done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)


def memory_of(show: Path) -> ShowMemory:
    memory = Notebook(show).memory
    assert memory is not None
    return memory


def without(show: Path, *episodes: str) -> dict[str, Any]:
    """Take episodes out of the show as if they were not yet written; returns what brings each back."""
    text = (show / "show.toml").read_text(encoding="utf-8")
    head, *blocks = text.split("[[episodes]]")
    taken: dict[str, Any] = {}
    for at, block in enumerate(blocks):
        id_ = block.split('id = "')[1].split('"')[0]
        if id_ in episodes:
            stem = block.split('script = "')[1].split('"')[0].removesuffix(".fountain")
            paths = [show / f"{stem}{end}" for end in (".fountain", ".outline.yaml", ".continuity.yaml")]
            taken[id_] = (at, block, {path: path.read_bytes() for path in paths if path.is_file()})
    for _, _, held in taken.values():
        for path in held:
            path.unlink()
    kept = [block for at, block in enumerate(blocks) if at not in {at for at, _, _ in taken.values()}]
    (show / "show.toml").write_text("[[episodes]]".join([head, *kept]), encoding="utf-8")
    return taken


def back(show: Path, id_: str, taken: dict[str, Any]) -> None:
    """The episode is written."""
    at, block, held = taken[id_]
    for path, data in held.items():
        path.write_bytes(data)
    head, *blocks = (show / "show.toml").read_text(encoding="utf-8").split("[[episodes]]")
    at = min(at, len(blocks))
    (show / "show.toml").write_text("[[episodes]]".join([head, *blocks[:at], block, *blocks[at:]]), encoding="utf-8")


@pytest.fixture(scope="module")
def branched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample show in git: `hen` and `vote` each remembered another new episode, and somebody edited on each."""
    show = sample(tmp_path_factory.mktemp("git") / "show")
    taken = without(show, *LATER)
    git(show.parent, "init", "-q", "-b", "main", "show")
    write(look_at(show), git=True)
    run(show)
    commit(show, "first memory")
    for id_, action, fields in (("ep.hen", "edit", {"text": "Never finishes a sentence."}), ("ep.vote", "keep", {})):
        git(show, "checkout", "-qb", id_.removeprefix("ep."), "main")
        back(show, id_, taken)
        made = run(show, apply="auto")
        assert made.errors == [] and made.applied
        assert desk.change(show, action, LEADS[0], fields=fields).problems == []  # type: ignore[arg-type]
        commit(show, id_)
    return show


@pytest.fixture
def show(branched: Path, tmp_path: Path) -> Path:
    """A copy on branch `hen`, with the driver set up as `init --git` does."""
    to = tmp_path / "show"
    shutil.copytree(branched, to)
    git(to, "checkout", "-q", "hen")
    return to


def side(show: Path, commit: str) -> ShowMemory:
    return ShowMemory.model_validate_json(git(show, "show", f"{commit}:bible/memory.json"))


def test_two_branches_that_remembered_different_episodes_merge_through_the_driver(show: Path) -> None:
    """G12, issue 6.6: both touched every lead's voice; nothing is lost, and nothing is taken for the person's."""
    git(show, "merge", "-q", "--no-edit", "vote")
    made, (ours, theirs) = memory_of(show), (side(show, "HEAD^1"), side(show, "vote"))
    assert {e.id for e in made.episodes} == {e.id for e in (*ours.episodes, *theirs.episodes)}
    assert made.episodes == tuple(sorted(made.episodes, key=lambda e: (e.season, e.number)))
    there, here, yours, before = (
        {(e.kind, e.key, episode) for e in memory.entries for episode in e.said}
        for memory in (made, ours, theirs, side(show, "main"))
    )
    # What a pass took back on one branch is the only thing that may be missing.
    assert there == (here | yours) - (before - here) - (before - yours)
    voices = [e for e in made.entries if e.kind == "voice"]
    assert sum(LATER[0] in v.said and LATER[1] in v.said for v in voices) >= 4
    lead = next(e for e in made.entries if e.id == LEADS[0])
    assert (lead.text, lead.by, lead.keep) == ("Never finishes a sentence.", "person", "keep")
    assert absorb(made) == (made, ())
    assert [e.id for e in made.entries if e.by == "person"] == [LEADS[0]]


def test_after_the_merge_the_next_run_goes_on_and_is_what_one_branch_would_have_made(
    show: Path, tmp_path: Path
) -> None:
    """Issue 6.6: contexts are written anew, and what both episodes together say is proposed."""
    git(show, "merge", "-q", "--no-edit", "vote")
    made = run(show, apply="auto")
    assert made.errors == []
    one = tmp_path / "one"
    git(tmp_path, "clone", "-q", str(show), "one")
    git(one, "checkout", "-q", "main")
    shutil.copytree(show / ".showmemory", one / ".showmemory")
    shutil.copy(show / "show.toml", one / "show.toml")
    shutil.copytree(show / "episodes", one / "episodes", dirs_exist_ok=True)
    run(one, apply="auto")
    desk.change(one, "edit", LEADS[0], fields={"text": "Never finishes a sentence."})
    desk.change(one, "keep", LEADS[0])
    ours, theirs = memory_of(show), memory_of(one)
    assert [e.id for e in ours.entries] == [e.id for e in theirs.entries]
    told = {"text": "Never finishes a sentence.", "edited": {"text": order(theirs.episodes)[-1]}}
    expected = tuple(e.model_copy(update=told) if e.id == LEADS[0] else e for e in theirs.entries)
    ours_dated = tuple(e.model_copy(update=told) if e.id == LEADS[0] else e for e in ours.entries)
    assert dumps(ours.model_copy(update={"entries": ours_dated})) == dumps(
        theirs.model_copy(update={"entries": expected})
    )


def test_history_is_merged_by_union_and_undo_is_still_right(show: Path) -> None:
    """Issue 6.4: the newest change of either branch is taken back, and nothing of the other."""
    git(show, "merge", "-q", "--no-edit", "vote")
    merged = memory_of(show)
    dids = [c["did"] for c in desk.log(show)]
    assert len(dids) == 5 and sum(did.startswith("remembered") for did in dids) == 2
    assert desk.undo(show).lines == [f"taken back: {dids[-1]}"]
    lead = next(e for e in memory_of(show).entries if e.id == LEADS[0])
    assert (lead.keep, lead.text) == (None, "Never finishes a sentence.")
    assert len(desk.undo(show).lines) == 1
    after = memory_of(show)
    assert {e.id for e in merged.episodes} - {e.id for e in after.episodes} == {LATER[1]}
    assert not [e.id for e in after.entries if LATER[1] in e.said]
    assert sum(LATER[0] in e.said for e in after.entries) > 20
    hen = {e.id: e for e in side(show, "HEAD^1").entries}
    assert all(e == hen[e.id] for e in after.entries if e.kind in ("voice", "fact", "synopsis"))
    desk.redo(show)
    desk.redo(show)
    assert dumps(memory_of(show)) == dumps(merged)


def test_a_real_conflict_stops_the_merge_with_both_versions(show: Path) -> None:
    """Issue 6.6: ours in the file, theirs in the words; the file is whole, and can be told again from the index."""
    git(show, "checkout", "-q", "vote")
    desk.change(show, "edit", LEADS[0], fields={"text": "Always finishes."})
    commit(show, "another opinion")
    git(show, "checkout", "-q", "hen")
    says = git(show, "merge", "--no-edit", "vote", fails=True)
    assert "CONFLICT" in says and f"both branches changed the text of {LEADS[0]}" in says
    assert f"showmemory edit {LEADS[0]} --text 'Always finishes.'" in says
    assert git(show, "diff", "--name-only", "--diff-filter=U").split() == ["bible/memory.json"]
    lead = next(e for e in memory_of(show).entries if e.id == LEADS[0])
    assert lead.text == "Never finishes a sentence."
    again = desk_from_index(show)
    assert "Always finishes." in again
    git(show, "commit", "-qam", "ours it is")
    assert run(show).errors == []


def desk_from_index(show: Path) -> str:
    command = [os.sys.executable, "-m", "showmemory", "merge-driver", "--from-index"]  # type: ignore[attr-defined]
    done = subprocess.run(command, cwd=show, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stdout + done.stderr


def test_without_the_driver_the_index_still_merges(show: Path) -> None:
    """DESIGN §4: conflict markers are told apart from a broken file, and the offered command takes both sides."""
    expected = merge_memories(side(show, "main"), side(show, "hen"), side(show, "vote"))[0]
    for name in ("showmemory", "showmemory-written"):
        git(show, "config", "--remove-section", f"merge.{name}")
    assert "CONFLICT" in git(show, "merge", "--no-edit", "vote", fails=True)
    wrong = run(show).errors[0]
    assert "git left two versions side by side" in wrong.message and "merge-driver --from-index" in wrong.hint
    from showmemory.driver import merge_from_index

    done = merge_from_index(show)
    assert done.clean and done.problems == []
    assert dumps(memory_of(show)) == dumps(expected)
    assert len(desk.log(show)) == 5
    git(show, "add", "-A")
    git(show, "commit", "-qm", "merged")
    assert [p.message for p in merge_from_index(show).problems] == [
        "expected git to hold both branches' memory, found no unfinished merge of it"
    ]


def test_a_memory_that_cannot_be_read_is_left_to_the_person(show: Path, tmp_path: Path) -> None:
    """A broken side is named, and ours stays in the file."""
    from showmemory.driver import merge_files

    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    shutil.copy(show / "bible/memory.json", ours)
    theirs.write_text("{")
    before = ours.read_bytes()
    done = merge_files(tmp_path / "none", ours, theirs)
    assert not done.clean and "bible/memory.json (theirs):1" in str(done.problems[0])
    assert ours.read_bytes() == before


def do(memory: ShowMemory, action: Any, target: str, **fields: Any) -> ShowMemory:
    made = edit(memory, Edit(action=action, target=target, fields=fields))
    assert not isinstance(made, Problem), made
    return made[0]


DEEDS: tuple[tuple[Any, dict[str, Any]], ...] = (
    ("edit", {"text": "Mine."}),
    ("pin", {}),
    ("lock", {}),
    ("keep", {}),
    ("forget", {}),
)


def test_without_the_driver_two_people_at_neighbouring_entries_do_not_conflict(branched: Path, tmp_path: Path) -> None:
    """G12: git's plain merge by lines, of every two neighbours of each kind, gives what the driver gives."""
    whole = side(branched, "main")
    some = [
        e for kind in sorted({e.kind for e in whole.entries}) for e in [x for x in whole.entries if x.kind == kind][:3]
    ]
    base = whole.model_copy(
        update={"entries": tuple(some), "written": {e.id: whole.written[e.id] for e in some}},
    )
    paths = [tmp_path / name for name in ("ours", "base", "theirs")]
    for number, (one, two) in enumerate(pairwise(e.id for e in base.entries)):
        first, second = DEEDS[number % len(DEEDS)], DEEDS[(number // 2 + 1) % len(DEEDS)]
        if first[0] == second[0] == "forget":
            continue
        ours, theirs = do(base, first[0], one, **first[1]), do(base, second[0], two, **second[1])
        for path, memory in zip(paths, (ours, base, theirs), strict=True):
            path.write_text(dumps(memory))
        done = git(tmp_path, "merge-file", "-p", *map(str, paths))
        expected, problems = merge_memories(base, ours, theirs)
        assert problems == [] and done == dumps(expected), (one, first[0], two, second[0])
