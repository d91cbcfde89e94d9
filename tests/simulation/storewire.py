"""What lies between a node and the store, in any weather; and the store's own bad moments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from tests.simulation.loop import Host, SimLoop
from tests.simulation.store.wire import Cut

Hit = Literal[
    "lost_request", "lost_reply", "late", "kill_before", "kill_after", "freeze_before", "freeze_after", "store"
]
"""What can befall a commit that is under way."""
LATE_S = (1.6, 6.0)
"""How much later than anybody waits for it a request may still be carried out."""


@dataclass
class StoreWeather:
    """How the way to the store is at the moment. Chances are for each request, reply, or batch told."""

    delay_s: tuple[float, float] = (0.0002, 0.001)
    slow: float = 0.0
    slow_s: float = 2.0
    lost_request: float = 0.0
    lost_reply: float = 0.0
    late: float = 0.0
    dropped: float = 0.0
    twice: float = 0.0
    reordered: float = 0.0


@dataclass
class StoreProcess:
    """The store as a process: down, or frozen. Each start has a number; what was asked of an earlier one is lost."""

    starts: int = 1
    up: bool = True
    thawed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.thawed.set()


class StoreWire:
    """One node's connections to the store. `befall(hit)`: what is to happen to the request that comes next."""

    def __init__(self, loop: SimLoop, rng: Random, host: Host, process: StoreProcess, weather: StoreWeather) -> None:
        self.on_broken: Callable[[], None] = lambda: None
        self.weather = weather
        self.on_hit: Callable[[Hit], None] = lambda _: None
        self._loop, self._rng, self._host, self._process = loop, rng, host, process
        self._next: Hit | None = None
        self._connected_to = process.starts
        self._quiet = False
        self._free_at = 0.0

    def befall(self, hit: Hit) -> None:
        self._next = hit

    def lose_subscription(self, *, quietly: bool) -> None:
        if quietly:
            self._quiet = True
        else:
            self._loop.deliver(self._host, self._delay_s(), self._break)

    def _break(self) -> None:
        self.on_broken()

    async def request(self) -> None:
        if self._next is not None:
            await self._hit("kill_before", "freeze_before", "store")
        rng, weather, process, sent_to = self._rng, self.weather, self._process, self._connected_to
        if self._is_next("lost_request") or rng.random() < weather.lost_request:
            await asyncio.sleep(self._delay_s())
            raise Cut
        late = self._is_next("late") or rng.random() < weather.late
        await asyncio.sleep(rng.uniform(*LATE_S) if late else self._delay_s())
        if not process.up or not process.thawed.is_set():
            await self._reach()
        if sent_to != process.starts:
            self._connected_to = process.starts  # what was sent over the old connection is gone with it
            raise Cut

    async def reply(self) -> None:
        asked_of = self._process.starts
        if self._next is not None:
            await self._hit("kill_after", "freeze_after")
        if self._is_next("lost_reply") or self._rng.random() < self.weather.lost_reply:
            await asyncio.sleep(self._delay_s())
            raise Cut
        await asyncio.sleep(self._delay_s())
        if not self._process.up or self._process.starts != asked_of:
            raise Cut

    async def listen(self) -> None:
        await asyncio.sleep(self._delay_s())
        await self._reach()
        self._quiet = False

    async def ask(self) -> None:
        await asyncio.sleep(self._delay_s())
        await self._reach()
        if self._quiet:
            await asyncio.Event().wait()

    def deliver(self, said: Callable[[], None]) -> None:
        rng, weather = self._rng, self.weather
        if self._quiet or rng.random() < weather.dropped:
            return
        for _ in range(1 + (rng.random() < weather.twice)):
            delay_s = self._delay_s()
            if rng.random() >= weather.reordered:
                self._free_at = max(self._free_at, self._loop.now + delay_s)
                delay_s = self._free_at - self._loop.now
            else:
                delay_s += rng.uniform(0, 0.05)
            self._loop.deliver(self._host, delay_s, said)

    async def _reach(self) -> None:
        """The store has the request, unless it is down; a frozen one has it when it thaws."""
        if not self._process.up:
            raise Cut
        await self._process.thawed.wait()

    def _delay_s(self) -> float:
        delay_s = self._rng.uniform(*self.weather.delay_s)
        if self.weather.slow and self._rng.random() < self.weather.slow:
            delay_s += self._rng.uniform(0, self.weather.slow_s)
        return delay_s

    def _is_next(self, hit: Hit) -> bool:
        if self._next != hit:
            return False
        self._next = None
        return True

    async def _hit(self, *hits: Hit) -> None:
        if self._next in hits:
            hit, self._next = self._next, None
            assert hit is not None
            self.on_hit(hit)
            await asyncio.sleep(0)
