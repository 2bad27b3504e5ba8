"""What counts say in words: a voice, its drift, the house style."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

Numbers = Mapping[str, int | float]
Tallies = Mapping[str, Mapping[str, int]]

_TRAITS = 3
# Measure -> (counted, out of, more than any, more, less than any, less); nothing is said where the words are empty.
_SAYS: Mapping[str, tuple[str, str, str, str, str, str]] = {
    "questions": (
        "questions",
        "sentences",
        "asks more than anyone",
        "asks a lot",
        "asks less than anyone",
        "rarely asks",
    ),
    "exclamations": (
        "exclamations",
        "sentences",
        "exclaims more than anyone",
        "often exclaims",
        "exclaims less than anyone",
        "rarely exclaims",
    ),
    "short": ("short", "sentences", "more fragments than anyone", "often in fragments", "", "few fragments"),
    "cut": ("cut", "lines", "breaks off more than anyone", "often breaks off", "", ""),
    "trailing": ("trailing", "lines", "trails off more than anyone", "often trails off", "", ""),
    "contractions": ("contractions", "words", "", "", "fewer contractions than anyone", "few contractions"),
}
_LONGER: Mapping[str, tuple[str, str]] = {
    "line_words": ("longer lines", "shorter lines"),
    "questions": ("asks more", "asks less"),
    "exclamations": ("exclaims more", "exclaims less"),
    "short": ("more fragments", "fewer fragments"),
    "cut": ("breaks off more", "breaks off less"),
    "trailing": ("trails off more", "trails off less"),
    "contractions": ("more contractions", "fewer contractions"),
    "parens": ("more parentheticals", "fewer parentheticals"),
}
_OF: Mapping[str, tuple[str, str]] = {name: row[:2] for name, row in _SAYS.items()} | {
    "line_words": ("words", "lines"),
    "parens": ("parens", "lines"),
}


def voice_words(numbers: Numbers, tallies: Tallies, measures: Mapping[str, float]) -> str:
    """A voice in a line: "Short lines (6 words), asks a lot (31%), often (dry). Own words: reckon, tide."."""
    if not numbers.get("lines"):
        return ""
    parts = [_length(numbers, measures), *_traits(numbers, measures), *_manners(numbers, tallies)]
    own = [name.partition(".")[2] for name in sorted(measures, key=lambda n: (-measures[n], n)) if name[:5] == "word."]
    return f"{', '.join(parts)}." + (f" Own words: {', '.join(own)}." if own else "")


def _length(numbers: Numbers, measures: Mapping[str, float]) -> str:
    count = _counted(_share(numbers, "line_words"), "word")
    rank, apart = measures.get("line_words.rank", 0), measures.get("line_words.z", 0)
    if rank:
        return f"The {'longest' if rank > 0 else 'shortest'} lines of all ({count})"
    if apart:
        return f"{'Long' if apart > 0 else 'Short'} lines ({count})"
    return f"Lines of {count}"


def _traits(numbers: Numbers, measures: Mapping[str, float]) -> Iterator[str]:
    """What stands out most, first."""
    apart = {name: measures[f"{name}.z"] for name in _SAYS if f"{name}.z" in measures}
    told = 0
    for name in sorted(apart, key=lambda n: (-abs(apart[n]), n)):
        most, more, least, less = _SAYS[name][2:]
        rank = measures.get(f"{name}.rank", 0)
        says = ((most if rank > 0 else "") or more) if apart[name] > 0 else ((least if rank < 0 else "") or less)
        if says and told < _TRAITS:
            told += 1
            yield f"{says} ({_percent(_share(numbers, name))})"


def _manners(numbers: Numbers, tallies: Tallies) -> list[str]:
    """The parentheticals they keep getting: at least three times, and on at least one line in fifty."""
    counts = tallies.get("parentheticals", {})
    least = max(3.0, numbers["lines"] / 50)
    kept = sorted((-count, manner) for manner, count in counts.items() if count >= least)[:2]
    return [f"often {' or '.join(f'({manner})' for _, manner in kept)}"] if kept else []


def drift_words(numbers: Numbers, measures: Mapping[str, float]) -> str:
    """How an episode departs from the voice before it: "shorter lines (6.1 words, were 9.3)"; empty where it does not.

    `numbers` are the episode's own, `measures` what was said of the voice there.
    """
    found = []
    apart = {name: measures[f"drift.{name}"] for name in _LONGER if f"drift.{name}" in measures}
    for name in sorted(apart, key=lambda n: (-abs(apart[n]), n)):
        says = _LONGER[name][0 if apart[name] > 0 else 1]
        now, was = _share(numbers, name), measures.get(f"was.{name}", 0.0)
        figures = f"{now:.1f} words, was {was:.1f}" if name == "line_words" else f"{_percent(now)}, was {_percent(was)}"
        found.append(f"{says} ({figures})")
    return ", ".join(found)


def style_words(numbers: Numbers, tallies: Tallies) -> str:
    """The house style in a few sentences."""
    made = []
    if numbers.get("paragraphs"):
        count = _counted(numbers.get("action_words", 0) / numbers["paragraphs"], "word")
        made.append(f"Action in paragraphs of {count}.")
    if sounds := _most(tallies.get("sounds", {}), 4):
        rate = sum(tallies["sounds"].values()) / max(1, numbers.get("scripts", 1))
        made.append(f"Sounds in capitals ({_about(rate)} a script): {', '.join(sounds)}.")
    if numbers.get("lines"):
        made.append(f"Spoken lines of {_counted(numbers.get('words', 0) / numbers['lines'], 'word')}.")
        made.append(_parentheticals(numbers, tallies))
    return " ".join(made)


def _parentheticals(numbers: Numbers, tallies: Tallies) -> str:
    if not numbers.get("parens"):
        return "No parentheticals."
    which = ", ".join(f"({manner})" for manner in _most(tallies.get("parentheticals", {}), 3))
    often = round(numbers["lines"] / numbers["parens"])
    rate = "on most lines" if often < 2 else f"on one line in {often}"
    return f"A parenthetical {rate}" + (f", most often {which}." if which else ".")


def _most(counts: Mapping[str, int], most: int) -> list[str]:
    return [word for _, word in sorted((-count, word) for word, count in counts.items() if count > 1)[:most]]


def _share(numbers: Numbers, name: str) -> float:
    counted, of = _OF[name]
    total = numbers.get(of, 0)
    return numbers.get(counted, 0) / total if total else 0.0


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 or not share else "under 1%"


def _counted(value: float, noun: str) -> str:
    whole = max(1, round(value))
    return f"{whole} {noun}" if whole == 1 else f"{whole} {noun}s"


def _about(rate: float) -> str:
    return f"about {round(rate)}" if rate >= 1 else "less than one"
