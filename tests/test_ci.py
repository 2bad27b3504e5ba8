"""docs/ci.md: its workflows run in a fresh clone, its commands print what it shows; annotations in GitHub's form."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from checkouts import cloned, committed, git, opened
from commands import Program
from showmemory import uptodate
from showmemory.commands.annotations import annotated
from showmemory.model.span import Problem, Span
from shows import edit_second, memory_bytes, outputs, pier, run

PAGE = (Path(__file__).parent.parent / "docs" / "ci.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def steps(number: int) -> list[dict[str, Any]]:
    """The steps of one of the page's workflows."""
    workflow = YAML(typ="safe").load(blocks("yaml")[number])
    (job,) = workflow["jobs"].values()
    return list(job["steps"])


def typed(command: str, at: Path) -> subprocess.CompletedProcess[str]:
    """A command as a runner's shell runs it, with this environment's programs first on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    plain = {**os.environ, "PATH": path, "CI": "true", "GIT_CONFIG_GLOBAL": os.devnull}
    return subprocess.run(["bash", "-e", "-c", command], cwd=at, env=plain, capture_output=True, text=True, check=False)


def built(number: int, at: Path, cache: Path) -> list[subprocess.CompletedProcess[str]]:
    """One build: the workflow's own commands in order, with its cache restored before them and saved behind them."""
    done = []
    for step in steps(number):
        if step.get("uses", "").startswith("actions/cache") and cache.exists():
            shutil.copytree(cache, at / step["with"]["path"])
        elif "run" in step and not step["run"].startswith("pip "):
            done.append(typed(step["run"], at))
            if done[-1].returncode:
                break
    shutil.rmtree(cache, ignore_errors=True)
    shutil.copytree(at / ".showmemory", cache)
    return done


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """The repository of a small show that is remembered, as a service holds it."""
    show = pier(tmp_path / "show")
    (show / ".gitignore").write_text(".showmemory/\nbible/proposal.json\n")
    run(show)
    committed(show)
    git(show, "clone", "--quiet", "--bare", str(show), str(tmp_path / "origin.git"))
    return tmp_path / "origin.git"


def pushed(origin: Path, to: Path) -> None:
    """Somebody changes a script and pushes it without the notebook."""
    git(origin, "clone", "--quiet", str(origin), str(to))
    edit_second(to)
    git(to, "commit", "--quiet", "--all", "--message", "a new draft")
    git(to, "push", "--quiet")


def test_the_check_of_the_page_passes_and_then_says_who_is_behind(origin: Path, tmp_path: Path) -> None:
    """Issue 5.3: in a fresh clone, without a cache and with the one before; exit 2 when memory is behind."""
    cache = tmp_path / "cache"
    for name in ("one", "two"):
        (done,) = built(0, cloned(origin, tmp_path / name), cache)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1] == "showmemory: fine"
    pushed(origin, tmp_path / "writer")
    late = cloned(origin, tmp_path / "three")
    (done,) = built(0, late, cache)
    assert done.returncode == 2
    command, shown = blocks("console")[0].removeprefix("$ ").split("\n", 1)
    assert typed(command, late).stdout == shown


def test_the_build_of_the_page_that_keeps_the_notebook(origin: Path, tmp_path: Path) -> None:
    """It commits and pushes what a writer's own run would write, and then the check passes."""
    cache = tmp_path / "cache"
    pushed(origin, tmp_path / "writer")
    first = cloned(origin, tmp_path / "first")
    by_hand = tmp_path / "by hand"
    shutil.copytree(first, by_hand, ignore=shutil.ignore_patterns(".git"))
    done = built(1, first, cache)
    assert [one.returncode for one in done] == [0] * 3, done[-1].stderr
    run(by_hand, apply="auto")
    assert outputs(by_hand) == outputs(first)
    again = cloned(origin, tmp_path / "again")
    assert memory_bytes(again) == memory_bytes(by_hand)
    (checked,) = built(0, again, tmp_path / "none")
    assert checked.returncode == 0


def test_the_fleet_of_the_page(tmp_path: Path) -> None:
    for name in ("pier", "other"):
        pier(tmp_path / name)
    command, shown = blocks("console")[1].removeprefix("$ ").split("\n", 1)
    assert typed(command, tmp_path).stdout == shown


def test_the_settings_of_the_page_load(tmp_path: Path) -> None:
    show = pier(tmp_path / "show")
    (show / "show.toml").write_text(
        'id = "pier"\n' + blocks("toml")[0].replace("s3://our-bucket", f"file://{tmp_path}")
    )
    made = run(show)
    assert made.errors == [] and made.show.config.cache.read_only
    assert not (tmp_path / "showmemory").exists()


def test_a_problem_stands_at_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The path is that in the repository, wherever the show lies in it."""
    top = tmp_path / "repository"
    show = pier(top / "shows, all" / "pier")
    committed(top)
    (show / "bible" / "bible.yaml").write_text("gags:\n  - name: Lighthouse keys\n    payof: x\n")
    out = Program(capsys)("check", "-C", str(show), "--format", "github")
    (row,) = [row for row in out.text.splitlines() if row.startswith("::error")]
    assert row.startswith("::error file=shows%2C all/pier/bible/bible.yaml,line=3,col=5,title=showmemory::expected ")
    assert "payof" in row and "%0A" in row
    assert out.code == 1
    assert Program(capsys)("check", "-C", str(show), "--format", "gitlab").code == 1


def test_what_a_script_says_is_no_order_to_the_service(tmp_path: Path) -> None:
    """A line of a script, or a file's name, cannot speak to the runner."""
    (tmp_path / ".git").mkdir()
    said = "::stop-commands::x\r\n::error::50%"
    wrong = Problem(Span("episodes/a,b:c.fountain", 3), "warning", f"found {said}", said, "::add-mask::x")
    (row,) = annotated([wrong], tmp_path)
    assert row == (
        "::warning file=episodes/a%2Cb%3Ac.fountain,line=3,title=showmemory::"
        "found ::stop-commands::x%0D%0A::error::50%25%0A::add-mask::x%0A::stop-commands::x%0D%0A::error::50%25"
    )
    beside = Problem(Span("cache"), "notice", "expected the shared cache to answer, found a timeout")
    assert list(annotated([beside], tmp_path)) == [
        "::notice title=showmemory::cache: expected the shared cache to answer, found a timeout"
    ]


def test_a_build_on_a_restored_cache_reads_no_script(origin: Path, tmp_path: Path) -> None:
    """After a build that kept the notebook, the next one finds nothing to do."""
    first = cloned(origin, tmp_path / "first")
    run(first)
    full = cloned(origin, tmp_path / "full")
    shutil.copytree(first / ".showmemory", full / ".showmemory")
    with opened(full) as read:
        assert uptodate.is_up_to_date(full)
    assert read == []
