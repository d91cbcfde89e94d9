"""Clocks fire: at once on nodes with players at the table, and by a sweep of every node as a net below."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tapete_protocol.base import TableId
from tapete_server.ports import Jitter, TableStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.live_table import LiveTable
from tapete_server.shell.sweeping import quietly

SWEEP_MS = (500, 1_000)
"""Between two looks at the deadlines of all tables."""
GRACE_MS = 300
"""A sweep leaves the nodes with players this long to fire by themselves."""
STAGGER_MS_MAX = 40
"""Nodes that did not make the last batch let the one that did be first."""
RETRY_MS = 150
"""After a clock that could not be fired."""
FIRING_TABLES_MAX = 100
"""Tables that a sweep has in work at once; the others are as due at the next look."""


class Timers:
    """`fire(table)` runs every clock of the table that is due."""

    def __init__(
        self, store: TableStore, clock: StoreClock, fire: Callable[[TableId], Awaitable[object]], dice: Jitter
    ) -> None:
        self._store, self._clock, self._fire, self._dice = store, clock, fire, dice
        self._handles: dict[TableId, asyncio.TimerHandle] = {}
        self._firing: dict[TableId, asyncio.Task[bool]] = {}
        self._stopped = False

    def arm(self, live: LiveTable, *, mine: bool, again: bool = False) -> None:
        """Set this node's timer for the table's earliest deadline. `mine`: the last batch was made here; `again`: what
        is due could not be fired a moment ago."""
        self.disarm(live.id)
        earliest = None if live.gone else live.state.earliest_deadline()
        if earliest is None or self._stopped:
            return
        delay_ms = max(RETRY_MS if again else 0, earliest[1] - self._clock.now_ms())
        if again or not mine:
            delay_ms += STAGGER_MS_MAX // 2 + self._dice.randrange(STAGGER_MS_MAX)
        loop = asyncio.get_running_loop()
        self._handles[live.id] = loop.call_later(delay_ms / 1000, self._start, live.id)

    def disarm(self, table: TableId) -> None:
        if handle := self._handles.pop(table, None):
            handle.cancel()

    def _start(self, table: TableId) -> None:
        self._handles.pop(table, None)
        if table not in self._firing and not self._stopped:
            task = asyncio.get_running_loop().create_task(quietly(self._fire(table), f"firing a clock of {table}"))
            self._firing[table] = task
            task.add_done_callback(lambda _: self._firing.pop(table, None))

    async def sweep(self) -> None:
        """Fire what is overdue at any table of the store."""
        for table, _ in await self._store.due(self._clock.now_ms() - GRACE_MS):
            if len(self._firing) >= FIRING_TABLES_MAX:
                return
            self._start(table)

    def stop(self) -> None:
        self._stopped = True
        for handle in self._handles.values():
            handle.cancel()
        for task in tuple(self._firing.values()):
            task.cancel()
