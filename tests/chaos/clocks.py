"""A node dies while its players think: what they lose on the way is given back, and everyone at the table is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from tapete_client import Session, Table, connect
from tapete_protocol.codec import decode_frame
from tapete_protocol.events import ClockExtended, Event, PlayerBack, PlayerTimedOut
from tapete_protocol.frames import Batch
from tests.chaos.company import Stopwatch, kind_of, wait_for
from tests.chaos.evening import Scale
from tests.chaos.figures import Figure, Outcome, within
from tests.chaos.venue import Venue, venue

Tell = Callable[[str], None]

TIMES = {"betting_ms": 0, "closing_ms": 0, "pause_ms": 0, "card_ms": 0, "turn_ms": 120_000, "hold_ms": 60_000}
SETTINGS: dict[str, object] = {"game": "double_exposure", "times": TIMES}
TOLD_S_MAX = 60.0
MEASURING_MS = 50
"""By which the clocks of two processes may differ. All is told by the store's time, however late it reaches anybody."""


class Thinker:
    """A player whose turn it is, and somebody at another node who sees the table."""

    def __init__(self, watch: Stopwatch, table: Table, onlooker: Table) -> None:
        self.watch, self.table, self.onlooker = watch, table, onlooker
        self.seen: dict[str, list[Event]] = {"player": [], "onlooker": []}
        self.back_ms = 0
        """Store time at which the table heard that the player was back."""
        table.on_frame(lambda payload: self._note("player", payload))
        onlooker.on_frame(lambda payload: self._note("onlooker", payload))

    def _note(self, who: str, payload: bytes) -> None:
        if kind_of(payload) != "Batch":
            return
        frame = decode_frame(payload)
        assert isinstance(frame, Batch)
        self.seen[who] += frame.events
        if any(isinstance(one, PlayerBack) for one in frame.events):
            self.back_ms = frame.at

    def extended_ms(self, who: str) -> int:
        return sum(one.by_ms for one in self.seen[who] if isinstance(one, ClockExtended) and one.clock == "turn")

    def faults(self, killed_ms: int) -> list[str]:
        """Both have seen the same, nobody lost time, nobody lost a hand. `killed_ms`: store time."""
        lost_ms, given_ms = self.back_ms - killed_ms, self.extended_ms("onlooker")
        wrong = {
            f"the player saw {self.seen['player']}, the onlooker {self.seen['onlooker']}": self.extended_ms("player")
            != given_ms,
            f"{lost_ms} ms were lost, {given_ms} ms given back": given_ms < lost_ms - MEASURING_MS,
            "a hand was forfeited": any(isinstance(one, PlayerTimedOut) for one in self.seen["onlooker"]),
        }
        return [fault for fault, is_so in wrong.items() if is_so]


async def clocks(scale: Scale, tell: Tell) -> Outcome:
    outcome = Outcome(
        "Clocks of a killed node",
        "At each table it is the turn of a player whose node is killed, and who thinks on elsewhere.",
    )
    lost: list[float] = []
    given: list[float] = []
    async with venue() as house:
        survivor, victim = await house.post("a"), await house.post("b")
        for number in range(scale.times):
            async with AsyncExitStack() as stack:
                onlooker = await stack.enter_async_context(connect(survivor.url, name="Onlooker"))
                urls = [victim.url, survivor.url]
                thinkers = [await _thinker(house, stack, onlooker, urls) for _ in range(scale.tables)]
                killed_at = asyncio.get_running_loop().time()
                victim.node.kill()
                killed_ms = await house.store.now_ms()
                await wait_for(lambda: all(one.watch.returns for one in thinkers), TOLD_S_MAX)  # noqa: B023
                await _all_told(thinkers)
                lost += [one.watch.returns[0].back_at - killed_at for one in thinkers]
                given += [one.extended_ms("onlooker") / 1000 for one in thinkers]
                outcome.faults += [fault for one in thinkers for fault in one.faults(killed_ms)]
                for one in thinkers:
                    await one.table.stand_all()
            tell(f"kill {number + 1}: {len(thinkers)} players thought on")
            await victim.start()
        found = await house.audit()
    outcome.figures = [
        Figure(
            "from the kill to the answer of another node", "s", lost, "2 s in the middle, 5 s at p99", within(2.0, 5.0)
        ),
        Figure("by which the clock was extended", "s", given),
    ]
    outcome.counts = {"players whose turn it was": len(given), "minor units missing!": abs(found.difference)}
    return outcome


async def _all_told(thinkers: list[Thinker]) -> None:
    """Until each table has said that its clock was extended; whoever is not told by then is a fault that is counted."""
    try:
        await wait_for(
            lambda: all(one.extended_ms("onlooker") and one.extended_ms("player") for one in thinkers), TOLD_S_MAX
        )
    except TimeoutError:
        return


async def _thinker(house: Venue, stack: AsyncExitStack, onlooker: Session, urls: list[str]) -> Thinker:
    session = await stack.enter_async_context(connect(urls, name="Thinker"))
    [opened] = await house.open(urls[-1], SETTINGS)
    table = await session.join(opened, 1, 50_000)
    thinker = Thinker(Stopwatch(session), table, await onlooker.watch(opened))
    while table.my_turn is None:
        number = table.view.round
        await table.place_bet(1, "main", 1_000)
        await table.ready()
        await table.until(lambda view: view.round > number or view.felt.turn is not None)  # noqa: B023
    return thinker
