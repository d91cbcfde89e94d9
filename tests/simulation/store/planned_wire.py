"""A wire that fails exactly as it is told, and otherwise not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tests.simulation.store.wire import Cut, PerfectWire


class PlannedWire(PerfectWire):
    """`lose_requests`, `lose_replies`: how many of the next ones are lost. `severed`: nothing gets through at all."""

    def __init__(self) -> None:
        super().__init__()
        self.lose_requests = 0
        self.lose_replies = 0
        self.severed_after_loss = False
        self.severed = False
        self.lost = asyncio.Event()
        self.thawed = asyncio.Event()
        self.thawed.set()
        self.stuck: asyncio.Event | None = None
        """The next request waits for it, and what comes after does not."""
        self.deaf = False
        self.held: list[Callable[[], None]] | None = None
        """What is delivered gathers here, if it is a list."""

    def freeze(self) -> None:
        self.thawed.clear()

    async def request(self) -> None:
        await super().request()
        if self.lose_requests:
            self.lose_requests -= 1
            self._lose()
        stuck, self.stuck = self.stuck, None
        if stuck is not None:
            await stuck.wait()
        await self._reach()

    async def reply(self) -> None:
        await super().reply()
        if self.lose_replies:
            self.lose_replies -= 1
            self._lose()
        if self.severed:
            raise Cut

    def _lose(self) -> None:
        self.lost.set()
        self.severed = self.severed_after_loss
        raise Cut

    async def _reach(self) -> None:
        if self.severed:
            raise Cut("severed")
        await self.thawed.wait()

    async def listen(self) -> None:
        await super().listen()
        await self._reach()
        self.deaf = False

    async def ask(self) -> None:
        await super().ask()
        await self._reach()
        if self.deaf:
            await asyncio.Event().wait()

    def deliver(self, said: Callable[[], None]) -> None:
        if self.held is not None:
            self.held.append(said)
        elif not self.deaf:
            super().deliver(said)
