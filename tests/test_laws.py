"""The laws on the sample show and on small ones: clean = incremental, truncation, determinism, idempotence."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from showmemory.fold.fold import as_of, order
from showmemory.model.canonical import dumps
from showmemory.notebook import Notebook
from shows import clone, outputs, run, sample, script, tiny


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    show = sample(tmp_path_factory.mktemp("whole") / "show")
    assert run(show).errors == []
    return show


def upto(show: Path, to: Path, episode: str) -> Path:
    """The show as it stood when `episode` was the newest: later scripts and their side files are not there."""
    sample(to)
    config = tomllib.loads((to / "show.toml").read_text(encoding="utf-8"))
    places = {e["id"]: (e["season"], e["number"]) for e in config["episodes"]}
    text = (to / "show.toml").read_text(encoding="utf-8")
    head, *blocks = text.split("[[episodes]]")
    kept = []
    for block in blocks:
        entry = tomllib.loads(block)
        if places[entry["id"]] <= places[episode]:
            kept.append(block)
            continue
        script = to / entry["script"]
        if not script.exists():
            continue
        shutil.rmtree(script.parent) if script.parent != to / "episodes" else script.unlink()
    (to / "show.toml").write_text("[[episodes]]".join([head, *kept]), encoding="utf-8")
    return to


def test_truncation_for_every_episode_of_the_sample_show(whole: Path, tmp_path: Path) -> None:
    """Law: memory as of j is, byte for byte, what a rebuild from the scripts up to j gives."""
    memory = Notebook(whole).memory
    assert memory is not None
    for episode in order(memory.episodes):
        cut = upto(whole, tmp_path / episode, episode)
        run(cut)
        rebuilt = Notebook(cut).memory
        assert rebuilt is not None
        assert dumps(as_of(memory, episode)) == dumps(rebuilt), episode


def test_a_second_run_changes_no_byte(whole: Path) -> None:
    """Law: idempotent; A107."""
    before = outputs(whole)
    again = run(whole)
    assert (again.changed_files, again.plan.changes) == ([], ())
    assert outputs(whole) == before


def test_a_deleted_cache_changes_no_byte(whole: Path, tmp_path: Path) -> None:
    """DESIGN §2: .showmemory is a cache alone."""
    copy = clone(whole, tmp_path / "clone")
    run(copy)
    assert outputs(copy) == outputs(whole)


VARIANTS = {
    "hash seed": ({"PYTHONHASHSEED": "7"}, ()),
    "time zone and locale": ({"TZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}, ()),
    "four workers": ({"PYTHONHASHSEED": "11"}, ("4",)),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_same_bytes_whatever_the_machine(name: str, whole: Path, tmp_path: Path) -> None:
    """Law: hash seed, working directory, time zone, locale and worker count decide nothing (A49)."""
    environment, workers = VARIANTS[name]
    show = sample(tmp_path / "elsewhere with a space")
    code = (
        "import sys; from pathlib import Path; from showmemory.flow import Options, remember\n"
        "if __name__ == '__main__': remember(Path(sys.argv[1]), Options(workers=int(sys.argv[2])))\n"
    )
    file = tmp_path / "go.py"
    file.write_text(code)
    command = [sys.executable, str(file), show.name, *(workers or ("1",))]
    subprocess.run(command, check=True, cwd=tmp_path, env={**os.environ, **environment}, timeout=300)
    assert outputs(show) == outputs(whole)


NAMES = ("Ada", "Bo", "Cy")
LINES = (
    "Define safe.",
    "Nobody counts the lighthouse keys twice.",
    "I brought the loud one, obviously.",
    "The kettle is a witness, and it is not talking.",
    "Come on, what are you doing?",
    "Strictly speaking that is a lantern, Bo.",
)


def _random_script(rng: random.Random) -> str:
    scenes = [
        script(
            *((rng.choice(NAMES).upper(), rng.choice(LINES)) for _ in range(rng.randint(3, 7))),
            heading=f"INT. {rng.choice(['PIER', 'GALLEY', 'LANTERN ROOM'])} - {rng.choice(['DAY', 'NIGHT'])}",
        )
        for _ in range(rng.randint(1, 3))
    ]
    return "\n\n".join(scenes)


def _step(show: Path, rng: random.Random) -> None:
    scripts = sorted((show / "episodes").glob("*.fountain"))
    act = rng.choice(["edit", "edit", "add", "bible", "cache", "auto", "touch"])
    if act == "edit":
        rng.choice(scripts).write_text(_random_script(rng))
    elif act == "add":
        (show / "episodes" / f"s01e{len(scripts) + 1:02d}.fountain").write_text(_random_script(rng))
    elif act == "bible":
        gag = rng.choice(["Lighthouse keys", "The kettle", "Loud ones"])
        (show / "bible").mkdir(exist_ok=True)
        (show / "bible" / "bible.yaml").write_text(f"gags:\n  - name: {gag}\n    payoff: '\"define safe\"'\n")
    elif act == "cache":
        shutil.rmtree(show / ".showmemory", ignore_errors=True)
    elif act == "touch":
        os.utime(rng.choice(scripts))


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_a_fresh_clone_gives_the_same_bytes(seed: int, tmp_path: Path) -> None:
    """Law: clean = incremental, with memory applied as made and as a waiting plan."""
    rng = random.Random(seed)
    show = tiny(tmp_path / "show", {f"s01e{n:02d}.fountain": _random_script(rng) for n in range(1, 4)})
    apply = "auto" if seed % 2 else "review"
    for _ in range(6):
        _step(show, rng)
        run(show, apply=apply)
    fresh = clone(show, tmp_path / "fresh")
    run(fresh, apply=apply)
    assert outputs(fresh) == outputs(show)
    if apply == "auto":
        anew = clone(show, tmp_path / "anew")
        for name in ("memory.json", "memory.history.jsonl"):
            (anew / "bible" / name).unlink()
        run(anew, apply=apply)
        assert outputs(anew) == outputs(show)
