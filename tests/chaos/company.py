"""Players and onlookers, each with a stopwatch: what a connection's end costs is measured where it is felt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from tapete_client import Refused, Session, Table, connect
from tapete_client.bot import Bot, Pauses, Tally
from tapete_protocol.codec import decode_frame
from tapete_protocol.frames import Snapshot

ARRIVING_MAX = 20
"""Sessions that sign in at the same time."""
BACK_S_MAX = 60.0
CHANGED = 700
"""Minor units that a changer buys in with and cashes out."""
CHANGE_PAUSE_S = 0.2
"""After a refusal."""


@dataclass(frozen=True, slots=True)
class Return:
    """A lost connection and the next one. Times of the running loop; `back_at`: the answer to the first Watch was there, and
    with it everything that was missed."""

    lost_at: float
    back_at: float
    left: str
    node: str
    batches: int
    snapshots: int


def kind_of(payload: bytes) -> str:
    """A node writes `t` first, as a short text."""
    return payload[4 : 4 + (payload[3] & 0x1F)].decode()


class Stopwatch:
    """Of one session, by the hooks of the SDK. `batch_at`: when a table last told something."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.returns: list[Return] = []
        self.batch_at = 0.0
        self.store_back_at = 0.0
        self.rewinds = 0
        self.table: Table | None = None
        self._lost_at: float | None = None
        self._left = ""
        self._batches = self._snapshots = 0
        session.on_lost(self._lost)
        session.on_frame(self._frame)

    @property
    def away(self) -> bool:
        return self._lost_at is not None

    @property
    def where(self) -> str:
        """For whoever looks for it."""
        found = "away" if self.away else "there"
        return f"{self.session.name}, {found}, last at {self.session.node}, {len(self.returns)} returns"

    def _lost(self) -> None:
        if self._lost_at is None:
            self._lost_at, self._left = asyncio.get_running_loop().time(), self.session.node
            self._batches = self._snapshots = 0

    def _frame(self, payload: bytes) -> None:
        kind = kind_of(payload)
        if kind == "Batch":
            self.batch_at = asyncio.get_running_loop().time()
        elif kind == "StoreState" and self.session.store_available is False:
            self.store_back_at = asyncio.get_running_loop().time()
        elif kind == "Snapshot":
            frame = decode_frame(payload)
            self.rewinds += isinstance(frame, Snapshot) and frame.rewound
        if self._lost_at is None:
            return
        self._batches += kind == "Batch"
        self._snapshots += kind == "Snapshot"
        if kind == "Ack":
            now = asyncio.get_running_loop().time()
            came = Return(self._lost_at, now, self._left, self.session.node, self._batches, self._snapshots)
            self.returns.append(came)
            self._lost_at = None


class Company:
    """All that came, with their stopwatches. They stay until the stack ends."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self.watches: list[Stopwatch] = []
        self.players: list[Stopwatch] = []
        self.bots: list[asyncio.Task[Tally]] = []
        """And changers."""
        self._arriving = asyncio.Semaphore(ARRIVING_MAX)

    async def _arrive(self, urls: Sequence[str], number: int, name: str, table: str) -> Stopwatch:
        first = number % len(urls)
        async with self._arriving:
            session = await self._stack.enter_async_context(connect((*urls[first:], *urls[:first]), name=name))
            watch = Stopwatch(session)
            watch.table = await session.watch(table)
        self.watches.append(watch)
        return watch

    async def look_on(self, urls: Sequence[str], tables: Sequence[str], count: int) -> None:
        """Onlookers, spread over nodes and tables."""
        await asyncio.gather(*(self._arrive(urls, n, f"Onlooker {n}", tables[n % len(tables)]) for n in range(count)))

    async def play(self, urls: Sequence[str], tables: Sequence[tuple[str, Pauses]], count: int) -> None:
        """Bots, spread over nodes and tables, that play until they are stopped."""
        seats = [(n, *tables[n % len(tables)]) for n in range(count)]
        came = await asyncio.gather(*(self._arrive(urls, n, f"Bot {n}", table) for n, table, _ in seats))
        self.players += came
        for watch, (number, table, pauses) in zip(came, seats, strict=True):
            playing = asyncio.create_task(Bot(watch.session, table, number, pauses).run())
            self.bots.append(playing)
            self._stack.push_async_callback(_end, playing)

    async def change(self, urls: Sequence[str], table: str, count: int) -> None:
        """Players who do nothing but buy in and cash out."""
        came = await asyncio.gather(*(self._arrive(urls, n, f"Changer {n}", table) for n in range(count)))
        for box, watch in enumerate(came, 1):
            self.bots.append(changing := asyncio.create_task(_change(watch, box)))
            self._stack.push_async_callback(_end, changing)

    async def stop_bots(self) -> list[str]:
        """Where they sit, they sit. What stopped any of them before."""
        failures = [str(task.result()) for task in self.bots if task.done()]
        for task in self.bots:
            await _end(task)
        return failures

    def at(self, node: str) -> list[Stopwatch]:
        return [watch for watch in self.watches if watch.session.node == node and not watch.away]

    async def back(self, watches: Sequence[Stopwatch], since: float) -> list[Return]:
        """Wait until each of them has lost its connection since then and has another one; the first return of each."""
        try:
            await wait_for(lambda: all(first_since(watch, since) for watch in watches), BACK_S_MAX)
        except TimeoutError:
            out = [watch for watch in watches if not first_since(watch, since)]
            raise AssertionError(f"{len(out)} are not back: {[watch.where for watch in out[:5]]}") from None
        return [found for watch in watches if (found := first_since(watch, since))]

    async def heard(self, since: float) -> list[float]:
        """Wait until each has a batch of its table of after that time; how long it took each, in seconds."""
        delays: dict[Stopwatch, float] = {}

        def all_heard() -> bool:
            for watch in self.watches:
                if watch.batch_at > since:
                    delays.setdefault(watch, watch.batch_at - since)
            return len(delays) == len(self.watches)

        await wait_for(all_heard, BACK_S_MAX)
        return list(delays.values())

    async def level(self) -> None:
        """Wait until all who follow a table have the same of it, at rest or not: each has been where the furthest is."""
        furthest: dict[str, int] = {}
        for watch in self.watches:
            assert watch.table is not None
            furthest[watch.table.id] = max(furthest.get(watch.table.id, 0), watch.table.version)
        await wait_for(
            lambda: all(watch.table and watch.table.version >= furthest[watch.table.id] for watch in self.watches),
            BACK_S_MAX,
        )


async def _change(watch: Stopwatch, box: int) -> Tally:
    """Until it is stopped. What is refused is tried again; a seat that the store has forgotten is taken anew."""
    tally, table = Tally(name=watch.session.name), watch.table
    assert table is not None
    while True:
        try:
            if table.me is None:
                await table.take_box(box)
            await table.buy_in(CHANGED)
            await table.cash_out(CHANGED)
            tally.rounds += 1
        except Refused as refused:
            tally.refused[refused.code] += 1
            await asyncio.sleep(CHANGE_PAUSE_S)


def first_since(watch: Stopwatch, since: float) -> Return | None:
    return next((one for one in watch.returns if one.lost_at >= since), None)


async def wait_for(condition: Callable[[], bool], within_s: float) -> None:
    """There is nothing but frames to wait for. Raises `TimeoutError`."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)


async def _end(task: asyncio.Task[Tally]) -> None:
    task.cancel()
    await asyncio.wait({task})
