"""The tables that this node follows: loaded once, counted by those who need them, kept level with the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tapete_protocol.base import TableId
from tapete_server.ports import StoreAway, TableStore
from tapete_server.shell.clock import StoreClock
from tapete_server.shell.floor_port import Sink
from tapete_server.shell.live_table import LiveTable, OnChange

log = logging.getLogger("tapete.registry")

RESCAN_MS = 3_000
"""Between two comparisons of all versions and heads: catches a lost last message, and a subscription that died quietly."""
LINGER_MS = 10_000
"""A table that nobody needs any more is followed a little longer, for whoever comes back."""


class Registry:
    """`on_change` is told of every batch (None: the state jumped)."""

    def __init__(self, store: TableStore, clock: StoreClock, on_change: OnChange) -> None:
        self._store, self._clock, self._on_change = store, clock, on_change
        self.sink: Sink
        self.tables: dict[TableId, LiveTable] = {}
        self._loading: dict[TableId, asyncio.Task[LiveTable | None]] = {}
        self._lingering: dict[TableId, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def live(self, table: str) -> LiveTable | None:
        """A followed table, loaded and there."""
        found = self.tables.get(TableId(table))
        return found if found is not None and found.loaded and not found.gone else None

    async def follow(self, table: TableId) -> LiveTable | None:
        if handle := self._lingering.pop(table, None):
            handle.cancel()
        found = self.tables.get(table)
        if found is None or found.gone or not found.loaded:
            loading = self._loading.get(table)
            if loading is None:
                loading = asyncio.get_running_loop().create_task(self._load(table))
                self._loading[table] = loading
                loading.add_done_callback(lambda _: self._loading.pop(table, None))
            found = await asyncio.shield(loading)
        if found is not None:
            found.followers += 1
        return found

    async def _load(self, table: TableId) -> LiveTable | None:
        live = LiveTable(table, self._store, self._clock, self.sink)
        live.on_change = self._on_change
        self.tables[table] = live
        try:
            await self._store.subscribe(table)
            if await live.load():
                self._on_change(live, None, None)
                return live
        except BaseException:
            self.tables.pop(table, None)
            raise
        self.tables.pop(table, None)
        await self._store.unsubscribe(table)
        return None

    def unfollow(self, table: TableId) -> None:
        found = self.tables.get(table)
        if found is None:
            return
        found.followers -= 1
        if found.followers <= 0 and table not in self._lingering:
            loop = asyncio.get_running_loop()
            self._lingering[table] = loop.call_later(LINGER_MS / 1000, self._drop, table)

    def _drop(self, table: TableId) -> None:
        self._lingering.pop(table, None)
        found = self.tables.get(table)
        if found is None or found.followers > 0:
            return
        if found.lock.locked():
            self.unfollow_later(table)
            return
        del self.tables[table]
        task = asyncio.get_running_loop().create_task(self._unsubscribe(table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def unfollow_later(self, table: TableId) -> None:
        loop = asyncio.get_running_loop()
        self._lingering[table] = loop.call_later(LINGER_MS / 1000, self._drop, table)

    async def _unsubscribe(self, table: TableId) -> None:
        try:
            if table not in self.tables:
                await self._store.unsubscribe(table)
        except StoreAway:
            pass  # after its return only followed tables are subscribed

    @asynccontextmanager
    async def visit(self, table: TableId) -> AsyncIterator[LiveTable | None]:
        """Follow for as long as the block runs."""
        live = await self.follow(table)
        try:
            yield live
        finally:
            if live is not None:
                self.unfollow(table)

    def receive(self, table: TableId, payload: bytes) -> None:
        """From the store's channel."""
        if live := self.tables.get(table):
            try:
                live.receive(payload)
            except Exception:
                log.exception("a batch could not be followed", extra={"table": table})
                live.fill_soon()

    async def rescan(self) -> None:
        """Compare all followed tables with the store, and bring up those that are behind."""
        loaded = [table for table, live in self.tables.items() if live.loaded and not live.gone]
        if not loaded:
            return
        heads = await self._store.heads(loaded)
        for table in loaded:
            live = self.live(table)
            if live is not None and heads.get(table) != (live.state.version, live.state.head):
                live.fill_soon()

    async def rescan_for_ever(self) -> None:
        while True:
            await asyncio.sleep(RESCAN_MS / 1000)
            try:
                await self.rescan()
            except StoreAway:
                continue
