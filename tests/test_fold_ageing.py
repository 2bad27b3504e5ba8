"""Set-ups age, and a payoff points back to the line that set it up (G10)."""

from __future__ import annotations

from showmemory.fold.ageing import owed, paid
from showmemory.model.memory import Entry, Said, Source, Status, Use

_STATUS: dict[str, Status] = {"opened": "open", "moved": "open", "resolved": "resolved"}
ORDER = [f"ep.{n}" for n in range(1, 9)]


def at(episode: int, line: int) -> Source:
    return Source(episode=f"ep.{episode}", scene="1", line=line)


def bell(**steps: tuple[str, int]) -> Entry:
    """An entry with steps such as ep1=("opened", 12)."""
    said = {
        f"ep.{name[2:]}": Said(move=move, status=_STATUS[move], sources=(at(int(name[2:]), line),))
        for name, (move, line) in steps.items()
    }
    last = list(said.values())[-1]
    return Entry(id="mem.thread.bell", kind="thread", status=last.status, said=said)


def test_an_open_thread_waits_since_its_last_step() -> None:
    """G10: counted in episodes, as of the moment; the set-up is the line that opened it."""
    thread = bell(ep1=("opened", 12), ep3=("moved", 40))
    (one,) = owed([thread], ORDER, after=5)
    assert (one.setup, one.moved, one.waited) == (at(1, 12), "ep.3", 5)
    assert owed([thread], ORDER, after=6) == []
    assert owed([thread], ORDER[:3], after=1) == []


def test_a_paid_or_retired_thread_is_not_owed() -> None:
    assert owed([bell(ep1=("opened", 12), ep2=("resolved", 9))], ORDER) == []
    assert owed([bell(ep1=("opened", 12)).model_copy(update={"retired": True})], ORDER) == []


def test_the_longest_wait_comes_first() -> None:
    old, new = bell(ep1=("opened", 1)), bell(ep4=("opened", 1)).model_copy(update={"id": "mem.thread.a"})
    assert [one.waited for one in owed([new, old], ORDER)] == [7, 4]


def test_a_payoff_links_to_its_set_up() -> None:
    """G10: the last opening before it, where a thread was opened again."""
    thread = bell(ep1=("opened", 12), ep2=("resolved", 9), ep4=("opened", 3), ep6=("resolved", 77))
    link = paid(thread, ORDER)
    assert link is not None
    assert (link.setup, link.payoff) == (at(4, 3), at(6, 77))
    assert paid(bell(ep1=("opened", 12)), ORDER) is None


def test_a_callback_links_its_latest_return_to_its_set_up() -> None:
    uses = (Use(episode="ep.1", line=1, setup=True), Use(episode="ep.1", line=9), Use(episode="ep.3", line=2))
    link = paid(Entry(id="mem.gag.x", kind="gag", form="callback", uses=uses), ORDER)
    assert link is not None
    assert (link.setup.line, link.payoff.episode) == (1, "ep.3")
    assert paid(Entry(id="mem.gag.x", kind="gag", uses=uses[1:]), ORDER) is None
