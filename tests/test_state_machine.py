"""The first law under fire: whatever is done to a show, and killed of its runs, the next is as a clean clone's.

A state machine edits, adds, deletes, renames, moves, splits and merges episodes, edits everything a person may edit,
takes decisions, harms the cache, switches branches and kills runs. `make fire` does the same for much longer.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from killing import SIGNALS, killed
from showmemory import desk, uptodate
from showmemory.store import history
from shows import outputs, run
from turmoil import BIBLE, LINES, OVERLAYS, SETTINGS, SIDES, Words, text

FIRE = int(os.environ.get("FIRE", "1"))
FLAGS = ("pinned", "locked", "retired")
CACHED = ("store-*.db", "store-*.db-wal", "uptodate-*.json", "inputs-*.json", "pending.json", "lock")
PICK = st.integers(0, 10_000)


class Show(RuleBasedStateMachine):
    """One show on disk, in a git repository, and what its person wrote. `before`: settings before a first memory."""

    before: Mapping[str, Any] = MappingProxyType({})

    def __init__(self) -> None:
        super().__init__()
        # In memory where there is such a place: a run syncs every file it writes.
        self.home = Path(tempfile.mkdtemp(prefix="fire-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
        self.root = self.home / "show"
        (self.root / "episodes").mkdir(parents=True)
        (self.root / "bible").mkdir()
        (self.root / ".gitignore").write_text(".showmemory/\nbible/proposal.json\n")
        self.words = Words()
        self.branch = "main"
        self.branches: dict[str, Words] = {}
        self.clones = 0

    def teardown(self) -> None:
        shutil.rmtree(self.home)

    @initialize(seeds=st.lists(PICK, min_size=2, max_size=4))
    def begin(self, seeds: list[int]) -> None:
        for number, seed in enumerate(seeds, 1):
            self.script(f"s01e{number:02d}").write_text(text(seed))
        self.git("init", "-q", "-b", "main", "--template=")
        if self.before:
            desk.change(self.root, "set", fields=self.before)

    # What happens to scripts.

    @rule(pick=PICK, seed=PICK)
    def edit(self, pick: int, seed: int) -> None:
        if path := self.one(pick):
            path.write_text(text(seed))

    @rule(pick=PICK, old=st.sampled_from(LINES), new=st.sampled_from(LINES))
    def edit_a_line(self, pick: int, old: str, new: str) -> None:
        if path := self.one(pick):
            path.write_text(path.read_text().replace(old, new, 1))

    @rule(seed=PICK, number=st.integers(1, 7))
    def add(self, seed: int, number: int) -> None:
        self.script(f"s01e{number:02d}").write_text(text(seed))

    @rule(pick=PICK)
    def delete(self, pick: int) -> None:
        if path := self.one(pick):
            path.unlink()

    @rule(pick=PICK, number=st.integers(1, 9), title=st.sampled_from(("", " Kettle", " Fog")))
    def rename(self, pick: int, number: int, title: str) -> None:
        if path := self.one(pick):
            path.rename(self.script(f"s01e{number:02d}{title}"))

    @rule(pick=PICK, other=PICK)
    def swap(self, pick: int, other: int) -> None:
        one, two = self.one(pick), self.one(other)
        if one and two and one != two:
            held = one.read_bytes()
            one.write_bytes(two.read_bytes())
            two.write_bytes(held)

    @rule(pick=PICK, number=st.integers(5, 9))
    def split(self, pick: int, number: int) -> None:
        path = self.one(pick)
        cut = path.read_text().rfind("INT.") if path else 0
        if path and cut > 0:
            self.script(f"s01e{number:02d}").write_text(path.read_text()[cut:])
            path.write_text(path.read_text()[:cut])

    @rule(pick=PICK, other=PICK)
    def join(self, pick: int, other: int) -> None:
        one, two = self.one(pick), self.one(other)
        if one and two and one != two:
            one.write_text(f"{one.read_text()}\n\n{two.read_text()}")
            two.unlink()

    @rule(pick=PICK)
    def touch(self, pick: int) -> None:
        if path := self.one(pick):
            os.utime(path)

    @rule(pick=PICK, empty=st.booleans())
    def spoil(self, pick: int, empty: bool) -> None:
        if path := self.one(pick):
            path.write_bytes(b"" if empty else b"\x00\x01\x02" * 300)

    @rule(shuffle=st.none() | PICK)
    def list_them(self, shuffle: int | None) -> None:
        """Write show.toml with the scripts there are, in some order, or take it away."""
        config = self.root / "show.toml"
        if shuffle is None:
            config.unlink(missing_ok=True)
            return
        scripts = self.scripts()
        random.Random(shuffle).shuffle(scripts)
        rows = ['id = "pier"', 'title = "The Pier"']
        for number, path in enumerate(scripts, 1):
            rows += ["[[episodes]]", f'id = "ep.{path.stem[:6]}"', "season = 1", f"number = {number}"]
            rows += [f'script = "episodes/{path.name}"']
        config.write_text("\n".join(rows) + "\n")

    # What a person edits.

    @rule(parts=st.sets(st.sampled_from(sorted(BIBLE))), pick=PICK)
    def edit_bible(self, parts: set[str], pick: int) -> None:
        made = {part: [BIBLE[part][pick % len(BIBLE[part])]] for part in sorted(parts)}
        (self.root / "bible").mkdir(exist_ok=True)
        (self.root / "bible" / "bible.yaml").write_text(json.dumps(made))

    @rule(pick=PICK, kind=st.sampled_from(sorted(SIDES)), there=st.booleans())
    def edit_side_file(self, pick: int, kind: str, there: bool) -> None:
        if script := self.one(pick):
            path = script.with_suffix(f".{kind}.yaml")
            path.write_text(json.dumps(SIDES[kind])) if there else path.unlink(missing_ok=True)

    @rule(pick=PICK, there=st.booleans())
    def edit_rules(self, pick: int, there: bool) -> None:
        """Raise one number of one rule, or take a word out of one lexicon."""
        name, words = OVERLAYS[pick % len(OVERLAYS)]
        path = self.root / "rules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words) if there else path.unlink(missing_ok=True)

    @rule(name=st.sampled_from(sorted(SETTINGS)), pick=PICK)
    def edit_settings(self, name: str, pick: int) -> None:
        def change(memory: dict[str, Any]) -> None:
            value = SETTINGS[name][pick % len(SETTINGS[name])]
            memory.setdefault("settings", {})[name] = self.words.settings[name] = value

        self.by_hand(change)

    @rule(pick=PICK, indent=st.sampled_from((2, 4, None)))
    def rewrite(self, pick: int, indent: int | None) -> None:
        def change(memory: dict[str, Any]) -> None:
            if entries := memory.get("entries"):
                entry = entries[pick % len(entries)]
                entry["text"] = self.words.texts[entry["id"]] = f"Words of mine, number {pick}."

        self.by_hand(change, indent)

    @rule(number=st.integers(1, 3))
    def write_one(self, number: int) -> None:
        def change(memory: dict[str, Any]) -> None:
            entry = {"id": f"mem.fact.mine-{number}", "kind": "fact", "text": f"Mine {number}."}
            if entry["id"] not in {e["id"] for e in memory["entries"]} | self.words.gone:
                memory["entries"].append(entry)
                self.words.texts[entry["id"]] = entry["text"]

        self.by_hand(change)

    @rule(pick=PICK)
    def cross_out(self, pick: int) -> None:
        def change(memory: dict[str, Any]) -> None:
            if entries := memory.get("entries"):
                entry = entries.pop(pick % len(entries))
                self.words.texts.pop(entry["id"], None)
                self.words.flags.pop(entry["id"], None)
                if entry["id"] in memory.get("written", {}):
                    self.words.gone.add(entry["id"])

        self.by_hand(change)

    @rule(pick=PICK, flag=st.sampled_from(FLAGS), value=st.booleans())
    def mark(self, pick: int, flag: str, value: bool) -> None:
        def change(memory: dict[str, Any]) -> None:
            if entries := memory.get("entries"):
                entry = entries[pick % len(entries)]
                entry[flag] = value
                self.words.flags.setdefault(entry["id"], {})[flag] = value

        self.by_hand(change)

    @rule(pick=PICK, approve=st.booleans(), every=st.booleans())
    def decide(self, pick: int, approve: bool, every: bool) -> None:
        made = run(self.root, apply="review")
        names = sorted(c.id for c in made.plan.changes)
        if not names:
            return
        some = names if every else [names[pick % len(names)]]
        self.both(lambda show: desk.decide(show, approve=some) if approve else desk.decide(show, reject=some))

    @rule(pick=PICK, season=st.integers(1, 2), number=st.integers(1, 9))
    def place(self, pick: int, season: int, number: int) -> None:
        """Another place for an episode, as a person gives it."""
        held = (self.memory() or {}).get("episodes", [])
        if held:
            id_, where = held[pick % len(held)]["id"], {"season": season, "number": number}
            self.both(lambda show: desk.change(show, "place", id_, fields=where))

    @rule(back=st.booleans())
    def undo(self, back: bool) -> None:
        self.words = Words()
        self.both(desk.undo if back else desk.redo)

    # What happens to the cache, and to the repository.

    @rule(what=st.sampled_from((None, *CACHED)), how=st.sampled_from(("gone", "cut", "noise")))
    def harm_the_cache(self, what: str | None, how: str) -> None:
        cache = self.root / uptodate.CACHE
        if what is None:
            shutil.rmtree(cache, ignore_errors=True)
            return
        for path in cache.glob(what):
            if how == "gone":
                path.unlink()
            elif how == "cut":
                os.truncate(path, path.stat().st_size // 2)
            else:
                held = bytearray(path.read_bytes())
                held[len(held) // 3 : len(held) // 3 + 40] = b"\xff" * min(40, len(held) - len(held) // 3)
                path.write_bytes(bytes(held))

    @rule(name=st.sampled_from(("main", "pilot", "finale")))
    def switch(self, name: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "work")
        self.branches[self.branch] = deepcopy(self.words)
        if name not in self.branches:
            self.git("switch", "-q", "-c", name)
        elif name != self.branch:
            self.git("switch", "-q", name)
            self.words = deepcopy(self.branches[name])
        self.branch = name

    # Runs, whole and killed.

    @rule()
    def remember(self) -> None:
        self.both(lambda _: None)

    @rule(point=st.integers(1, 260), number=st.sampled_from(SIGNALS))
    def remember_killed(self, point: int, number: int) -> None:
        clone = self.clone()
        killed(self.root, point, number)
        self.same(clone)

    # How the rules above do it.

    def run_if_due(self, show: Path) -> bool:
        """As doit does: not at all when nothing changed. Returns whether it stopped, for what the person must mend."""
        return not uptodate.is_up_to_date(show) and run(show).stopped

    def both(self, act: Callable[[Path], object]) -> None:
        """Do it here and in a clean clone: every byte is the same."""
        clone = self.clone()
        for show in (self.root, clone):
            act(show)
        self.same(clone)

    def same(self, clone: Path) -> None:
        """After a run here and there every byte is the same, and no word of the person is lost."""
        before = self.memory_bytes()
        stopped = [self.run_if_due(show) for show in (self.root, clone)]
        assert stopped[0] == stopped[1]
        if stopped[0]:
            assert self.memory_bytes() == before
            return
        if (memory := self.memory()) is not None:
            assert self.words.lost(memory) == []
        assert outputs(self.root) == outputs(clone)
        assert self.files(self.root) == self.files(clone)
        assert self.told(self.root) == self.told(clone)
        shutil.rmtree(clone)

    def told(self, show: Path) -> list[dict[str, Any]]:
        """The history but for its clock times."""
        return [{k: v for k, v in c.items() if k not in ("at", "id", "of")} for c in history.read(show)]

    def files(self, show: Path) -> set[str]:
        names = {p.relative_to(show).as_posix() for p in show.rglob("*") if p.is_file()}
        return {n for n in names if not n.startswith((".git/", uptodate.CACHE))}

    def clone(self) -> Path:
        """The files a person wrote, memory and its history, what git holds; nothing else that a run makes."""
        self.clones += 1
        left_out = (uptodate.CACHE, "proposal.json", "context")
        return Path(
            shutil.copytree(
                self.root, self.home / f"clone-{self.clones}" / "show", ignore=shutil.ignore_patterns(*left_out)
            )
        )

    def scripts(self) -> list[Path]:
        return sorted((self.root / "episodes").glob("*.fountain"))

    def one(self, pick: int) -> Path | None:
        found = self.scripts()
        return found[pick % len(found)] if found else None

    def script(self, name: str) -> Path:
        folder = self.root / "episodes"
        folder.mkdir(exist_ok=True)
        return folder / f"{name}.fountain"

    def memory_bytes(self) -> bytes:
        path = self.root / "bible" / "memory.json"
        return path.read_bytes() if path.exists() else b""

    def memory(self) -> dict[str, Any] | None:
        made: dict[str, Any] | None = json.loads(self.memory_bytes() or b"null")
        return made

    def by_hand(self, change: Callable[[dict[str, Any]], None], indent: int | None = 2) -> None:
        memory = self.memory()
        if memory is None or "entries" not in memory:
            return
        change(memory)
        (self.root / "bible" / "memory.json").write_text(json.dumps(memory, indent=indent, ensure_ascii=False))

    def git(self, *args: str) -> None:
        command = ["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a@b", *args]
        subprocess.run(command, check=True, capture_output=True, timeout=30)


class Auto(Show):
    """The same, applied as made."""

    before = MappingProxyType({"apply": "auto"})


HARD = settings(
    max_examples=6 * FIRE,
    stateful_step_count=14 if FIRE == 1 else 30,
    deadline=None,
    derandomize=FIRE == 1,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
    phases=[phase for phase in Phase if FIRE > 1 or phase is not Phase.shrink],
)
TestReview = Show.TestCase
TestReview.settings = HARD
TestAuto = Auto.TestCase
TestAuto.settings = HARD
