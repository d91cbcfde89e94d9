"""Clocks fire: at once on nodes with players at the table, and by a sweep of every node as a net below."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from random import Random

from tapete_protocol.base import TableId
from tapete_server.ports import StoreAway, TableStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.live_table import LiveTable

log = logging.getLogger("tapete.timers")

SWEEP_MS_MIN, SWEEP_MS_MAX = 500, 1_000
"""Between two looks at the deadlines of all tables."""
GRACE_MS = 300
"""A sweep leaves the nodes with players this long to fire by themselves."""
STAGGER_MS_MAX = 40
"""Nodes that did not make the last batch let the one that did be first."""


class Timers:
    """`fire(table)` runs every clock of the table that is due."""

    def __init__(
        self, store: TableStore, clock: StoreClock, fire: Callable[[TableId], Awaitable[None]], dice: Random
    ) -> None:
        self._store, self._clock, self._fire, self._dice = store, clock, fire, dice
        self._handles: dict[TableId, asyncio.TimerHandle] = {}
        self._firing: dict[TableId, asyncio.Task[None]] = {}

    def arm(self, live: LiveTable, *, mine: bool) -> None:
        """Set this node's timer for the table's earliest deadline. `mine`: the last batch was made here."""
        self.disarm(live.id)
        earliest = None if live.gone else live.state.earliest_deadline()
        if earliest is None:
            return
        delay_ms = max(0, earliest[1] - self._clock.now_ms())
        if not mine:
            delay_ms += STAGGER_MS_MAX // 2 + self._dice.randrange(STAGGER_MS_MAX)
        loop = asyncio.get_running_loop()
        self._handles[live.id] = loop.call_later(delay_ms / 1000, self._start, live.id)

    def disarm(self, table: TableId) -> None:
        if handle := self._handles.pop(table, None):
            handle.cancel()

    def _start(self, table: TableId) -> None:
        self._handles.pop(table, None)
        running = self._firing.get(table)
        if running is None or running.done():
            self._firing[table] = asyncio.get_running_loop().create_task(self._fire_quietly(table))

    async def _fire_quietly(self, table: TableId) -> None:
        try:
            await self._fire(table)
        except StoreAway:
            pass  # the sweep finds it when the store is back
        except Exception:
            log.exception("a clock could not be fired", extra={"table": table})
        finally:
            self._firing.pop(table, None)

    async def sweep(self) -> None:
        """For ever: fire what is overdue at any table of the store."""
        while True:
            await asyncio.sleep(self._dice.uniform(SWEEP_MS_MIN, SWEEP_MS_MAX) / 1000)
            try:
                for table, _ in await self._store.due(self._clock.now_ms() - GRACE_MS):
                    self._start(table)
            except StoreAway:
                continue

    def stop(self) -> None:
        for handle in self._handles.values():
            handle.cancel()
        for task in self._firing.values():
            task.cancel()
