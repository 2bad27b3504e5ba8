"""When in the story something happened: "Day 3, evening — two days ago", where settings ask for it (C43 to C53).

Nothing of it is stored: the days are counted from what the scripts say each time, so nothing is ever dated twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from showmemory.context.moment import Moment
from showmemory.fold.fold import order
from showmemory.model.memory import Entry, Settings
from showmemory.model.screenplay import Screenplay
from showmemory.model.storytime import StoryTime, both, parse


class Stamps:
    """The story's clock as of a moment. `measured`: by the scripts; else each episode is a day, at the flat rate.

    An episode begins `days_per_episode` after the one before it in the story ended. One whose script is not at hand
    has the flat rate too: the scale is wrong then, the order right (C50).
    """

    def __init__(
        self, moment: Moment, settings: Settings, scripts: Mapping[str, Screenplay], *, measured: bool
    ) -> None:
        self._moment = moment
        self._begins: dict[str, StoryTime] = {}
        self._ends: dict[str, StoryTime] = {}
        self._scenes: dict[tuple[str, str], StoryTime] = {}
        held = [moment.records[e] for e in moment.order]
        day = 1
        for episode in order(held, "story"):
            play = scripts.get(episode) if measured else None
            end = self._measured(episode, play, day) if play else None
            if end is None:
                end = self._begins[episode] = StoryTime(day)
            self._ends[episode] = end
            day = end.day + settings.days_per_episode
        self.now = self._ends.get(moment.newest or "", StoryTime())

    def _measured(self, episode: str, play: Screenplay, day: int) -> StoryTime | None:
        """Place an episode's scenes from `day` on; the time of its last one in the story's own line."""
        told = [(scene.id, parse(scene.clock)) for scene in play.scenes if scene.clock]
        main = [time for _, time in told if time and time.day and not time.aside]
        if not main:
            return None
        shift = day - main[0].day
        for scene, time in told:
            if time is not None:
                # What stands outside the story's own line keeps its own count.
                moved = replace(time, day=time.day + shift) if time.day and not time.aside else time
                self._scenes[episode, scene] = moved
        self._begins[episode] = replace(main[0], day=day)
        last = max(main, key=lambda time: time.day)
        parts = [time.part for time in main if time.day == last.day]
        return StoryTime(last.day + shift, parts[-1])

    def at(self, episode: str, scene: str = "") -> str:
        """Both readings of a scene, else of where its episode begins; empty for an episode nobody placed."""
        time = self._scenes.get((episode, scene)) or self._begins.get(episode)
        return both(time, self.now) if time else ""

    def of(self, entry: Entry, episode: str) -> str:
        """Both readings of what an episode says of an entry; when a person said when, that."""
        if own := parse(entry.when or ""):
            return both(own, self.now)
        if not entry.said and episode in self._ends:
            # What a person added is of the moment they added it at: the end of the episode that was newest then (C47).
            return both(self._ends[episode], self.now)
        said = entry.said.get(episode)
        cited = said.sources or said.uses if said else ()
        scenes = [source.scene for source in (*cited, *entry.sources, *entry.uses) if source.episode == episode]
        return self.at(episode, next(filter(None, scenes), ""))

    def when(self, entry: Entry) -> str:
        """Both readings of an entry by itself: of the last time it played or moved, else of where it came to be so."""
        if entry.uses:
            return self.last(entry, entry.uses[-1].episode)
        moving = entry.kind in ("thread", "synopsis", "summary")
        return self.of(entry, (entry.changed if moving else self._moment.came(entry)) or "")

    def last(self, entry: Entry, episode: str) -> str:
        """Both readings of the last time an entry played in an episode."""
        scenes = [use.scene for use in entry.uses if use.episode == episode and use.scene]
        return self.at(episode, scenes[-1] if scenes else "")
