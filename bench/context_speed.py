"""Time a context over a memory of 20,000 entries against loading it: `python -m bench.context_speed [--entries N]`.

The memory is made up: facts, knowledge, phrases, gags, callbacks, synopses and threads of 400 episodes, their words
drawn as often as English uses them. Seconds are CPU seconds; what counts is the ratio within one run.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator

from wordfreq import top_n_list

from showmemory.context.context import compose, memory_context
from showmemory.context.moment import moment_of
from showmemory.context.ready import Ready
from showmemory.context.tokens import count
from showmemory.model.canonical import dumps
from showmemory.model.ids import slug
from showmemory.model.memory import Entry, EpisodeRecord, Said, ShowMemory, Source, Spoke, Use
from showmemory.model.show import Bible, Character, Show, ShowConfig

EPISODES, LEADS, GUESTS = 400, 12, 200
KINDS = ("fact", "knowledge", "catchphrase", "running", "callback", "callback", "fact", "thread")
OTHER = "EXT. PIER - DAY\n\nLead 5 counts the boats and asks Lead 1 about the money."
SCENE = "INT. HARBOUR OFFICE - NIGHT\n\nLead 3 looks for a lantern and a letter that nobody has opened."


def memory(entries: int, seed: int = 1) -> tuple[Show, ShowMemory]:
    """A made-up show and its memory."""
    dice = random.Random(seed)
    words = top_n_list("en", 20_000, wordlist="large")
    drawn = [1.0 / (rank + 3) for rank in range(len(words))]
    people = [f"character.lead-{n}" for n in range(LEADS)]
    spoke = {who: Spoke(words=400, lines=40) for who in people}
    records = tuple(
        EpisodeRecord(id=f"ep.{n}", season=1 + n // 20, number=1 + n % 20, spoke=spoke) for n in range(EPISODES)
    )
    made = tuple(_entries(dice, entries, words, drawn, people))
    bible = Bible(characters=tuple(Character(id=who, name=who[10:].replace("-", " ").title()) for who in people))
    show = Show(config=ShowConfig(id="made-up", title="Made Up"), bible=bible)
    return show, ShowMemory(id="memory.made-up", episodes=records, entries=made)


def _entries(
    dice: random.Random, entries: int, words: list[str], drawn: list[float], people: list[str]
) -> Iterator[Entry]:
    for n in range(entries):
        kind = "synopsis" if n < EPISODES else KINDS[n % len(KINDS)]
        form = {"catchphrase": "phrase", "running": "running", "callback": "callback", "fact": "fact"}.get(kind)
        length = 60 if kind == "synopsis" else dice.randint(2, 4) if form in ("phrase", "running") else 14
        text = " ".join(dice.choices(words, drawn, k=length))
        who = (
            people[min(int(dice.expovariate(0.3)), LEADS - 1)]
            if dice.random() < 0.5
            else f"character.guest-{n % GUESTS}"
        )
        at = sorted(dice.sample(range(EPISODES), 1 if form in (None, "fact") else dice.randint(2, 6)))
        first = f"ep.{n}" if kind == "synopsis" else f"ep.{at[0]}"
        said = {f"ep.{e}": _said(dice, kind, text, who, e, form) for e in (at if kind != "synopsis" else [n])}
        uses = tuple(use for step in said.values() for use in step.uses)
        yield Entry(
            id=f"mem.{kind if form not in ('running', 'callback') else 'gag'}.{n}",
            kind="gag" if form in ("running", "callback") else kind,  # type: ignore[arg-type]
            form=form,  # type: ignore[arg-type]
            key=f"{n} {slug(text)[:40]}",
            title=text if form in ("phrase", "running", "callback") or kind == "thread" else "",
            text=text,
            about=(first,) if kind == "synopsis" else (who,) if kind != "knowledge" else (people[0],),
            holders=(who,) if kind == "knowledge" else (),
            since=first,
            changed=first,
            uses=uses,
            said=said,
        )


def _said(dice: random.Random, kind: str, text: str, who: str, at: int, form: str | None) -> Said:
    source = Source(episode=f"ep.{at}", scene=str(dice.randint(1, 30)), line=dice.randint(1, 3000), words=text)
    if form in ("phrase", "running", "callback"):
        use = Use(episode=source.episode, scene=source.scene, line=source.line, words=text, speaker=who)
        return Said(rule=kind, title=text, text=text, uses=(use,), score=dice.random() * 9)
    return Said(rule=kind, text=text, sources=(source,))


def seconds(task: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    gc.collect()
    began = time.process_time()
    task()
    return time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=20_000)
    options = parser.parse_args()
    show, made = memory(options.entries)
    text = dumps(made)
    count("a word")
    loads = [seconds(lambda: ShowMemory.model_validate_json(text)) for _ in range(3)]
    del made
    made = ShowMemory.model_validate_json(text)
    load = min(loads)
    print(f"{options.entries:,} entries, {len(text) / 1e6:.0f} MB\n\n| what | CPU s | of a load |\n| --- | --- | --- |")
    print(f"| load memory | {load:.2f} | 1 |")
    for name, asked in (("the whole show", None), ("a scene", SCENE)):
        took = seconds(lambda asked=asked: memory_context(show, made, scene=asked))  # type: ignore[misc]
        print(f"| context of {name} | {took:.2f} | {took / load:.2f} |")
    ready = Ready(show, moment_of(show, made), {})
    compose(ready, scene=SCENE)
    took = seconds(lambda: compose(ready, scene=OTHER))
    print(f"| context of another scene, memory made ready | {took:.2f} | {took / load:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
