"""Little shows for what is ranked over whole series: scripts as text, tallied and earned by the real thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from showmemory.extract.earn import earn
from showmemory.extract.tally import Tally, tally
from showmemory.fold.fold import refold
from showmemory.fold.shown import Shown, shown
from showmemory.model.ids import entry_id
from showmemory.model.memory import Entry
from showmemory.model.observation import Observation
from showmemory.model.reading import EpisodeRead
from showmemory.model.rules import Rules
from showmemory.model.show import Bible, Episode, SideFiles
from showmemory.read.cast import resolve
from showmemory.read.rules import read_rules
from showmemory.read.screenplay import read_screenplay

RULES: Rules = read_rules("en")[0]
NO_BIBLE = Bible()


def tallied(scripts: Sequence[str], rules: Rules = RULES, bible: Bible = NO_BIBLE) -> list[Tally]:
    """Fountain texts, one an episode, as ep.1, ep.2 and so on."""
    made = []
    for number, script in enumerate(scripts, 1):
        name = f"{number}.fountain"
        play = resolve(read_screenplay(script.lstrip("\n").encode(), name, rules), bible, rules)
        episode = Episode(id=f"ep.{number}", season=1, number=number, script=name)
        made.append(tally(EpisodeRead(episode, play, SideFiles()), rules))
    return made


def earned(scripts: Sequence[str], rules: Rules = RULES, bible: Bible = NO_BIBLE) -> list[Observation]:
    """All that a little show earns."""
    return [one for _, seen in earn(tallied(scripts, rules, bible), bible, rules) for one in seen]


def entries(seen: Iterable[Observation], aired: Sequence[str]) -> list[Entry]:
    """Observations folded to entries, as the flow folds them."""
    held: dict[tuple[str, str], list[Observation]] = {}
    for one in seen:
        held.setdefault((one.kind, one.key), []).append(one)
    made = []
    for (kind, key), same in sorted(held.items()):
        first = same[0]
        entry = Entry(id=entry_id(kind, key), kind=first.kind, form=first.form, key=key, about=first.about)
        made.append(refold(entry.model_copy(update={"said": {one.episode: one.said for one in same}}), aired))
    return made


def listed(scripts: Sequence[str], rules: Rules = RULES, bible: Bible = NO_BIBLE) -> list[Shown]:
    """What a little show shows, list by list, best first."""
    aired = [f"ep.{number}" for number in range(1, len(scripts) + 1)]
    return [row for row in shown(entries(earned(scripts, rules, bible), aired), aired) if not row.held]
