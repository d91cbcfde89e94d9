"""The one subscription of a simulated node, after `redis_store/follow.py`: what breaks is made again and told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from tapete_protocol.base import TableId
from tapete_server.adapters.redis_store import StoreLimits
from tapete_server.adapters.redis_store.connection import stop
from tapete_server.ports import StoreAway
from tests.simulation.store.felts import Felts
from tests.simulation.store.lane import PAUSE_SHARE
from tests.simulation.store.wire import Cut, Wire

log = logging.getLogger("tapete.store")


class Connection:
    """One connection of a subscription, while it stands; the vault speaks into it."""

    def __init__(self, wire: Wire, heard: Callable[[TableId, bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self._wire, self._heard = wire, heard
        self.broken: asyncio.Future[None] = loop.create_future()
        self.heard_s = loop.time()
        self.asking: dict[asyncio.Task[None], None] = {}

    def said(self, channel: TableId, payload: bytes) -> None:
        self._wire.deliver(lambda: self._arrives(channel, payload))

    def _arrives(self, channel: TableId, payload: bytes) -> None:
        if not self.broken.done():
            self.heard_s = asyncio.get_running_loop().time()
            self._heard(channel, payload)

    def cut(self) -> None:
        if not self.broken.done():
            self.broken.set_result(None)


class Follower:
    def __init__(self, vault: Felts, wire: Wire, limits: StoreLimits) -> None:
        self._vault, self._wire, self._limits = vault, wire, limits
        self._wanted: dict[TableId, None] = {}
        self._unconfirmed: dict[TableId, list[asyncio.Future[None]]] = {}
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._broke = False
        self.on_batch: Callable[[TableId, bytes], None] = lambda _table, _batch: None
        self.on_resubscribed: Callable[[], None] = lambda: None
        wire.on_broken = self.cut

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(), name="tapete subscription")

    def hang_up(self) -> None:
        """Nothing more is heard."""
        if self._task is not None:
            self._task.cancel()
        self._drop()

    async def close(self) -> None:
        self.hang_up()
        self.give_up("closed")
        await stop(self._task)

    def cut(self) -> None:
        """The connection that stands, if one does, has broken."""
        if self._connection is not None:
            self._connection.cut()

    def give_up(self, why: str) -> None:
        """Whoever waits for a confirmation waits no longer."""
        for futures in self._unconfirmed.values():
            for future in futures:
                self._fail(future, why)

    @staticmethod
    def _fail(future: asyncio.Future[None], why: str) -> None:
        if not future.done():
            future.set_exception(StoreAway(f"the store is away: {why}"))

    async def follow(self, table: TableId) -> None:
        """Returns when the store has confirmed. Raises `StoreAway`, and follows no more, if it does not in time."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(self._limits.call_deadline_ms / 1000, self._fail, future, "no confirmation in time")
        self._wanted[table] = None
        self._unconfirmed.setdefault(table, []).append(future)
        if (connection := self._connection) is not None:
            task = loop.create_task(self._ask(connection, table), name="tapete following")
            connection.asking[task] = None
            task.add_done_callback(connection.asking.pop)
        try:
            await future
        except BaseException:
            self._wanted.pop(table, None)
            raise
        finally:
            timer.cancel()

    async def _ask(self, connection: Connection, table: TableId) -> None:
        """Without a connection nothing is asked: the next one begins with all that is wanted."""
        try:
            await self._wire.ask()
        except Cut:
            connection.cut()
        if not connection.broken.done():
            self._confirmed(connection, table)

    def _confirmed(self, connection: Connection, table: TableId) -> None:
        if table in self._wanted:
            self._vault.follow(table, connection)
        for future in self._unconfirmed.pop(table, ()):
            if not future.done():
                future.set_result(None)

    def unfollow(self, table: TableId) -> None:
        self._wanted.pop(table, None)
        if self._connection is not None:
            self._vault.unfollow(table, self._connection)

    async def _run(self) -> None:
        first_ms = pause_ms = self._limits.probe_first_ms
        while True:
            try:
                await self._within(self._wire.listen())
                pause_ms = first_ms
                await self._hear()
            except (Cut, TimeoutError) as wrong:
                log.info("the subscription broke", extra={"why": str(wrong)})
            self._drop()
            self._broke = True
            await asyncio.sleep(PAUSE_SHARE * pause_ms / 1000)
            pause_ms = min(2 * pause_ms, self._limits.probe_interval_ms)

    def _drop(self) -> None:
        """The store forgets a connection that has broken, and so does the node."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        connection.cut()
        for task in list(connection.asking):
            task.cancel()
        self._vault.hang_up(connection)

    async def _within(self, asked: Coroutine[Any, Any, None]) -> None:
        async with asyncio.timeout(self._limits.socket_timeout_ms / 1000):
            await asked

    async def _hear(self) -> None:
        """Returns when the connection has broken. Raises `TimeoutError` when it is silent, and does not answer."""
        connection = self._connection = Connection(self._wire, self._heard)
        wanted = list(self._wanted)
        if wanted:
            await self._within(self._wire.ask())
            if connection.broken.done():
                return
        for table in wanted:
            self._confirmed(connection, table)
        if self._broke:
            self._tell(self.on_resubscribed)
        while not connection.broken.done():
            await self._silence(connection)

    async def _silence(self, connection: Connection) -> None:
        """Wait until it breaks, or has been silent for so long that it is asked whether it lives."""
        health_s = self._limits.follow_health_ms / 1000
        loop = asyncio.get_running_loop()
        left_s = connection.heard_s + health_s - loop.time()
        if left_s > 0:
            await asyncio.wait([connection.broken], timeout=left_s)
        elif not connection.broken.done():
            await self._within(self._wire.ask())
            connection.heard_s = loop.time()

    def _heard(self, channel: TableId, payload: bytes) -> None:
        if channel in self._wanted:
            self._tell(lambda: self.on_batch(channel, payload))

    @staticmethod
    def _tell(said: Callable[[], None]) -> None:
        try:
            said()
        except Exception:
            log.exception("what came over the subscription could not be taken")
