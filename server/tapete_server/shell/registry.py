"""The tables that this node follows: loaded once, counted by those who need them, kept level with the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

from tapete_protocol.base import TableId
from tapete_server.ports import TableStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.counts import Counts
from tapete_server.shell.floor_port import Sink
from tapete_server.shell.live_table import LiveTable, OnChange
from tapete_server.shell.sweeping import quietly

log = logging.getLogger("tapete.registry")

RESCAN_MS = (2_500, 3_000)
"""Between two comparisons of all versions and heads: for a lost last message, or a subscription that died quietly."""
LINGER_MS = 10_000
"""A table that nobody needs any more is followed a little longer, for whoever comes back."""


class Registry:
    """`on_change` is told of every batch (None: the state jumped)."""

    def __init__(self, store: TableStore, clock: StoreClock, on_change: OnChange, counts: Counts) -> None:
        self._store, self._clock, self._on_change, self._counts = store, clock, on_change, counts
        self.sink: Sink
        self.tables: dict[TableId, LiveTable] = {}
        self._loading: dict[TableId, asyncio.Task[LiveTable | None]] = {}
        self._lingering: dict[TableId, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[bool]] = set()

    def live(self, table: str) -> LiveTable | None:
        """A followed table, loaded and there."""
        found = self.tables.get(TableId(table))
        return found if found is not None and found.loaded and not found.gone else None

    async def follow(self, table: TableId) -> LiveTable | None:
        """Raises `UnreadableTable`."""
        found = self.live(table)
        if found is None:
            loading = self._loading.get(table)
            if loading is None:
                loading = asyncio.get_running_loop().create_task(self._load(table))
                self._loading[table] = loading
                loading.add_done_callback(lambda done: self._loaded(table, done))
            found = await asyncio.shield(loading)
        if found is not None:
            found.followers += 1
            self._stay(table)
        return found

    def _loaded(self, table: TableId, done: asyncio.Task[LiveTable | None]) -> None:
        self._loading.pop(table, None)
        if not done.cancelled():
            done.exception()  # whoever waits has it; nobody may wait any more

    async def _load(self, table: TableId) -> LiveTable | None:
        live = LiveTable(table, self._store, self._clock, self.sink, self._on_change, counts=self._counts)
        if (closed := self.tables.get(table)) is not None:
            live.followers = (
                closed.followers
            )  # of one that was closed and is open again: they will let go in their time
        self.tables[table] = live
        there = False
        try:
            await self._store.subscribe(table)
            there = await live.load()
        finally:
            if not there:
                self.tables.pop(table, None)
                self._spawn(self._unsubscribe(table), table)
        if not there:
            return None
        self._linger(table)  # until whoever asked has it; they may have gone
        self._on_change(live, None, None)
        return live

    def unfollow(self, table: TableId) -> None:
        found = self.tables.get(table)
        if found is None:
            return
        found.followers = max(0, found.followers - 1)
        if not found.followers:
            self._linger(table)

    def _stay(self, table: TableId) -> None:
        if handle := self._lingering.pop(table, None):
            handle.cancel()

    def _linger(self, table: TableId) -> None:
        self._stay(table)
        loop = asyncio.get_running_loop()
        self._lingering[table] = loop.call_later(LINGER_MS / 1000, self._drop, table)

    def _drop(self, table: TableId) -> None:
        self._lingering.pop(table, None)
        found = self.tables.get(table)
        if found is None or found.followers:
            return
        if found.lock.locked() or table in self._loading:
            self._linger(table)
            return
        del self.tables[table]
        self._spawn(self._unsubscribe(table), table)

    def _spawn(self, work: Awaitable[None], table: TableId) -> None:
        task = asyncio.get_running_loop().create_task(quietly(work, f"leaving the table {table}"))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _unsubscribe(self, table: TableId) -> None:
        if table not in self.tables:
            await self._store.unsubscribe(table)

    @asynccontextmanager
    async def visit(self, table: TableId) -> AsyncIterator[LiveTable | None]:
        """Follow for as long as the block runs. None: there is no such table. Raises `UnreadableTable`."""
        live = await self.follow(table)
        try:
            yield live
        finally:
            if live is not None:
                self.unfollow(table)

    def seen(self) -> dict[TableId, tuple[int, bytes]]:
        """Version and head of every followed table."""
        there = ((table, self.live(table)) for table in self.tables)
        return {table: (live.state.version, live.state.head) for table, live in there if live is not None}

    def receive(self, table: TableId, payload: bytes) -> None:
        """From the store's channel."""
        if live := self.tables.get(table):
            live.receive(payload)

    async def rescan(self) -> None:
        """Compare all followed tables with the store, and bring up those that are behind."""
        asked_at = {table: live.state.version for table, live in self.tables.items() if live.loaded and not live.gone}
        heads = await self._store.heads(tuple(asked_at))
        for table, version in asked_at.items():
            live, known = self.live(table), heads.get(table)
            if live is not None and (known is None or not live.agrees(*known, version)):
                live.fill_soon()

    def stop(self) -> None:
        for handle in self._lingering.values():
            handle.cancel()
